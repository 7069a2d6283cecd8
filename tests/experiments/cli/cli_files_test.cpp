// What the program makes of reference files that are off, and what it leaves under results/.
#include <algorithm>

#include "analysis/reference/reference_file.hpp"
#include "base/program/digest.hpp"
#include "experiments/cells/support/cell_store.hpp"
#include "experiments/spec/sweeps.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/experiments/cells/support/some_cells.hpp"
#include "tests/experiments/cli_fixture.hpp"

namespace daemark::cli_testing {
namespace {

/// Each in a process of its own: files are read once by each.
constexpr const char* errors =
    "run --problem two_link --formulation index1 --method gauss(2) --h 1/100 --t-end 1/10 --errors";

class Files : public Cli {
 protected:
  void SetUp() override {
    Cli::SetUp();
    local_ = folder_ / "results/.local/references" / reference_file_name("two_link");
    committed_ = folder_ / "results/references" / reference_file_name("two_link");
  }
  json stored() const { return json::parse(read_text(local_).value()); }
  /// As the committed file, with checksums that hold.
  void commit(json file) const {
    fs::create_directories(committed_.parent_path());
    for (json& state : file["states"]) {
      state.erase("checksum");
      state["checksum"] = digest("two_link\n" + state.dump()).substr(0, 32);
    }
    std::ofstream(committed_) << file.dump(1);
    fs::remove(local_);
  }
  fs::path local_, committed_;
};

TEST_F(Files, RunsLeaveACleanTreeClean) {
  ASSERT_EQ(in_a_process(errors).status, 0);
  ASSERT_TRUE(fs::exists(local_));
  for (const auto& entry : fs::directory_iterator(folder_ / "results"))
    EXPECT_EQ(entry.path().filename(), ".local");
}

TEST_F(Files, ReferencesThatAreOffAreNamedAndTheRunGoesOn) {
  const Outcome sound = in_a_process(errors);
  ASSERT_EQ(sound.status, 0) << sound.err;
  json file = stored();
  file["states"][0]["q"].push_back("1");
  commit(file);
  const Outcome outcome = in_a_process(errors);
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_THAT(outcome.said(), HasSubstr("references/" + reference_file_name("two_link")));
  EXPECT_THAT(outcome.said(), HasSubstr("state 1: 7 values of q, accepted: 6"));
  const std::size_t at = sound.out.find("error_q");
  EXPECT_THAT(outcome.out, HasSubstr(sound.out.substr(at, sound.out.find('\n', at) - at)));
}

TEST_F(Files, AContradictionIsAnErrorWithItsNumbers) {
  ASSERT_EQ(in_a_process(errors).status, 0);
  json file = stored();
  file["states"][0]["q"][0] = "0.12345";
  commit(file);
  const Outcome outcome = in_a_process("reference two_link --t 1/10");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.said(), HasSubstr("two_link at t = 1/10"));
  EXPECT_THAT(outcome.said(), HasSubstr("q_1 = 0.12345 and"));
  EXPECT_EQ(in_a_process("reference --refresh").status, 1);
  EXPECT_EQ(json::parse(read_text(committed_).value()).at("states")[0]["q"][0], "0.12345")
      << "what stands there is for the user to judge";
}

TEST_F(Files, ReferencesArePublishedOnRequestAndRefreshed) {
  ASSERT_EQ(in_a_process("reference two_link --t 0.1 --publish").status, 0);
  const std::string published = read_text(committed_).value();
  EXPECT_EQ(json::parse(published)["states"][0]["t"], "1/10");
  const Outcome same = in_a_process("reference --refresh");
  EXPECT_EQ(same.status, 0);
  EXPECT_THAT(same.said(), HasSubstr("two_link, t = 1/10: as stored"));
  // Of an older model: replaced by the very same bytes.
  json old = json::parse(published);
  old["states"][0]["model"] = "0123456789abcdef";
  commit(old);
  const Outcome replaced = in_a_process("reference --refresh");
  EXPECT_EQ(replaced.status, 0) << replaced.said();
  EXPECT_THAT(replaced.said(), HasSubstr("of another model, replaced"));
  EXPECT_EQ(read_text(committed_), published);
}

Cell cell_of(const std::string& problem) {
  Cell cell = test::run_cell(problem, "gauss(2)", "index1");
  cell.more = {{"errors", true}};
  return cell;
}

TEST_F(Files, TheKeyOfACellHasTheStateItWasComparedWith) {
  Cell cell = cell_of("two_link");
  const std::string before = sources_digest(cell);
  printed(errors);
  const std::string with = sources_digest(cell);
  EXPECT_NE(with, before);
  printed("reference two_link --t 1/10 --publish");
  EXPECT_EQ(sources_digest(cell), with) << "the same state, elsewhere";
  cell.more = {{"errors", false}};
  const std::string without = sources_digest(cell);
  cell.t_end = "1/20";
  EXPECT_EQ(sources_digest(cell), without) << "compared with nothing";
}

TEST_F(Files, AClosedFormIsTheSameInTheNextRun) {
  Cell cell = cell_of("pendulum");
  const std::string before = sources_digest(cell);
  printed("reference pendulum --t 1/10");
  EXPECT_EQ(sources_digest(cell), before) << "a key no later run would look for";
}

TEST_F(Files, MethodsFromOutsideAreNoPartOfTheCatalogue) {
  const std::string added = write("outside.json", R"({"id":"cli_files_outside",
    "kind":"runge_kutta","A":[["1/2"]],"b":["1"],"c":["1/2"],"source":{"key":"zhang2022"}})");
  printed("list methods --tableau " + added);
  ASSERT_TRUE(method_registry().has("cli_files_outside"));
  const auto examples = method_registry().examples();
  EXPECT_EQ(std::count(examples.begin(), examples.end(), "cli_files_outside"), 0);
  EXPECT_GT(std::count(examples.begin(), examples.end(), "erk4"), 0);
  for (const CatalogueMethod& method : catalogue_methods({}))
    EXPECT_NE(method.call, "cli_files_outside");
}

}  // namespace
}  // namespace daemark::cli_testing
