// Reference states by two independent routes, with the digits on which they agree.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"

namespace daemark {

/// There is no reference: the motion cannot be continued that far, in 50 digits.
class NoReference : public std::runtime_error {
 public:
  explicit NoReference(const std::string& message) : std::runtime_error(message) {}
};

struct Problem;

struct ReferenceState {
  std::string t;  ///< exact text of the time asked
  std::vector<real50> q, v, lambda;
  int agreed_digits = 0;                  ///< significant digits, the worst component counts
  std::string first_route, second_route;  ///< what computed it
  int asked_digits = 0;                   ///< for how many it was computed; 0: not from the store
};

/// Stored states; those that are not stored are computed, and stored locally where `store` is set.
/// Each time is computed by itself, for standard_digits or for `digits` if these are more, so that
/// a state depends on its problem and time alone, and once: a thread that asks for a state in work
/// waits for it. Throws BadInput for bad times, NoReference, and Contradiction where a stored state
/// differs from one computed anew.
std::vector<ReferenceState> reference_states(const Problem& problem,
                                             const std::vector<std::string>& times, int digits,
                                             bool recompute = false, bool store = true);

/// The state at a time for exactly so many digits, computed and not stored. Throws as
/// reference_states does.
ReferenceState fresh_reference(const Problem& problem, const std::string& time, int digits);

/// Throws BadInput for times and digits that reference_states would refuse.
void check_reference(const Problem& problem, const std::vector<std::string>& times, int digits);

/// Identifies the stored state that reference_states takes for `t`; "" while none is stored.
std::string reference_digest(const std::string& problem, const std::string& t);

/// Writes the states at `times`, computed before, under results/references/.
void publish_reference(const std::string& problem, const std::vector<std::string>& times);

struct PublishedState {
  std::string problem, t;
  bool is_current = false;  ///< of the model as it is, and sound
};
/// Everything under results/references/, by file and time.
std::vector<PublishedState> published_references();

/// Whether the state at `t` stands there, sound and of the model as it is; a closed form needs
/// none.
bool is_published(const std::string& problem, const std::string& t);

/// What there is to tell of stored files, a line each.
struct ReferenceNote {
  std::string text;
  bool lost = false;  ///< a state could not be stored; else: why a file was refused
};
/// Since the last call.
std::vector<ReferenceNote> take_reference_notes();

/// The same for a problem that need not be in the catalogue; nothing is stored. Times ascend from
/// the problem's start.
std::vector<ReferenceState> compute_reference(const Problem& problem,
                                              const std::vector<std::string>& times, int digits);

}  // namespace daemark
