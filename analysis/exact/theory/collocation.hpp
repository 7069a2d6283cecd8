// Gauss, Radau and Lobatto families with any number of stages, in exact rational arithmetic.
//
// The s nodes are the zeros of a rational polynomial pi(x). A function of the stages is a
// polynomial modulo pi, so that A, b and c are rational in the basis 1, x, ..., x^(s-1).
#pragma once

#include <string>

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/runge_kutta.hpp"

namespace daemark::exact {

enum class Family { gauss, radau_ia, radau_iia, lobatto_iiia, lobatto_iiic };

/// gauss, radau_ia, radau_iia, lobatto_iiia, lobatto_iiic; throws BadInput for another word.
Family family_from(const std::string& word);
const char* family_name(Family family);
inline constexpr int largest_collocation = 100;

/// Monic node polynomial; s from 1 (Lobatto: 2) to largest_collocation, else BadInput.
Poly node_polynomial(Family family, int s);

Operators collocation_operators(Family family, int s);
/// The method with these nodes and weights that has D(s): of Lobatto's, IIIB.
Operators adjoint_operators(Family nodes, int s);
/// Functions modulo the node polynomial in the basis 1, x, ...; a and b in that basis.
Operators ring_operators(const Poly& nodes, const Matrix& a, const Vector& b);
MethodProof prove_collocation(Family family, int s);

/// A, b and c as algebraic numbers of one field, from the zeros of the node polynomial near
/// `nodes`, at most so many of them: their field has a degree of up to 8, of 5 up to 120.
inline constexpr int most_nodal_stages = 4;
TableauNumbers nodal_tableau(Family family, const std::vector<wide>& nodes);

/// Shifted Legendre polynomial of degree n, orthogonal on [0, 1], P(1) = 1.
Poly legendre_on_unit_interval(int n);

}  // namespace daemark::exact
