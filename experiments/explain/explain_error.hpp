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
#pragma once

#include <array>
#include <string>
#include <vector>

#include "experiments/explain/reruns.hpp"

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

}  // namespace daemark
