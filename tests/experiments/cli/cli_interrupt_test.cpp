// Every verb, interrupted at random times: it ends, says so in one line, and its files are whole.
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "base/program/write_file.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/experiments/cli_process.hpp"

#ifdef DAEMARK_BINARY
namespace daemark {
namespace {

using namespace cli_testing;

constexpr unsigned seed = 20261124;
/// A second on a machine with nothing else to do; tests share theirs.
constexpr double soon = 10, still = -1000;

/// A verb at work: arguments of hours, or of as long as there is.
struct Verb {
  const char* name;
  Words arguments;
};

std::vector<Verb> verbs(const std::string& trajectory) {
  const std::string ring = "four_bar(loops=400)";
  return {
      {"list", {"list", "methods"}},
      {"show", {"show", "gauss(99)"}},
      {"run",
       {"run", "--problem", "pendulum", "--formulation", "index2", "--method", "gauss(2)", "--h",
        "1/10000000", "--t-end", "10", "--trajectory", trajectory}},
      {"elimination",
       {"run", "--problem", ring, "--formulation", "elimination", "--method", "gauss(2)", "--h",
        "1/100", "--t-end", "1"}},
      {"set_up",
       {"run", "--problem", "four_bar(loops=100000)", "--formulation", "index3", "--method",
        "gauss(2)", "--h", "1/100", "--t-end", "1"}},
      {"reference", {"reference", "two_link", "--t", "40", "--digits", "40"}},
      {"beams", {"reference", "beam_shaft", "--t", "1"}},
      {"converge",
       {"converge", "gauss(3)", "--problem", "two_link", "--formulation", "index3", "--h",
        "1/1000000,1/2000000", "--t-end", "10", "--precision", "quad"}},
      {"modes", {"analyse", "--problem", "beam_shaft(elements=100)"}},
      {"analyse", {"analyse"}},
      {"verify", {"verify", "gauss(50)"}},
      {"reproduce", {"reproduce", "zhang2022/fig27", "--fresh"}},
      {"compare", {"compare", "gauss(2)", "--problem", "oscillator", "--h", "1/100000000,1/2"}},
      {"measure", {"measure", "zhang2022/fig27/LMS4_r0"}},
      {"report", {"report"}},
  };
}

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
  for (const Verb& verb : verbs(file("motion.csv"))) {
    SCOPED_TRACE(verb.name);
    const int number = draw() % 2 == 0 ? SIGINT : SIGTERM;
    Process work(verb.arguments, file("out"), file("err"));
    std::this_thread::sleep_for(std::chrono::milliseconds(milliseconds(draw)));
    work.signal(number);
    const int status = work.wait(soon, still);
    ASSERT_NE(status, still) << "it goes on";
    std::string err = read_text(file("err")).value_or("");
    if (err.find("gnuplot is not on the PATH") < err.find('\n'))  // a warning of its own
      err.erase(0, err.find('\n') + 1);
    // Before main() the signal ends it as it ends any process; short verbs may be done.
    const bool early = status == -number, done = status == 0 || status == 1;
    EXPECT_TRUE(status == 128 + number || early || done) << status << " " << err;
    if (status == 128 + number) {
      EXPECT_TRUE(err.starts_with("daemark " + verb.arguments.front() + ": interrupted")) << err;
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
  Process work({"reproduce", "li2019/table1", "zhang2022/fig27"}, file("out"), file("err"));
  while (cells() < 3 && work.wait(0, still) == still)
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  work.signal(SIGTERM);
  ASSERT_EQ(work.wait(soon, still), 128 + SIGTERM) << read_text(file("err")).value_or("");
  const long kept = cells();
  EXPECT_GE(kept, 3);
  EXPECT_EQ(halves(results_root()), std::vector<std::string>{});
  EXPECT_THAT(read_text(file("err")).value_or(""),
              HasSubstr("the same command goes on from there"));
  const Outcome next = call({"reproduce", "li2019/table1"});
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_GE(cells(), kept);
}

}  // namespace
}  // namespace daemark
#endif
