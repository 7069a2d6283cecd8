// Reference states by two independent routes, with the digits on which they agree.
#pragma once

#include <stdexcept>
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

/// There is no reference: the motion cannot be continued that far, in 50 digits.
class NoReference : public std::runtime_error {
 public:
  explicit NoReference(const std::string& message) : std::runtime_error(message) {}
};

/// From where they are stored with enough digits, computed (and stored locally, when `store`)
/// otherwise. `problem` is a call as text. Each state is computed once: who asks for one that is
/// being computed waits for it, others do not wait. Throws BadInput for unknown problems or bad
/// times, NoReference.
std::vector<ReferenceState> reference_states(const std::string& problem,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute = false, bool store = true);

struct Problem;
/// The same for a problem that need not be in the catalogue; nothing is stored. Times ascend from
/// the problem's start.
std::vector<ReferenceState> compute_reference(const Problem& problem,
                                              const std::vector<std::string>& times, int digits);

}  // namespace daemark
