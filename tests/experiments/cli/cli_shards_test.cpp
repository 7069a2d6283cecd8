// `daemark plan`, `run-shard`, `merge`: the same bytes as one call, whatever is lost on the way.
#include <map>

#include "base/program/write_file.hpp"
#include "tests/experiments/cli_fixture.hpp"
#include "tests/experiments/cli_process.hpp"

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
  std::string plan(const Words& words, const std::string& shards = "3") {
    Words all = {"plan", "--shards", shards};
    all.insert(all.end(), words.begin(), words.end());
    const Outcome outcome = call(all);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    static int count = 0;
    return write("plan" + std::to_string(count++) + ".json", outcome.out);
  }
  std::string run(int shard, const std::string& plan, const std::string& into) {
    const Outcome outcome =
        call({"run-shard", std::to_string(shard), plan, "--into", file(into), "--jobs", "1"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    return file(into);
  }
  /// What the command writes and prints, whole and by three shards.
  void expect_same(const Words& words, const Words& whole) {
    const std::string parts = plan(words);
    for (int k = 1; k <= 3; ++k) run(k, parts, "shards/" + std::to_string(k));
    const Outcome merged = call({"merge", file("shards")});
    EXPECT_EQ(merged.status, 0) << merged.err;
    setenv("DAEMARK_RESULTS", file("whole").c_str(), 1);
    const Outcome once = call(whole);
    EXPECT_EQ(once.status, 0) << once.err;
    EXPECT_EQ(files_below(file("results")), files_below(file("whole")));
    EXPECT_GT(files_below(file("whole")).size(), 3u);
  }
};

TEST_F(Shards, ReproduceGivesTheSameBytes) {
  expect_same({"yang2006/gains", "fernandez2021/table1"},
              {"reproduce", "yang2006/gains", "fernandez2021/table1"});
}

TEST_F(Shards, CompareGivesTheSameBytesWithReferencesOfItsOwn) {
  const Words command = {"compare", "gauss(2)", "--problem", "two_link", "--formulation",
                         "index1",  "--h",      "1/20,1/40", "--t-end",  "1/5"};
  Words words = {"--"}, whole = command;
  words.insert(words.end(), command.begin(), command.end());
  whole.emplace_back("--all");
  expect_same(words, whole);
}

// Two problems, one with references; gauss(2) with and without step-size control.
TEST_F(Shards, TheAtlasGivesTheSameBytes) {
  const Words command = {"atlas",  "--problem", "oscillator,two_link",   "--formulation",
                         "index1", "--tag",     "erk4 | gauss & order=4"};
  Words words = {"--"};
  words.insert(words.end(), command.begin(), command.end());
  EXPECT_EQ(json::parse(read_text(plan(words, "2")).value())["cells"].size(), 6u);
  expect_same(words, command);
  EXPECT_EQ(lines("whole/atlas/two_link.jsonl").size(), 4u) << "a head and three sweeps";
  expect_refused({"plan", "--shards", "2", "--", "atlas", "--dry"}, "cannot be divided");
}

// A converge writes no file: what it prints is what has to be the same.
TEST_F(Shards, ConvergeGivesTheSameText) {
  const Words commands[] = {
      {"converge", "gauss(2)", "--problem", "pendulum", "--formulation", "index2", "--h",
       "1/20,1/40,1/80", "--t-end", "1"},
      {"converge", "gauss(2)", "--problem", "pendulum", "--formulation", "index1,minimal,index3",
       "--h", "1/20,1/40,1/80,1/160", "--t-end", "1/2,1", "--precision", "auto", "--json"},
      {"converge", "dormand_prince_5", "--problem", "pendulum", "--formulation", "index1", "--h",
       "1/10", "--t-end", "1", "--tol", "1e-4,1e-6,1e-8", "--json"}};
  for (const std::size_t k : {0, 1, 2}) {
    const std::string name = std::to_string(k);
    Words words = {"--"};
    words.insert(words.end(), commands[k].begin(), commands[k].end());
    setenv("DAEMARK_RESULTS", file("results" + name).c_str(), 1);
    const std::string parts = plan(words);
    EXPECT_GE(json::parse(read_text(parts).value())["cells"].size(), 3u);
    for (int shard = 1; shard <= 3; ++shard) run(shard, parts, name + "/" + std::to_string(shard));
    const Outcome merged = call({"merge", file(name)});
    EXPECT_EQ(merged.status, 0) << merged.err;
    setenv("DAEMARK_RESULTS", file("whole" + name).c_str(), 1);
    const Outcome once = call(commands[k]);
    EXPECT_EQ(once.status, 0) << once.err;
    EXPECT_EQ(merged.out, once.out);
  }
}

// What shard 0 has of a problem, the others do not compute: a state that no cell asks for shows
// where theirs are from.
TEST_F(Shards, ReferenceStatesAreComputedOnce) {
  const std::string parts =
      plan({"--", "converge", "gauss(2)", "--problem", "two_link", "--formulation", "index2", "--h",
            "1/20,1/40,1/80", "--t-end", "1/5"});
  EXPECT_EQ(json::parse(read_text(parts).value())["references"],
            json::parse(R"([{"problem": "two_link", "t": "1/5"}])"));
  run(0, parts, "shards/0");
  setenv("DAEMARK_RESULTS", file("shards/0").c_str(), 1);
  ASSERT_EQ(call({"run", "--problem", "two_link", "--formulation", "index2", "--method", "gauss(2)",
                  "--h", "1/10", "--t-end", "3/10", "--errors"})
                .status,
            0);
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
  EXPECT_EQ(call({"merge", file("shards")}).status, 2) << "shard 0 has changed since";
  run(0, parts, "shards/0");
  EXPECT_EQ(call({"merge", file("shards")}).status, 0);
}

TEST_F(Shards, AShardIsIdempotentAndWritesIntoItsFolderOnly) {
  const std::string parts = plan({"yang2006/gains"});
  const auto before = files_below(folder_);
  const std::string folder = run(1, parts, "one");
  const std::string seal = read_text(folder + "/shard.json").value();
  EXPECT_THAT(call({"run-shard", "1", parts, "--into", folder}).out,
              HasSubstr(": 0 cells computed"));
  EXPECT_EQ(read_text(folder + "/shard.json").value(), seal);
  fs::remove_all(folder);
  EXPECT_EQ(files_below(folder_), before);
}

TEST_F(Shards, WhatIsLostIsNamedAndPlannedAgain) {
  const std::string parts = plan({"yang2006/gains"});
  run(2, parts, "shards/2");
  expect_refused({"merge", file("shards")}, "shards 1, 3 of 3");
  const Outcome again = call({"plan", "--shards", "2", "--missing", file("shards")});
  ASSERT_EQ(again.status, 0) << again.err;
  const std::string rest = write("rest.json", again.out);
  run(1, rest, "shards/a");
  expect_refused({"merge", file("shards")}, "missing");
  run(2, rest, "shards/b");
  const Outcome merged = call({"merge", file("shards")});
  EXPECT_EQ(merged.status, 0) << merged.err;
  EXPECT_THAT(merged.out, HasSubstr(" 0 cells computed"));
}

#ifdef DAEMARK_BINARY
TEST_F(Shards, AKilledShardGoesOnWhereItStopped) {
  const std::string parts = plan({"zhang2022/fig2", "yang2006/gains"}, "1");
  const Words words = {"run-shard", "1", parts, "--into", file("one"), "--jobs", "1"};
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
  const Outcome next = call(words);
  EXPECT_EQ(next.status, 0) << next.err;
  EXPECT_THAT(next.out, Not(HasSubstr(" 0 reused")));
}
#endif

TEST_F(Shards, HostilePlansAndShardsAreRefused) {
  const std::string parts = plan({"yang2006/gains"});
  for (const char* k : {"0", "4", "-1"})
    expect_refused({"run-shard", k, parts}, "accepted: 1 to 3");
  expect_refused({"run-shard", "1", file("none.json")}, "cannot be read");
  const std::string text = read_text(parts).value();
  expect_refused({"run-shard", "1", write("cut.json", text.substr(0, text.size() / 2))}, "line 1");
  expect_refused({"run-shard", "1", write("other.json", "{}")}, "no plan");
  const auto changed = [&](const char* key, const json& value) {
    json all = json::parse(text);
    all[key] = value;
    return write("changed.json", all.dump());
  };
  expect_refused({"run-shard", "1", changed("daemark_plan", 2)}, "of format 2");
  expect_refused({"run-shard", "1", changed("version", "0.0.1")}, "a plan of daemark 0.0.1");
  expect_refused({"run-shard", "1", changed("program", "abc")}, "sources abc");
  expect_refused({"run-shard", "1", changed("cells", {"abc"})}, "accepted: 0 to 0");
  json foreign = json::parse(text);
  for (json& cell : foreign["cells"]) cell = "0" + cell.get<std::string>().substr(1);
  expect_refused({"run-shard", "1", write("foreign.json", foreign.dump()), "--into", file("x")},
                 "not cells of this tree");
  expect_refused({"plan", "--shards", "0"}, "--shards");
  expect_refused({"plan", "--shards", "2", "li2091"}, "did you mean 'li2019'?");
  expect_refused({"plan", "--shards", "2", "--", "reproduce", "--check"}, "cannot be divided");
  expect_refused({"merge", file("nowhere")}, "no folder");
  expect_refused({"merge", folder_.string()}, "no finished shard");

  for (int k = 1; k <= 3; ++k) run(k, parts, "shards/" + std::to_string(k));
  expect_refused({"run-shard", "1", parts, "--into", file("shards/2")}, "holds another shard");
  expect_refused({"merge", file("shards"), file("shards/2")}, "twice");
  run(1, plan({"yang2006/gains"}, "2"), "others/1");
  const std::string seal = file("shards/1/shard.json");
  const std::string sealed = read_text(seal).value();
  const auto with = [&](const auto& change) {
    json all = json::parse(sealed);
    change(all);
    std::ofstream(seal) << all.dump();
  };
  with([](json& all) { all["machine"]["cpu"] = "another"; });
  expect_refused({"merge", file("shards")}, "cpu is \"another\", here ");
  with([](json& all) { all["machine"]["functions"] = "other"; });
  expect_refused({"merge", file("shards")}, "--mixed");
  with([](json& all) { all["files"]["../../escaped"] = "0"; });
  expect_refused({"merge", file("shards")}, "leads out of the folder");
  with([](json& all) { all["files"][".cache/none.json"] = "0"; });
  expect_refused({"merge", file("shards")}, "cannot be read");
  with([](json& all) { all["files"].begin().value() = "0"; });
  expect_refused({"merge", file("shards")}, "damaged");
  std::ofstream(seal) << sealed.substr(0, sealed.size() / 2);
  expect_refused({"merge", file("shards")}, "shard.json");
  EXPECT_FALSE(fs::exists(folder_ / "results" / "yang2006")) << "nothing was merged";
  std::ofstream(seal) << sealed;
  EXPECT_EQ(call({"merge", file("shards")}).status, 0);
}

}  // namespace
}  // namespace daemark
