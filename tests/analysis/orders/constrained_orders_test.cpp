// Derived orders on index 2 and 3 against slopes of a particle on a curved surface under a force
// that depends on its velocity, integrated here in long double for 200 random tableaus.
#include "analysis/orders/constrained_orders.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <random>
#include <vector>

#include "base/linear/dense_solve.hpp"

namespace daemark {
namespace {

using Real = long double;
using Vec = std::array<Real, 3>;
using Square = std::vector<std::vector<Real>>;

Real dot(const Vec& x, const Vec& y) { return x[0] * y[0] + x[1] * y[1] + x[2] * y[2]; }

// g = x²/2 + y² + z² + xyz/2 + z³/3 − const, masses 1, 2, 1.5.
Real level(const Vec& q) {
  return q[0] * q[0] / 2 + q[1] * q[1] + q[2] * q[2] + q[0] * q[1] * q[2] / 2 +
         q[2] * q[2] * q[2] / 3;
}
Vec gradient(const Vec& q) {
  return {q[0] + q[1] * q[2] / 2, 2 * q[1] + q[0] * q[2] / 2,
          2 * q[2] + q[0] * q[1] / 2 + q[2] * q[2]};
}
Real curvature(const Vec& q, const Vec& v) {  // v'Hv
  return v[0] * v[0] + 2 * v[1] * v[1] + (2 + 2 * q[2]) * v[2] * v[2] + v[0] * v[1] * q[2] +
         v[0] * v[2] * q[1] + v[1] * v[2] * q[0];
}
Vec along(const Vec& q) {  // M⁻¹Gᵀ
  const Vec g = gradient(q);
  return {g[0], g[1] / 2, g[2] / Real(1.5)};
}
Vec force(const Vec& q, const Vec& v) {
  return {-q[0] + v[1] * v[2] - v[0] / 3, std::sin(q[0]) - 1 + v[0] * v[0] / 2 - v[1] / 5,
          q[0] * q[1] - v[0] * v[1] + std::cos(q[2])};
}
Real multiplier(const Vec& q, const Vec& v) {
  return -(dot(gradient(q), force(q, v)) + curvature(q, v)) / dot(gradient(q), along(q));
}
Vec acceleration(const Vec& q, const Vec& v, Real lambda) {
  Vec a = force(q, v);
  const Vec b = along(q);
  for (int k = 0; k < 3; ++k) a[k] += b[k] * lambda;
  return a;
}

struct Point {
  Vec q{1, Real(0.5), Real(0.25)}, v{};
  Real lambda = 0;
};
Point start() {
  Point p;
  const Vec g = gradient(p.q);
  p.v = {Real(0.5), Real(0.75), 0};
  p.v[2] = -(g[0] * p.v[0] + g[1] * p.v[1]) / g[2];
  p.lambda = multiplier(p.q, p.v);
  return p;
}

constexpr int finest = 512;  // steps

/// By the classical method on the equation of index 1, at multiples of 1/finest.
const std::vector<Point>& reference() {
  static const std::vector<Point> points = [] {
    constexpr int inner = 32;
    const Real h = Real(1) / (finest * inner);
    std::vector<Point> out{start()};
    Point p = out[0];
    const auto shifted = [](Vec x, const Vec& d, Real h) {
      for (int k = 0; k < 3; ++k) x[k] += h * d[k];
      return x;
    };
    const auto rate = [](const Vec& q, const Vec& v) {
      return acceleration(q, v, multiplier(q, v));
    };
    for (int n = 0; n < finest; ++n) {
      for (int i = 0; i < inner; ++i) {
        const Vec v1 = p.v, a1 = rate(p.q, v1), v2 = shifted(p.v, a1, h / 2),
                  a2 = rate(shifted(p.q, v1, h / 2), v2), v3 = shifted(p.v, a2, h / 2),
                  a3 = rate(shifted(p.q, v2, h / 2), v3), v4 = shifted(p.v, a3, h),
                  a4 = rate(shifted(p.q, v3, h), v4);
        for (int k = 0; k < 3; ++k) {
          p.q[k] += h / 6 * (v1[k] + 2 * v2[k] + 2 * v3[k] + v4[k]);
          p.v[k] += h / 6 * (a1[k] + 2 * a2[k] + 2 * a3[k] + a4[k]);
        }
      }
      p.lambda = multiplier(p.q, p.v);
      out.push_back(p);
    }
    return out;
  }();
  return points;
}

struct DrawnTableau {
  std::string name;
  Square a;
  std::vector<Real> b;
  bool stiffly_accurate = false;
  WideTableau wide_form() const {
    WideTableau t;
    for (const auto& row : a) t.A.emplace_back(row.begin(), row.end());
    t.b.assign(b.begin(), b.end());
    for (const auto& row : t.A) {
      t.c.emplace_back(0);
      for (const wide& x : row) t.c.back() += x;
    }
    return t;
  }
};

/// x with m x = right; m is destroyed.
std::vector<Real> solved(Square m, std::vector<Real> x) {
  solve_dense(m, x, largest_pivot([](Real y) { return std::abs(y); }));
  return x;
}

/// One step after another; empty where the stages are not found.
std::vector<Point> integrate(const DrawnTableau& t, int index, int steps) {
  const int s = static_cast<int>(t.b.size());
  const Real h = Real(1) / steps, on_surface = level(start().q);
  Square aa(s, std::vector<Real>(s, 0));
  std::vector<Real> c(s, 0), ba(s, 0);
  for (int i = 0; i < s; ++i)
    for (int k = 0; k < s; ++k) {
      c[i] += t.a[i][k], ba[k] += t.b[i] * t.a[i][k];
      for (int j = 0; j < s; ++j) aa[i][j] += t.a[i][k] * t.a[k][j];
    }
  const int first = std::all_of(t.a[0].begin(), t.a[0].end(), [](Real x) { return x == 0; });
  std::vector<Point> out{start()};
  std::vector<Vec> l(s, acceleration(out[0].q, out[0].v, out[0].lambda)), q(s), v(s);
  std::vector<Real> lambda(s, out[0].lambda);
  for (int n = 0; n < steps; ++n) {
    Point p = out.back();
    if (first) lambda[0] = p.lambda, l[0] = acceleration(p.q, p.v, p.lambda);
    bool found = false;
    for (int iteration = 0; iteration < 60 && !found; ++iteration) {
      Square m(s - first, std::vector<Real>(s - first));
      std::vector<Real> right(s - first);
      std::vector<Vec> residual(s), direction(s);
      for (int i = 0; i < s; ++i) {
        for (int k = 0; k < 3; ++k) {
          q[i][k] = p.q[k] + h * c[i] * p.v[k], v[i][k] = p.v[k];
          for (int j = 0; j < s; ++j)
            q[i][k] += h * h * aa[i][j] * l[j][k], v[i][k] += h * t.a[i][j] * l[j][k];
        }
        const Vec a = acceleration(q[i], v[i], lambda[i]);
        direction[i] = along(q[i]);
        for (int k = 0; k < 3; ++k) residual[i][k] = i < first ? 0 : l[i][k] - a[k];
      }
      for (int i = first; i < s; ++i) {
        const Vec g = gradient(q[i]);
        const Square& w = index == 2 ? t.a : aa;
        right[i - first] = index == 2 ? -dot(g, v[i]) / h : (on_surface - level(q[i])) / (h * h);
        for (int j = first; j < s; ++j) {
          m[i - first][j - first] = w[i][j] * dot(g, direction[j]);
          right[i - first] += w[i][j] * dot(g, residual[j]);
        }
      }
      const std::vector<Real> change = solved(m, right);
      Real largest = 0;
      for (int i = first; i < s; ++i) {
        lambda[i] += change[i - first];
        for (int k = 0; k < 3; ++k) {
          const Real d = direction[i][k] * change[i - first] - residual[i][k];
          l[i][k] += d, largest = std::max(largest, std::abs(d));
        }
      }
      if (!(largest < 1e6)) return {};
      found = largest < 1e-18L * (index == 2 ? 10 * steps : 4 * steps * steps);
    }
    if (!found) return {};
    for (int k = 0; k < 3; ++k) {
      p.q[k] += h * p.v[k];
      for (int i = 0; i < s; ++i) p.q[k] += h * h * ba[i] * l[i][k], p.v[k] += h * t.b[i] * l[i][k];
    }
    p.lambda = t.stiffly_accurate ? lambda[s - 1] : multiplier(p.q, p.v);
    out.push_back(p);
  }
  return out;
}

/// Root mean squares over the second half, of q, v and λ.
std::array<Real, 3> errors(const DrawnTableau& t, int index, int steps) {
  const std::vector<Point> points = integrate(t, index, steps);
  if (points.empty()) return {NAN, NAN, NAN};
  std::array<Real, 3> sum{};
  for (int n = steps / 2; n <= steps; ++n) {
    const Point &p = points[n], &r = reference()[n * (finest / steps)];
    for (int k = 0; k < 3; ++k) {
      sum[0] += (p.q[k] - r.q[k]) * (p.q[k] - r.q[k]);
      sum[1] += (p.v[k] - r.v[k]) * (p.v[k] - r.v[k]);
    }
    sum[2] += (p.lambda - r.lambda) * (p.lambda - r.lambda);
  }
  for (Real& x : sum) x = std::sqrt(x / (steps / 2 + 1));
  return sum;
}

class Random {
 public:
  Real in(Real low, Real high) {
    return low + (high - low) * static_cast<Real>(engine_()) / 4294967296.0L;
  }

