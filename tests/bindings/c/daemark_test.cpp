// The C interface as another program meets it.
#include "bindings/c/daemark.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <set>
#include <string>
#include <thread>

#include "analysis/reference/reference.hpp"
#include "analysis/variation/sensitivity.hpp"
#include "base/program/paths.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark {
namespace {

using ::testing::HasSubstr;
using ::testing::StrEq;
using Vector = std::vector<double>;

struct Closed {
  void operator()(daemark_problem* p) const { daemark_close(p); }
};
using Handle = std::unique_ptr<daemark_problem, Closed>;

Handle open(const std::string& problem, const std::string& formulation) {
  Handle p(daemark_open(problem.c_str(), formulation.c_str()));
  EXPECT_NE(p, nullptr) << daemark_last_error();
  return p;
}

/// A handle with its sizes and a start.
struct Opened {
  Handle p;
  int n = 0, m = 0, size = 0, nnz = 0;
  double t = 0;
  Vector y, yp;

  Opened(const std::string& problem, const std::string& formulation)
      : p(open(problem, formulation)) {
    daemark_sizes(p.get(), &n, &m, &size);
    daemark_jacobian_nnz(p.get(), &nnz);
    y.resize(size), yp.resize(size);
    EXPECT_EQ(daemark_initial(p.get(), &t, y.data(), yp.data()), 0) << daemark_last_error();
  }
  Vector residual(const Vector& at, const Vector& rate) const {
    Vector r(size);
    EXPECT_EQ(daemark_residual(p.get(), t, at.data(), rate.data(), r.data()), 0)
        << daemark_last_error();
    return r;
  }
};

double largest(const Vector& x) {
  double most = 0;
  for (const double value : x) most = std::max(most, std::abs(value));
  return most;
}

using Case = std::pair<std::string, std::string>;

/// Every problem in index 1, and one in every formulation.
std::vector<Case> cases() {
  std::vector<Case> all;
  for (const std::string& id : problem_registry().catalogue_ids()) all.emplace_back(id, "index1");
  for (const Formulation& formulation : test::formulation_samples())
    all.emplace_back(formulation.info.minimal ? "two_link" : "andrews_squeezer",
                     formulation.name());
  all.emplace_back("heavy_top", "ggl");
  return all;
}

class Binding : public ::testing::TestWithParam<Case> {
 protected:
  Opened o_{GetParam().first, GetParam().second};
};

TEST_P(Binding, StartsConsistentlyAndNamesEverything) {
  EXPECT_LT(largest(o_.residual(o_.y, o_.yp)), 1e-8 * (1 + largest(o_.y)));
  std::set<std::string> names;
  for (int i = 0; i < o_.size; ++i) {
    const char* unit = nullptr;
    const char* name = daemark_name(o_.p.get(), i, &unit);
    ASSERT_NE(name, nullptr);
    EXPECT_TRUE(names.insert(name).second) << name << " is doubled";
    EXPECT_STRNE(unit, "");
  }
  EXPECT_EQ(daemark_name(o_.p.get(), o_.size, nullptr), nullptr);
}

// Along a random direction (dy, cj dy), central differences of the residual over one step and two,
// extrapolated: stiff springs have third derivatives that a step² leaves visible. What remains,
// fifth derivatives times step⁴ and round-off over step, is below 1e-5 of the derivative's scale.
TEST_P(Binding, JacobianIsTheDerivativeOfTheResidual) {
  const double cj = 3.5, step = 1e-5;
  std::vector<int> columns(o_.size + 1), rows(o_.nnz);
  Vector values(o_.nnz);
  ASSERT_EQ(daemark_jacobian(o_.p.get(), o_.t, cj, o_.y.data(), o_.yp.data(), columns.data(),
                             rows.data(), values.data()),
            0);
  std::mt19937 random(7);
  std::uniform_real_distribution<double> entry(-1, 1);
  Vector along(o_.size), product(o_.size, 0.0), scale(o_.size, 1e-3);
  for (int j = 0; j < o_.size; ++j) {
    along[j] = entry(random);
    for (int k = columns[j]; k < columns[j + 1]; ++k) {
      if (k > columns[j]) {
        EXPECT_LT(rows[k - 1], rows[k]);
      }
      product[rows[k]] += values[k] * along[j];
      scale[rows[k]] += std::abs(values[k]);
    }
  }
  const auto at = [&](double by) {
    Vector y = o_.y, rate = o_.yp;
    for (int j = 0; j < o_.size; ++j) y[j] += by * along[j], rate[j] += by * cj * along[j];
    return o_.residual(y, rate);
  };
  const Vector plus = at(step), minus = at(-step), far = at(2 * step), back = at(-2 * step);
  for (int i = 0; i < o_.size; ++i) {
    const double slope = (8 * (plus[i] - minus[i]) - (far[i] - back[i])) / (12 * step);
    EXPECT_NEAR(slope, product[i], 1e-5 * scale[i]) << "row " << i;
  }
}

TEST_P(Binding, PiecesFitTheEquationsOfMotion) {
  const int n = o_.n, m = o_.m;
  Vector M(n * n), f(n), Phi(m), G(m * n), curvature(m), a(n), lambda(m), third(m);
  const double *q = o_.y.data(), *v = q + n;
  ASSERT_EQ(daemark_mechanics(o_.p.get(), o_.t, q, v, M.data(), f.data(), Phi.data(), G.data(),
                              curvature.data()),
            0);
  ASSERT_EQ(daemark_accelerations(o_.p.get(), o_.t, q, v, a.data(), lambda.data()), 0);
  for (int i = 0; i < n; ++i) {
    double sum = -f[i], scale = std::abs(f[i]) + 1;
    for (int j = 0; j < n; ++j) sum += M[i * n + j] * a[j], scale += std::abs(M[i * n + j] * a[j]);
    for (int r = 0; r < m; ++r)
      sum += G[r * n + i] * lambda[r], scale += std::abs(G[r * n + i] * lambda[r]);
    EXPECT_NEAR(sum, 0, 1e-9 * scale) << "row " << i;
  }
  ASSERT_EQ(daemark_constraints(o_.p.get(), o_.t, q, v, a.data(), nullptr, nullptr, third.data()),
            0);
  for (int r = 0; r < m; ++r) {
    double second = curvature[r], scale = std::abs(second) + 1;
    for (int j = 0; j < n; ++j)
      second += G[r * n + j] * a[j], scale += std::abs(G[r * n + j] * a[j]);
    EXPECT_NEAR(second, 0, 1e-9 * scale) << "constraint " << r;
    EXPECT_NEAR(second, third[r], 1e-9 * scale) << "constraint " << r;
    EXPECT_NEAR(Phi[r], 0, 1e-9);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, Binding, ::testing::ValuesIn(cases()), [](const auto& info) {
  // The name leaves out a problem's arguments, so the place in the list tells variants apart.
  return test::test_name(info.param.first + "_" + info.param.second) + "_" +
         std::to_string(info.index);
});

TEST(DaemarkH, KindsAreThoseOfIdaAndRadau) {
  const auto kinds = [](const char* formulation) {
    const Opened o("pendulum", formulation);
    std::vector<int> differential(o.size), index(o.size);
    EXPECT_EQ(daemark_kinds(o.p.get(), differential.data(), index.data()), 0);
    return std::make_pair(differential, index);
  };
  using Ints = std::vector<int>;
  EXPECT_EQ(kinds("index3"), std::make_pair(Ints({1, 1, 1, 1, 0}), Ints({1, 1, 2, 2, 3})));
  EXPECT_EQ(kinds("index2"), std::make_pair(Ints({1, 1, 1, 1, 0}), Ints({1, 1, 1, 1, 2})));
  EXPECT_EQ(kinds("index1"), std::make_pair(Ints({1, 1, 1, 1, 0}), Ints({1, 1, 1, 1, 1})));
  EXPECT_EQ(kinds("ggl"), std::make_pair(Ints({1, 1, 1, 1, 0, 0}), Ints({1, 1, 1, 1, 2, 2})));
}

TEST(DaemarkH, ReferencesAreThePublishedStates) {
  if (!is_published("two_link", "1")) GTEST_SKIP() << "no state of this model is published";
  const Opened o("two_link", "index3");
  Vector q(o.n), v(o.n), lambda(o.m);
  int digits = 0;
  ASSERT_EQ(daemark_reference(o.p.get(), 1, q.data(), v.data(), lambda.data(), &digits), 0);
  const auto stored = reference_states(problem_registry().make("two_link"), {"1"}, 30).front();
  EXPECT_EQ(digits, stored.agreed_digits);
  for (int i = 0; i < o.n; ++i) EXPECT_EQ(q[i], to_double(stored.q[i]));
  for (int i = 0; i < o.m; ++i) EXPECT_EQ(lambda[i], to_double(stored.lambda[i]));
  ASSERT_EQ(daemark_reference(o.p.get(), 1.0625, nullptr, nullptr, nullptr, &digits), 0);
  EXPECT_LT(digits, 0);
}

TEST(DaemarkH, SensitivitiesAreDerivativesOfTheMotion) {
  const Opened o("two_link", "index3");
  Vector q(o.n), v(o.n), lambda(o.m);
  int digits = 0;
  ASSERT_EQ(daemark_sensitivity(o.p.get(), "m2", 0.25, q.data(), v.data(), lambda.data(), &digits),
            0)
      << daemark_last_error();
  EXPECT_GT(digits, 30);
  const auto found =
      sensitivities(problem_registry().make("two_link"), "m2", {Expression::parse("1/4", "t")})
          .front();
  for (int i = 0; i < o.n; ++i) EXPECT_EQ(q[i], to_double(found.derivative.q[i]));
  for (int i = 0; i < o.n; ++i) EXPECT_EQ(v[i], to_double(found.derivative.v[i]));
  for (int i = 0; i < o.m; ++i) EXPECT_EQ(lambda[i], to_double(found.derivative.lambda[i]));
  EXPECT_NE(v[0], 0);
  EXPECT_EQ(daemark_sensitivity(o.p.get(), "m3", 0.25, q.data(), nullptr, nullptr, nullptr),
            DAEMARK_BAD_INPUT);
}

TEST(DaemarkH, ClosedFormsAreReferencesAtAnyTime) {
  const Opened o("oscillator", "index1");
  Vector q(o.n), v(o.n);
  int digits = 0;
  ASSERT_EQ(daemark_reference(o.p.get(), 0.625, q.data(), v.data(), nullptr, &digits), 0);
  EXPECT_GT(digits, 40);
  EXPECT_TRUE(std::isfinite(q[0]));
}

// A turn by 90 degrees about z is g = 2 tan(45°) = 2; beyond 171 degrees a chart ends.
TEST(DaemarkH, RotationsAreIncrementsFromTheStart) {
  Opened o("bricard(coordinates=absolute)", "index1");
  int n_ref = 0;
  ASSERT_EQ(daemark_reference_size(o.p.get(), &n_ref), 0);
  Vector q_ref(n_ref), v_ref(n_ref), q(o.y.begin(), o.y.begin() + o.n), v(o.n, 0.0);
  ASSERT_THAT(daemark_name(o.p.get(), 5, nullptr), HasSubstr("z"));
  q[5] = 2;
  ASSERT_EQ(daemark_to_reference(o.p.get(), q.data(), v.data(), q_ref.data(), v_ref.data()), 0);
  EXPECT_NEAR(q_ref[5], std::acos(0.0), 1e-14);
  o.y[5] = 26;
  Vector r(o.size);
  EXPECT_EQ(daemark_residual(o.p.get(), o.t, o.y.data(), o.yp.data(), r.data()),
            DAEMARK_NOT_FINITE);
  EXPECT_THAT(daemark_last_error(), HasSubstr("171 degrees"));
}

TEST(DaemarkH, EnergyAndOutputsAreThoseOfARun) {
  const Opened o("two_link", "index1");
  double kinetic = -1, potential = -1;
  ASSERT_EQ(daemark_energy(o.p.get(), 0, o.y.data(), o.y.data() + o.n, &kinetic, &potential), 0);
  const auto mechanism = problem_registry().make("two_link").make<double>();
  const MotionPoint<double> at{0, o.y.data(), o.y.data() + o.n};
  EXPECT_EQ(kinetic, mechanism->kinetic_energy(at));
  EXPECT_EQ(potential, mechanism->potential_energy(at));

  const Opened beam("beam_four_bar", "index1");
  int count = 0;
  ASSERT_EQ(daemark_output_count(beam.p.get(), &count), 0);
  ASSERT_GT(count, 0);
  Vector out(count, std::nan(""));
  ASSERT_EQ(
      daemark_outputs(beam.p.get(), beam.t, beam.y.data(), beam.y.data() + beam.n, out.data()), 0);
  for (int i = 0; i < count; ++i) {
    const char* unit = nullptr;
    EXPECT_NE(daemark_output_name(beam.p.get(), i, &unit), nullptr);
    EXPECT_TRUE(std::isfinite(out[i]));
  }
}

TEST(DaemarkH, RefusesBadInputInOneLine) {
  EXPECT_EQ(daemark_open("two_lnk", "index1"), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("did you mean 'two_link'"));
  EXPECT_EQ(daemark_open("two_link", "index4"), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("accepted: index1"));
  EXPECT_EQ(daemark_open("two_link", "baumgarte(alpha=1/h,beta=1/h)"), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("no number without a step"));
  EXPECT_EQ(daemark_open("pendulum", "minimal"), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("no minimal form"));
  EXPECT_EQ(daemark_open(nullptr, "index1"), nullptr);
  EXPECT_EQ(daemark_residual(nullptr, 0, nullptr, nullptr, nullptr), DAEMARK_BAD_INPUT);

  Opened o("two_link", "index1");
  Vector r(o.size);
  EXPECT_EQ(daemark_residual(o.p.get(), 0, nullptr, o.yp.data(), r.data()), DAEMARK_BAD_INPUT);
  EXPECT_THAT(daemark_last_error(), HasSubstr("y is NULL"));
  o.y[1] = std::nan("");
  EXPECT_EQ(daemark_residual(o.p.get(), 0, o.y.data(), o.yp.data(), r.data()), DAEMARK_BAD_INPUT);
  EXPECT_THAT(daemark_last_error(),
              HasSubstr(std::string("y of ") + daemark_name(o.p.get(), 1, nullptr)));
  EXPECT_THAT(daemark_last_error(), HasSubstr("not a number"));
  daemark_close(nullptr);
}

TEST(DaemarkH, RefusesNumbersThatAreNone) {
  Opened o("driven_pendulum(T0=1/10)", "index1");
  Vector r(o.size), values(o.nnz);
  const double nan = std::nan(""), infinite = HUGE_VAL;
  EXPECT_EQ(daemark_residual(o.p.get(), nan, o.y.data(), o.yp.data(), r.data()), DAEMARK_BAD_INPUT);
  EXPECT_THAT(daemark_last_error(), HasSubstr("t is not a number"));
  EXPECT_EQ(
      daemark_accelerations(o.p.get(), infinite, o.y.data(), o.y.data() + o.n, nullptr, nullptr),
      DAEMARK_BAD_INPUT);
  EXPECT_THAT(daemark_last_error(), HasSubstr("t is infinite"));
  EXPECT_EQ(
      daemark_jacobian(o.p.get(), 0, nan, o.y.data(), o.yp.data(), nullptr, nullptr, values.data()),
      DAEMARK_BAD_INPUT);
  EXPECT_THAT(daemark_last_error(), HasSubstr("cj is not a number"));
  int digits = 7;
  const Opened closed("oscillator", "index1");
  EXPECT_EQ(daemark_reference(closed.p.get(), nan, nullptr, nullptr, nullptr, &digits),
            DAEMARK_BAD_INPUT);
  EXPECT_EQ(digits, 7);
  EXPECT_EQ(daemark_output_name(closed.p.get(), 0, nullptr), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("accepted: none"));
}

TEST(DaemarkH, DigestsNameTheModel) {
  const Opened a("pendulum", "index1"), b("pendulum", "index1"), c("pendulum", "index2");
  EXPECT_STREQ(daemark_digest(a.p.get()), daemark_digest(b.p.get()));
  EXPECT_STRNE(daemark_digest(a.p.get()), daemark_digest(c.p.get()));
  EXPECT_EQ(std::string(daemark_digest(a.p.get())).size(), 32u);
}

TEST(DaemarkH, AThousandHandlesInEightThreads) {
  const Opened expected("two_link", "index2");
  const Vector r = expected.residual(expected.yp, expected.y);  // any values
  std::vector<std::thread> threads;
  std::array<int, 8> wrong{};
  for (int& count : wrong)
    threads.emplace_back([&count, &r] {
      for (int i = 0; i < 125; ++i) {
        const Opened own("two_link", "index2");
        count += own.residual(own.yp, own.y) != r;
        daemark_open("nothing", "index1");  // errors belong to a thread
        count += std::string(daemark_last_error()).find("nothing") == std::string::npos;
      }
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_THAT(wrong, ::testing::Each(0));
}

/// A text that ends in .json is a file with a mechanism, also for many threads at once.
TEST(DaemarkH, OpensMechanismsOfFiles) {
  const std::string file =
      (source_root() / "problems" / "files" / "examples" / "crank_slider.json").string();
  std::vector<std::thread> threads;
  for (int k = 0; k < 8; ++k)
    threads.emplace_back([&file] {
      const Opened slider(file, "index2");
      EXPECT_EQ(slider.n, 9);
      EXPECT_LT(largest(slider.residual(slider.y, slider.yp)), 1e-12);
    });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(daemark_open("missing.json", "index2"), nullptr);
  EXPECT_THAT(daemark_last_error(), HasSubstr("missing.json"));
}

}  // namespace
}  // namespace daemark
