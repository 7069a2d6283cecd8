#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "problems/elements/assembly.hpp"
#include "problems/elements/element_laws.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

/// Masses 1, 2, … on each coordinate and a unit mass at x = Σ sin q_i + q_first q_last:
/// M = D + w wᵀ, w = ∂x/∂q, and the force −w (vᵀ ∂²x/∂q² v); a potential ½ Σ q_i².
template <class S, int k>
struct EmbeddedMass {
  static constexpr int size = k;
  bool uses_velocity() const { return true; }

  template <class T>
  static std::array<T, k> slope(const T* q) {
    using std::cos;
    std::array<T, k> w;
    for (int i = 0; i < k; ++i) w[i] = cos(q[i]);
    w[0] += q[k - 1];
    w[k - 1] += q[0];
    return w;
  }
  template <class T>
  void mass(const T* q, T* M) const {
    const auto w = slope(q);
    for (int i = 0; i < k; ++i)
      for (int j = 0; j < k; ++j) M[i * k + j] = w[i] * w[j] + (i == j ? T(i + 1) : T(0));
  }
  template <class T>
  void force(const T&, const T* q, const T* v, T* f) const {
    using std::sin;
    const auto w = slope(q);
    T bending = T(2) * v[0] * v[k - 1];
    for (int i = 0; i < k; ++i) bending -= sin(q[i]) * v[i] * v[i];
    for (int i = 0; i < k; ++i) f[i] = -w[i] * bending - q[i];
  }
  S potential(const S&, const S* q) const {
    S sum(0);
    for (int i = 0; i < k; ++i) sum += q[i] * q[i];
    return sum / S(2);
  }
};

/// ½ c s² with s = a₀ b₁ + sin c₅ + a₁ c₀ over nodes a, b, c of widths 2, 3, 6.
template <class S>
struct ThreeNodeSpring {
  static constexpr int size = 11;
  S stiffness;
  bool uses_velocity() const { return false; }

  template <class T>
  static T stretch(const T* z) {
    using std::sin;
    return z[0] * z[3] + sin(z[10]) + z[1] * z[5];
  }
  template <class T>
  void force(const T&, const T* z, const T*, T* f) const {
    using std::cos;
    const T tension = T(stiffness) * stretch(z);
    for (int i = 0; i < size; ++i) f[i] = T(0);
    f[0] = -tension * z[3], f[3] = -tension * z[0];
    f[1] = -tension * z[5], f[5] = -tension * z[1];
    f[10] = -tension * cos(z[10]);
  }
  S potential(const S&, const S* z) const { return stiffness * stretch(z) * stretch(z) / S(2); }
};

/// A damper that grows with the distance from the other node's first coordinate, driven by time.
template <class S>
struct TwoNodeDamper {
  static constexpr int size = 5;
  bool uses_velocity() const { return true; }
  bool has_power() const { return true; }
  template <class T>
  void force(const T& t, const T* z, const T* v, T* f) const {
    for (int i = 0; i < size; ++i)
      f[i] = t * z[4] - (T(1) + z[2] * z[2]) * (v[i] - v[2]) * (z[i] - z[2]);
  }
};

/// Over nodes of widths 3, 2 and 6; the second row moves with time.
template <class S>
struct TwoRows {
  static constexpr int size = 11, rows = 2;
  static constexpr bool time_dependent = true;
  template <class T>
  void constraint(const T& t, const T* z, T* phi) const {
    using std::cos;
    using std::sin;
    phi[0] = sin(z[0]) + z[5] * z[6] - z[3] + z[4];
    phi[1] = z[1] * z[1] * z[7] + cos(z[10]) - sin(t);
  }
};

/// A row linear in one node, which has no curvature.
template <class S>
struct LinearRow {
  static constexpr int size = 2, rows = 1;
  template <class T>
  void constraint(const T&, const T* z, T* phi) const {
    phi[0] = T(3) * z[0] - z[1];
  }
  bool fills(ElementBlock block, int, int) const { return block == ElementBlock::gradient; }
};

constexpr ElementNode a{0, 2}, b{2, 3}, c{5, 6};

template <class S>
std::vector<std::unique_ptr<Element<S>>> three_nodes() {
  std::vector<std::unique_ptr<Element<S>>> elements;
  const auto force = [&](const std::vector<ElementNode>& nodes, auto law) {
    elements.push_back(
        std::make_unique<ForceElement<S, decltype(law)>>(node_coordinates(nodes), law));
  };
  force({a}, EmbeddedMass<S, 2>());
  force({b}, EmbeddedMass<S, 3>());
  force({c}, EmbeddedMass<S, 6>());
  force({a, b, c}, ThreeNodeSpring<S>{S(7)});
  force({a, {-1, 3}, c}, ThreeNodeSpring<S>{S(5)});
  force({a, b}, TwoNodeDamper<S>());
  force({{-1, 2}, b}, TwoNodeDamper<S>());
  elements.push_back(std::make_unique<ConstraintElement<S, TwoRows<S>>>(
      node_coordinates({b, a, c}), std::vector<Quantity>{{"one", "1"}, {"two", "1"}},
      TwoRows<S>()));
  elements.push_back(std::make_unique<ConstraintElement<S, LinearRow<S>>>(
      node_coordinates({a}), std::vector<Quantity>{{"line", "m"}}, LinearRow<S>()));
  elements.push_back(std::make_unique<ConstraintElement<S, TwoRows<S>>>(
      node_coordinates({{-1, 3}, a, c}), std::vector<Quantity>{{"three", "1"}, {"four", "1"}},
      TwoRows<S>()));
  return elements;
}

