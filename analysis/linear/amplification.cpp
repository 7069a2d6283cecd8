#include "analysis/linear/amplification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>

#include "base/linear/dense_solve.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/model_system.hpp"

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

  static std::vector<Quantity> coordinates() { return {{"q", "m"}}; }
  static std::vector<Quantity> rows() { return {}; }
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

/// Two coordinates x, y with the oscillator in each, x − y = 0. The constraint's own stiffness and
/// damping are those of the oscillator too.
template <class S>
struct ConstrainedModel {
  static constexpr int n = 2, m = 1;
  std::shared_ptr<Coefficients<S>> coefficients;

  static std::vector<Quantity> coordinates() { return {{"x", "m"}, {"y", "m"}}; }
  static std::vector<Quantity> rows() { return {{"lambda", "m"}}; }
  template <class T>
  void mass(const T*, T* M) const {
    M[0] = M[3] = T(1), M[1] = M[2] = T(0);
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    for (int i = 0; i < 2; ++i)
      f[i] = -(T(coefficients->damping) * v[i] + T(coefficients->stiffness) * q[i]);
  }
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    phi[0] = q[0] - q[1];
  }
  template <class T>
  T kinetic(const T*, const T* v) const {
    return (v[0] * v[0] + v[1] * v[1]) / T(2);
  }
  template <class T>
  T potential(const T&, const T* q) const {
    return T(coefficients->stiffness) * (q[0] * q[0] + q[1] * q[1]) / T(2);
  }
  template <class T>
  void initial(T* q, T* v) const {
    q[0] = q[1] = T(1), v[0] = v[1] = T(0);
  }
};

}  // namespace

template <class S>
struct Amplification<S>::Equation {
  Formulation formulation;
  std::shared_ptr<Coefficients<S>> coefficients = std::make_shared<Coefficients<S>>();
  std::shared_ptr<Coefficients<double>> twin_coefficients;
  MechanicalPtr<S> mechanism;
  MechanicalPtr<double> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;

  template <class T>
  static MechanicalPtr<T> make(bool constrained, std::shared_ptr<Coefficients<T>> shared) {
    if (constrained)
      return std::make_shared<ModelSystem<T, ConstrainedModel>>(ConstrainedModel<T>{shared});
    return std::make_shared<ModelSystem<T, TestModel>>(TestModel<T>{shared});
  }
  Equation(Formulation given, bool constrained)
      : formulation(std::move(given)), mechanism(make<S>(constrained, coefficients)) {
    if constexpr (!std::is_same_v<S, double>) {
      twin_coefficients = std::make_shared<Coefficients<double>>();
      twin_mechanism = make<double>(constrained, twin_coefficients);
    }
    set_step(1);
  }
  /// Gains of the formulation may use the step.
  bool uses_step() const { return !formulation.info.parameters.empty(); }
  void set_step(const wide& h) {
    system = formulate<S>(formulation, mechanism, h);
    if constexpr (!std::is_same_v<S, double>)
      twin = formulate<double>(formulation, twin_mechanism, h);
  }
  Target<S> target() {
    if constexpr (std::is_same_v<S, double>)
      return {system.get(), system.get(), mechanism.get(), mechanism.get(), &formulation};
    else
      return {system.get(), twin.get(), mechanism.get(), twin_mechanism.get(), &formulation};
  }
  void set(const S& damping, const S& stiffness) {
    *coefficients = {damping, stiffness};
    if (twin_coefficients) *twin_coefficients = {to_double(damping), to_double(stiffness)};
  }
};

template <class S>
Amplification<S>::Amplification(const Method& method)
    : equation_(std::make_unique<Equation>(Formulation::parse("index1"), false)), method_(&method) {
  const std::string why = method.refusal(0);
  if (!why.empty()) throw BadInput("the method refuses ordinary equations: " + why);
  prepare();
}

