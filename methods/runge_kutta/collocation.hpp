// Implicit Runge–Kutta families built on Gauss, Radau and Lobatto points, for any number of stages.
//
// Coefficients are computed in `wide` (more than 110 correct digits) and rounded once by whoever
// uses them. Source: Hairer & Wanner, Solving Ordinary Differential Equations II, sections IV.5
// (families, simplifying assumptions B, C, D) and IV.15 (Lobatto IIIA).
#pragma once

#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// Largest number of stages (and of nodes) any function of this file accepts.
inline constexpr int max_collocation_stages = 100;

/// n points in [0, 1], ascending; endpoints that belong to the rule are exactly 0 and 1. n is
/// 1..max_collocation_stages (Lobatto: 2..), anything else throws BadInput.
std::vector<wide> gauss_nodes(int n);
std::vector<wide> radau_left_nodes(int n);   ///< contains 0
std::vector<wide> radau_right_nodes(int n);  ///< contains 1
std::vector<wide> lobatto_nodes(int n);      ///< contains 0 and 1

/// A is s × s, b and c have s entries. Rows and columns that equal b, or 0, by construction are
/// exactly so. s is 1..max_collocation_stages, for Lobatto 2..; anything else throws BadInput.
WideTableau gauss(int s);         ///< order 2s, stage order s
WideTableau radau_ia(int s);      ///< order 2s − 1, stage order s − 1, first column b_1; s = 1
                                  ///< has c = 0, A = 1: row sums are c (C(1)) from s = 2 on only
WideTableau radau_iia(int s);     ///< order 2s − 1, stage order s, last row b
WideTableau lobatto_iiia(int s);  ///< order 2s − 2, stage order s, first row 0, last row b
WideTableau lobatto_iiic(int s);  ///< order 2s − 2, stage order s − 1, first column b_1, last row b

}  // namespace daemark
