// Free rigid body (Euler's top) about its mass centre, J Ω' + Ω × J Ω = 0 in the body's frame, from
// R(0) = I; rotation alone as unknowns (pivoted_body.hpp).
//
// Closed form (Landau & Lifshitz, Mechanics, §37): with 2T = Σ J_i Ω_i², L² = Σ J_i² Ω_i², moments
// of inertia A, B, C in order of size, C for the largest if L² > 2 T B and the smallest if not, τ =
// κ t + τ0, κ² = (C − B)(L² − 2 T A)/(A B C), k² = (B − A)(2 T C − L²)/((C − B)(L² − 2 T A)):
//   Ω_A = a cn τ, Ω_B = b sn τ, Ω_C = c dn τ,
//   a² = (2TC − L²)/(A(C − A)), b² = (2TC − L²)/(B(C − B)), c² = (L² − 2TA)/(C(C − A)).
// The moment of momentum J Ω = L m stays in space. With the unit vector e of axis C, on m's side,
// and the shortest rotation B from m to e, R = Rₛ R(e, ψ) B, where
//   ψ' = 2T/L − (m × m')·e/(1 + m·e),
// an elliptic integral of the third kind that Gauss quadrature gives.
#include <boost/math/quadrature/gauss.hpp>
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>

#include "problems/pivoted_body.hpp"

namespace daemark {
namespace {

using namespace rotation;

class EulerTop {
 public:
  EulerTop(const Vec3<real50>& inertia, const Vec3<real50>& spin) : J_(inertia) {
    for (int i = 0; i < 3; ++i) twice_T_ += J_[i] * spin[i] * spin[i];
    const Vec3<real50> momentum = scaled(J_, spin);
    const real50 squared = dot(momentum, momentum);
    L_ = sqrt(squared);
    std::sort(order_.begin(), order_.end(), [&](int i, int j) { return J_[i] < J_[j]; });
    if (squared < twice_T_ * J_[order_[1]]) std::swap(order_[0], order_[2]);
    const real50 A = J_[order_[0]], B = J_[order_[1]], C = J_[order_[2]],
                 above = twice_T_ * C - squared, below = squared - twice_T_ * A;
    kappa_ = sqrt(real50((C - B) * below / (A * B * C)));
    k_ = sqrt(real50((B - A) * above / ((C - B) * below)));
    const real50 side(spin[order_[2]] < 0 ? -1 : 1);
    amplitude_ = {sqrt(real50(above / (A * (C - A)))), side * sqrt(real50(above / (B * (C - B)))),
                  side * sqrt(real50(below / (C * (C - A))))};
    const real50 phase =
        atan2(real50(spin[order_[1]] / amplitude_[1]), real50(spin[order_[0]] / amplitude_[0]));
    tau_ = boost::math::ellint_1(k_, phase);
    axis_[order_[2]] = side;
    start_ = product(towards_axis(direction(spin)), {real50(1), real50(0), real50(0), real50(0)});
  }

  /// Ω in the body's frame.
  Vec3<real50> spin(const real50& t) const {
    real50 cn, dn;
    const real50 sn = boost::math::jacobi_elliptic(k_, real50(kappa_ * t + tau_), &cn, &dn);
    Vec3<real50> omega;
    omega[order_[0]] = amplitude_[0] * cn, omega[order_[1]] = amplitude_[1] * sn;
    omega[order_[2]] = amplitude_[2] * dn;
    return omega;
  }
  /// The unit quaternion of R.
  Quaternion<real50> orientation(const real50& t) const {
    const real50 half = precession(t) / 2, s = sin(half);
    const Quaternion<real50> turned{cos(half), s * axis_[0], s * axis_[1], s * axis_[2]};
    return product(conjugate(start_), product(turned, towards_axis(direction(spin(t)))));
  }