 private:
  std::mt19937 engine_{20261127};
};

/// Collocation on nodes.
DrawnTableau collocation(std::vector<Real> c, bool closed) {
  const int s = static_cast<int>(c.size());
  DrawnTableau t{"collocation", Square(s, std::vector<Real>(s)), {}, closed};
  for (int j = 0; j < s; ++j) {
    Square vandermonde(s, std::vector<Real>(s));
    std::vector<Real> unit(s, 0);
    unit[j] = 1;
    for (int i = 0; i < s; ++i)
      for (int k = 0; k < s; ++k) vandermonde[i][k] = k == 0 ? 1 : std::pow(c[i], Real(k));
    const std::vector<Real> lagrange = solved(vandermonde, unit);
    const auto integral = [&](Real x) {
      Real sum = 0;
      for (int k = 0; k < s; ++k) sum += lagrange[k] * std::pow(x, Real(k + 1)) / (k + 1);
      return sum;
    };
    for (int i = 0; i < s; ++i) t.a[i][j] = c[i] == 0 ? 0 : integral(c[i]);
    t.b.push_back(integral(1));
  }
  if (closed) t.b = t.a.back();
  return t;
}

/// The last row of A solves Σ b_i c_i^k = 1/(k+1) for its first entries, so many of them; the
/// others are as given.
void meet_quadrature(std::vector<Real>& row, const std::vector<Real>& c, int conditions) {
  Square m(conditions, std::vector<Real>(conditions));
  std::vector<Real> right(conditions);
  for (int k = 0; k < conditions; ++k) {
    right[k] = Real(1) / (k + 1);
    for (std::size_t j = 0; j < row.size(); ++j) {
      const Real power = k == 0 ? 1 : std::pow(c[j], Real(k));
      if (static_cast<int>(j) < conditions)
        m[k][j] = power;
      else
        right[k] -= row[j] * power;
    }
  }
  const std::vector<Real> found = solved(m, right);
  std::copy(found.begin(), found.end(), row.begin());
}

/// Of several structures in turn.
DrawnTableau random_tableau(int kind, Random& random) {
  const auto nodes = [&](int s, bool closed, bool open) {
    std::vector<Real> c;
    for (int i = 0; i < s; ++i) c.push_back((i + random.in(Real(0.25), Real(0.75))) / s);
    if (closed) c.back() = 1;
    if (open) c.front() = 0;
    return c;
  };
  switch (kind % 6) {
    case 0:
      return collocation(nodes(1 + kind / 6 % 3, true, false), true);
    case 1:
      return collocation(nodes(1 + kind / 6 % 3, false, false), false);
    case 2: {  // late nodes, so that |R(infinity)| is small
      std::vector<Real> c = nodes(3 + kind / 6 % 2, true, true);
      for (Real& x : c) x = std::cbrt(x);
      return collocation(c, true);
    }
    case 3: {  // diagonally implicit, stiffly accurate or not
      const int s = 2 + kind / 6 % 2;
      const bool closed = kind / 12 % 2 == 0;
      DrawnTableau t{"dirk", Square(s, std::vector<Real>(s, 0)), std::vector<Real>(s), closed};
      const Real gamma = random.in(Real(0.3), Real(0.6));
      std::vector<Real> c(s);
      for (int i = 0; i < s; ++i) {
        for (int j = 0; j < i; ++j) t.a[i][j] = random.in(Real(0.1), Real(0.6));
        t.a[i][i] = gamma;
        for (const Real x : t.a[i]) c[i] += x;
      }
      if (closed) {
        c.back() = 1;
        meet_quadrature(t.a.back(), c, s - 1), t.b = t.a.back();
      } else {
        for (Real& x : t.b) x = random.in(Real(0.2), Real(0.8));
        meet_quadrature(t.b, c, 2);
      }
      return t;
    }
    case 4: {  // behind an explicit first stage of stage order 2
      DrawnTableau t{"esdirk", Square(3, std::vector<Real>(3, 0)), {}, true};
      const Real gamma = random.in(Real(0.2), Real(0.5));
      t.a[1][0] = t.a[1][1] = gamma;
      t.a[2][2] = random.in(Real(0.2), Real(0.5));
      meet_quadrature(t.a[2], {0, 2 * gamma, 1}, 2);
      t.b = t.a[2];
      return t;
    }
    default: {  // full and disturbed
      const bool closed = kind / 6 % 2 == 0;
      DrawnTableau t = collocation(nodes(2 + kind / 12 % 2, closed, false), closed);
      t.name = "disturbed";
      for (auto& row : t.a)
        for (Real& x : row) x += random.in(Real(-0.05), Real(0.05));
      if (closed) t.b = t.a.back();
      Real sum = 0;
      for (const Real x : t.b) sum += x;
      for (Real& x : t.b) x /= sum;
      if (closed) t.a.back() = t.b;
      return t;
    }
  }
}

/// By it errors of earlier steps are multiplied: near 1 they hide the slope for many steps.
Real far_out(const DrawnTableau& t) {
  const std::size_t s = t.b.size(), first = t.a[0] == std::vector<Real>(s, 0) ? 1 : 0;
  Square inner;
  std::vector<Real> right;
  for (std::size_t i = first; i < s; ++i) {
    inner.emplace_back(t.a[i].begin() + static_cast<long>(first), t.a[i].end());
    right.push_back(first > 0 ? t.a[i][0] : 1);
  }
  const std::vector<Real> image = solved(inner, right);
  if (first > 0) return -image.back();
  Real sum = 1;
  for (std::size_t i = 0; i < s; ++i) sum -= t.b[i] * image[i];
  return sum;
}

/// The slope from so many steps to twice as many.
std::array<Real, 3> slopes(const DrawnTableau& t, int index, int steps) {
  const auto coarse = errors(t, index, steps), fine = errors(t, index, 2 * steps);
  return {std::log2(coarse[0] / fine[0]), std::log2(coarse[1] / fine[1]),
          std::log2(coarse[2] / fine[2])};
}

TEST(ConstrainedOrders, OfRandomTableausAreThoseObserved) {
  Random random;
  int compared = 0;
  for (int kind = 0; kind < 200; ++kind) {
    DrawnTableau t = random_tableau(kind, random);
    while (!(std::abs(far_out(t)) < 0.4)) t = random_tableau(kind, random);
    for (const int index : {2, 3}) {
      const auto derived = constrained_orders(
          t.wide_form(), index == 2 ? exact::Imposed::velocities : exact::Imposed::positions,
          t.stiffly_accurate ? EndMultipliers::of_last_stage : EndMultipliers::solved, 1e-15);
      ASSERT_EQ(derived.none, "") << t.name << " " << kind;
      if (derived.v.order <= 0) continue;
      const std::array<DerivedOrder, 3> orders{derived.q, derived.v, derived.lambda};
      const auto off = [&](const std::array<Real, 3>& seen) {
        Real most = 0;
        for (int k = 0; k < 3; ++k) most = std::max(most, std::abs(seen[k] - orders[k].order));
        return most;
      };
      auto seen = slopes(t, index, finest / 8);
      if (!(off(seen) < 0.35)) seen = slopes(t, index, finest / 2);
      ++compared;
      EXPECT_LT(static_cast<double>(off(seen)), 0.35) << fmt::format(
          "{} {}, index {}: {:.2f} {:.2f} {:.2f} against {}, {}, {} by {}, {}, {}", t.name, kind,
          index, static_cast<double>(seen[0]), static_cast<double>(seen[1]),
          static_cast<double>(seen[2]), orders[0].order, orders[1].order, orders[2].order,
          orders[0].tree, orders[1].tree, orders[2].tree);
    }
  }
  EXPECT_GT(compared, 350);
}

}  // namespace
}  // namespace daemark
