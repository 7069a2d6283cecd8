// Explicit stages at any nodes, the first too: one step of seeded random coefficients on
// q'' = t³ + t q² in rational numbers, against the formula evaluated directly.
#include <gtest/gtest.h>

#include <random>

#include "methods/core/settings.hpp"
#include "methods/runge_kutta/nystrom.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

rational force(const rational& t, const rational& q) { return t * t * t + t * q * q; }

class CubicForce final : public ImplicitSystem<rational> {
 public:
  CubicForce() {
    components_ = {{"q", Component::Kind::integral, 1}, {"v", Component::Kind::differential, -1}};
    finish_components();
    row_power_ = {0};
    pattern_y_ = {1, 2, {{0, 0}}};
    pattern_rate_ = {1, 2, {{0, 1}}};
  }
  void evaluate(const SystemPoint<rational>& p, rational* r, rational* by_y,
                rational* by_rate) override {
    r[0] = p.rate[1] - force(p.t, p.y[0]);
    if (by_y) by_y[0] = -2 * p.t * p.y[0], by_rate[0] = 1;
  }
  bool explicit_rates(rational* y, rational* rate, const rational& t, const rational*) override {
    rate[0] = y[1], rate[1] = force(t, y[0]);
    return true;
  }
};

struct Coefficients {
  std::mt19937 random;
  explicit Coefficients(unsigned seed) : random(seed) {}
  rational number() { return rational(1 + static_cast<int>(random() % 19u)) / 20; }
  ExactTableau part(int s) {
    ExactTableau t;
    for (int i = 0; i < s; ++i) {
      t.A.emplace_back();
      for (int j = 0; j < s; ++j) t.A[i].emplace_back(j < i ? number() : rational(0));
      t.b.emplace_back(number()), t.c.emplace_back(number());
    }
    return t;
  }
};

const rational t0 = rational(1) / 3, q0 = 2, v0 = rational(-1) / 2, h = rational(1) / 5;

std::vector<rational> stepped(const Method& method) {
  CubicForce system;
  const auto stepper =
      method.stepper(Target<rational>{&system, &system}, parse_settings({}, Precision::in_double));
  State<rational> initial;
  initial.t = t0, initial.y = {q0, v0}, initial.rate = {v0, force(t0, q0)};
  stepper->start(initial, h);
  EXPECT_EQ(stepper->step().status, Status::ok);
  return stepper->state().y;
}

TEST(FirstNode, OfNystromMethods) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    Coefficients random(seed);
    const int s = 1 + static_cast<int>(seed % 4);
    ExactPair pair;
    pair.kind = ExactPair::Kind::nystrom;
    pair.first = random.part(s), pair.second = random.part(s);
    pair.second.c = pair.first.c, pair.second.A.clear();
    const RationalTableau first = *evaluate_exactly(pair.first);
    std::vector<rational> k;
    rational q = q0 + h * v0, v = v0;
    for (int i = 0; i < s; ++i) {
      rational at = q0 + first.c[i] * h * v0;
      for (int j = 0; j < i; ++j) at += h * h * first.A[i][j] * k[j];
      k.push_back(force(t0 + first.c[i] * h, at));
      q += h * h * first.b[i] * k[i], v += h * pair.second.b[i].as_rational() * k[i];
    }
    EXPECT_EQ(stepped(*nystrom_method(pair)), (std::vector<rational>{q, v})) << seed;
  }
}

TEST(FirstNode, OfRungeKuttaMethods) {
  for (unsigned seed = 1; seed <= 8; ++seed) {
    const int s = 1 + static_cast<int>(seed % 4);
    const ExactTableau written = Coefficients(seed).part(s);
    const RationalTableau t = *evaluate_exactly(written);
    std::vector<rational> kq, kv;
    rational q = q0, v = v0;
    for (int i = 0; i < s; ++i) {
      rational qi = q0, vi = v0;
      for (int j = 0; j < i; ++j) qi += h * t.A[i][j] * kq[j], vi += h * t.A[i][j] * kv[j];
      kq.push_back(vi), kv.push_back(force(t0 + t.c[i] * h, qi));
      q += h * t.b[i] * kq[i], v += h * t.b[i] * kv[i];
    }
    EXPECT_EQ(stepped(*runge_kutta_method(form_of(written))), (std::vector<rational>{q, v}))
        << seed;
  }
}

}  // namespace
}  // namespace daemark
