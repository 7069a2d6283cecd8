// A trajectory of another program among the catalogue's methods: what `daemark score --save` kept.
#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/numbers/scalar.hpp"
#include "experiments/compare/compare_lines.hpp"

namespace daemark {

struct ScoredRun {
  std::string name, problem, formulation;            ///< canonical calls
  std::map<rational, std::array<double, 3>> errors;  ///< of q, v, λ by time; NaN: not judged
  std::string cost;                               ///< "evaluations=4000", as its author states it
  double energy = 0, position = 0, velocity = 0;  ///< largest; NaN: not judged
};

/// Throws BadInput for a file that `score --save` did not write.
ScoredRun read_scored_run(const std::string& file);

/// A row of the field, without work and rank, since no work of it was measured; none where it is of
/// another problem or formulation or was not judged at the end of the field's motion.
std::optional<CompareLine> scored_line(const ScoredRun& run, const CompareField& field,
                                       const std::vector<Accuracy>& accuracies);

/// For the screen: each scored row of the fields behind `from`, with who reaches its error of q for
/// the least work.
std::string scored_lines(const std::vector<Compared>& compared, std::size_t from);

}  // namespace daemark
