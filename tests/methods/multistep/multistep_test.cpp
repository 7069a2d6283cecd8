// lms, ss, bdf: coefficients, exact characteristic polynomials, starts, memory, predictors.
#include <gtest/gtest.h>

#include <complex>

#include "analysis/run/run.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/multistep/flat_multistep.hpp"
#include "methods/multistep/multistep_stepper.hpp"
#include "methods/stages/point_history.hpp"
#include "tests/support/method_bench.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

const rational rhos[] = {rational(0), rational(1, 4), rational(3, 5), rational(1)};

/// q̈ + c q̇ + k q = 0 with q integral and v differential, in any scalar.
template <class S>
class LinearOscillator final : public ImplicitSystem<S> {
 public:
  LinearOscillator(S c, S k) : c_(c), k_(k) {
    this->components_ = {{"q", Component::Kind::integral, 1},
                         {"v", Component::Kind::differential, -1}};
    this->finish_components();
    this->row_power_ = {0};
    this->pattern_y_ = {1, 2, {{0, 0}, {0, 1}}};
    this->pattern_rate_ = {1, 2, {{0, 1}}};
  }
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    const S *y = p.y, *rate = p.rate;
    r[0] = rate[1] + c_ * y[1] + k_ * y[0];
    if (jacobian_y) jacobian_y[0] = k_, jacobian_y[1] = c_, jacobian_rate[0] = S(1);
  }
  bool explicit_rates(S* y, S* rate, const S&, const S*) override {
    rate[0] = y[1];
    rate[1] = -(c_ * y[1] + k_ * y[0]);
    return true;
  }

 private:
  S c_, k_;
};

std::vector<rational> evaluated(const std::vector<Expression>& list) {
  std::vector<rational> values;
  for (const Expression& e : list) values.push_back(e.as_rational());
  return values;
}

/// α_j, j = 1..n, then β_j, j = 0..n, as Zhang 2022 writes them.
std::vector<rational> printed_form(const Coefficients& formula) {
  const auto alpha = evaluated(formula.list("alpha")), beta = evaluated(formula.list("beta"));
  const int n = static_cast<int>(alpha.size()) - 1;
  std::vector<rational> values;
  for (int j = 1; j <= n; ++j) values.push_back(-alpha[n - j] / alpha[n]);
  for (int j = 0; j <= n; ++j) values.push_back(beta[n - j] / alpha[n]);
  return values;
}

TEST(FlatMultistep, ClosedFormsOfTwoThreeFourSteps) {
  for (const rational& r : rhos) {
    const rational r2 = r * r, r3 = r2 * r, r4 = r3 * r, d2 = 3 - r, d3 = r2 - 5 * r + 10,
                   d4 = -r3 + 7 * r2 - 21 * r + 35;
    const rational s2 = 2 / ((1 + r) * d2), s3 = 6 / ((1 + r) * d3), s4 = 20 / ((1 + r) * d4);
    EXPECT_EQ(printed_form(flat_multistep(2, r)),
              (std::vector<rational>{4 * (1 - r) / d2, (3 * r - 1) / d2, s2, 2 * r * s2, r2 * s2}));
    EXPECT_EQ(
        printed_form(flat_multistep(3, r)),
        (std::vector<rational>{3 * (2 * r2 - 9 * r + 5) / d3, -3 * (5 * r2 - 9 * r + 2) / d3,
                               (10 * r2 - 5 * r + 1) / d3, s3, 3 * r * s3, 3 * r2 * s3, r3 * s3}));
    EXPECT_EQ(
        printed_form(flat_multistep(4, r)),
        (std::vector<rational>{
            4 * (-2 * r3 + 13 * r2 - 35 * r + 14) / d4, -4 * (1 - r) * (7 * r2 - 34 * r + 7) / d4,
            -4 * (14 * r3 - 35 * r2 + 13 * r - 2) / d4, (35 * r3 - 21 * r2 + 7 * r - 1) / d4, s4,
            4 * r * s4, 6 * r2 * s4, 4 * r3 * s4, r4 * s4}));
  }
}

TEST(FlatMultistep, PolynomialStartsLikeTheLogarithmToSecondOrder) {
  for (int n = 2; n <= max_flat_steps; ++n) {
    EXPECT_EQ(flat_polynomial(n)[0], 1);
    EXPECT_EQ(flat_polynomial(n)[1], rational(1, 2)) << n;
  }
}