template <class S>
ElementSystem<S> sample() {
  std::vector<Quantity> coordinates;
  std::vector<S> q, v;
  for (int i = 0; i < 11; ++i) {
    coordinates.push_back({"q" + std::to_string(i), "m"});
    q.push_back(S(i - 4) / S(7)), v.push_back(S(3 - i) / S(5));
  }
  return ElementSystem<S>(coordinates, q, v, three_nodes<S>());
}

TEST(Element, BlocksAgreeWithDifferences) {
  ElementSystem<real50> system = sample<real50>();
  ASSERT_EQ(system.constraint_names(),
            (std::vector<std::string>{"one", "two", "line", "three", "four"}));
  EXPECT_TRUE(system.has_power());
  for (const test::MotionSample& at : test::sample_motions(system, 4)) {
    test::check_derivatives(system, at);
    test::check_rates_of_constraints(system, at);
    test::check_record(system, at);
    test::check_energy_rate(system, at);
    test::check_mass(system, at);
  }
}

/// R = M a − f + Gᵀλ from pieces evaluated one by one.
TEST(Element, PiecesMakeUpTheResidual) {
  ElementSystem<real50> system = sample<real50>();
  const int n = system.coordinates(), m = system.constraints();
  const test::MotionSample at = test::sample_motions(system, 2).back();
  std::vector<real50> whole(n), inertia(n), force(n), gradient(system.gradient_pattern().size());
  const auto evaluate = [&](real50* MotionValues<real50>::*member, std::vector<real50>& into) {
    MotionValues<real50> out;
    out.*member = into.data();
    system.evaluate(at.view(), {}, out);
  };
  evaluate(&MotionValues<real50>::residual, whole);
  evaluate(&MotionValues<real50>::inertia, inertia);
  evaluate(&MotionValues<real50>::force, force);
  evaluate(&MotionValues<real50>::gradient, gradient);
  const std::vector<real50> G = test::dense(system.gradient_pattern(), gradient);
  std::vector<real50> sum(n);
  for (int i = 0; i < n; ++i) {
    sum[i] = inertia[i] - force[i];
    for (int r = 0; r < m; ++r) sum[i] += G[r * n + i] * at.lambda[r];
  }
  // Some thirty products an entry.
  test::expect_close(whole, sum, 100 * unit_roundoff<real50>(), "residual");
  EXPECT_GT(test::largest(inertia), 0.1);
  EXPECT_GT(test::largest(force), 0.1);
}

TEST(Element, PatternsHoldWhatElementsFillAndNothingOfTheGround) {
  const ElementSystem<double> system = sample<double>();
  // M: three dense blocks. G: rows of 11, 11, 2, 8 and 8 entries; the linear row does not curve.
  EXPECT_EQ(system.mass_pattern().size(), 4 + 9 + 36);
  EXPECT_EQ(system.gradient_pattern().size(), 11 + 11 + 2 + 8 + 8);
  EXPECT_EQ(system.curvature_pattern().size(), 11 + 11 + 8 + 8);
  // ∂R/∂v: the masses' blocks, and the damper of a and b with a's with b.
  EXPECT_EQ(system.residual_v_pattern().size(), 4 + 9 + 36 + 2 * 6);
  EXPECT_EQ(system.residual_q_pattern().size(), 121);
}

TEST(Element, EvaluatesWithoutAllocating) {
  ElementSystem<double> system = sample<double>();
  const int n = system.coordinates(), m = system.constraints();
  std::vector<double> q(n), v(n), acceleration(n, 0.5), lambda(m, 0.25), R(n), C(m),
      mass(system.mass_pattern().size()), gradient(system.gradient_pattern().size()),
      by_q(system.residual_q_pattern().size()), by_v(system.residual_v_pattern().size()),
      curved_q(system.curvature_pattern().size()), curved_v(curved_q);
  system.initial(q.data(), v.data());
  auto out = MotionValues<double>::equations(R.data(), C.data());
  out.mass = mass.data(), out.gradient = gradient.data();
  out.residual_q = by_q.data(), out.residual_v = by_v.data();
  out.curvature_q = curved_q.data(), out.curvature_v = curved_v.data();
  const MotionPoint<double> point{0.5, q.data(), v.data(), acceleration.data(), lambda.data()};
  const std::size_t before = test::allocations();
  system.evaluate(point, {1, 2, 3}, out);
  system.multiplier_stiffness(point, by_q.data());
  system.kinetic_energy(point), system.potential_energy(point), system.power(point);
  EXPECT_EQ(test::allocations(), before);
}

TEST(Element, RefusesWhatDoesNotFit) {
  EXPECT_THROW((ForceElement<double, EmbeddedMass<double, 2>>({0, 1, 2}, {})), BadInput);
  EXPECT_THROW((ConstraintElement<double, LinearRow<double>>({0, 1}, {}, {})), BadInput);
  EXPECT_THROW(ElementSystem<double>({{"x", "m"}}, {0.0}, {}, {}), BadInput);
  EXPECT_THROW(ElementSystem<double>({{"x", "m"}}, {0.0}, {0.0}, three_nodes<double>()), BadInput);
}

}  // namespace
}  // namespace daemark
