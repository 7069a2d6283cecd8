// Elements assembled: patterns built with constant-time look-ups, places found once, values added.
#pragma once

#include <memory>

#include "problems/elements/element.hpp"
#include "problems/geometry/rotation_charts.hpp"

namespace daemark {

/// The patterns of a mechanism while it is laid out.
struct MotionPatterns {
  PatternBuilder mass, gradient, curvature, residual_q, residual_v;
};

/// Elements of one mechanism, in the order they were added. Adds to values that its owner has set
/// (to zero, or to what else acts); never allocates after the last add().
template <class S>
class Assembly {
 public:
  using Laid = std::unique_ptr<Element<S>>;

  /// The element's rows become rows first_row, first_row + 1, … of the mechanism.
  void add(Laid element, int first_row, MotionPatterns& patterns);
  bool has_power() const { return has_power_; }
  bool has_record() const { return has_record_; }  ///< of all elements

  /// Adds to all members of `out` but the levels of the constraints, of which it writes its rows.
  void evaluate(const MotionPoint<S>& point, const ConstraintWeights<S>& weights,
                const MotionValues<S>& out);
  void add_multiplier_stiffness(const MotionPoint<S>& point, S* stiffness);
  /// Adds to R, writes the rows of Φ.
  void record(const Var* q, const Var* v, const Var* a, const Var* lambda, const Var& t, Var* R,
              Var* Phi) const;

  void add_kinetic_energy(const MotionPoint<S>& point, S& sum);
  void add_potential_energy(const MotionPoint<S>& point, S& sum);
  void add_work(const MotionPoint<S>& point, S& sum);
  void add_power(const MotionPoint<S>& point, S& sum);

 private:
  /// Entries `local` and on of a vector or block go to entries `to` and on of the mechanism's,
  /// `length` of them; ground's are left out.
  struct Place {
    int local, to, length;
  };
  using Places = std::vector<Place>;
  struct Item {
    Laid element;
    int first_row, rows;
    bool inertia, force;
    bool of_velocities;  ///< its rows
    bool together;       ///< coordinates, and charts, are neighbours: read where they are
    Places coordinates, mass, gradient, curvature, residual_q, residual_v;
  };

  static void append(Places& places, int local, int to);
  static Places places(const Element<S>& element, ElementBlock block, int first_row,
                       PatternBuilder& pattern);
  template <class T>
  static void add_to(const Places& places, const T* local, T* values) {
    for (const Place& p : places)
      for (int i = 0; i < p.length; ++i) values[p.to + i] += local[p.local + i];
  }
  template <class T>
  static void subtract_from(const Places& places, const T* local, T* values) {
    for (const Place& p : places)
      for (int i = 0; i < p.length; ++i) values[p.to + i] -= local[p.local + i];
  }
  void add_forces(const Item& item, const ElementValues<S>& values,
                  const MotionValues<S>& out) const;
  ElementPoint<S> local(const Item& item, const MotionPoint<S>& point);
  void add_levels(const Item& item, const MotionPoint<S>& point, const ConstraintWeights<S>& w,
                  const ElementValues<S>& values, const MotionValues<S>& out) const;

  std::vector<Item> items_;
  bool has_power_ = false, has_record_ = true;
  ConstraintWeights<S> velocity_weights_;  ///< of the point evaluated, for rows of velocities
  // Scratch of the largest element's size.
  std::vector<S> chart_, q_, v_, a_, none_, inertia_, force_, position_, velocity_, acceleration_;
  std::vector<S> mass_, residual_q_, residual_v_, gradient_, curvature_q_, curvature_v_;
};

/// A mechanism made of elements and nothing else. Where rotations are unknowns the coordinates are
/// on a chart; at its limit (RotationCharts) all values are not a number, which ends a step.
template <class S>
class ElementSystem : public MechanicalSystem<S> {
 public:
  /// Names and units, initial positions and initial velocities of all coordinates; a mechanism is
  /// complete with its elements, of whose rows `redundant` follow from the rest. Throws BadInput
  /// where sizes differ, an element asks for a coordinate or chart that does not exist, and where
  /// some rows are redundant and some of velocities: how many of either then follow is not said.
  ElementSystem(const std::vector<Quantity>& coordinates, std::vector<S> q0, std::vector<S> v0,
                std::vector<std::unique_ptr<Element<S>>> elements, RotationCharts<S> charts = {},
                int redundant = 0);

  void initial(S* q, S* v) const override;
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override;
  bool has_record() const override { return assembly_.has_record(); }
  void record(graph::Graph& graph, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override;
  S kinetic_energy(const MotionPoint<S>& p) override;
  S potential_energy(const MotionPoint<S>& p) override;
  S work(const MotionPoint<S>& p) override;
  bool has_power() const override { return assembly_.has_power(); }
  S power(const MotionPoint<S>& p) override;

  int chart_size() const override { return charts_.size(); }
  std::vector<int> rotations() const override { return charts_.coordinates(); }
  void initial_chart(S* chart) const override { charts_.initial(chart); }
  void rebase(S* chart, const std::vector<ChartPoint<S>>& points) override {
    charts_.rebase(chart, points);
  }
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const override;
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const override;
  std::vector<std::string> reference_names() const override;
  std::vector<std::string> reference_velocity_names() const override;
  void reference_difference(const real50* a, const real50* b, real50* difference) const override;

 private:
  void check(const Element<S>& element) const;

  std::vector<S> q0_, v0_;
  RotationCharts<S> charts_;
  Assembly<S> assembly_;
};

}  // namespace daemark
