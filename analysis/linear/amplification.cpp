#include "analysis/linear/amplification.hpp"

#include <fmt/format.h>

#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/model_system.hpp"

namespace daemark {
namespace {

/// Coefficients that change between steps are shared with the model inside the system.
template <class S>
struct Coefficients {
  S damping{}, stiffness{};
};

template <class S>
struct TestModel {
  static constexpr int n = 1, m = 0;
  std::shared_ptr<Coefficients<S>> coefficients;

  static std::vector<std::string> coordinate_names() { return {"q"}; }
  static std::vector<std::string> constraint_names() { return {}; }
  template <class T>
  void mass(const T*, T* M) const {
    M[0] = T(1);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    f[0] = -(T(coefficients->damping) * v[0] + T(coefficients->stiffness) * q[0]);
  }
  template <class T>
  void constraint(const T&, const T*, T*) const {}
  template <class T>
  T kinetic(const T*, const T* v) const {
    return v[0] * v[0] / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(coefficients->stiffness) * q[0] * q[0] / T(2);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = T(1), v[0] = T(0);
  }
};

}  // namespace

template <class S>
struct Amplification<S>::Equation {
  std::shared_ptr<Coefficients<S>> coefficients = std::make_shared<Coefficients<S>>();
  std::shared_ptr<Coefficients<double>> twin_coefficients;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;

  Equation() {
    const Formulation ordinary = Formulation::parse("index1");
    system = formulate<S>(
        ordinary, std::make_shared<ModelSystem<S, TestModel>>(TestModel<S>{coefficients}), 1);
    if constexpr (!std::is_same_v<S, double>) {
      twin_coefficients = std::make_shared<Coefficients<double>>();
      twin = formulate<double>(
          ordinary,
          std::make_shared<ModelSystem<double, TestModel>>(TestModel<double>{twin_coefficients}),
          1);
    }
  }
  Target<S> target() {
    if constexpr (std::is_same_v<S, double>)
      return {system.get(), system.get()};
    else
      return {system.get(), twin.get()};
  }
  void set(const S& damping, const S& stiffness) {
    *coefficients = {damping, stiffness};
    if (twin_coefficients) *twin_coefficients = {to_double(damping), to_double(stiffness)};
  }
};

template <class S>
Amplification<S>::Amplification(const Method& method) : equation_(std::make_unique<Equation>()) {
  const std::string why = method.refusal(0);
  if (!why.empty()) throw BadInput("analyse: the method refuses ordinary equations: " + why);
  Settings settings;
  stepper_ = method.stepper(equation_->target(), settings);
  if (!stepper_)
    throw BadInput(fmt::format("analyse: the method has no stepper in {}", scalar_name<S>()));
  start_steps_ = method.least_steps();
}

template <class S>
Amplification<S>::~Amplification() = default;

template <class S>
std::vector<std::complex<RootScalar<S>>> Amplification<S>::roots(const S& re, const S& im) {
  using std::abs;
  using std::sqrt;
  // ω = |λ| is the unit of frequency and the step |λ|h.
  const S h = sqrt(S(re * re + im * im));
  equation_->set(S(-2 * re / h), S(1));
  State<S> state;
  state.t = S(0);
  state.y.assign(equation_->system->size(), S(0));
  state.rate = state.y;
  const auto step = [&] {
    const StepReport report = stepper_->step();
    if (report.status != Status::ok) throw NumericalFailure(report.why);
  };
  stepper_->start(state, h);
  if (rest_.empty()) {
    for (int i = 0; i < start_steps_; ++i) step();
    rest_ = stepper_->memory();
    for (std::size_t i = 0; i < rest_.size(); ++i)
      if (rest_[i] == 0) numbers_.push_back(static_cast<int>(i));
  }
  const std::size_t n = numbers_.size();
  std::vector<std::vector<RootScalar<S>>> rows(n, std::vector<RootScalar<S>>(n));
  std::vector<S> memory = rest_;
  for (std::size_t j = 0; j < n; ++j) {
    checkpoint();
    memory[numbers_[j]] = S(1);
    stepper_->set_memory(memory);
    memory[numbers_[j]] = S(0);
    step();
    const std::vector<S> column = stepper_->memory();
    for (std::size_t i = 0; i < n; ++i)
      rows[i][j] = static_cast<RootScalar<S>>(column[numbers_[i]]);
  }
  return nonzero_eigenvalues(rows);
}

template class Amplification<double>;
template class Amplification<quad>;
}  // namespace daemark
