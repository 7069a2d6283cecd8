// A trajectory of any program judged: against reference states, by its energy and its constraints.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daemark {

struct ScoreRequest {
  std::string file;                             ///< see trajectory.hpp
  std::string problem, formulation = "index1";  ///< whose coordinates the columns are
  /// Largest |Φ| of a state before it counts as one of another mechanism.
  double tolerance = 0.1;
};

/// One column at one time.
struct ScoredColumn {
  std::string name, unit, value, reference;
  double error = 0;  ///< absolute
};

/// The trajectory at a time whose reference is known.
struct ScoredTime {
  std::string t;             ///< of the reference, exact
  int reference_digits = 0;  ///< on which its two routes agree
  /// error_q, error_v, error_lambda: 2-norms as in `run --errors`, where all components are there;
  /// error_energy: with drives and dampers, of the energy gained since the start.
  std::map<std::string, double> errors;
  /// Of the same: significant digits of the reference that telling the error takes. An error that
  /// takes more than there are is left out of `errors`.
  std::map<std::string, int> digits_used;
  std::vector<ScoredColumn> columns;
};

/// A column, or a measure, that could not be judged.
struct NotJudged {
  std::string what, why;
};

struct Score {
  std::string problem, formulation;  ///< canonical
  long rows = 0;
  double h = 0;  ///< as the file's header states it; 0 where it does not
  double t_start = 0, t_end = 0;
  /// All where a closed form is known, else published ones that occur and the last.
  std::vector<ScoredTime> times;
  /// As of a run (analysis/run/measures.hpp), at all rows; with a closed form the largest errors.
  std::map<std::string, double> measures;
  std::vector<NotJudged> not_judged;
};

/// Columns are named as in trajectories of `run` (units are optional), in any order, and need not
/// be complete; a_NAME is the acceleration of NAME; states of bodies may stand in their place
/// (problems/bodies/trajectory.hpp). Throws BadInput for unknown columns, other
/// units, times before the start, a first state that is not the problem's, states that violate the
/// constraints by more than the tolerance, and whatever TrajectoryReader refuses.
Score score(const ScoreRequest& request);

}  // namespace daemark
