#include "analysis/linear/analyse.hpp"

#include <algorithm>
#include <array>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <complex>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>

#include "analysis/exact/theory/second_order.hpp"
#include "analysis/linear/amplification.hpp"
#include "analysis/linear/stability_function.hpp"
#include "base/linear/dense_eigenvalues.hpp"
#include "base/program/stop.hpp"

namespace daemark {
namespace {

// Roots of one step on the scalar equation y' = λy. The oscillator's memory also has their
// conjugates, and near the negative real axis a root and its conjugate almost coincide: only the
// scalar equation keeps them apart.
using Complex = std::complex<double>;

/// Real and imaginary part of Σ c_k (iθ)^k. At 130 digits: beyond θ ≈ 10 the terms cancel.
std::array<wide, 2> on_axis(const std::vector<wide>& coefficients, const wide& theta) {
  std::array<wide, 2> value = {wide(0), wide(0)};
  wide power = 1;
  for (std::size_t k = 0; k < coefficients.size(); ++k) {
    const wide term = coefficients[k] * power;
    if (k % 4 < 2)
      value[k % 2] += term;
    else
      value[k % 2] -= term;
    power *= theta;
  }
  return value;
}

Complex value_on_axis(const WideFunction& R, double theta) {
  const auto n = on_axis(R.num, wide(theta)), d = on_axis(R.den, wide(theta));
  const wide size = d[0] * d[0] + d[1] * d[1];
  if (size == 0) return std::numeric_limits<double>::infinity();
  return {to_double(wide((n[0] * d[0] + n[1] * d[1]) / size)),
          to_double(wide((n[1] * d[0] - n[0] * d[1]) / size))};
}

/// Eigenvalues of the companion matrix of Σ c_j ζ^j.
std::vector<Complex> polynomial_roots(const std::vector<Complex>& c) {
  const auto degree = static_cast<Eigen::Index>(c.size()) - 1;
  Eigen::MatrixXcd companion = Eigen::MatrixXcd::Zero(degree, degree);
  for (Eigen::Index j = 0; j < degree; ++j)
    companion(0, j) = -c[static_cast<std::size_t>(degree - 1 - j)] / c.back();
  for (Eigen::Index i = 1; i < degree; ++i) companion(i, i - 1) = 1;
  const auto roots = eigenvalues(companion);
  if (!roots) throw NumericalFailure("the roots of the characteristic polynomial do not converge");
  return *roots;
}

/// λh = iθ → all roots: R(iθ) of a Runge–Kutta method, those of ρ(ζ) − iθσ(ζ) of a multistep
/// formula. Absent for other methods.
std::optional<std::function<std::vector<Complex>(double theta)>> scalar_roots(
    const Method& method) {
  if (const auto* tableau = method.tableau()) {
    return [R = stability_function(*tableau)](double theta) {
      return std::vector<Complex>{value_on_axis(R, theta)};
    };
  }
  const auto* formula = method.coefficients(MethodKind::multistep);
  if (!formula) return std::nullopt;
  std::vector<double> alpha, beta;
  for (const Expression& a : formula->list("alpha")) alpha.push_back(a.eval<double>());
  for (const Expression& b : formula->list("beta")) beta.push_back(b.eval<double>());
  return [alpha, beta](double theta) {
    std::vector<Complex> c;
    for (std::size_t j = 0; j < alpha.size(); ++j) c.emplace_back(alpha[j], -theta * beta[j]);
    return polynomial_roots(c);
  };
}

/// Follows z(θ), z(0) = 1, z ≈ e^{iθ} near 0, through growing θ = ωh with its phase unwrapped.
class PrincipalRoot {
 public:
  /// `roots(θ)`: all roots of the step; with conjugates only where there is no scalar form
  /// (scalar_roots).
  using Roots = std::function<std::vector<std::complex<double>>(double)>;
  explicit PrincipalRoot(Roots roots) : roots_(std::move(roots)) {}

