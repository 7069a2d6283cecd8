// Coefficients of an ExactPair in the scalar of a stepper.
#pragma once

#include <algorithm>
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

}  // namespace daemark
