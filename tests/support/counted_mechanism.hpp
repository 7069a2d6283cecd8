// A mechanism that counts how it is evaluated, as the definition at Counts
// (methods/core/stepper.hpp) says it: from outside, whatever a stepper counts of itself.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "problems/system/mechanical_system.hpp"

namespace daemark::test {

struct EvaluationTally {
  long residual = 0, jacobian = 0;
};

class CountedMechanism final : public MechanicalSystem<double> {
 public:
  /// Adds to `tally`, which must outlive it.
  CountedMechanism(std::shared_ptr<MechanicalSystem<double>> inner, EvaluationTally& tally)
      : MechanicalSystem<double>(*inner), inner_(std::move(inner)), tally_(tally) {}

  void evaluate(const MotionPoint<double>& point, const ConstraintWeights<double>& weights,
                const MotionValues<double>& out) override {
    count(point, out);
    inner_->evaluate(point, weights, out);
  }
  void multiplier_stiffness(const MotionPoint<double>& point, double* stiffness) override {
    inner_->multiplier_stiffness(point, stiffness);
  }
  std::shared_ptr<MechanicalSystem<double>> stiff_part() const override {
    auto part = inner_->stiff_part();
    return part ? std::make_shared<CountedMechanism>(std::move(part), tally_) : nullptr;
  }

  void guess_multipliers(double* lambda) const override { inner_->guess_multipliers(lambda); }
  void initial(double* q, double* v) const override { inner_->initial(q, v); }
  double kinetic_energy(const MotionPoint<double>& p) override { return inner_->kinetic_energy(p); }
  double potential_energy(const MotionPoint<double>& p) override {
    return inner_->potential_energy(p);
  }
  double work(const MotionPoint<double>& p) override { return inner_->work(p); }
  bool has_power() const override { return inner_->has_power(); }
  double power(const MotionPoint<double>& p) override { return inner_->power(p); }
  int chart_size() const override { return inner_->chart_size(); }
  std::vector<int> rotations() const override { return inner_->rotations(); }
  void initial_chart(double* chart) const override { inner_->initial_chart(chart); }
  void rebase(double* chart, const std::vector<ChartPoint<double>>& points) override {
    inner_->rebase(chart, points);
  }

 private:
  /// Derivatives alone, asked once more at a point, belong to those before.
  void count(const MotionPoint<double>& point, const MotionValues<double>& out) {
    const bool equations = out.residual || out.force || out.constraints();
    tally_.residual += equations;
    const bool here = same(point.t, point.q, point.v);
    if (out.derivatives() && (equations || !derived_ || !here)) ++tally_.jacobian;
    derived_ = out.derivatives();
  }

  /// Whether that is the point of the last call, to rounding. Becomes it.
  bool same(double t, const double* q, const double* v) {
    std::vector<double> now{t};
    now.insert(now.end(), q, q + coordinates());
    if (v) now.insert(now.end(), v, v + coordinates());
    bool equal = now.size() == at_.size();
    for (std::size_t k = 0; equal && k < now.size(); ++k)
      equal = std::abs(now[k] - at_[k]) <= 1e-14 * (1 + std::abs(now[k]));
    at_ = std::move(now);
    return equal;
  }

  std::shared_ptr<MechanicalSystem<double>> inner_;
  EvaluationTally& tally_;
  std::vector<double> at_;
  bool derived_ = false;  ///< by the last call
};

}  // namespace daemark::test
