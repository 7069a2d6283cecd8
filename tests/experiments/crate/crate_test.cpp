// Crates: what is packed is unpacked, what is damaged or hostile is refused and leaves nothing.
#include "experiments/crate/crate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

constexpr const char* metadata_name = "ro-crate-metadata.json";

CrateContent packed() {
  return crate_of({"li2019/table1", "yang2006/claims"}, source_root() / "experiments",
                  source_root() / "results");
}

std::string refused(const ZipContent& content) {
  const ScratchFolder scratch;
  write_zip(scratch.path() / "bad.zip", content);
  return test::refusal([&] { unpack_crate(scratch.path() / "bad.zip", scratch.path() / "out"); });
}

TEST(Crate, IsUnpackedAsItWasPackedTheSameBytesEachTime) {
  const CrateContent crate = packed();
  EXPECT_GE(crate.items, 2);
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "one.zip", again = scratch.path() / "two.zip";
  write_zip(file, crate.files);
  write_zip(again, crate.files);
  EXPECT_EQ(read_text(file), read_text(again));
  const std::vector<std::string> items = unpack_crate(file, scratch.path() / "out");
  EXPECT_EQ(static_cast<int>(items.size()), crate.items);
  EXPECT_THAT(items, testing::Contains("li2019/table1"));
  for (const auto& [path, text] : crate.files)
    EXPECT_EQ(read_text(scratch.path() / "out" / path), text) << path;
  EXPECT_EQ(lock_difference(read_lock(file.string()), lock_of_this()), std::vector<std::string>{});
}

/// What RO-Crate 1.1 and the profile ask for: a descriptor, a root with name, description, date,
/// licence, parts and actions; every link leads to an entity; an action has instrument, object,
/// result.
TEST(Crate, ItsMetadataIsAProcessRunCrate) {
  const CrateContent crate = packed();
  const json metadata = json::parse(crate.files.at(metadata_name));
  std::map<std::string, json> by_id;
  for (const json& one : metadata.at("@graph")) {
    ASSERT_TRUE(by_id.emplace(one.at("@id").get<std::string>(), one).second) << one.at("@id");
    EXPECT_TRUE(one.contains("@type"));
  }
  EXPECT_EQ(by_id.at(metadata_name).at("conformsTo").at("@id"), "https://w3id.org/ro/crate/1.1");
  EXPECT_EQ(by_id.at(metadata_name).at("about").at("@id"), "./");
  const json& root = by_id.at("./");
  EXPECT_EQ(root.at("conformsTo").at("@id"), "https://w3id.org/ro/wfrun/process/0.5");
  for (const char* key : {"name", "description", "datePublished", "license"})
    EXPECT_FALSE(root.at(key).empty()) << key;
  int actions = 0, files = 0;
  for (const auto& [id, one] : by_id) {
    files += one.at("@type") == "File" ? 1 : 0;
    if (one.at("@type") != "CreateAction") continue;
    ++actions;
    EXPECT_EQ(by_id.at(one.at("instrument").at("@id")).at("@type"), "SoftwareApplication");
    for (const char* key : {"object", "result"})
      for (const json& to : one.at(key))
        EXPECT_EQ(by_id.at(to.at("@id").get<std::string>()).at("@type"), "File") << id;
    EXPECT_THAT(one.at("description").get<std::string>(), HasSubstr("daemark"));
  }
  EXPECT_EQ(actions, crate.cells);
  EXPECT_EQ(root.at("mentions").size(), static_cast<std::size_t>(actions));
  EXPECT_EQ(root.at("hasPart").size(), static_cast<std::size_t>(files));
  EXPECT_EQ(crate.files.size(), static_cast<std::size_t>(files) + 1);
}

TEST(Crate, RefusesWhatIsDamagedOrHostile) {
  const ZipContent good = packed().files;
  const auto with = [&](const std::string& path, const std::string& text) {
    ZipContent content = good;
    content[path] = text;
    return content;
  };
  EXPECT_THAT(refused(with("results/li2019/table1/table.md", "other")), HasSubstr("checksum"));
  EXPECT_THAT(refused(with("results/more.txt", "x")), HasSubstr("not listed"));
  EXPECT_THAT(refused(with("../out.txt", "x")), HasSubstr("leads out of its folder"));
  EXPECT_THAT(refused(with("/tmp/out.txt", "x")), HasSubstr("leads out of its folder"));
  EXPECT_THAT(refused(with("a/../../out.txt", "x")), HasSubstr("leads out of its folder"));
  EXPECT_THAT(refused(with(metadata_name, "{")), HasSubstr(metadata_name));
  EXPECT_THAT(refused(with(metadata_name, "{}")), HasSubstr("@graph"));
  EXPECT_THAT(refused(with(metadata_name, R"({"@graph": [{"@type": "File"}]})")), HasSubstr("@id"));
  ZipContent content = good;
  content.erase(metadata_name);
  EXPECT_THAT(refused(content), HasSubstr("ro-crate-metadata.json"));
  content = good;
  content.erase("results/li2019/table1/records.jsonl");
  EXPECT_THAT(refused(content), HasSubstr("not there"));
  content = good;
  content.erase("lock.json");
  const ScratchFolder scratch;
  write_zip(scratch.path() / "no_lock.zip", content);
  EXPECT_THAT(test::refusal([&] { read_lock((scratch.path() / "no_lock.zip").string()); }),
              HasSubstr("no lock.json"));
}

/// Cut anywhere, and with any byte changed: refused, or the bytes changed nothing that counts.
TEST(Crate, AnyDamageOfTheArchiveIsSeen) {
  const ScratchFolder scratch;
  const fs::path file = scratch.path() / "bad.zip";
  write_zip(
      file,
      crate_of({"li2019/table1"}, source_root() / "experiments", source_root() / "results").files);
  const std::string whole = read_text(file).value();
  const auto attempt = [&](const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
    return test::refusal([&] { unpack_crate(file, scratch.path() / "out"); });
  };
  for (std::size_t cut = 0; cut < whole.size(); cut += whole.size() / 20)
    EXPECT_NE(attempt(whole.substr(0, cut)), "accepted") << cut;
  unsigned state = 20261125;
  for (int i = 0; i < 60; ++i) {
    std::string bytes = whole;
    state = state * 1664525U + 1013904223U;
    bytes[state % bytes.size()] = static_cast<char>(bytes[state % bytes.size()] ^ 0x5a);
    attempt(bytes);  // no crash, and one line where it is refused
  }
  EXPECT_THAT(test::refusal([&] { read_zip(scratch.path()); }), HasSubstr("accepted"));
}

TEST(Crate, RefusesWhatIsNotMadeYet) {
  const ScratchFolder empty;
  EXPECT_THAT(test::refusal([&] {
                crate_of({"li2019/table1"}, source_root() / "experiments", empty.path());
              }),
              HasSubstr("not made yet"));
}

TEST(Lock, TellsWhatDiffers) {
  nlohmann::ordered_json a = lock_of_this(), b = a;
  EXPECT_TRUE(lock_difference(a, b).empty());
  EXPECT_FALSE(a.at("sources").empty());
  b["compiler"] = "another";
  b["libraries"].erase("MPFR");
  b["sources"].begin().value() = "0123456789abcdef";
  const std::vector<std::string> lines = lock_difference(a, b);
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[0], HasSubstr("compiler: "));
  EXPECT_THAT(lines[0], HasSubstr(" | another"));
  EXPECT_THAT(lines[1], HasSubstr("libraries.MPFR"));
  EXPECT_THAT(lines[2], HasSubstr("sources: 1 of "));
}

}  // namespace
}  // namespace daemark
