// Mechanisms of files in the verbs.
#include "problems/system/registry.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

std::string example(const std::string& id) {
  return (source_root() / "problems" / "files" / "examples" / (id + ".json")).string();
}

TEST_F(Cli, AMechanismOfAFileIsAProblemLikeAnother) {
  const std::string path = example("crank_slider");
  const auto with_file = [&](std::vector<std::string> words) {
    words.insert(words.end(), {"--problem-file", path});
    return words;
  };
  const json shown = value_of(with_file({"show", "crank_slider", "--json"}));
  EXPECT_EQ(shown["file"], path);
  const std::vector<std::string> run = {"run",           "--problem", "crank_slider(k=300)",
                                        "--formulation", "ggl",       "--method",
                                        "gauss(2)",      "--h",       "1/100",
                                        "--t-end",       "1/10",      "--json"};
  const json result = value_of(with_file(run));
  EXPECT_EQ(result["status"], "ok");
  EXPECT_THAT(result.dump(), HasSubstr("way"));
  EXPECT_EQ(call(with_file({"reference", "crank_slider", "--t", "1/10"})).status, 0);
  const Outcome slopes =
      call(with_file({"converge", "gauss(2)", "--problem", "crank_slider", "--formulation",
                      "index1", "--h", "1/10,1/20,1/40", "--t-end", "1/2"}));
  EXPECT_EQ(slopes.status, 0) << slopes.err;
  EXPECT_THAT(slopes.out, HasSubstr("slope"));
  expect_refused(with_file({"reference", "crank_slider", "--t", "1/10", "--publish"}),
                 "which a file declares");
  EXPECT_FALSE(fs::exists(file("results/references")));
  const std::vector<std::string> published = problem_registry().catalogue_ids();
  EXPECT_EQ(std::count(published.begin(), published.end(), "crank_slider"), 0);
}

TEST_F(Cli, AWrongMechanismIsRefusedWithItsPlace) {
  expect_refused({"show", "mine", "--problem-file", file("missing.json")}, "missing.json");
  const std::string taken = write(
      "taken.json",
      R"({"id": "pendulum", "kind": "planar", "source": "me", "bodies": [{"name": "bar", "mass": 1,
          "inertia": 1, "theta": 0}], "elements": [{"type": "revolute",
          "bodies": ["ground", "bar"], "points": [[0, 0], [1, 0]]}]})");
  expect_refused({"show", "pendulum", "--problem-file", taken}, "taken in the catalogue");
  const std::string loose = write("loose.json", R"({"id": "loose", "kind": "planar",
      "source": "me", "bodies": [{"name": "bar", "mass": 1, "inertia": 1, "theta": 0}]})");
  expect_refused({"show", "loose", "--problem-file", loose}, "bar has no joint");
}

}  // namespace
}  // namespace daemark