 private:
  Vec3<real50> direction(const Vec3<real50>& omega) const {
    Vec3<real50> m = scaled(J_, omega);
    for (real50& x : m) x /= L_;
    return m;
  }
  /// The shortest rotation from m to the axis.
  Quaternion<real50> towards_axis(const Vec3<real50>& m) const {
    const Vec3<real50> n = cross(m, axis_);
    const real50 scalar = 1 + dot(m, axis_), length = sqrt(real50(2 * scalar));
    return {scalar / length, n[0] / length, n[1] / length, n[2] / length};
  }
  real50 precession_rate(const real50& t) const {
    const Vec3<real50> omega = spin(t), m = direction(omega), rate = cross(m, omega);
    return twice_T_ / L_ - dot(cross(m, rate), axis_) / (1 + dot(m, axis_));
  }
  /// Panels of at most 1/(8κ): the singularities are some 1/κ off the real axis, sixteen of their
  /// halves away, and n points leave (16 + √255)^−2n, some 1e-90.
  real50 precession(const real50& t) const {
    using Rule = boost::math::quadrature::gauss<real50, 30>;
    const int panels = 1 + static_cast<int>(8 * kappa_ * abs(t));
    const real50 half = t / (2 * panels);
    real50 sum = 0;
    for (int i = 0; i < panels; ++i)
      for (std::size_t k = 0; k < Rule::abscissa().size(); ++k)
        for (const int side : {-1, 1})
          sum += half * Rule::weights()[k] *
                 precession_rate(half * (2 * i + 1 + side * Rule::abscissa()[k]));
    return sum;
  }

  Vec3<real50> J_;
  real50 twice_T_ = 0, L_, kappa_, k_, tau_;
  std::array<int, 3> order_{0, 1, 2};                   ///< the axes A, B, C
  Vec3<real50> amplitude_;                              ///< a, b, c
  Vec3<real50> axis_{real50(0), real50(0), real50(0)};  ///< e
  Quaternion<real50> start_;                            ///< of R(0)⁻¹ Rₛ's inverse
};

}  // namespace

void register_free_rigid_body(ProblemRegistry& registry) {
  ProblemInfo info;
  info.id = "free_rigid_body";
  info.summary = "free rigid body about its mass centre, closed form by Jacobi functions";
  info.source = "textbook; its numbers are chosen here";
  info.equations =
      "J Omega' + Omega x J Omega = 0, R' = R Omega x; chart: R = R(g) R_ref, "
      "Cayley-Gibbs-Rodrigues, no constraints; quaternion: p.p = 1; shown as rotation vector of R "
      "and Omega (body frame)";
  info.parameters = {{"coordinates", Parameter::Type::word, "chart", "chart | quaternion"}};
  registry.add(info, [](const Arguments& arguments, ProblemData& data) {
    const char* source = "chosen";
    const auto J = data("J, about the mass centre", {"3/5", "4/5", 1}, "kg m^2", source);
    const auto spin = data("Omega(0), from R(0) = I", {3, "1/2", "-9/10"}, "rad/s", source);
    const PivotedBody body{J, {0, 0, 0}, spin, {0, 1, 0}};
    if (!(J[0] > 0 && J[1] > 0 && J[2] > 0 && J[0] != J[1] && J[1] != J[2] && J[2] != J[0]))
      throw BadInput("free_rigid_body: J is out of range, accepted: three different numbers > 0");
    Problem problem;
    const MechanismMakers flat = model_makers(PivotedInQuaternion(body));
    problem.absolute = flat;
    const bool chart = arguments.word("coordinates", {"chart", "quaternion"}) == "chart";
    if (chart) {
      problem.absolute = model_makers(PivotedOnChart(body));
      problem.series = flat;
      const Vec3<wide> origin{wide(0), wide(0), wide(0)};
      problem.bodies = one_body(1, body.inertia, origin, body.spin, 0, false, true);
    }
    problem.closed_form = [chart, euler = EulerTop(constant<real50>(J), constant<real50>(spin))](
                              const real50& t, real50* q, real50* v, real50* lambda) {
      const Vec3<real50> psi = logarithm(euler.orientation(t)), omega = euler.spin(t);
      std::copy(psi.begin(), psi.end(), q), std::copy(omega.begin(), omega.end(), v);
      if (!chart) lambda[0] = 0;
    };
    return problem;
  });
}

}  // namespace daemark
