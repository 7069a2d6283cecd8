// Every verb, interrupted at random times: it ends, says so in one line, and its files are whole.
#include <algorithm>
#include <random>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

constexpr unsigned seed = 20261124;
/// A second on a machine with nothing else to do; tests share theirs.
constexpr double soon = 10, still = -1000;

/// At work for hours, or for as long as there is.
constexpr const char* long_calls[] = {
    "list methods",
    "show gauss(99)",
    "run --problem pendulum --formulation index2 --method gauss(2) --h 1/10000000 --t-end 10 "
    "--trajectory @motion.csv",
    "run --problem four_bar(loops=400) --formulation elimination --method gauss(2) --h 1/100 "
    "--t-end 1",
    "run --problem four_bar(loops=100000) --formulation index3 --method gauss(2) --h 1/100 "
    "--t-end 1",
    "reference two_link --t 40 --digits 40",
    "reference beam_shaft --t 1",
    "converge gauss(3) --problem two_link --formulation index3 --h 1/1000000,1/2000000 --t-end 10 "
    "--precision quad",
    "analyse --problem beam_shaft(elements=100)",
    "analyse",
    "verify gauss(50)",
    "reproduce zhang2022/fig27 --fresh",
    "compare gauss(2) --problem oscillator --h 1/100000000,1/2",
    "measure zhang2022/fig27/LMS4_r0",
    "report"};

/// Everything below `folder` that is not whole: drafts, and JSON that cannot be read.
std::vector<std::string> halves(const fs::path& folder) {
  std::vector<std::string> found;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end; !error && at != end;
       at.increment(error)) {
    const fs::path& file = at->path();
    const bool json = file.extension() == ".json";
    if (file.extension() == ".part" ||
        (json && !nlohmann::json::accept(read_text(file).value_or(""))))
      found.push_back(file.string());
  }
  return found;
}

TEST_F(Cli, EveryVerbEndsWhenItIsInterrupted) {
  std::mt19937 draw(seed);
  std::uniform_int_distribution<int> milliseconds(30, 900);
  for (const char* line : long_calls) {
    SCOPED_TRACE(line);
    const Words arguments = line;
    const int number = draw() % 2 == 0 ? SIGINT : SIGTERM;
    Process work(arguments, file("out"), file("err"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(draw)));
    work.signal(number);
    const int status = work.wait(soon, still);
    ASSERT_NE(status, still) << "it goes on";
    std::string err = content("err");
    if (err.find("gnuplot is not on the PATH") < err.find('\n'))  // a warning of its own
      err.erase(0, err.find('\n') + 1);
    // Before main() the signal ends it as it ends any process; short verbs may be done.
    const bool early = status == -number, done = status == 0 || status == 1;
    EXPECT_TRUE(status == 128 + number || early || done) << status << " " << err;
    if (status == 128 + number) {
      EXPECT_TRUE(err.starts_with("daemark " + arguments.front() + ": interrupted")) << err;
      EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 1) << err;
    }
    EXPECT_EQ(halves(folder_), std::vector<std::string>{});
    EXPECT_FALSE(fs::exists(file("motion.csv"))) << "a part of it would look whole";
  }
}

TEST_F(Cli, FinishedCellsOutliveAnInterrupt) {
  const auto cells = [&] {
    long count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(results_root() / ".cache", error))
      count += entry.path().extension() == ".json" ? 1 : 0;
    return count;
  };
  Process work(Words("reproduce li2019/table1 zhang2022/fig27"), file("out"), file("err"));
  while (cells() < 3 && work.wait(0, still) == still)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  work.signal(SIGTERM);
  ASSERT_EQ(work.wait(soon, still), 128 + SIGTERM) << content("err");
  const long kept = cells();
  EXPECT_GE(kept, 3);
  EXPECT_EQ(halves(results_root()), std::vector<std::string>{});
  EXPECT_THAT(content("err"), HasSubstr("the same command goes on from there"));
  printed("reproduce li2019/table1");
  EXPECT_GE(cells(), kept);
}

}  // namespace
}  // namespace daemark
