// Block methods whose stability function is a Padé approximant of exp (Li, Ding & Li 2019).
//
// Names, as in the paper: r inner values per step, (k, j) numerator and denominator degree, nodes
// c_1 < … < c_r = 1 of the unit step, and y_i = y_k + h d_i ẏ_k + h Σ_j B_ij ẏ_j (eq. 5).
#pragma once

#include <string>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

inline constexpr int min_block_size = 2;
inline constexpr int max_block_size = 40;

/// "equidistant", "chebyshev", "legendre", "radau", "lobatto": what node_set accepts.
const std::vector<std::string>& node_set_names();

/// r nodes in (0, 1], ascending, the last exactly 1. equidistant: i/r; chebyshev, legendre: the
/// r − 1 zeros moved to (0, 1), and 1; radau: the right Radau points; lobatto: the (r+1)-point rule
/// without 0. Throws BadInput for other names and r outside min_block_size..max_block_size.
std::vector<wide> node_set(const std::string& name, int r);

/// Coefficients of the (k, j)-Padé approximant N/D of exp in ascending powers, D(0) = 1: k + 1 and
/// j + 1 exact numbers.
std::vector<rational> pade_numerator(int k, int j);
std::vector<rational> pade_denominator(int k, int j);

/// Throws BadInput, naming what is accepted, unless r is min_block_size..max_block_size,
/// 0 ≤ k ≤ r, 0 ≤ j ≤ r and k + j ≥ r.
void check_pade_degrees(int r, int k, int j);

/// [B d] of eq. (9) with the constants μ for which R(z) = e_rᵀ(I − zB)⁻¹(e + zd) is the (k, j)-Padé
/// approximant; B is r × r. Throws BadInput for degrees as above and for nodes that are not
/// distinct, ascending, in (0, 1] with 1 at the end, or so close together that fewer than 90 digits
/// are left.
WideBlock pade_block(const std::vector<wide>& nodes, int k, int j);
/// The same exactly, for rational nodes; no limit on how close they are.
Block<rational> exact_pade_block(const std::vector<rational>& nodes, int k, int j);

/// Whether B is singular (for a Padé block: j < r). Such a block cannot solve index 2 and 3.
bool singular_B(const WideBlock& block);

}  // namespace daemark
