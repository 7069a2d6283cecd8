// `daemark plan`, `run-shard`, `merge`: the same bytes as one call, whatever is lost on the way.
#include <map>

#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;  // NOLINT: the fixture is written to be read here

/// Every file below a folder but what is of this machine and run.
std::map<std::string, std::string> files_below(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (fs::recursive_directory_iterator at(folder), end; at != end; ++at) {
    const std::string name = at->path().filename().string();
    if (name == ".cache" || name == ".local") at.disable_recursion_pending();
    if (at->is_regular_file() && name != ".lock")
      files[at->path().lexically_relative(folder).string()] = read_text(at->path()).value();
  }
  return files;
}

class Shards : public Cli {
 protected:
  /// The name of a file with it.
  std::string plan(const std::string& line, int shards = 3) {
    static int count = 0;
    const std::string name = "plan" + std::to_string(count++) + ".json";
    write(name, printed("plan --shards " + std::to_string(shards) + " " + line));
    return name;
  }
  void run(int shard, const std::string& plan, const std::string& into) {
    printed("run-shard " + std::to_string(shard) + " @" + plan + " --jobs 1 --into @" + into);
  }
  /// What the command writes and prints, whole and by three shards.
  void expect_same(const std::string& planned, const std::string& whole) {
    const std::string parts = plan(planned);
    for (int k = 1; k <= 3; ++k) run(k, parts, "shards/" + std::to_string(k));
    printed("merge @shards");
    setenv("DAEMARK_RESULTS", file("whole").c_str(), 1);
    printed(whole);
    EXPECT_EQ(files_below(file("results")), files_below(file("whole")));
    EXPECT_GT(files_below(file("whole")).size(), 3u);
  }
};

TEST_F(Shards, ReproduceGivesTheSameBytes) {
  expect_same("yang2006/gains fernandez2021/table1",
              "reproduce yang2006/gains fernandez2021/table1");
}

TEST_F(Shards, CompareGivesTheSameBytesWithReferencesOfItsOwn) {
  const std::string command =
      "compare gauss(2) --problem two_link --formulation index1 --h 1/20,1/40 --t-end 1/5";
  expect_same("-- " + command, command + " --all");
}

// Two problems, one with references; gauss(2) with and without step-size control.
TEST_F(Shards, TheAtlasGivesTheSameBytes) {
  const std::string command =
      "atlas --problem oscillator,two_link --formulation index1 --tag 'erk4 | gauss & order=4'";
  EXPECT_EQ(json::parse(content(plan("-- " + command)))["cells"].size(), 6u);
  expect_same("-- " + command, command);
  EXPECT_EQ(lines("whole/atlas/two_link.jsonl").size(), 4u) << "a head and three sweeps";
}

// A converge writes no file: what it prints is what has to be the same.
TEST_F(Shards, ConvergeGivesTheSameText) {
  int count = 0;
  for (const std::string command :
       {"converge gauss(2) --problem pendulum --formulation index2 --h 1/20,1/40,1/80 --t-end 1",
        "converge gauss(2) --problem pendulum --formulation index1,minimal,index3 --h "
        "1/20,1/40,1/80,1/160 --t-end 1/2,1 --precision auto --json",
        "converge dormand_prince_5 $pendulum --h 1/10 --tol 1e-4,1e-6,1e-8 --json"}) {
    const std::string name = std::to_string(count++);
    setenv("DAEMARK_RESULTS", file("results" + name).c_str(), 1);
    const std::string parts = plan("-- " + command);
    EXPECT_GE(json::parse(content(parts))["cells"].size(), 3u);
    for (int shard = 1; shard <= 3; ++shard) run(shard, parts, name + "/" + std::to_string(shard));
    const std::string merged = printed("merge @" + name);
    setenv("DAEMARK_RESULTS", file("whole" + name).c_str(), 1);
    EXPECT_EQ(merged, printed(command));
  }
}

// What shard 0 has of a problem, the others do not compute: a state that no cell asks for shows
// where theirs are from.
TEST_F(Shards, ReferenceStatesAreComputedOnce) {
  const std::string parts = plan(
      "-- converge gauss(2) --problem two_link --formulation index2 --h 1/20,1/40,1/80 "
      "--t-end 1/5");
  EXPECT_EQ(json::parse(content(parts))["references"],
            json::parse(R"([{"problem": "two_link", "t": "1/5"}])"));
  run(0, parts, "shards/0");
  setenv("DAEMARK_RESULTS", file("shards/0").c_str(), 1);
  printed(
      "run --problem two_link --formulation index2 --method gauss(2) --h 1/10 --t-end 3/10 "
      "--errors");
  setenv("DAEMARK_RESULTS", file("results").c_str(), 1);
  for (int k = 1; k <= 3; ++k) run(k, parts, "shards/" + std::to_string(k));
  const auto states = [&](const char* shard) {
    const fs::path folder = fs::path(file(shard)) / ".local" / "references";
    for (const auto& entry : fs::directory_iterator(folder))
      if (entry.path().extension() == ".json") return read_text(entry.path()).value();
    return std::string();
  };
  EXPECT_THAT(states("shards/0"), HasSubstr("3/10"));
  EXPECT_EQ(states("shards/2"), states("shards/0"));
  EXPECT_EQ(call("merge @shards").status, 2) << "shard 0 has changed since";
  run(0, parts, "shards/0");
  printed("merge @shards");
}

