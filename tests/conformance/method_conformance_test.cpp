// What every method of the catalogue must do on every formulation it accepts, in double on the
// two-link: repeat itself, hold its state in memory(), fail cleanly, allocate nothing.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>
#include <regex>

#include "analysis/exact/theory/second_order.hpp"
#include "base/program/paths.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/support/allocation_counter.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using test::MethodBench;

/// The same bits, NaN included.
bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(), [](double x, double y) {
           return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
         });
}

/// A structural method whose accelerations grow at any step where a constraint holds them: it is
/// accepted, and fails within few steps.
bool grows_on(const Method& method, int index) {
  const auto* step = method.as<ExactSecondOrder>();
  if (!step || index < 2) return false;
  return largest_root(index == 3 ? step->position_roots : step->velocity_roots) > 1 + 1e-6;
}

struct Trace {
  Status status = Status::ok;
  std::vector<double> numbers;
};

Trace run(Stepper<double>& stepper, int steps) {
  Trace trace;
  for (int i = 0; i < steps && trace.status == Status::ok; ++i) {
    trace.status = stepper.step().status;
    const State<double>& s = stepper.state();
    trace.numbers.push_back(s.t);
    trace.numbers.insert(trace.numbers.end(), s.y.begin(), s.y.end());
    trace.numbers.insert(trace.numbers.end(), s.rate.begin(), s.rate.end());
  }
  return trace;
}

class MethodConformance : public ::testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (method_registry().make(GetParam())->owns_loop())
      GTEST_SKIP() << "has no steps of its own: tests/methods/external_test.cpp";
  }

  /// Calls check(bench) for every formulation of the two-link the method accepts; of the pendulum
  /// where it takes none with four multipliers.
  template <class Check>
  void for_each_formulation(Check check, const std::map<std::string, std::string>& settings = {}) {
    const int accepted = of_problem("two_link", check, settings);
    EXPECT_GT(accepted > 0 ? accepted : of_problem("pendulum", check, settings), 0)
        << "the method accepts no formulation";
  }

 private:
  template <class Check>
  int of_problem(const char* problem, Check check,
                 const std::map<std::string, std::string>& settings) {
    const auto method = method_registry().make(GetParam());
    int accepted = 0;
    for (const Formulation& formulation : test::formulation_samples()) {
      SCOPED_TRACE(formulation.name());
      if (!test::takes(*method, formulation, problem)) continue;
      ++accepted;
      if (grows_on(*method, formulation.info.index)) continue;
      MethodBench<double> bench(problem, formulation.name(), GetParam(), "1/128", "1", settings);
      check(bench);
    }
    return accepted;
  }
};

TEST_P(MethodConformance, RefusalsAreSentencesAndKept) {
  const auto method = method_registry().make(GetParam());
  EXPECT_GE(method->cost_stages(), 1);
  for (const Formulation& formulation : test::formulation_samples()) {
    const std::string why = method->refusal(formulation.info);
    if (why.empty()) continue;
    EXPECT_EQ(why.find('\n'), std::string::npos);
    EXPECT_THROW(MethodBench<double>("two_link", formulation.name(), GetParam(), "1/8", "1"),
                 BadInput);
  }
}

TEST_P(MethodConformance, RepeatsItselfBitForBit) {
  for_each_formulation([](MethodBench<double>& bench) {
    const Trace first = run(*bench.started(), 12), second = run(*bench.started(), 12);
    EXPECT_EQ(first.status, second.status);
    EXPECT_TRUE(same_bits(first.numbers, second.numbers));
    const auto again = bench.started();
    run(*again, 5);
    again->start(bench.initial, bench.step());
    const Trace third = run(*again, 12);
    EXPECT_EQ(first.status, third.status);
    // The pivot order of a first factorisation may differ: roundings, which Newton removes.
    ASSERT_EQ(first.numbers.size(), third.numbers.size());
    for (std::size_t i = 0; i < first.numbers.size(); ++i)
      EXPECT_NEAR(first.numbers[i], third.numbers[i], 1e-9 * (1 + std::abs(first.numbers[i])));
  });
}

// memory() and the clock that start() sets determine what follows. Bit for bit where the sparse
// factors have seen the same first matrix (it fixes their pivot order); a fresh stepper may round
// differently, by the round-off of the position rows times 1/h². An attempt that is not accepted
// leaves no trace.
TEST_P(MethodConformance, MemoryIsComplete) {
  const auto check = [](MethodBench<double>& bench) {
    const auto original = bench.started();
    ASSERT_EQ(run(*original, 7).status, Status::ok);
    const std::vector<double> memory = original->memory();
    const State<double> at = original->state();
    const auto continued = [&](Stepper<double>& stepper) {
      stepper.start(at, bench.step());
      stepper.set_memory(memory);
      EXPECT_TRUE(same_bits(stepper.memory(), memory)) << "set_memory loses something";
      EXPECT_TRUE(same_bits(stepper.state().y, at.y));
      EXPECT_EQ(stepper.attempt(bench.step()).status, Status::ok);
      EXPECT_TRUE(same_bits(stepper.memory(), memory)) << "an attempt changes something";
      EXPECT_EQ(stepper.state().t, at.t);
      return run(stepper, 5);
    };
    const auto ahead = bench.started();
    run(*ahead, 10);
    const auto fresh = bench.fresh();
    const Trace expected = run(*original, 5), from_ahead = continued(*ahead),
                from_fresh = continued(*fresh);
    // The time is a multiple of h = 2⁻⁷, so it has no rounding either.
    EXPECT_EQ(expected.status, from_ahead.status);
    EXPECT_TRUE(same_bits(expected.numbers, from_ahead.numbers));
    EXPECT_EQ(expected.status, from_fresh.status);
    ASSERT_EQ(expected.numbers.size(), from_fresh.numbers.size());
    const double rounding = 1000 * unit_roundoff<double>() / (bench.step() * bench.step());
    for (std::size_t i = 0; i < expected.numbers.size(); ++i)
      EXPECT_NEAR(expected.numbers[i], from_fresh.numbers[i],
                  rounding * (1 + std::abs(expected.numbers[i])));
  };
  for (const char* predictor : {"constant", "extrapolated", "hermite4"}) {
    SCOPED_TRACE(predictor);
    for_each_formulation(check, {{"predictor", predictor}});
  }
}

