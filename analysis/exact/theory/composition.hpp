// The order of symmetric compositions of a symmetric method Φ of order 2.
//
// Φ_h = exp(h Y₁ + h³ Y₃ + h⁵ Y₅ + …), where Y₁ is the equation and the others depend on Φ (Hairer,
// Lubich & Wanner, Geometric Numerical Integration, III.5, IX.2). The product of the steps and
// exp(h Y₁) are series in words Y_{k₁} … Y_{k_r}. The order is p for every Φ and every equation if
// the coefficients of all words of degree Σ k_j ≤ p agree. In one step of length γ the coefficient
// of a word of degree n is γⁿ/r!.
#pragma once

#include <string>

#include "methods/core/method.hpp"

namespace daemark::exact {

struct CompositionOrder {
  int order = 0;
  bool exact = true;         ///< false: within the rounding of decimals
  std::string failing_word;  ///< "Y1 Y1 Y3", of degree order + 1; empty: none up to degree 14
  std::string off;           ///< by how much its coefficient differs
};

/// Throws BadInput naming `where` for what is no real algebraic number.
CompositionOrder composition_order(const ExactComposition& composition, const std::string& where);

}  // namespace daemark::exact