TEST(FlatMultistep, EndsOfTheRangeOfRho) {
  EXPECT_EQ(printed_form(flat_multistep(2, 0)), printed_form(backward_differentiation(2)));
  // ρ = 1: (E+1)^{n−1} times the trapezoidal rule; for n = 2 y_n − y_{n−2} = h/2 (1, 2, 1)·ẏ.
  EXPECT_EQ(printed_form(flat_multistep(1, 1)),
            (std::vector<rational>{1, rational(1, 2), rational(1, 2)}));
  EXPECT_EQ(printed_form(flat_multistep(2, 1)),
            (std::vector<rational>{0, 1, rational(1, 2), 1, rational(1, 2)}));
}

/// det(zI − M) of one exact step on the oscillator, descending powers without the zero roots.
std::vector<rational> step_polynomial(const std::string& call, const rational& c,
                                      const rational& k) {
  LinearOscillator<rational> system(c, k);
  const auto method = method_registry().make(call);
  const auto stepper = method->stepper(Target<rational>{&system, &system}, Settings{});
  if (!stepper) return {};
  State<rational> rest;
  rest.t = 0;
  rest.y = rest.rate = {rational(0), rational(0)};
  stepper->start(rest, rational(1));
  for (int i = 0; i < method->least_steps(); ++i) EXPECT_EQ(stepper->step().status, Status::ok);
  const std::vector<rational> zero = stepper->memory();
  std::vector<int> at;
  for (std::size_t i = 0; i < zero.size(); ++i)
    if (zero[i] == 0) at.push_back(static_cast<int>(i));
  const std::size_t n = at.size();
  std::vector<std::vector<rational>> m(n, std::vector<rational>(n));
  for (std::size_t j = 0; j < n; ++j) {
    std::vector<rational> unit = zero;
    unit[at[j]] = 1;
    stepper->set_memory(unit);
    EXPECT_EQ(stepper->step().status, Status::ok);
    const std::vector<rational> column = stepper->memory();
    for (std::size_t i = 0; i < n; ++i) m[i][j] = column[at[i]];
  }
  std::vector<rational> result = {rational(1)};  // Faddeev & Le Verrier
  std::vector<std::vector<rational>> power(n, std::vector<rational>(n, rational(0)));
  for (std::size_t p = 1; p <= n; ++p) {
    for (std::size_t i = 0; i < n; ++i) power[i][i] += result.back();
    std::vector<std::vector<rational>> next(n, std::vector<rational>(n, rational(0)));
    rational trace = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t l = 0; l < n; ++l)
        for (std::size_t j = 0; j < n; ++j) next[i][j] += m[i][l] * power[l][j];
      trace += next[i][i];
    }
    result.push_back(-trace / static_cast<int>(p));
    power = next;
  }
  while (result.size() > 1 && result.back() == 0) result.pop_back();
  return result;
}

TEST(SingleStep, CharacteristicPolynomialIsThatOfTheMultistepFormulaExactly) {
  for (int n = 2; n <= 5; ++n)
    for (const char* rho : {"0", "3/5"}) {
      const std::string arguments = "(n=" + std::to_string(n) + ",rho=" + rho + ")";
      const auto one = step_polynomial("lms" + arguments, rational(1, 3), rational(7, 2));
      EXPECT_EQ(one, step_polynomial("ss" + arguments, rational(1, 3), rational(7, 2)))
          << arguments;
      // A true multistep method: two roots a step, fewer only where −rho = 0 is a root of all.
      EXPECT_EQ(one.size(), 2u * n + 1) << arguments;
    }
}