TEST_F(Shards, AShardIsIdempotentAndWritesIntoItsFolderOnly) {
  const std::string parts = plan("yang2006/gains");
  const auto before = files_below(folder_);
  run(1, parts, "one");
  const std::string seal = content("one/shard.json");
  EXPECT_THAT(printed("run-shard 1 @" + parts + " --into @one"), HasSubstr(": 0 cells computed"));
  EXPECT_EQ(content("one/shard.json"), seal);
  fs::remove_all(file("one"));
  EXPECT_EQ(files_below(folder_), before);
}

TEST_F(Shards, WhatIsLostIsNamedAndPlannedAgain) {
  const std::string parts = plan("yang2006/gains");
  run(2, parts, "shards/2");
  expect_refused("merge @shards", "shards 1, 3 of 3");
  write("rest.json", printed("plan --shards 2 --missing @shards"));
  run(1, "rest.json", "shards/a");
  expect_refused("merge @shards", "missing");
  run(2, "rest.json", "shards/b");
  EXPECT_THAT(printed("merge @shards"), HasSubstr(" 0 cells computed"));
}

TEST_F(Shards, AKilledShardGoesOnWhereItStopped) {
  const std::string parts = plan("zhang2022/fig2 yang2006/gains", 1);
  const Words words = "run-shard 1 @" + parts + " --into @one --jobs 1";
  const auto cells = [&] {
    std::error_code none;
    const fs::directory_iterator at(folder_ / "one" / ".cache", none);
    return std::distance(fs::begin(at), fs::end(at));
  };
  {
    Process work(words, file("out"), file("err"));
    for (int i = 0; i < 12000 && cells() < 3; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }  // killed
  ASSERT_GE(cells(), 3);
  EXPECT_FALSE(fs::exists(folder_ / "one" / "shard.json"));
  EXPECT_THAT(printed(words), Not(HasSubstr(" 0 reused")));
}

TEST_F(Shards, HostilePlansAndShardsAreRefused) {
  const std::string parts = plan("yang2006/gains");
  for (const std::string k : {"0", "4", "-1"})
    expect_refused("run-shard " + k + " @" + parts, "accepted: 1 to 3");
  const std::string text = content(parts);
  expect_refused("run-shard 1 " + write("cut.json", text.substr(0, text.size() / 2)), "line 1");
  expect_refused("run-shard 1 " + write("other.json", "{}"), "no plan");
  const auto changed = [&](const char* key, const json& value) {
    json all = json::parse(text);
    all[key] = value;
    return write("changed.json", all.dump());
  };
  expect_refused("run-shard 1 " + changed("daemark_plan", 2), "of format 2");
  expect_refused("run-shard 1 " + changed("version", "0.0.1"), "a plan of daemark 0.0.1");
  expect_refused("run-shard 1 " + changed("program", "abc"), "sources abc");
  expect_refused("run-shard 1 " + changed("cells", {"abc"}), "accepted: 0 to 0");
  json foreign = json::parse(text);
  for (json& cell : foreign["cells"]) cell = "0" + cell.get<std::string>().substr(1);
  expect_refused("run-shard 1 " + write("foreign.json", foreign.dump()) + " --into @x",
                 "not cells of this tree");

  for (int k = 1; k <= 3; ++k) run(k, parts, "shards/" + std::to_string(k));
  expect_refused("run-shard 1 @" + parts + " --into @shards/2", "holds another shard");
  expect_refused("merge @shards @shards/2", "twice");
  run(1, plan("yang2006/gains", 2), "others/1");
  const std::string seal = "shards/1/shard.json", sealed = content(seal);
  const auto spoiled = [&](const auto& change, const char* says) {
    json all = json::parse(sealed);
    change(all);
    write(seal, all.dump());
    expect_refused("merge @shards", says);
  };
  spoiled([](json& all) { all["machine"]["cpu"] = "another"; }, "cpu is \"another\", here ");
  spoiled([](json& all) { all["machine"]["functions"] = "other"; }, "--mixed");
  spoiled([](json& all) { all["files"]["../../escaped"] = "0"; }, "leads out of the folder");
  spoiled([](json& all) { all["files"][".cache/none.json"] = "0"; }, "cannot be read");
  spoiled([](json& all) { all["files"].begin().value() = "0"; }, "damaged");
  write(seal, sealed.substr(0, sealed.size() / 2));
  expect_refused("merge @shards", "shard.json");
  EXPECT_FALSE(fs::exists(folder_ / "results" / "yang2006")) << "nothing was merged";
  write(seal, sealed);
  printed("merge @shards");
}

}  // namespace
}  // namespace daemark
