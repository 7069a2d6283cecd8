// What export-problem writes are the program's own functions.
#include "experiments/cli/exported_functions.hpp"

#include <cmath>

#include "problems/system/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"
#include "tests/support/source_run.hpp"

namespace daemark {
namespace {

using namespace cli_testing;
using graph::SourceFunction;
using Doubles = std::vector<double>;

const SourceFunction* function_named(const std::vector<SourceFunction>& all,
                                     const std::string& name) {
  for (const SourceFunction& f : all)
    if (f.name == name) return &f;
  return nullptr;
}

/// Full matrices of what is written, with the largest error of its rounding.
Doubles values_as_written(const SourceFunction& f, const Doubles& inputs, double& error) {
  const int columns = std::max(f.columns, 1);
  Doubles full(f.rows * columns);
  const auto values = graph::rounded_values(f.code, inputs);
  for (std::size_t i = 0; i < values.size(); ++i) {
    full[f.places[i].first * columns + f.places[i].second] = to_double(values[i].value);
    error = std::max(error, values[i].error);
  }
  return full;
}

Doubles full_matrix(const Pattern& p, const Doubles& entries, int first_row, int rows) {
  Doubles full(rows * p.cols);
  for (std::size_t i = 0; i < entries.size(); ++i)
    full[(first_row + p.entries[i].first) * p.cols + p.entries[i].second] += entries[i];
  return full;
}

void expect_same_function(const std::vector<SourceFunction>& all, const std::string& name,
                          const Doubles& inputs, const Doubles& own, int first_row = 0) {
  SCOPED_TRACE(name);
  const SourceFunction* f = function_named(all, name);
  if (own.empty()) return;
  ASSERT_NE(f, nullptr);
  double error = 0, size = 1;
  const Doubles full = values_as_written(*f, inputs, error);
  ASSERT_EQ(full.size(), own.size());
  for (const double x : own) size = std::max(size, std::abs(x));
  // Of the program's way too, which is another order of operations.
  const double bound = 8 * error + 64 * 0x1p-53 * size;
  const int columns = std::max(f->columns, 1);
  for (std::size_t i = first_row * columns; i < own.size(); ++i)
    EXPECT_NEAR(full[i], own[i], bound) << "row " << i / columns << ", column " << i % columns;
}

struct ExportedSystem {
  MechanicalPtr<double> mechanism;
  std::unique_ptr<ImplicitSystem<double>> system;
  std::vector<SourceFunction> functions;
};

void expect_same_residual(ExportedSystem& of, const Doubles& inputs) {
  ImplicitSystem<double>& s = *of.system;
  const int n = of.mechanism->coordinates(), size = s.size();
  Doubles r(s.unknowns()), by_y(s.pattern_y().size()), by_rate(s.pattern_rate().size());
  s.evaluate({&inputs[1], &inputs[1 + size], inputs[0]}, r.data(), by_y.data(), by_rate.data());
  const int first = size - s.unknowns();  // the rows q' = v that a system leaves out
  EXPECT_TRUE(first == n || first == 0);
  r.insert(r.begin(), first, 0.0);
  expect_same_function(of.functions, "residual", inputs, r, first);
  expect_same_function(of.functions, "residual_y", inputs,
                       full_matrix(s.pattern_y(), by_y, first, size), first);
  expect_same_function(of.functions, "residual_rate", inputs,
                       full_matrix(s.pattern_rate(), by_rate, first, size), first);
}

void expect_mechanism_functions(ExportedSystem& of, const Doubles& inputs) {
  MechanicalSystem<double>& s = *of.mechanism;
  const int n = s.coordinates(), m = s.constraints(), size = of.system->size();
  const double* y = &inputs[1];
  Doubles mass(s.mass_pattern().size()), gradient(s.gradient_pattern().size()), force(n),
      position(m), velocity(m), acceleration(m);
  MotionValues<double> out;
  out.mass = mass.data(), out.force = force.data(), out.gradient = gradient.data();
  out.position = position.data(), out.velocity = velocity.data();
  out.acceleration = acceleration.data();
  s.evaluate({inputs[0], y, y + n, y + size + n, y + 2 * n}, {0, 0, 1}, out);
  expect_same_function(of.functions, "mass", inputs, full_matrix(s.mass_pattern(), mass, 0, n));
  expect_same_function(of.functions, "force", inputs, force);
  expect_same_function(of.functions, "constraints", inputs, position);
  expect_same_function(of.functions, "constraint_rates", inputs, velocity);
  expect_same_function(of.functions, "constraint_accelerations", inputs, acceleration);
  expect_same_function(of.functions, "gradient", inputs,
                       full_matrix(s.gradient_pattern(), gradient, 0, m));
}

/// A point where everything is finite.
Doubles finite_point_near_start(const ExportedSystem& of) {
  Doubles start(1 + 2 * of.system->size());
  of.mechanism->initial(&start[1], &start[1 + of.mechanism->coordinates()]);
  test::Noise noise;
  for (const double size : {0x1p-3, 0x1p-9, 0x1p-15}) {
    Doubles inputs = start;
    for (double& x : inputs) x += size * to_double(noise.next());
    if (!graph::test_point(of.functions, inputs).inputs.empty()) return inputs;
  }
  ADD_FAILURE() << "no finite point near the start";
  return start;
}

TEST(ExportedFunctions, AreThoseOfTheProgram) {
  constexpr int most_unknowns = 60;
  int compared = 0;
  for (const std::string& call : test::problem_samples().calls) {
    const Problem problem = problem_registry().make(call);
    for (const Formulation& f : test::formulation_samples()) {
      if (!f.info.levels || (f.info.minimal && !problem.has_minimal())) continue;
      SCOPED_TRACE(call + ", " + f.name());
      ExportedSystem of{problem.make<double>(f.info.minimal), {}, {}};
      if (of.mechanism->coordinates() + of.mechanism->constraints() > most_unknowns) continue;
      of.system = formulate<double>(f, of.mechanism, wide(1) / 50);
      const auto levels = dynamic_cast<MechanicalFormulation<double>&>(*of.system).levels().value();
      if (!of.mechanism->has_record()) continue;
      of.functions = exported_functions(*of.mechanism, levels);
      const Doubles inputs = finite_point_near_start(of);
      expect_same_residual(of, inputs);
      expect_mechanism_functions(of, inputs);
      ++compared;
    }
  }
  EXPECT_GT(compared, 100);
}

class ExportedFile : public testing::TestWithParam<std::string> {};

TEST_P(ExportedFile, CompilesAndAgreesWithTheProgram) {
  NEEDS_LANGUAGE(GetParam());
  int next = 0;
  for (const std::string words :
       {"car_axis --formulation index3", "rolling_disk --formulation ggl",
        "wheelset --formulation index2", "driven_pendulum --formulation baumgarte(1/h,1/h) --h 1/8",
        "four_bar --formulation minimal", "pendulum(g=981/100)"}) {
    const std::string source = printed("export-problem --format " + GetParam() + " " + words);
    std::string said;
    EXPECT_TRUE(test::runs(GetParam(), source, "problem" + std::to_string(next++), &said))
        << words << ": " << said;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ExportedFile, testing::Values("c", "fortran", "julia", "python"),
                         [](const auto& info) { return info.param; });

TEST_F(Cli, AnExportedProblemSaysWhatItWasMadeOf) {
  const std::string c = call("export-problem pendulum(g=10)").out;
  EXPECT_THAT(c, StartsWith("// pendulum(g=10): "));
  EXPECT_THAT(c, HasSubstr("//   g  10         m/s^2  parameter g\n"));
  EXPECT_THAT(c, HasSubstr("// written by daemark "));
  EXPECT_THAT(c, HasSubstr("void gradient(double t, const double q[2], double out[1][2]) {"));
  EXPECT_THAT(call("export-problem pendulum --format julia").out,
              HasSubstr("function residual_y(t, y, rate)\n"));
}

}  // namespace
}  // namespace daemark
