#include "analysis/linear/amplification.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>

#include "base/linear/dense_solve.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {
namespace {

/// The oscillator m = 1; with a constraint in each of two coordinates x, y with x − y = 0. Data:
/// damping, stiffness, which change between steps.
std::shared_ptr<const Mechanism> test_mechanism(bool constrained) {
  const int n = constrained ? 2 : 1;
  auto made = std::make_shared<Mechanism>();
  for (int i = 0; i < n; ++i) made->coordinates.push_back({constrained && i == 1 ? "y" : "x", "m"});
  made->q0.assign(n, 1), made->v0.assign(n, 0);
  PartSizes sizes;
  sizes.k = n, sizes.rows = n - 1, sizes.data = 2;
  Element oscillators{nullptr, {}, {}, {}, {0, 0}};
  for (int i = 0; i < n; ++i) oscillators.coordinates.push_back(i);
  if (constrained) oscillators.rows = {{"lambda", "m"}};
  oscillators.part = std::make_shared<const Part>(sizes, [n](const PartArguments& at) {
    PartFunctions f;
    f.mass.resize(static_cast<std::size_t>(n) * n);
    for (int i = 0; i < n; ++i) {
      f.mass[i * n + i] = 1;
      f.force.push_back(-(at.data[0] * at.v[i] + at.data[1] * at.q[i]));
      f.potential += at.data[1] * square(at.q[i]) / Var(2);
    }
    if (n == 2) f.rows = {at.q[0] - at.q[1]};
    return f;
  });
  made->elements = {std::move(oscillators)};
  return made;
}

}  // namespace

template <class S>
struct Amplification<S>::Equation {
  Formulation formulation;
  std::shared_ptr<RecordedSystem<S>> mechanism;
  std::shared_ptr<RecordedSystem<double>> twin_mechanism;
  std::unique_ptr<ImplicitSystem<S>> system;
  std::unique_ptr<ImplicitSystem<double>> twin;

  Equation(Formulation given, bool constrained)
      : formulation(std::move(given)),
        mechanism(std::make_shared<RecordedSystem<S>>(test_mechanism(constrained))) {
    if constexpr (!std::is_same_v<S, double>)
      twin_mechanism = std::make_shared<RecordedSystem<double>>(test_mechanism(constrained));
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
    mechanism->set_data({damping, stiffness});
    if (twin_mechanism) twin_mechanism->set_data({to_double(damping), to_double(stiffness)});
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

namespace {

using Roots = std::vector<std::complex<double>>;

Roots in_double(const std::vector<std::complex<long double>>& wide) {
  Roots roots;
  for (const auto& z : wide) roots.emplace_back(z.real(), z.imag());
  std::sort(roots.begin(), roots.end(), [](const auto& a, const auto& b) {
    const auto key = [](const std::complex<double>& z) {
      return std::tuple(-std::abs(z), z.real(), z.imag());
    };
    return key(a) < key(b);
  });
  return roots;
}

/// `all` without one root near each of `own`. Double roots are found to the square root of the
/// unit round-off only; roots further apart than that are told apart.
Roots without(Roots all, const Roots& own) {
  for (const auto& z : own) {
    if (all.empty()) break;
    const auto nearest = std::min_element(
        all.begin(), all.end(),
        [&z](const auto& a, const auto& b) { return std::abs(a - z) < std::abs(b - z); });
    constexpr double same = 1e-4;
    if (std::abs(*nearest - z) <= same * (1 + std::abs(z))) all.erase(nearest);
  }
  return all;
}

}  // namespace

ConstrainedRoots constrained_roots(const ConstrainedRootsRequest& request) {
  const auto method = method_registry().make(request.method);
  const Formulation formulation = Formulation::parse(request.formulation);
  ConstrainedRoots result;
  result.method = method_registry().bind(request.method).canonical();
  result.formulation = formulation.name();
  result.n = method->cost_stages();
  Amplification<real50> free(*method), constrained(*method, formulation);
  for (const Expression& e : request.x) {
    const real50 theta = oscillator_step(result.n, e);
    result.x.push_back(e.eval<double>());
    result.roots.push_back(in_double(constrained.roots(real50(0), theta)));
    result.constraint.push_back(
        without(result.roots.back(), in_double(free.roots(real50(0), theta))));
    const Roots& own = result.constraint.back();
    result.radius.push_back(own.empty() ? 0 : std::abs(own.front()));
  }
  return result;
}

}  // namespace daemark