template <class S>
Amplification<S>::Amplification(const Method& method, const Formulation& formulation)
    : equation_(std::make_unique<Equation>(formulation, true)), method_(&method) {
  const std::string why = method.refusal(formulation.info);
  if (!why.empty())
    throw BadInput(fmt::format("the method cannot take {}: {}", formulation.name(), why));
  prepare();
}

template <class S>
void Amplification<S>::prepare() {
  rest_.clear(), numbers_.clear();
  Settings settings;
  if (precision_of<S> != Precision::in_double) settings = parse_settings({}, precision_of<S>);
  stepper_ = method_->stepper(equation_->target(), settings);
  if (!stepper_) throw BadInput(fmt::format("the method has no stepper in {}", scalar_name<S>()));
  start_steps_ = method_->least_steps();
}

template <class S>
Amplification<S>::~Amplification() = default;

template <class S>
std::vector<std::complex<RootScalar<S>>> Amplification<S>::roots(const S& re, const S& im) {
  using std::abs;
  using std::sqrt;
  // ω = |λ| is the unit of frequency and the step |λ|h.
  const S h = sqrt(S(re * re + im * im));
  if (equation_->uses_step()) {
    equation_->set_step(static_cast<wide>(h));
    prepare();
  }
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
  matrix_.assign(n, std::vector<S>(n));
  std::vector<S> memory = rest_;
  for (std::size_t j = 0; j < n; ++j) {
    checkpoint();
    memory[numbers_[j]] = S(1);
    stepper_->set_memory(memory);
    memory[numbers_[j]] = S(0);
    step();
    const std::vector<S> column = stepper_->memory();
    for (std::size_t i = 0; i < n; ++i) {
      matrix_[i][j] = column[numbers_[i]];
      rows[i][j] = static_cast<RootScalar<S>>(matrix_[i][j]);
    }
  }
  return nonzero_eigenvalues(rows);
}

/// Newton's method on (A − zI)x = 0 with an entry of x kept at 1, from one inverse iteration.
template <class S>
std::complex<S> Amplification<S>::root_near(std::complex<S> z) const {
  using Number = std::complex<S>;
  const auto size = [](const Number& x) { return S(x.real() * x.real() + x.imag() * x.imag()); };
  const std::size_t n = matrix_.size();
  std::vector<std::vector<Number>> shifted;  // A − zI
  const auto shift = [&] {
    shifted.assign(n, std::vector<Number>(n));
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        shifted[i][j] = Number(matrix_[i][j]) - (i == j ? z : Number(S(0)));
  };
  std::vector<Number> x(n, Number(S(1)));
  shift();
  if (!solve_dense(shifted, x, largest_pivot(size))) return z;
  const std::size_t k = static_cast<std::size_t>(
      std::max_element(x.begin(), x.end(),
                       [&](const Number& a, const Number& b) { return size(a) < size(b); }) -
      x.begin());
  const Number scale = x[k];
  for (Number& entry : x) entry = entry / scale;
  constexpr int iterations = 8;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    checkpoint();
    shift();  // x[k] stays 1; its column is that of dz
    std::vector<Number> change(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) change[i] -= shifted[i][j] * x[j];
    for (std::size_t i = 0; i < n; ++i) shifted[i][k] = -x[i];
    if (!solve_dense(shifted, change, largest_pivot(size))) return z;
    for (std::size_t i = 0; i < n; ++i) (i == k ? z : x[i]) += change[i];
  }
  return z;
}

real50 oscillator_step(int n, const Expression& x) {
  constexpr double least = 1e-15, most = 1e15;
  const real50 value = x.eval<real50>();
  const double shown = to_double(value);
  if (!(shown >= least && shown <= most))
    throw BadInput(fmt::format("x = '{}' is not accepted: a real number from {:g} to {:g}",
                               x.text(), least, most));
  return 2 * boost::math::constants::pi<real50>() * n * value;
}

template class Amplification<double>;
template class Amplification<real50>;
}  // namespace daemark