  /// To θ ≥ the present one, by as many steps as continuity needs.
  void advance(double theta) {
    constexpr double finest = 1e-4;  // relative; two roots that close have met
    while (theta_ < theta) {
      if (z_ == 0.0) {
        theta_ = theta;
        return;
      }
      const double step = std::min(step_, theta - theta_);
      const bool last = step < finest * std::max(1.0, theta_);
      if (try_step(theta_ + step >= theta ? theta : theta_ + step, last)) {
        if (step == step_) step_ *= 1.5;
      } else {
        step_ = step / 2;
      }
    }
  }
  std::complex<double> value() const { return z_; }
  double phase() const { return phase_; }  ///< arg z, unwrapped [rad]

 private:
  /// Accepts the root nearest to the predicted one if it is clearly nearest; `force`: in any case.
  bool try_step(double theta, bool force) {
    const double step = theta - theta_;
    const std::complex<double> predicted = z_ * std::exp(slope_ * step);
    double nearest = std::numeric_limits<double>::infinity(), second = nearest;
    std::complex<double> found = 0;
    for (const std::complex<double>& z : roots_(theta)) {
      const double distance = std::abs(z - predicted);
      if (distance < nearest) {
        second = nearest;
        nearest = distance;
        found = z;
      } else {
        second = std::min(second, distance);
      }
    }
    if (found == 0.0) {  // annihilated in one step: nothing left to follow
      z_ = 0;
      theta_ = theta;
      return true;
    }
    const bool clear = nearest < 0.3 * second && nearest < 0.1 * std::abs(predicted);
    if (!clear && !force) return false;
    const std::complex<double> change = std::log(found / z_);
    if (std::abs(change.imag()) > 1 && !force) return false;
    slope_ = change / step;
    phase_ += change.imag();
    z_ = found;
    theta_ = theta;
    return true;
  }

  Roots roots_;
  double theta_ = 0, phase_ = 0, step_ = 0.1;
  std::complex<double> z_ = 1, slope_ = {0, 1};  ///< d ln z/dθ
};

/// The method on the oscillator: the principal root followed on the scalar equation where the
/// method has such a form, numbers shown from a stepper in real50.
class Oscillator {
 public:
  using Root = std::complex<long double>;
  explicit Oscillator(const Method& method)
      : in_real50_(method), trunk_(roots_to_follow(method)), principal_(trunk_) {}

  struct Point {
    double decay = 100, elongation = 0, radius = 0;
    Root z;
  };

  /// At θ = ωΔt, not less than before.
  Point at(const real50& theta) {
    follow(to_double(theta));
    const std::vector<Root> roots = in_real50_.roots(real50(0), theta);
    const Root near = principal_.value();
    Point point;
    point.radius = largest_modulus(roots);
    long double best = std::numeric_limits<long double>::infinity();
    for (const Root& root : roots)
      if (std::abs(root - near) < best) best = std::abs(root - near), point.z = root;
    if (point.z == 0.0L) return point;  // annihilated: all decay, no period
    if (theta < small) {
      fill(in_real50_.root_near({cos(theta), sin(theta)}), theta, point);
      return point;
    }
    const long double a = -std::log(std::abs(point.z)), phase = unwrapped(point.z);
    const long double size = std::hypot(a, phase);
    if (size == 0) return {0, std::numeric_limits<double>::infinity(), point.radius, point.z};
    point.decay = static_cast<double>(100 * a / size);
    point.elongation = static_cast<double>(100 * (static_cast<long double>(theta) / size - 1));
    constexpr double little = 1e-8;  // [%]: ten digits above round-off of long double
    if (std::min(std::abs(point.decay), std::abs(point.elongation)) < little)
      fill(in_real50_.root_near({real50(point.z.real()), real50(point.z.imag())}), theta, point);
    return point;
  }

