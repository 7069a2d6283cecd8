#include "problems/system/registry.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

ProblemInfo info_of(const std::string& id) {
  ProblemInfo info;
  info.id = id;
  info.parameters = {{"omega", Parameter::Type::real, "3/2", "real > 0"}};
  return info;
}

TEST(ProblemRegistry, BindsDefaultsIntoTheCanonicalName) {
  ProblemRegistry registry;
  rational seen = 0;
  registry.add(info_of("swing"), [&seen](const Arguments& a, ProblemData&) {
    seen = a.real("omega").as_rational();
    return Problem{};
  });
  EXPECT_EQ(registry.make("swing").name, "swing(omega=3/2)");
  EXPECT_EQ(seen, rational(3) / 2);
  EXPECT_EQ(registry.make(" swing( 0.5 ) ").name, "swing(omega=1/2)");
  EXPECT_EQ(seen, rational(1) / 2);
  EXPECT_TRUE(registry.has("swing"));
  EXPECT_FALSE(registry.has("swing(1)"));
}

TEST(ProblemRegistry, RefusesByNamingWhatExists) {
  ProblemRegistry registry;
  registry.add(info_of("b"), [](const Arguments&, ProblemData&) { return Problem{}; });
  registry.add(info_of("a"), [](const Arguments&, ProblemData&) { return Problem{}; });
  EXPECT_EQ(registry.ids(), (std::vector<std::string>{"a", "b"}));
  EXPECT_THROW(registry.add(info_of("a"), {}), std::logic_error);
  EXPECT_THAT(test::refusal([&] { registry.make("c"); }),
              AllOf(testing::HasSubstr("'c'"), testing::HasSubstr("a, b")));
  for (const char* bad : {"", "a(", "a(1,2)", "a(omega=1,omega=2)", "a(omega=word)", "a b"})
    EXPECT_THROW(registry.make(bad), BadInput) << bad;
}

TEST(ProblemRegistry, EachCallMakesItsOwnSystem) {
  const Problem problem = problem_registry().make("two_link");
  EXPECT_NE(problem.make<double>(), problem.make<double>());
  EXPECT_EQ(problem.make<real50>()->coordinates(), 6);
  EXPECT_EQ(problem.make<real50>(true)->coordinates(), 2);
}

TEST(ProblemRegistry, SaysWhichScalarAProblemLacks) {
  Problem problem = problem_registry().make("two_link");
  problem.absolute.in_real50 = nullptr;
  problem.minimal = {};
  EXPECT_EQ(problem.make<double>()->coordinates(), 6);
  EXPECT_THAT(test::refusal([&] { problem.make<real50>(); }),
              AllOf(testing::HasSubstr("two_link"), testing::HasSubstr("in double only")));
  EXPECT_THROW(problem.make<double>(true), BadInput);
}

}  // namespace
}  // namespace daemark
