// What the error of a run at its end is made of.
//
// The run is changed along a chain, one thing at a time, and the chain ends at the reference:
//
//   the run as given
//   − Newton tolerance:  iterated until round-off dominates
//   − round-off:         the same in 50 digits, from the start rounded to double
//   − start:             from the exact start, on the constraints, with the default start settings
//   − formulation:       in the formulation (or with the projection) that is best at this step
//   − step:              the reference
//
// A part is the difference of two neighbours, so the parts add up to the error exactly, as vectors.
// Sizes are 2-norms; they add up to more than the error where parts cancel. Another formulation
// counts as a cause only if it leaves at most a quarter of the error: the formulation and the step
// then have at most 5/4 + 1/4 = 1.5 times the error together. The reference is known to some
// digits; what it may be off by is told, and in no sum.
//
// The setting that lowers the largest part is told with the error it should lead to: the sum of
// the other parts and of what the setting leaves. A rerun with the setting then measures it.
//
// Why a run ended before its time: what trials say. Each reruns the failed run with one thing
// changed: smaller steps, other formulations, other methods in the same formulation, the default
// Newton settings. The mechanism is searched for singular positions up to the end asked for.
#pragma once

#include <array>
#include <chrono>
#include <string>
#include <vector>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"

namespace daemark {

struct ErrorPart {
  std::string name;
  std::array<std::vector<double>, 3> change;  ///< of q, v, λ
  std::string unknown;                        ///< why it is not measured; empty where it is
  std::array<double, 3> size() const;         ///< 2-norms; NaN where unknown
};

struct ErrorExplanation {
  std::array<double, 3> error;      ///< 2-norms of q, v, λ; NaN where there is none
  std::vector<ErrorPart> parts;     ///< in the order of the chain
  std::array<double, 3> doubt;      ///< what the reference may be off by
  std::string reference;            ///< where it comes from
  std::string largest;              ///< the name of a part, of q; "reference" where that is
  std::string setting;              ///< that lowers it, as typed; empty: none is known
  double predicted = 0, rerun = 0;  ///< error of q with the setting; rerun NaN: did not end
  double order = 0;                 ///< of the step, observed; NaN or 0: not looked at
  double sum() const;               ///< of the sizes of q
};

/// Of a run that ends, judged by the stored reference, or one computed anew for another start.
/// Throws NoReference where nothing judges it in that time or the run itself takes longer.
ErrorExplanation explain_error(const BoundRun& run, double seconds);

struct FailureTrial {
  std::string what;      ///< what was changed, as typed: "--h 1/200"
  std::string status;    ///< of the rerun
  double t = 0;          ///< reached [s]
  bool smaller = false;  ///< the change is a smaller step or tolerance
};

struct FailureExplanation {
  /// "step" too large, "singular" position near, "formulation" that the method cannot integrate
  /// here, "settings" of Newton's iteration, "method", or "unknown".
  std::string cause;
  std::string sentence, setting;  ///< setting: that runs to the end; empty where none is known
  std::vector<FailureTrial> trials;
};

/// Of a run with another status than "ok".
FailureExplanation explain_failure(const BoundRun& run, const RunResult& failed, double seconds);

// Reruns of one integration with something changed, within a time for all of them.

/// q, v, λ at the end in the coordinates of references, with all digits. λ is empty where the
/// formulation has none.
using EndState = std::array<std::vector<real50>, 3>;

struct Rerun {
  RunResult result;  ///< its status is "refused" where the run cannot be bound
  EndState end;      ///< where the status is "ok"
  bool ok() const { return result.status == "ok"; }
};

class Reruns {
 public:
  Reruns(const BoundRun& run, double seconds);
  void begin(double seconds);  ///< so many are left

  /// That of the run, without what is recorded, timed and searched for.
  const RunRequest& request() const { return request_; }
  const BoundRun& run() const { return run_; }
  /// For at most this share of the time that is left.
  Rerun operator()(const RunRequest& request, double share = 1) const;

  double left() const;  ///< [s]

 private:
  const BoundRun& run_;
  RunRequest request_;
  std::chrono::time_point<std::chrono::steady_clock, std::chrono::duration<double>> end_;
};

/// The step h divided by `by`, as something that can be typed.
Expression divided(const Expression& h, int by);

}  // namespace daemark