 private:
  /// Below it a root in long double is too near 1 to tell decay and period from round-off, and that
  /// of the solution is near e^{iθ}.
  static constexpr double small = 0.01;

  /// From a root in real50. What round-off could have made counts as none.
  void fill(const std::complex<real50>& z, const real50& theta, Point& point) const {
    constexpr double growth = 1e3;  // of round-off, beside the largest seen (structural methods)
    const double noise = growth * unit_roundoff<real50>() / std::min(1.0, to_double(theta));
    const real50 a = -log(real50(z.real() * z.real() + z.imag() * z.imag())) / 2;
    const real50 arg = atan2(real50(z.imag()), real50(z.real()));
    const real50 turn = 2 * boost::math::constants::pi<real50>();
    const real50 phase =
        arg + turn * std::round((principal_.phase() - to_double(arg)) / to_double(turn));
    const real50 size = sqrt(real50(a * a + phase * phase));
    const double decay = to_double(real50(a / size)), longer = to_double(real50(theta / size - 1));
    point.decay = std::abs(decay) > noise ? 100 * decay : 0;
    point.elongation = std::abs(longer) > noise ? 100 * longer : 0;
  }

  /// By way of powers of 2, from which each θ branches off: where roots meet, which of them is
  /// taken for the principal one does not depend on the other θ asked for.
  void follow(double theta) {
    for (; next_ <= theta; next_ *= 2) trunk_.advance(next_);
    principal_ = trunk_;
    principal_.advance(theta);
  }

  static PrincipalRoot::Roots roots_to_follow(const Method& method) {
    if (auto scalar = scalar_roots(method)) return *scalar;
    return [stepper = std::make_shared<Amplification<double>>(method)](double theta) {
      return stepper->roots(0, theta);
    };
  }
  long double unwrapped(const Root& z) const {
    const long double turn = 2 * boost::math::constants::pi<long double>();
    return std::arg(z) + turn * std::round((principal_.phase() - std::arg(z)) / turn);
  }

