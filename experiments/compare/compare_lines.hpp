// What the sweeps of a comparison say, method by method: the work to an accuracy, in which unit,
// and which method is cheapest.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "experiments/cells/support/work_curve.hpp"
#include "experiments/compare/compare_field.hpp"

namespace daemark {

struct Accuracy {
  int part = 0;              ///< 0, 1, 2: q, v, λ
  double value = 0;          ///< in (0, 1)
  std::string text;          ///< as typed
  std::string name() const;  ///< "q to 1e-3"
};

/// "1e-4", "v:1e-4" or "lambda:1e-4", several separated by commas. Throws BadInput.
std::vector<Accuracy> read_accuracies(const std::string& text);

enum class WorkUnit {
  /// Evaluations, Jacobians, factorisations and multiply-subtract pairs of linear algebra, each
  /// times what it costs beside an evaluation of the problem's index-1 residual: weights.json,
  /// measured by `make weights`.
  weighted,
  evaluations,  ///< Counts::residual_evals alone
  /// The weighted sum times what a unit of it takes of the clock, beside the median method of the
  /// field: time_ratios.json, measured by `daemark atlas --time`.
  time
};
inline constexpr std::array work_unit_names = {"weighted sum", "evaluations", "time"};

/// Of each run of the sweep; empty where it is not measured.
std::vector<double> work_in(WorkUnit unit, const CompareField& field, const CompareEntry& entry);

/// The weighted sum where weights are measured for the field and all sweeps have what they weigh,
/// else evaluations.
WorkUnit ranking_unit(const CompareField& field);

/// What axes and heads call it.
std::string work_label(const CompareField& field);

std::string text_of(const Reach& reach);  ///< "≤ 120"

/// What one method did in a field. Missing numbers are NaN.
struct CompareLine {
  std::string method, status;  ///< "ok", or how many runs failed and why
  bool is_new = false;
  bool earlier = false;                       ///< of earlier sources than those at hand
  bool scored = false;                        ///< of another program: errors alone, unranked
  std::array<double, 3> slope{};              ///< of q, v, λ; NaN where tolerances are swept
  std::vector<std::optional<Reach>> reached;  ///< for each accuracy
  std::vector<int> rank;                      ///< from 1; 0: does not reach it
  bool controlled = false;                    ///< tolerances are swept, not step sizes
  /// For each accuracy the largest step size [s] or tolerance swept that reaches it; NaN: none
  /// does.
  std::vector<double> take;
  /// Over the runs, coarse to fine; work in the unit the lines were made in, errors of q, v, λ
  /// relative (CompareMotion::scale).
  std::vector<double> work;
  std::array<std::vector<double>, 3> error;
  /// Of the finest run; energy [J]
  double energy = 0, position = 0, velocity = 0, residuals = 0, factorizations = 0;

  std::string name() const { return method + (earlier ? " †" : ""); }
};

/// The field's entries that have a result and were not refused, the cheapest for the first accuracy
/// first; those that do not reach it follow by their least error. Equal work has equal rank.
/// `unit`: of work; without, ranking_unit().
std::vector<CompareLine> compare_lines(const CompareField& field,
                                       const std::vector<Accuracy>& accuracies,
                                       std::optional<WorkUnit> unit = {});

/// A field that was compared.
struct Compared {
  CompareField field;
  std::vector<CompareLine> lines;
  /// Of those that reach accuracy k, the cheapest first.
  std::vector<const CompareLine*> by_rank(std::size_t k) const;
};

/// Performance profile (Dolan & Moré 2002): per method the share of instances, pairs of a problem
/// and an accuracy that some method reaches, which it solves with at most τ times the least work.
/// Over all problems in one formulation; a method that refuses one of them has not solved it.
struct Profile {
  std::string formulation;
  int instances = 0;
  struct Curve {
    std::string method;
    bool is_new = false;
    std::vector<double> ratios;  ///< of the instances solved, ascending
    std::vector<int> ranks;      ///< in them, ascending
    double share(double tau, int instances) const;
    double area(int instances) const;  ///< of the share over log τ up to 100, for an order
  };
  std::vector<Curve> curves;  ///< by area, the largest first
};

/// One a formulation, over all accuracies or over the one with index `only`.
std::vector<Profile> profiles_of(const std::vector<Compared>& compared,
                                 std::optional<std::size_t> only = {});

}  // namespace daemark
