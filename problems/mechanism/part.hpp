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
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

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
  std::vector<Var>& set(PartGroup group) { return values_[static_cast<int>(group)]; }
  void derive();
  std::vector<graph::Entry> derive_levels();
  void derive_residual(const std::vector<graph::Entry>& gradient);
  void derive_curvature();
  void derive_energy();
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

// ---- Elements: bodies, joints, springs, beam sections, each an instance of a part, which is
// recorded once for a kind of element and shared by all elements of the kind; the numbers in which
// they differ are data. Numbers that are 0, 1 or −1 and coordinates that the ground holds belong to
// the kind, so that the part's equations are as short as they can be.

/// Coordinates first .. first + width of a mechanism; first = −1: the ground, all constants 0.
/// A node of a rigid body or beam is six wide, (x, g): its position and the increment g from the
/// orientation R_ref that the mechanism's chart holds at `chart` (rotation.hpp: R = R(g) R_ref).
struct ElementNode {
  static constexpr int fixed_chart = -2;  ///< R_ref = I for ever: a ground with an orientation
  int first, width;
  int chart = -1;  ///< offset of the unit quaternion R_ref in the system's chart; −1: none

  static ElementNode spatial(int node) {
    return node < 0 ? ElementNode{-1, 6, fixed_chart} : ElementNode{6 * node, 6, 4 * node};
  }
};

struct Element {
  std::shared_ptr<const Part> part;
  std::vector<int> coordinates, chart;  ///< of the mechanism, as the part has them
  std::vector<Quantity> rows;
  std::vector<wide> data;
};

/// A mechanism in one: all its coordinates, numbers of charts and rows, in their order.
Element whole_element(const PartSizes& sizes, std::vector<Quantity> rows,
                      const Part::Recorder& record);

/// Kinds that are known, each recorded at its first element.
class ElementKinds {
 public:
  /// What names a kind besides its numbers and nodes: the law's name, and functions of time that
  /// the law contains.
  struct Law {
    std::string name;
    std::vector<const void*> functions;
    int velocity_rows = 0;  ///< of the rows, the last
  };
  /// The recorder sees all coordinates of the nodes, 4 numbers of a chart of each node that has one
  /// and the data; it need not state forces or masses.
  Element make(const Law& law, const std::vector<ElementNode>& nodes, const std::vector<wide>& data,
               std::vector<Quantity> rows, const Part::Recorder& record);

 private:
  std::map<std::string, std::shared_ptr<const Part>> known_;
};

}  // namespace daemark
