// C functions compiled with the program do what the interpreter does, to the last bit.
#include "base/graph/compiled.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cstdint>
#include <random>

#include "base/graph/source.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark {
namespace {

using graph::Code;

/// All codes that the equations of a problem in double are evaluated by.
std::vector<Code> codes_of_problem(const std::string& call) {
  std::vector<Code> codes;
  graph::watch_codes([&codes](const Code& code) { codes.push_back(code); });
  const Problem problem = problem_registry().make(call);
  const auto mechanism = problem.make<double>();
  for (const Formulation& f : test::formulation_samples()) {
    if (!f.info.levels || f.info.minimal) continue;
    const auto system = formulate<double>(f, mechanism, wide(1) / 100);
    std::vector<double> y(system->size()), rate(system->size()), r(system->unknowns()),
        by_y(system->pattern_y().size()), by_rate(system->pattern_rate().size()),
        chart(mechanism->chart_size());
    mechanism->initial(y.data(), y.data() + mechanism->coordinates());
    mechanism->initial_chart(chart.data());
    const double t = problem.start.eval<double>();
    system->explicit_rates(y.data(), rate.data(), t, chart.data());
    system->evaluate({y.data(), rate.data(), t, chart.data()}, r.data(), nullptr, nullptr);
    system->evaluate({y.data(), rate.data(), t, chart.data()}, r.data(), by_y.data(),
                     by_rate.data());
  }
  graph::watch_codes({});
  return codes;
}

std::vector<std::uint64_t> bits_of_values(Code code, graph::Compiled function,
                                          const std::vector<double>& inputs) {
  code.compiled = function;
  graph::Evaluator<double> evaluator(std::make_shared<const Code>(code));
  std::copy(inputs.begin(), inputs.end(), evaluator.inputs());
  std::vector<std::vector<double>> values;
  std::vector<double*> groups;
  for (const auto& group : code.outputs) values.emplace_back(group.size());
  for (auto& group : values) groups.push_back(group.empty() ? nullptr : group.data());
  evaluator.run(groups.data());
  std::vector<std::uint64_t> bits;
  for (const auto& group : values)
    for (const double x : group)  // one NaN for all
      bits.push_back(std::bit_cast<std::uint64_t>(x == x ? x : 0.0 / 0.0));
  return bits;
}

TEST(Compiled, GivesTheDigitsOfTheInterpreter) {
  std::mt19937 random(1);
  int compared = 0;
  for (const std::string& id : problem_registry().catalogue_ids()) {
    SCOPED_TRACE(id);
    for (const Code& code : codes_of_problem(id)) {
      const graph::Compiled function = graph::built_in(code);
      if (!function) continue;
      ++compared;
      for (int sample = 0; sample < 5; ++sample) {
        std::vector<double> inputs(code.inputs);
        for (double& x : inputs) x = std::uniform_real_distribution<double>(-2, 2)(random);
        ASSERT_EQ(bits_of_values(code, function, inputs), bits_of_values(code, nullptr, inputs));
      }
    }
  }
  EXPECT_GT(compared, 100) << "the table is not linked in";
}

// Parameters are constants: one function for all their values.
TEST(Compiled, OtherParametersHaveTheSameFunctions) {
  const std::vector<Code> codes = codes_of_problem("pendulum(g=3)");
  EXPECT_GT(codes.size(), 3u);
  for (const Code& code : codes)
    EXPECT_TRUE(code.list.empty() || graph::built_in(code)) << graph::structure(code);
}

TEST(Compiled, FunctionsSkipGroupsThatAreNotWanted) {
  graph::Graph g;
  const auto in = g.inputs(2);
  Code code = graph::compile(g, {{in[0] + in[1]}, {}, {in[0] * Var(3)}});
  EXPECT_EQ(code.compiled, nullptr);
  const std::string c = graph::c_source(code, "f");
  EXPECT_THAT(c, testing::HasSubstr("void f(const double *x, double *const *y) {\n"));
  EXPECT_THAT(c, testing::HasSubstr("  if (y[2]) {\n    y[2][0] = "));
  EXPECT_THAT(c, testing::Not(testing::HasSubstr("y[1]")));
  const std::string structure = graph::structure(code);
  graph::Graph other;
  const auto same = other.inputs(2);
  EXPECT_EQ(graph::structure(graph::compile(other, {{same[0] + same[1]}, {}, {same[0] * Var(5)}})),
            structure);
}

}  // namespace
}  // namespace daemark
