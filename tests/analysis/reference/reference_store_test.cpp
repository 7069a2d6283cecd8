#include "analysis/reference/reference_store.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// Results in a folder of their own while it lives.
struct OwnResults {
  fs::path folder = fs::temp_directory_path() / ("daemark-store-" + std::to_string(::getpid()));
  OwnResults() {
    fs::remove_all(folder);
    setenv("DAEMARK_RESULTS", folder.c_str(), 1);
  }
  ~OwnResults() {
    unsetenv("DAEMARK_RESULTS");
    fs::remove_all(folder);
  }
};

ReferenceState state(const std::string& t, int digits) {
  return {t, {real50(1)}, {real50(2)}, {}, digits, "one", "two"};
}

TEST(ReferenceStore, KeepsLocallyAndPublishesWhatIsWanted) {
  const OwnResults results;
  const fs::path shown = results.folder / "references" / "pendulum.json";
  ReferenceStore store("pendulum");
  EXPECT_EQ(store.find(1), nullptr);
  store.add(1, state("1", 30));
  store.add(2, state("2", 40));
  store.save();
  EXPECT_FALSE(fs::exists(shown));
  store.publish({1});
  ASSERT_TRUE(fs::exists(shown));
  fs::remove_all(results.folder / ".local");
  const ReferenceStore again("pendulum");
  ASSERT_NE(again.find(1), nullptr);
  EXPECT_EQ(again.find(1)->agreed_digits, 30);
  EXPECT_EQ(again.find(2), nullptr);
}

TEST(ReferenceStore, StatesOfAnotherModelOrADamagedFileCountAsMissing) {
  const OwnResults results;
  const fs::path file = results.folder / "references" / "pendulum.json";
  ReferenceStore("pendulum").publish({});
  EXPECT_FALSE(fs::exists(file)) << "nothing to show";
  ReferenceStore store("pendulum");
  store.add(1, state("1", 30));
  store.publish({1});
  std::string text;
  std::getline(std::ifstream(file), text, '\0');
  const std::size_t at = text.find("\"model\": \"") + 10;
  std::ofstream(file) << text.substr(0, at) << "x" << text.substr(at + 1);
  EXPECT_EQ(ReferenceStore("pendulum").find(1), nullptr);
  std::ofstream(file) << "{";
  EXPECT_EQ(ReferenceStore("pendulum").find(1), nullptr);
}

}  // namespace
}  // namespace daemark
