// `run --animate`: what it writes, and what it refuses before anything runs.
#include "base/program/write_file.hpp"
#include "tests/analysis/markup_check.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark::cli_testing {
namespace {

class Animate : public testing::Test {
 protected:
  void SetUp() override { fs::create_directories(folder_); }
  void TearDown() override { fs::remove_all(folder_); }
  std::string file(const std::string& name) const { return (folder_ / name).string(); }
  static Words run_of(const std::string& problem, Words more, const char* h = "1/100") {
    Words arguments = {"run",      "--problem", problem, "--formulation", "index1", "--method",
                       "gauss(2)", "--h",       h,       "--t-end",       "1"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
  fs::path folder_ =
      fs::path(testing::TempDir()) / ("daemark_animate_" + std::to_string(::getpid()));
};

TEST_F(Animate, WritesAPictureThatTellsHowItWasComputed) {
  for (const char* problem : {"two_link", "pendulum", "heavy_top", "oscillator"}) {
    const Outcome outcome = call(run_of(problem, {"--animate", file("a.svg")}, "1/1000"));
    EXPECT_EQ(outcome.status, 0) << problem << outcome.err;
    const std::string svg = read_text(file("a.svg")).value_or("");
    EXPECT_TRUE(svg.ends_with("</svg>\n")) << problem;
    EXPECT_THAT(svg, HasSubstr("index1, gauss(s=2), h = 1/1000 s"));
    EXPECT_LT(svg.size(), 300000U) << problem;
  }
}

// Joint angles are drawn as the bodies they place: the same numbers, but for rounding to units.
TEST_F(Animate, MinimalFormsLookLikeTheMechanism) {
  const auto numbers = [&](const char* formulation) {
    Words words = run_of("double_pendulum", {"--animate", file("m.svg")}, "1/1000");
    std::replace(words.begin(), words.end(), std::string("index1"), std::string(formulation));
    EXPECT_EQ(call(words).status, 0);
    const std::string svg = read_text(file("m.svg")).value_or("");
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
  ASSERT_EQ(call(run_of("two_link", {"--animate", file("a.html")})).status, 0);
  const std::string first = read_text(file("a.html")).value_or("");
  EXPECT_EQ(markup_error(first, true), "");
  fs::remove(file("a.html"));
  // The same motion, whether the trajectory is asked for too or not.
  ASSERT_EQ(
      call(run_of("two_link", {"--animate", file("a.html"), "--trajectory", file("t.csv")})).status,
      0);
  EXPECT_EQ(read_text(file("a.html")).value_or(""), first);
}

TEST_F(Animate, AViewTurnsWhatIsInSpace) {
  const auto with_view = [&](const std::string& view) {
    EXPECT_EQ(
        call(run_of("heavy_top", {"--animate", file("v.svg"), "--view", view}, "1/1000")).status,
        0);
    return read_text(file("v.svg")).value_or("");
  };
  EXPECT_NE(with_view("-60,20"), with_view("30,5"));
  EXPECT_EQ(with_view("-60,20"), with_view("300,20"));
}

}  // namespace
}  // namespace daemark::cli_testing
