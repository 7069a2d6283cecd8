// Methods whose step is several steps of a symmetric method, Φ_{γ_m h} ∘ … ∘ Φ_{γ_1 h}.
#pragma once

#include <string>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

struct ExactComposition {
  std::string base;              ///< call of Φ, which is symmetric and of order 2
  std::vector<Expression> half;  ///< γ_1, γ_2, … before the middle; γ_i = γ_{m+1−i}, Σ γ = 1
  int order = 0;                 ///< as published
};

/// Implemented next to Method.
class ComposedStep {
 public:
  virtual ~ComposedStep() = default;
  virtual const ExactComposition& composition() const = 0;
};

}  // namespace daemark
