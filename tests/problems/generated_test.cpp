// Randomly generated (seeded) mechanisms: their multipliers are the prescribed ones, and what
// frame, unit of length and order of bodies they are written in makes no difference to what methods
// do.
#include "problems/system/index_one_solve.hpp"
#include "tests/problems/problem_runs.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

class Generated : public ::testing::TestWithParam<const char*> {};

// The index-1 solve in 113 bits at the prescribed state finds the prescribed λ, where constraints
// depend on each other as those of least norm; loads and solve leave some 1e4 roundings, what is
// least norm is decided in double.
TEST_P(Generated, MultipliersAreThePrescribedOnes) {
  const Problem problem = problem_registry().make(GetParam());
  const auto system = problem.make<real50>();
  const int n = system->coordinates(), m = system->constraints();
  std::vector<real50> x(2 * n + m);
  problem.closed_form(real50(3) / 2, x.data(), x.data() + n, x.data() + 2 * n);
  std::vector<real50> q(n), v(n), a(n), lambda(m);
  for (int i = 0; i < n; ++i) q[i] = real50(x[i]), v[i] = real50(x[n + i]);
  ASSERT_TRUE(IndexOneSolve<real50>(*system).solve(*system, {real50(3) / 2, q.data(), v.data()},
                                                   {real50(0), real50(0), real50(1)}, a.data(),
                                                   lambda.data()));
  const double bound = system->rank() < m ? 1e-13 : 1e-27;
  for (int i = 0; i < m; ++i)
    EXPECT_LE(std::abs(to_double(real50(lambda[i] - real50(x[2 * n + i])))), bound) << i;
}

INSTANTIATE_TEST_SUITE_P(Seeds, Generated,
                         ::testing::Values("generated",
                                           "generated(seed=7,bodies=7,loops=2,stiffness=1000)",
                                           "generated(seed=3,bodies=5,loops=0,stiffness=0)",
                                           "generated(seed=11,bodies=6,loops=1,redundancy=1)"),
                         [](const auto& info) { return "case_" + std::to_string(info.index); });

/// End state of a run in 113 bits: x, y, θ of each body, in the order they are made.
std::vector<real50> end_state(const std::string& arguments, const std::vector<int>& order) {
  RunRequest request =
      test::run_request("generated(seed=5,bodies=6,loops=2" + arguments + ")", "index2",
                        "radau_iia(2)", "1/20", "1/2", {{"newton.tol", "1e-30"}});
  request.precision = Precision::in_real50;
  const RunResult result = test::run_of(request);
  std::vector<real50> q;
  for (const int body : order)
    for (int i = 0; i < 3; ++i) q.emplace_back(result.q.at(3 * body + i));
  return q;
}

/// Number of each body `_i` in a mechanism, by the names of its coordinates.
std::vector<int> order_of(const std::string& call) {
  const auto system = problem_registry().make(call).make<double>();
  std::vector<int> order(system->coordinates() / 3);
  for (std::size_t k = 0; k < order.size(); ++k)
    order[std::stoi(system->coordinate_names()[3 * k].substr(2)) - 1] = static_cast<int>(k);
  return order;
}

// With a step of a method of order 3, so that the states differ from the exact ones by much more
// than rounding: what is compared is what the method does.
TEST(GeneratedFrames, FrameUnitAndOrderMakeNoDifference) {
  const std::vector<int> natural{0, 1, 2, 3, 4, 5};
  const std::vector<real50> q = end_state("", natural);
  constexpr double bound = 1e-27;  // Newton's tolerance and ten steps
  const auto expect_same = [&](const std::vector<real50>& other, const real50& turn,
                               const real50& unit) {
    using std::cos;
    using std::sin;
    const real50 c = cos(turn), s = sin(turn);
    for (std::size_t b = 0; b < q.size(); b += 3) {
      EXPECT_LE(std::abs(to_double(real50(unit * (c * q[b] - s * q[b + 1]) - other[b]))), bound);
      EXPECT_LE(std::abs(to_double(real50(unit * (s * q[b] + c * q[b + 1]) - other[b + 1]))),
                bound);
      EXPECT_LE(std::abs(to_double(real50(q[b + 2] + turn - other[b + 2]))), bound);
    }
  };
  const real50 circle = 8 * atan(real50(1));
  expect_same(end_state(",turn=1/7", natural), circle / 7, 1);
  expect_same(end_state(",unit=3", natural), 0, 3);
  const std::vector<int> shuffled = order_of("generated(seed=5,bodies=6,loops=2,order=2)");
  ASSERT_NE(shuffled, natural);
  expect_same(end_state(",order=2", shuffled), 0, 1);
}

TEST(GeneratedFrames, RefusesWhatMakesNoMechanism) {
  for (const char* call :
       {"generated(bodies=2,loops=1)", "generated(bodies=2,loops=0,redundancy=3)",
        "generated(unit=0)", "generated(stiffness=-1)"})
    EXPECT_THROW(problem_registry().make(call), BadInput) << call;
}

}  // namespace
}  // namespace daemark
