// The sweeps of a comparison or of the atlas: stored ones, those in the cache, trajectories of
// other programs, and the rest integrated.
#pragma once

#include <array>
#include <filesystem>
#include <iosfwd>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/numbers/scalar.hpp"
#include "experiments/compare/compare_field.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/engine/run/study.hpp"

namespace daemark {

/// What the catalogue's methods did on one problem: results/atlas/PROBLEM.jsonl, the committed view
/// of the results of these cells, so that a new method is compared without integrating the others
/// again. Its first line says what all sweeps of the problem have in common, each other line is a
/// sweep: its runs as rows of numbers to four digits, and the digest of its sources.
struct StoredSweeps {
  CompareMotion motion;
  std::map<std::pair<std::string, std::string>, CellResult> sweeps;  ///< by formulation, method
};

/// Of the problem with this id and the defaults of its arguments; none where there is no such file,
/// where it is damaged, or where its model is not the one at hand: a distance from another motion
/// says nothing.
std::optional<StoredSweeps> read_sweeps(const std::filesystem::path& results,
                                        const std::string& problem);

/// The canonical call behind the name of a sweep ("radau_iia(s=3) with control"); empty where the
/// catalogue has it no more.
std::string method_of(const std::string& sweep);

/// Stores the results of the fields' entries. Other stored sweeps of the same motion, with methods
/// that are still in the catalogue, stay.
void store_sweeps(const std::filesystem::path& results, const std::string& problem,
                  const std::vector<CompareField>& fields);

/// A sweep as it is stored: four digits, and nothing that is of one machine.
CellResult as_stored(const CellResult& result);

/// A trajectory of another program among the catalogue's methods: what `daemark score --save` kept.
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

/// Processor time of one sweep [s] unless more is asked for: a method of low order takes millions
/// of steps to a tolerance that the others reach in hundreds, which its row says as "timed_out".
inline constexpr double patience = 20;

struct CompareRequest {
  std::vector<std::string> methods;  ///< calls, the new ones; none: the catalogue alone
  /// Calls of the others; none: core_members() and what is stored.
  std::vector<std::string> catalogue;
  std::vector<std::string> problems;      ///< calls; empty: all small ones
  std::vector<std::string> formulations;  ///< calls; empty: those that need no arguments
  std::vector<std::string> h;             ///< coarse to fine; empty: chosen for each problem
  std::string t_end;                      ///< empty: chosen for each problem
  std::vector<Accuracy> accuracies;
  std::vector<ScoredRun> scored;  ///< further rows
  bool all = false;               ///< include what takes longer than a minute
  bool fresh = false;             ///< ignore cached and stored results
  unsigned jobs = 0;
};

struct CompareTools {
  const char* command;  ///< "compare"
  Services services;
  std::filesystem::path results;
  std::ostream& err;                   ///< notes
  std::filesystem::path shipped = {};  ///< results read where `results` has no sweeps; empty: none
};

class Sweeps {
 public:
  Sweeps(const CompareRequest& request, const CompareTools& tools);

  /// Fields of the problem with what is stored of it; none where no method takes any. Where nothing
  /// is stored, over the motion chosen now, which may take a reference, or an assumed one. Throws
  /// NoReference.
  std::vector<CompareField> fields(const std::string& problem, bool assume = false) const;
  /// CellKind::cost where it is not known; 0 where the result is.
  double cost(const CompareEntry& entry) const;
  /// Returns false where it was interrupted.
  bool integrate(const std::vector<CompareEntry*>& entries);
  const Study& study() const { return study_; }

 private:
  std::string sources(const CompareEntry& entry) const;
  const CompareRequest& request_;
  const CompareTools& tools_;
  Study study_;
};

}  // namespace daemark