  Amplification<real50> in_real50_;
  PrincipalRoot trunk_, principal_;
  double next_ = 1.0 / 16;  ///< where the trunk goes next
};

/// From |e^{iθ} − z| at two steps where it is well above round-off; 0 if it never is.
int observed_order(const Method& method) {
  Oscillator oscillator(method);
  long double previous = 0;
  for (int k = 9; k >= 0; --k) {
    const long double theta = std::ldexp(1.0L, -k);
    const long double error = std::abs(oscillator.at(real50(theta)).z - std::polar(1.0L, theta));
    if (previous > 1e-15L) return static_cast<int>(std::lround(std::log2(error / previous))) - 1;
    previous = error;
  }
  return 0;
}

int order_of(const Method& method) {
  if (const auto* tableau = method.tableau()) return linear_order(*tableau);
  if (const auto* formula = method.coefficients(MethodKind::multistep))
    return linear_order(*formula);
  return observed_order(method);
}

/// From three steps, each a thousand times the one before: what falls by a power of the step is
/// left out.
double extrapolated_radius(const Method& method) {
  Amplification<real50> amplification(method);
  const auto at = [&](double theta) {
    return largest_modulus(amplification.roots(real50(0), real50(theta)));
  };
  const double r1 = at(1e6), r2 = at(1e9), r3 = at(1e12);
  const double before = r2 - r1, after = r3 - r2;
  if (r3 > 10 * r2) return std::numeric_limits<double>::infinity();
  const double limit =
      std::abs(after) < std::abs(before) / 10 ? r3 - after * after / (after - before) : r3;
  constexpr double resolved = 1e-9;  // of a double root in long double
  return std::abs(limit) < resolved ? 0 : limit;
}

double radius_at_infinity(const Method& method) {
  if (const auto* tableau = method.tableau()) return modulus_at_infinity(*tableau);
  if (const auto* formula = method.coefficients(MethodKind::multistep))
    return modulus_at_infinity(*formula);
  if (const auto* step = method.as<ExactSecondOrder>())
    if (const auto modulus = exact::modulus_at_infinity(*step)) return *modulus;
  return extrapolated_radius(method);
}

}  // namespace

OscillatorSteps oscillator_steps(const std::string& text, const std::vector<real50>& theta) {
  OscillatorSteps result;
  const auto method = method_registry().make(text);
  result.method = method_registry().bind(text).canonical();
  std::vector<std::size_t> ascending(theta.size());
  std::iota(ascending.begin(), ascending.end(), 0);
  std::sort(ascending.begin(), ascending.end(),
            [&](std::size_t a, std::size_t b) { return theta[a] < theta[b]; });
  for (auto* list : {&result.amplitude_decay_percent, &result.period_elongation_percent,
                     &result.spectral_radius})
    list->resize(theta.size());
  Oscillator oscillator(*method);
  for (const std::size_t i : ascending) {
    checkpoint();
    const Oscillator::Point point =
        theta[i] > 0 ? oscillator.at(theta[i]) : Oscillator::Point{0, 0, 1, 1.0L};
    result.amplitude_decay_percent[i] = point.decay;
    result.period_elongation_percent[i] = point.elongation;
    result.spectral_radius[i] = point.radius;
  }
  return result;
}

AnalyseResult analyse(const AnalyseRequest& request) {
  AnalyseResult result;
  const auto method = method_registry().make(request.method);
  result.n = method->cost_stages();
  std::vector<real50> steps;
  for (const Expression& e : request.x) {
    steps.push_back(oscillator_step(result.n, e));
    result.x.push_back(e.eval<double>());
  }
  OscillatorSteps found = oscillator_steps(request.method, steps);
  result.method = std::move(found.method);
  result.amplitude_decay_percent = std::move(found.amplitude_decay_percent);
  result.period_elongation_percent = std::move(found.period_elongation_percent);
  result.spectral_radius = std::move(found.spectral_radius);
  if (const auto* tableau = method->tableau()) result.stability_function = function_text(*tableau);
  return result;
}

LinearSummary summarise(const std::string& text) {
  LinearSummary summary;
  summary.method = text;
  try {
    const auto method = method_registry().make(text);
    summary.method = method_registry().bind(text).canonical();
    summary.n = method->cost_stages();
    summary.rho_infinity = radius_at_infinity(*method);
    summary.order = order_of(*method);
    Oscillator oscillator(*method);
    const Oscillator::Point a =
        oscillator.at(oscillator_step(summary.n, Expression::parse("1/20", "x")));
    const Oscillator::Point b =
        oscillator.at(oscillator_step(summary.n, Expression::parse("1/10", "x")));
    summary.decay_005 = a.decay, summary.elongation_005 = a.elongation;
    summary.decay_010 = b.decay, summary.elongation_010 = b.elongation;
  } catch (const std::exception& failure) {
    summary.failure = failure.what();
  }
  return summary;
}

void fill_region(const std::string& text, StabilityRegion& region) {
  const auto method = method_registry().make(text);
  Amplification<double> amplification(*method);
  region.modulus.clear();
  const auto coordinate = [](double lo, double hi, int i, int count) {
    return count == 1 ? lo : lo + (hi - lo) * i / (count - 1);
  };
  for (int row = 0; row < region.rows; ++row)
    for (int column = 0; column < region.columns; ++column) {
      checkpoint();
      const double re = coordinate(region.re_min, region.re_max, column, region.columns);
      const double im = coordinate(region.im_min, region.im_max, row, region.rows);
      double modulus =
          std::numeric_limits<double>::infinity();  // at a pole the step has no solution
      try {
        modulus = re == 0 && im == 0 ? 1 : largest_modulus(amplification.roots(re, im));
      } catch (const NumericalFailure&) {
      }
      region.modulus.push_back(modulus);
    }
}

}  // namespace daemark
