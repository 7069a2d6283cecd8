// The acceptance kit: checks of one method in one formulation. A check is an entry of checks():
// what it asks, the threshold, and a function that asks for runs and judges them. The function is
// called twice: first to learn which runs it needs, then with their results.
#pragma once

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run/slope.hpp"
#include "experiments/cells/support/cell.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

/// A mechanism of the kit: small, with known motion, and what it is there for (mechanism.cpp).
struct AcceptMechanism {
  std::string problem, t_end;         ///< a call; absolute, the motion begins at 0 [s]
  std::vector<std::string> times;     ///< at which errors are taken, quarters of t_end
  std::vector<std::string> features;  ///< "plain", "time", "stiff", ...
  double growth;  ///< by what a small change of the start grows in q and v over the motion at most

  bool has(const std::string& feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
  }
};

const std::vector<AcceptMechanism>& accept_mechanisms();

struct AcceptRequest {
  std::string method, formulation;  ///< "": the first that the method takes
  std::map<std::string, std::string> settings;
  std::optional<int> order;       ///< of q, v (and λ up to index 1), where nothing else is known
  std::vector<std::string> only;  ///< ids of checks; empty: all
  std::string tol = "1/1000000";  ///< of the checks with one tolerance
  std::vector<int> steps = {4, 8, 16, 32, 64, 128, 256, 512};  ///< of a motion
};

/// The request with what follows from it.
class AcceptSubject {
 public:
  /// Throws BadInput for unknown names, and where no mechanism of the kit is taken.
  explicit AcceptSubject(AcceptRequest request);

  const AcceptRequest& request() const { return request_; }
  const Method& method() const { return *method_; }
  const Claims& claims() const { return claims_; }
  int index() const { return index_; }
  bool given_steps() const { return !method_->chooses_steps(); }
  bool takes_tolerance() const { return takes_tolerance_; }
  bool is_program() const;  ///< bindings/PROGRAMS.md

  /// Orders of q, v, λ; empty where nothing is known.
  struct Expected {
    std::array<std::optional<int>, 3> order;
    std::string reason;
  };
  const Expected& expected() const { return expected_; }

  /// A cell of kind "acceptance" with so many steps of one size.
  Cell steps(const AcceptMechanism& mechanism, const std::vector<int>& counts) const;
  /// With step sizes chosen by the tolerance, and `outputs` output points.
  Cell controlled(const AcceptMechanism& mechanism, const std::string& tol, int outputs = 4) const;
  /// steps() with `count` steps, or controlled() where the method chooses its steps itself.
  Cell typical(const AcceptMechanism& mechanism, int count = 64) const;
  /// What round-off may amount to in q, v, λ (part 0, 1, 2) of a size after a time.
  RoundOff round_off(std::size_t part, double size, double span) const;
  /// |R(∞)|, of a structural or multistep method the largest root there; empty: not known.
  std::optional<double> at_infinity() const;
  /// Why a method that claims no unconditional stability fails in this index; "": no such reason.
  std::string instability() const;
  /// Whether the estimate is 0 on linear equations, the embedded formula having the same R(z).
  bool blind_on_linear() const;
  /// What a quantity is rounded like, of the sizes of q, v and λ: index 3 makes v and λ of
  /// differences of positions, index 2 λ of differences of velocities, over the time, for λ times
  /// the mass. Where |R(∞)| = 1 these errors are carried from step to step, so that it matters by
  /// what A⁻¹ multiplies them.
  double rounded_size(std::size_t part, const std::array<double, 3>& sizes, double span,
                      double mass) const;

 private:
  AcceptRequest request_;
  std::shared_ptr<const Method> method_;
  Claims claims_;
  int index_ = 0;
  bool takes_tolerance_ = false;
  double carried_ = 1;  ///< Σ |bᵀA⁻²| on index 3, where |R(∞)| = 1
  double newton_ = 0;   ///< what Newton's iteration leaves [units of accelerations]
  Expected expected_;
};