/// The complex recursion of the paper, eqs. (9)-(11) and (18)-(20), on y' = Λy.
std::vector<double> paper_recursion(const std::vector<std::complex<double>>& delta, double rho,
                                    double c, double k, double h, int steps) {
  using Complex = std::complex<double>;
  const int n = static_cast<int>(delta.size()) + 1;
  const Complex even = 1 / (1 + rho);
  std::vector<Complex> odd;
  for (const Complex& d : delta) odd.push_back((1.0 + d * (1 - rho)) / (1 + rho));
  Complex gain = even;  // of ẏ_N in y_N
  for (const Complex& o : odd) gain *= even / o;
  Complex y[2] = {1, 0}, rate[2] = {0, -k};
  std::vector<Complex> aux[2] = {std::vector<Complex>(n - 1, rate[0]),
                                 std::vector<Complex>(n - 1, rate[1])};  // u^1 first
  for (int i = 0; i < steps; ++i) {
    // u^j_N = a ẏ_N + b, innermost first; y_N = base + h·gain·ẏ_N.
    Complex base[2];
    std::vector<Complex> b[2];
    for (int e = 0; e < 2; ++e) {
      Complex constant = 0, previous = rate[e];
      for (int j = 0; j < n - 1; ++j) {
        constant =
            ((1.0 - even) * previous + even * constant - (1.0 - odd[j]) * aux[e][j]) / odd[j];
        previous = aux[e][j];
        b[e].push_back(constant);
      }
      base[e] = y[e] + h * ((1.0 - even) * previous + even * constant);
    }
    const Complex w = h * gain;  // q = base0 + w v, v = base1 + w (−c v − k q)
    const Complex v = (base[1] - w * k * base[0]) / (1.0 + w * c + w * w * k);
    const Complex q = base[0] + w * v, a = -c * v - k * q;
    const Complex fresh[2] = {v, a};
    for (int e = 0; e < 2; ++e) {
      Complex share = fresh[e];
      for (int j = 0; j < n - 1; ++j) {
        share *= even / odd[j];
        aux[e][j] = share + b[e][j];
      }
    }
    y[0] = q, y[1] = v, rate[0] = v, rate[1] = a;
  }
  EXPECT_LT(std::abs(y[0].imag()), 1e-12);
  return {y[0].real(), y[1].real()};
}

