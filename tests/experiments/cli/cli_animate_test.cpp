// `run --animate`: what it writes.
#include "tests/analysis/markup_check.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark::cli_testing {
namespace {

using Animate = Cli;

std::string run_of(const std::string& problem, const char* h = "1/1000") {
  return "run --problem " + problem + " --formulation index1 --method gauss(2) --t-end 1 --h " + h;
}

TEST_F(Animate, WritesAPictureThatTellsHowItWasComputed) {
  for (const char* problem : {"two_link", "pendulum", "heavy_top", "oscillator"}) {
    printed(run_of(problem) + " --animate @a.svg");
    const std::string svg = content("a.svg");
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << problem;
    EXPECT_THAT(svg, HasSubstr("index1, gauss(s=2), h = 1/1000 s"));
    EXPECT_LT(svg.size(), 300000U) << problem;
  }
}

// Joint angles are drawn as the bodies they place: the same numbers, but for rounding to units.
TEST_F(Animate, MinimalFormsLookLikeTheMechanism) {
  const auto numbers = [&](const std::string& formulation) {
    printed(
        "run --problem double_pendulum --method gauss(2) --h 1/1000 --t-end 1 --animate @m.svg "
        "--formulation " +
        formulation);
    const std::string svg = content("m.svg");
    std::vector<long> all;
    for (std::size_t at = svg.find("<path"); at < svg.size(); ++at) {
      if (!std::isdigit(static_cast<unsigned char>(svg[at]))) continue;
      std::size_t length = 0;
      all.push_back(std::stol(svg.substr(at, 9), &length));
      at += length;
    }
    return all;
  };
  const std::vector<long> minimal = numbers("minimal"), absolute = numbers("index1");
  ASSERT_EQ(minimal.size(), absolute.size());
  ASSERT_GT(minimal.size(), 1000U);
  for (std::size_t i = 0; i < minimal.size(); ++i) ASSERT_NEAR(minimal[i], absolute[i], 1) << i;
}

TEST_F(Animate, ThePageIsWellFormedAndTheSameEveryTime) {
  printed(run_of("two_link", "1/100") + " --animate @a.html");
  const std::string first = content("a.html");
  EXPECT_EQ(markup_error(first, true), "");
  fs::remove(file("a.html"));
  // The same motion, whether the trajectory is asked for too or not.
  printed(run_of("two_link", "1/100") + " --animate @a.html --trajectory @t.csv");
  EXPECT_EQ(content("a.html"), first);
}

TEST_F(Animate, AViewTurnsWhatIsInSpace) {
  const auto with_view = [&](const std::string& view) {
    printed(run_of("heavy_top") + " --animate @v.svg --view " + view);
    return content("v.svg");
  };
  EXPECT_NE(with_view("-60,20"), with_view("30,5"));
  EXPECT_EQ(with_view("-60,20"), with_view("300,20"));
}

}  // namespace
}  // namespace daemark::cli_testing
