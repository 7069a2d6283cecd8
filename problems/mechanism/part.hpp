// A part of a mechanism, recorded once: its mass, forces and constraint rows as functions on a
// graph, from which everything a formulation asks for is derived there.
//
// A part sees k coordinates and owns r rows, the last of which may begin on the velocity level.
// With Φ of its rows of positions and g v + c of its rows of velocities,
//   R = M a − f + Gᵀλ,  Φ̇ = ∂Φ/∂q v + ∂Φ/∂t,  Φ̈ the rate of that along (v, a).
#pragma once

#include <array>
#include <functional>
#include <map>
#include <mutex>
#include <optional>

#include "base/graph/code.hpp"
#include "base/graph/derivative.hpp"
#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// How many of each argument a part has: coordinates, rows, those of them that are rows of
/// velocities, numbers of its chart, and data that differ from instance to instance.
struct PartSizes {
  int k = 0, rows = 0, velocity_rows = 0, chart = 0, data = 0;
};

/// The arguments, inputs of the part's graph; sizes as stated.
struct PartArguments {
  Var t;
  std::vector<Var> q, v, a, lambda, chart, data;
};

/// What a part states; empty or zero where it has none.
struct PartFunctions {
  std::vector<Var> mass;       ///< M(q), k × k row-major, symmetric
  std::vector<Var> force;      ///< f(t, q, v), k; gyroscopic terms included; may depend on λ
  std::vector<Var> rows;       ///< Φ(t, q), then g(t, q) v + c(t, q)
  std::optional<Var> kinetic;  ///< [J]; ½ vᵀM v where it is not stated
  Var potential, work;         ///< [J]
  Var dissipation;             ///< power of forces that are no potential's [W]
};

/// What can be asked for, in the order of Part::groups().
enum class PartGroup {
  residual,
  inertia,
  force,
  position,
  velocity,
  acceleration,
  mass,
  gradient,
  residual_q,
  residual_v,
  residual_lambda,
  curvature_q,
  curvature_v,
  stiffness,
  kinetic,
  potential,
  work,
  power,
  count
};
constexpr int part_groups = static_cast<int>(PartGroup::count);
constexpr unsigned bit(PartGroup group) { return 1U << static_cast<unsigned>(group); }
/// Curvatures are sums of two, Φ̇ weighted by its row's level; which of the weights differ from zero
/// is part of what is asked for.
constexpr unsigned with_velocity_weight = 1U << part_groups,
                   with_acceleration_weight = 2U << part_groups,
                   with_row_weight = 4U << part_groups;

class Part {
 public:
  using Recorder = std::function<PartFunctions(const PartArguments&)>;
  /// Calls the recorder once.
  Part(const PartSizes& sizes, const Recorder& record);

  const PartSizes& sizes() const { return sizes_; }
  /// Rows and columns of the entries of a matrix group, in their order: those that are not zero by
  /// structure. Both curvatures have the same. Empty of other groups.
  const std::vector<std::pair<int, int>>& places(PartGroup group) const {
    return places_[static_cast<int>(group)];
  }
  bool has_power() const { return !functions_.dissipation.is_zero() || !drive_.is_zero(); }
  bool forces_of_multipliers() const { return !places(PartGroup::residual_lambda).empty(); }

  /// Instructions for the groups of a mask, in the order of the enumeration, others left out. Made
  /// once; inputs: t, q, v, a, λ, the chart, data, the weights
  /// of Φ̇, of Φ̈ and of rows of velocities.
  std::shared_ptr<const graph::Code> code(unsigned mask) const;

  /// What it states, of other arguments (on a graph of the caller's); the kinetic energy too where
  /// the part derives it.
  PartFunctions stated(const PartArguments& at) const;
  /// R and the rows on a graph of the caller's, for series.
  void record(const PartArguments& at, Var* R, Var* rows) const;
  int operations() const { return graph_.size(); }  ///< of all that can be asked for

 private:
  void derive();
  std::vector<Var> values(PartGroup group, unsigned mask) const;
  std::vector<Var> call(const std::vector<Var>& functions, const PartArguments& at) const;
  std::vector<Var> with_places(PartGroup group, const std::vector<graph::Entry>& entries);

  PartSizes sizes_;
  mutable graph::Graph graph_;
  PartArguments arguments_;
  Var velocity_weight_, acceleration_weight_, row_weight_;
  PartFunctions functions_;
  Var drive_;  ///< λᵀ∂Φ/∂t, λᵀc and ∂V/∂t
  std::array<std::vector<Var>, part_groups> values_;
  std::vector<Var> rate_q_, second_q_;  ///< ∂Φ̇/∂q, ∂Φ̈/∂q at the curvature's places
  std::array<std::vector<std::pair<int, int>>, part_groups> places_;
  mutable std::mutex mutex_;
  mutable std::map<unsigned, std::shared_ptr<const graph::Code>> codes_;
};

}  // namespace daemark
