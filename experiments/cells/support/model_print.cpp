#include "experiments/cells/support/model_print.hpp"

#include <cmath>

#include "problems/system/registry.hpp"

namespace daemark {
namespace {

/// Σ w_i x_i and Σ w_i |x_i| with weights in [1, 2) that no pattern of the model follows.
void add_sums(const std::vector<double>& x, std::vector<double>& print) {
  const double golden = (std::sqrt(5.0) - 1) / 2;
  double sum = 0, size = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double place = golden * static_cast<double>(i + 1);
    const double weight = 1 + place - std::floor(place);
    sum += weight * x[i], size += weight * std::abs(x[i]);
  }
  print.push_back(sum), print.push_back(size);
}

class Probe {
 public:
  explicit Probe(MechanicalSystem<double>& system)
      : system_(system),
        q_(system.coordinates()),
        v_(q_.size()),
        a_(q_.size()),
        lambda_(system.constraints()),
        chart_(system.chart_size()) {
    system.initial(q_.data(), v_.data());
    system.initial_chart(chart_.data());
  }

  /// Away from the start: strained, moving and accelerated.
  void move(double size) {
    for (std::size_t i = 0; i < q_.size(); ++i) {
      const double place = static_cast<double>(i);
      q_[i] += 1e-3 * size * std::sin(place + size);
      v_[i] += 0.1 * size * std::cos(2 * place);
      a_[i] = size * std::sin(3 * place + 1);
    }
    for (std::size_t i = 0; i < lambda_.size(); ++i)
      lambda_[i] = size * std::cos(static_cast<double>(i));
  }

  void add(double t, std::vector<double>& print) {
    std::vector<double> residual(q_.size()), mass(system_.mass_pattern().size()),
        position(lambda_.size()), acceleration(lambda_.size()), outputs(system_.outputs().size());
    const MotionPoint<double> at{t, q_.data(), v_.data(), a_.data(), lambda_.data(), chart_.data()};
    MotionValues<double> out;
    out.residual = residual.data(), out.mass = mass.data();
    out.position = position.data(), out.acceleration = acceleration.data();
    system_.evaluate(at, {}, out);
    system_.output_values(at, outputs.data());
    for (const auto* part : {&residual, &mass, &position, &acceleration, &outputs})
      add_sums(*part, print);
  }

 private:
  MechanicalSystem<double>& system_;
  std::vector<double> q_, v_, a_, lambda_, chart_;
};

}  // namespace

std::vector<double> model_print(const std::string& problem, double t_end) {
  constexpr int times = 7;
  const Problem made = problem_registry().make(problem);
  const double start = made.start.eval<double>();
  const auto system = made.make<double>();
  std::vector<double> print;
  Probe probe(*system);
  const double golden = (std::sqrt(5.0) - 1) / 2;
  for (int k = 0; k <= times; ++k) {  // at no round share of the time, where laws may have breaks
    probe.add(start + (t_end - start) * (k * golden - std::floor(k * golden)), print);
    probe.move(1.0 + k);
  }
  return print;
}

bool same_model(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr double relative = 1e-9, absolute = 1e-7;  // rounding of strains, times stiffness
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i + 1 < a.size(); i += 2) {
    const double bound = absolute + relative * std::max(std::abs(a[i + 1]), std::abs(b[i + 1]));
    for (const std::size_t k : {i, i + 1})
      if (!(std::abs(a[k] - b[k]) <= bound)) return false;
  }
  return true;
}

}  // namespace daemark
