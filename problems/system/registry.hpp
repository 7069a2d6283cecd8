// The catalogue of problems: one .cpp per problem with `void register_<file
// stem>(ProblemRegistry&)`, or one .json (problems/files).
#pragma once

#include <functional>
#include <map>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "problems/system/mechanical_system.hpp"
#include "problems/system/problem_data.hpp"

namespace daemark {

struct RigidBodies;

struct ProblemInfo {
  std::string id, summary, source;
  std::string equations;              ///< plain text, a few lines
  std::vector<Parameter> parameters;  ///< what the call accepts
  std::string file;  ///< source relative to the root, by the registry: cell keys digest it
  std::string data_file,
      data_digest;  ///< of a mechanism that a file declares, which keys digest too
  bool of_catalogue = true;
};

/// A mechanism in each scalar; empty functions where it exists in double only.
struct MechanismMakers {
  std::function<MechanicalPtr<double>()> in_double;
  std::function<MechanicalPtr<real50>()> in_real50;
};

/// A problem with bound arguments.
struct Problem {
  std::string name;         ///< canonical call
  std::vector<Datum> data;  ///< the numbers it was built from
  Expression start{0};      ///< the time the motion begins at [s]; t-end of a run is absolute
  MechanismMakers absolute;
  MechanismMakers minimal;  ///< functions are empty where there is none
  /// Another model of the same motion with the same reference coordinates and first multipliers,
  /// for Taylor series; where `absolute` is on a chart, which a series would leave.
  MechanismMakers series;
  /// The mechanism as rigid bodies and joints, for other programs; empty where it is none.
  std::function<std::shared_ptr<const RigidBodies>()> bodies;
  /// Where known: q, v, λ at time t.
  std::function<void(const real50& t, real50* q, real50* v, real50* lambda)> closed_form;

  /// Throws BadInput where there is no such form or it exists in double only.
  template <class S>
  MechanicalPtr<S> make(bool minimal_form = false) const;
  bool has_minimal() const { return static_cast<bool>(minimal.in_double); }
};

class ProblemRegistry {
 public:
  /// Builds a problem from the arguments of its call; states its numbers through the data.
  using Builder = std::function<Problem(const Arguments&, ProblemData&)>;
  void add(ProblemInfo info, Builder build);  ///< throws std::logic_error on a doubled id
  void from(std::string file) { file_ = std::move(file); }  ///< source of what is added next

  const ProblemInfo& info(const std::string& id) const;  ///< throws BadInput naming the known ids
  /// With another number in place of one of its data, if asked for. Throws BadInput.
  Problem make(const std::string& text, const std::optional<DatumChange>& change = {}) const;
  std::vector<std::string> ids() const;            ///< sorted
  std::vector<std::string> catalogue_ids() const;  ///< without those of files
  bool has(const std::string& id) const;

 private:
  struct Entry {
    ProblemInfo info;
    Builder build;
  };
  const Entry& entry(const std::string& id) const;

  mutable std::shared_mutex mutex_;  ///< of the entries, which files add to while others look
  std::string file_;
  std::map<std::string, Entry> entries_;
};

/// The catalogue, filled on first use; not const because `--problem-file` adds to it.
ProblemRegistry& problem_registry();

}  // namespace daemark