/// A check is what the first of these is that one of its mechanisms shows.
enum class Outcome { fail, known, pass, could_not_run, undecided, not_applicable };
const char* name_of(Outcome judgement);  ///< "fail", "could not run", ...

/// What a check found on one mechanism.
struct AcceptFinding {
  std::string mechanism;
  Outcome judgement = Outcome::pass;
  std::string seen;   ///< measured, next to the threshold
  std::string cause;  ///< of a failure, what is probably wrong; of a known property, its reason
};

/// Results of cells; null before they are known.
class AcceptRuns {
 public:
  const CellResult* operator()(const Cell& cell);
  /// Those asked for so far without a result.
  std::vector<FixedCell> open() const;
  void take(const std::map<std::string, CellResult>& results);

 private:
  std::map<std::string, FixedCell> asked_;
  std::map<std::string, CellResult> results_;
};

using AcceptJudge = std::function<std::vector<AcceptFinding>(const AcceptSubject&, AcceptRuns&)>;

struct AcceptCheck {
  const char *id, *question, *threshold;
  AcceptJudge judge;
};
const std::vector<AcceptCheck>& accept_checks();

struct CheckReport {
  const AcceptCheck* check;
  Outcome judgement = Outcome::not_applicable;
  std::string cause;  ///< of the first failure, or why nothing was judged
  std::vector<AcceptFinding> findings;
};

struct AcceptReport {
  std::vector<CheckReport> checks;
  int count(Outcome judgement) const;
  bool passed() const {
    return count(Outcome::fail) == 0 && count(Outcome::pass) + count(Outcome::known) > 0;
  }
};

/// `run` fills what is open; false: it was stopped, and there is no report.
std::optional<AcceptReport> accept(const AcceptSubject& subject,
                                   const std::function<bool(AcceptRuns&)>& run);

/// A finding without a slope or a bound: refused, not finished, a motion that never leaves its
/// start. None for other runs that are ok.
std::optional<AcceptFinding> not_judged(const AcceptSubject& subject,
                                        const AcceptMechanism& mechanism, const CellResult& result);

/// Of the mechanisms with a feature whose cell has a result: not_judged(), else what `judge` finds.
std::vector<AcceptFinding> judge_each(
    const AcceptSubject& subject, AcceptRuns& runs, const std::string& feature,
    const std::function<Cell(const AcceptMechanism&)>& cell_of,
    const std::function<AcceptFinding(const AcceptMechanism&, const CellResult&)>& judge);

/// The last value of a series of a result; NaN where there is none.
double last_of(const CellResult& result, const std::string& series);

// The judges, by file.
AcceptJudge order_on(const char* feature);  // order.cpp: on mechanisms that have it
std::vector<AcceptFinding> judge_energy(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_constraints(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_inside(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_tolerance(const AcceptSubject&, AcceptRuns&);  // tolerance.cpp
std::vector<AcceptFinding> judge_estimate(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_rotation(const AcceptSubject&, AcceptRuns&);  // invariance.cpp
std::vector<AcceptFinding> judge_unit(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_body_order(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_events(const AcceptSubject&, AcceptRuns&);  // behaviour.cpp
std::vector<AcceptFinding> judge_start(const AcceptSubject&, AcceptRuns&);
std::vector<AcceptFinding> judge_failure(const AcceptSubject&, AcceptRuns&);

/// Errors that a tolerance allows in q (part 0) or v (1) after the steps that a run made.
double allowed_error(const AcceptSubject& subject, const AcceptMechanism& mechanism,
                     const CellResult& result, std::size_t part, double tol);

// The result as files (accept_files.cpp).

/// {"method", "formulation", "verdict", "expected", "checks": [{"id", ..., "findings": [...]}]}.
nlohmann::ordered_json accept_json(const AcceptSubject& subject, const AcceptReport& report);

/// A page without further files; `command` makes it again.
std::string accept_page(const nlohmann::ordered_json& report, const std::string& command);

/// A test suite with a test case a check: failures with their cause, what was not judged as
/// skipped, what could not run as errors.
std::string accept_junit(const nlohmann::ordered_json& report);

}  // namespace daemark