TEST(SingleStep, RealMemoryGivesThePapersComplexRecursion) {
  const double i15 = std::sqrt(15.0) / 12;
  // Q4/w = 1 + w/2 + w²/5 + w³/20: its roots are −1/δ.
  std::vector<std::complex<double>> four = {{-4, 0.1}, {0.3, 2}, {0.2, -2.3}};
  for (int i = 0; i < 200; ++i)
    for (int j = 0; j < 3; ++j) {
      const auto w = four[j];
      std::complex<double> p = 20.0 + w * (10.0 + w * (4.0 + w));
      for (int l = 0; l < 3; ++l)
        if (l != j) p /= w - four[l];
      four[j] -= p;
    }
  for (auto& root : four) root = -1.0 / root;
  const std::vector<std::vector<std::complex<double>>> families = {
      {0.5}, {{0.25, i15}, {0.25, -i15}}, four};
  const double c = 0.2, k = 9, h = 0.05;
  constexpr int steps = 60;
  for (const auto& [rho, text] : {std::pair(0.0, "0"), std::pair(0.6, "3/5"), std::pair(1.0, "1")})
    for (const auto& delta : families) {
      const std::string call = "ss(n=" + std::to_string(delta.size() + 1) + ",rho=" + text + ")";
      LinearOscillator<double> system(c, k);
      const auto stepper =
          method_registry().make(call)->stepper(Target<double>{&system, &system}, Settings{});
      State<double> initial{0, {1, 0}, {0, -k}, {}};
      stepper->start(initial, h);
      for (int i = 0; i < steps; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
      const auto expected = paper_recursion(delta, rho, c, k, h, steps);
      EXPECT_NEAR(stepper->state().y[0], expected[0], 1e-11) << call;
      EXPECT_NEAR(stepper->state().y[1], expected[1], 1e-11) << call;
    }
}

RunRequest two_link_request(const std::string& method, const std::string& formulation,
                            const std::string& h,
                            std::map<std::string, std::string> settings = {}) {
  return test::run_request("two_link", formulation, method, h, "1/2", std::move(settings));
}

double distance(const RunResult& a, const RunResult& b) {
  double worst = 0;
  for (std::size_t i = 0; i < a.q.size(); ++i)
    worst = std::max(worst, std::abs(std::stod(a.q[i]) - std::stod(b.q[i])));
  return worst;
}

TEST(Multistep, RhoOneIsTheTrapezoidalRuleOnAMechanism) {
  for (const char* formulation : {"index1", "index2"}) {
    const RunResult reference = run(two_link_request("trapezoidal", formulation, "1/100"));
    for (const char* call :
         {"ss(n=2,rho=1)", "ss(n=4,rho=1)", "lms(n=2,rho=1)", "lms(n=3,rho=1)"}) {
      const RunResult r = run(two_link_request(call, formulation, "1/100"));
      ASSERT_EQ(r.status, "ok") << call << " " << r.why;
      EXPECT_LT(distance(r, reference), 1e-10) << call << " " << formulation;
    }
  }
}

TEST(Predictor, HermiteWeightsAreTheEquationsOfThePaper) {
  for (const wide& a : {wide(1), wide(2), wide(1) / 3}) {  // eq. (14) with the minus it lost
    const HermiteWeights w = hermite_rate({wide(0), wide(-1 / a)}, 1);
    EXPECT_LT(abs(w.m[0] + 6 * a * a * (1 + a)), 1e-100);
    EXPECT_LT(abs(w.m[0] + w.m[1]), 1e-100);
    EXPECT_LT(abs(w.n[0] - (1 + a) * (1 + 3 * a)), 1e-100);
    EXPECT_LT(abs(w.n[1] - a * (2 + 3 * a)), 1e-100);
  }
  const wide a = 2, b = 3;  // eq. (17e), (17b)
  const HermiteWeights w = hermite_rate({wide(0), wide(-1 / a), wide(-1 / a - 1 / b)}, 1);
  const wide n0 = (1 + a) / pow(wide(a + b), 2) *
                  (5 * a * a * a * b * b + 8 * a * a * a * b + 3 * a * a * a + 11 * a * a * b * b +
                   10 * a * a * b + a * a + 7 * a * b * b + 2 * a * b + b * b);
  EXPECT_LT(abs(w.n[0] - n0), 1e-100);
  EXPECT_LT(abs(w.m[0] + w.m[1] + w.m[2]), 1e-100);
}

TEST(Predictor, ChangesIterationsNotResults) {
  for (const char* call : {"lms(n=3,rho=3/5)", "msstc(n=3,rho=0)", "esdirk_4_3_6l"}) {
    const RunResult constant = run(two_link_request(call, "index3", "1/100"));
    for (const char* predictor : {"extrapolated", "hermite2", "hermite4"}) {
      const RunResult other =
          run(two_link_request(call, "index3", "1/100", {{"predictor", predictor}}));
      ASSERT_EQ(other.status, "ok");
      EXPECT_LT(distance(constant, other), 1e-9) << call << predictor;
    }
    // At a tolerance of the paper's kind: at 1e-10 quadratic convergence hides the guess.
    const auto iterations = [&](const char* predictor) {
      return run(two_link_request(call, "index3", "1/100",
                                  {{"predictor", predictor}, {"newton.tol", "1e-6"}}))
          .counts.at("newton_iterations");
    };
    // Order 2 of the guess gains nothing for esdirk_4_3_6l at this step.
    if (std::string(call) == "esdirk_4_3_6l") continue;
    EXPECT_LT(iterations("hermite2"), iterations("constant")) << call;
  }
}

TEST(Newton, ResidualTestedBeforeEachSolve) {
  const std::map<std::string, std::string> loose = {{"newton.test", "residual"},
                                                    {"newton.norm", "two"}};
  for (const char* kind : {"full", "simplified"}) {
    auto settings = loose;
    settings["newton.kind"] = kind;
    settings["newton.tol"] = "1e-9";
    const RunResult by_residual =
        run(two_link_request("radau_iia(2)", "index1", "1/100", settings));
    ASSERT_EQ(by_residual.status, "ok") << by_residual.why;
    const auto& counts = by_residual.counts;
    if (std::string(kind) == "full") {  // with the matrix before each solve, alone after it
      EXPECT_EQ(counts.at("residual_evals"), 2 * 2 * counts.at("newton_iterations"));
      EXPECT_EQ(counts.at("factorizations"), counts.at("newton_iterations"));
    }
    EXPECT_LT(distance(by_residual, run(two_link_request("radau_iia(2)", "index1", "1/100"))), 1e-8)
        << kind;
  }
  EXPECT_THROW(run(two_link_request("gauss(2)", "index1", "1/100", {{"newton.test", "both"}})),
               BadInput);
}

TEST(Start, RefusalsNameTheReason) {
  const auto refusal = [](const std::string& method, const std::string& h) {
    return test::refusal([&] { run(two_link_request(method, "index1", h)); });
  };
  EXPECT_NE(refusal("lms(4)", "1/6").find("needs 4 steps"), std::string::npos)
      << refusal("lms(4)", "1/6");
  EXPECT_EQ(refusal("ss(4)", "1/6"), "accepted");
}

}  // namespace
}  // namespace daemark
