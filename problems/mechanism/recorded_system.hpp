// A recorded mechanism in one scalar.
#pragma once

#include <deque>

#include "problems/geometry/charts.hpp"
#include "problems/mechanism/part_batch.hpp"
#include "problems/system/drawing.hpp"
#include "problems/system/registry.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {

/// A mechanism as it is declared, the same for all scalars.
struct Mechanism {
  std::vector<Quantity> coordinates;
  std::vector<wide> q0, v0, lambda0;  ///< λ: where the index-1 solve begins; may be empty
  std::vector<Element> elements;      ///< with the rows in their order
  std::vector<Chart> charts;
  int redundant = 0;       ///< rows that follow from the others
  bool assembled = false;  ///< q0 and v0 are solved for, to 45 digits
  std::vector<OutputInfo> outputs;
  std::function<std::vector<Var>(const MotionPoint<Var>&)> output_values;
  std::function<Drawing()> drawing;
  /// Reference coordinates and their velocities of (q, v), where they are not q and v themselves or
  /// what the charts show.
  std::function<std::vector<Var>(const Var* q, const Var* v)> shown;
  std::vector<std::string> reference_names, reference_velocity_names;  ///< of mechanisms on charts
  std::vector<std::string> remarks;                                    ///< see Remarked
  /// See MechanicalSystem::stiff_part(); null where nothing is stiff.
  std::function<std::shared_ptr<const Mechanism>()> stiff;
};

/// All elements recorded as one; rows of velocities must be the last.
Element whole_of(const Mechanism& mechanism);

template <class S>
class RecordedSystem final : public MechanicalSystem<S>, public Drawable, public Remarked {
 public:
  /// Throws BadInput where an element asks for a coordinate or chart that does not exist, sizes
  /// differ, or some rows are redundant and some of velocities: how many of either then follow is
  /// not said.
  explicit RecordedSystem(std::shared_ptr<const Mechanism> mechanism);

  /// Other data of the mechanism's only element.
  void set_data(const std::vector<S>& data) { batches_.front().set_data(data); }

  const Mechanism& mechanism() const { return *mechanism_; }

  Drawing drawing() const override {
    return mechanism_->drawing ? mechanism_->drawing() : Drawing{};
  }
  std::vector<std::string> remarks() const override { return mechanism_->remarks; }
  void initial(S* q, S* v) const override { narrow(mechanism_->q0, q), narrow(mechanism_->v0, v); }
  void guess_multipliers(S* lambda) const override;
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>& w,
                const MotionValues<S>& out) override;
  void multiplier_stiffness(const MotionPoint<S>& p, S* stiffness) override;
  bool has_record() const override { return charts_.size() == 0; }
  void record(graph::Graph&, const Var* q, const Var* v, const Var* a, const Var* lambda,
              const Var& t, Var* R, Var* Phi) override;

  S kinetic_energy(const MotionPoint<S>& p) override { return number(PartGroup::kinetic, p); }
  S potential_energy(const MotionPoint<S>& p) override { return number(PartGroup::potential, p); }
  S work(const MotionPoint<S>& p) override { return number(PartGroup::work, p); }
  bool has_power() const override { return has_power_; }
  S power(const MotionPoint<S>& p) override { return number(PartGroup::power, p); }
  void output_values(const MotionPoint<S>& p, S* values) override;
  std::shared_ptr<MechanicalSystem<S>> stiff_part() const override;

  int chart_size() const override { return charts_.size(); }
  std::vector<int> rotations() const override { return charts_.rotations(); }
  void initial_chart(S* chart) const override { charts_.initial(chart); }
  void rebase(S* chart, const std::vector<ChartPoint<S>>& points) override {
    charts_.rebase(chart, points);
  }
  int reference_coordinates() const override {
    return mechanism_->shown ? shown_size_ / 2 : this->coordinates();
  }
  void to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const override;
  void from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* chart) const override;
  std::vector<std::string> reference_names() const override;
  std::vector<std::string> reference_velocity_names() const override;
  void reference_difference(const real50* a, const real50* b, real50* difference) const override;

 private:
  static void narrow(const std::vector<wide>& from, S* to) {
    for (const wide& x : from) *to++ = from_wide<S>(x);
  }
  void check() const;
  void lay_out();
  void record_functions();
  /// Clears what the mask asks for, then adds it up.
  void run(unsigned mask, const MotionPoint<S>& p, const ConstraintWeights<S>& w, S* const* groups,
           const S& row_weight = S(0));
  S number(PartGroup group, const MotionPoint<S>& p);
  /// C of the levels.
  void weigh(const ConstraintWeights<S>& w, S* const* groups, S* weighted) const;

  std::shared_ptr<const Mechanism> mechanism_;
  std::deque<PartBatch<S>> batches_;
  Charts<S> charts_;
  bool whole_ = false, has_power_ = false;
  std::array<int, part_groups> sizes_{};  ///< of the groups
  mutable graph::Evaluator<S> shown_, outputs_of_;
  int shown_size_ = 0;
  std::vector<S> levels_;  ///< Φ, Φ̇, Φ̈ where they are not asked for by themselves
};

/// The mechanism in each scalar; it is made at the first call. One of few elements is recorded as a
/// whole, so that what elements share is computed once.
MechanismMakers recorded_makers(std::function<std::shared_ptr<const Mechanism>()> make);

}  // namespace daemark
