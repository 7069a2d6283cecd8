// Reference states by two independent routes, with the digits on which they agree.
#pragma once

#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

struct ReferenceState {
  std::string t;  ///< exact text of the time asked
  std::vector<real50> q, v, lambda;
  int agreed_digits = 0;                  ///< significant digits, the worst component counts
  std::string first_route, second_route;  ///< what computed it
};

/// From where they are stored with enough digits, computed (and stored locally, when `store`)
/// otherwise. `problem` is a call as text. Throws BadInput for unknown problems or bad times.
std::vector<ReferenceState> reference_states(const std::string& problem,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute = false, bool store = true);

struct Problem;
/// The same for a problem that need not be in the catalogue; nothing is stored. Times ascend from
/// the problem's start.
std::vector<ReferenceState> compute_reference(const Problem& problem,
                                              const std::vector<std::string>& times, int digits);

}  // namespace daemark
