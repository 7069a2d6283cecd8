// Coefficients of an ExactPair in the scalar of a stepper.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// All entries are rational: there is a stepper in exact arithmetic.
inline bool is_rational(const ExactPair& pair) {
  const auto list = [](const std::vector<Expression>& entries) {
    return std::all_of(entries.begin(), entries.end(),
                       [](const Expression& e) { return e.is_rational(); });
  };
  const auto part = [&](const ExactTableau& t) {
    return list(t.b) && list(t.c) && std::all_of(t.A.begin(), t.A.end(), list);
  };
  return part(pair.first) && part(pair.second);
}

template <class S>
std::vector<S> rounded_once(const std::vector<Expression>& entries) {
  std::vector<S> out;
  for (const Expression& e : entries) {
    if constexpr (is_exact<S>)
      out.push_back(e.as_rational());
    else
      out.push_back(from_wide<S>(e.eval<wide>()));
  }
  return out;
}

/// One part; embedded weights as b − b̂, empty without them.
template <class S>
struct PartCoefficients {
  std::vector<std::vector<S>> A;
  std::vector<S> b, c, difference;
  explicit PartCoefficients(const ExactTableau& part)
      : b(rounded_once<S>(part.b)), c(rounded_once<S>(part.c)) {
    for (const auto& row : part.A) A.push_back(rounded_once<S>(row));
    if constexpr (!is_exact<S>)
      for (std::size_t i = 0; i < part.embedded.size(); ++i)
        difference.push_back(
            from_wide<S>(wide(part.b[i].eval<wide>() - part.embedded[i].eval<wide>())));
  }
};

/// The least k ≥ 0 with Σ (b_j − b̂_j) c_j^k ≠ 0; empty without embedded weights.
inline std::optional<int> first_moment(const ExactTableau& part,
                                       const std::vector<Expression>& nodes) {
  if (part.embedded.empty()) return std::nullopt;
  for (int k = 0; k <= part.stages(); ++k) {
    wide sum = 0;
    for (int j = 0; j < part.stages(); ++j) {
      const wide c = nodes[j].eval<wide>();
      sum += (part.b[j].eval<wide>() - part.embedded[j].eval<wide>()) *
             (k == 0 ? wide(1) : wide(pow(c, k)));
    }
    if (abs(sum) > wide(1e-12)) return k;  // b̂ of published pairs may be decimal
  }
  return std::nullopt;
}

}  // namespace daemark