/// Every second value of a memory replaced. Whole numbers may be counters of a starting phase.
std::vector<double> poisoned(std::vector<double> memory, double poison) {
  int replaced = 0;
  for (std::size_t i = 0; i < memory.size(); i += 2)
    if (memory[i] != std::floor(memory[i])) memory[i] = poison, ++replaced;
  EXPECT_GT(replaced, 0);
  return memory;
}

// A NaN in the memory breaks every method; 1e200 may pass, where it meets sines only, but then as
// finite numbers.
TEST_P(MethodConformance, FailureLeavesMemoryUnchanged) {
  for_each_formulation([](MethodBench<double>& bench) {
    for (const double poison : {std::numeric_limits<double>::quiet_NaN(), 1e200}) {
      const auto stepper = bench.started();
      ASSERT_EQ(run(*stepper, 3).status, Status::ok);
      const std::vector<double> healthy = stepper->memory(), memory = poisoned(healthy, poison);
      stepper->set_memory(memory);
      const StepReport report = stepper->step();
      if (report.status == Status::ok) {
        EXPECT_FALSE(std::isnan(poison));
        for (const double y : stepper->state().y) EXPECT_TRUE(std::isfinite(y));
        EXPECT_EQ(stepper->state().t, 4 * bench.step());
        continue;
      }
      EXPECT_STRNE(report.why, "");
      EXPECT_TRUE(same_bits(stepper->memory(), memory)) << "after " << status_name(report.status);
      EXPECT_EQ(stepper->counts().steps, 3);
      stepper->set_memory(healthy);
      EXPECT_EQ(stepper->step().status, Status::ok) << "a failure must not stick";
      EXPECT_EQ(stepper->state().t, 4 * bench.step()) << "the clock stood still";
    }
  });
}

TEST_P(MethodConformance, AllocatesNothingInAStep) {
  for_each_formulation([](MethodBench<double>& bench) {
    const auto stepper = bench.started();
    // The first steps lay out factors and compile what is asked of the mechanism.
    ASSERT_EQ(run(*stepper, 16).status, Status::ok);
    const std::size_t before = test::allocations();
    for (int i = 0; i < 8; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
    EXPECT_EQ(test::allocations() - before, 0u);
  });
}

// Over 3000 steps entries of G pass through zero that were pivots before: the sparse factors choose
// their order anew several times.
TEST(MethodCatalogue, LongRunsAllocateNothingWherePivotsVanish) {
  for (const char* method : {"bdf(2)", "sdirk_4"}) {
    SCOPED_TRACE(method);
    MethodBench<double> bench("andrews_squeezer(start=iftomm)", "index3", method, "1e-5", "3/100");
    const auto stepper = bench.started();
    ASSERT_EQ(run(*stepper, 8).status, Status::ok);
    const std::size_t before = test::allocations();
    for (int i = 8; i < 3000; ++i) ASSERT_EQ(stepper->step().status, Status::ok);
    EXPECT_EQ(test::allocations() - before, 0u);
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, MethodConformance,
                         ::testing::ValuesIn(test::method_samples().calls),
                         [](const auto& info) { return test::test_name(info.param); });

TEST(MethodCatalogue, EveryEntryIsSampledAndDescribed) {
  EXPECT_TRUE(test::method_samples().without.empty())
      << "no sample of " << ::testing::PrintToString(test::method_samples().without)
      << " was accepted: " << ::testing::PrintToString(test::method_samples().refused);
  for (const std::string& id : method_registry().ids()) {
    const MethodInfo& info = method_registry().info(id);
    if (!test::is_of_the_tree(info)) continue;
    EXPECT_TRUE(std::regex_match(id, std::regex("[a-z][a-z0-9_]*"))) << id;
    EXPECT_FALSE(info.summary.empty()) << id;
    EXPECT_FALSE(info.kind.empty()) << id;
    EXPECT_FALSE(info.source.key.empty()) << id;
    EXPECT_TRUE(std::filesystem::exists(source_root() / info.file))
        << id << " names its file as " << info.file;
    for (const Parameter& p : info.parameters) EXPECT_FALSE(p.accepted.empty()) << id << p.name;
  }
}

TEST(MethodCatalogue, RefusesParametersOutOfRange) {
  int tried = 0;
  for (const std::string& id : method_registry().ids()) {
    for (const Parameter& p : method_registry().info(id).parameters) {
      std::vector<std::string> wrong{"no_such_word", "1/0", "[]"};
      if (p.type == Parameter::Type::integer)
        wrong.insert(wrong.end(), {test::below_range(p), "1000000", "3/2", "1e30"});
      if (p.type == Parameter::Type::real && p.accepted.find('[') != std::string::npos)
        wrong.insert(wrong.end(), {"-1000", "1000"});
      for (const std::string& value : wrong) {
        const std::string call = id + "(" + p.name + "=" + value + ")";
        EXPECT_THROW(method_registry().make(call), BadInput) << call;
        ++tried;
      }
    }
    EXPECT_THROW(method_registry().make(id + "(no_such_parameter=1)"), BadInput) << id;
  }
  EXPECT_GT(tried, 20);
}

}  // namespace
}  // namespace daemark
