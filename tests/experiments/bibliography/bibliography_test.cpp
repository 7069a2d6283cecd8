#include "experiments/bibliography/bibliography.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <regex>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/write/book.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"
#include "tests/experiments/fake_paper.hpp"
#include "tests/support/catalogue.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// Every key that is cited, with a place that cites it.
class Cited {
 public:
  Cited() {
    for (const std::string& id : method_registry().all_ids()) {
      const Source& source = method_registry().info(id).source;
      add(citation(source.key, source.where), "method " + id);
    }
    for (const std::string& id : problem_registry().catalogue_ids())
      add(problem_registry().info(id).source, "problem " + id);
    const fs::path experiments = source_root() / "experiments";
    for (const std::string& paper : paper_ids(experiments)) {
      const nlohmann::json in = parse_json_file((experiments / paper / "paper.json").string());
      if (!in.contains("citation")) add("[" + paper + "]", "experiments/" + paper);
      for (const std::string& item : get_strings(in, "items", paper)) {
        const fs::path file = experiments / paper / (item + ".json");
        const nlohmann::json content = parse_json_file(file.string());
        for (const nlohmann::json& note : content.value("notes", nlohmann::json::array()))
          add(note.get<std::string>(), file.string());
      }
      const fs::path errata = experiments / paper / "errata.json";
      if (fs::exists(errata))
        add("[" + get_string(parse_json_file(errata.string()), "paper", errata.string()) + "]",
            errata.string());
    }
  }
  const std::map<std::string, std::string>& places() const { return places_; }

 private:
  void add(const std::string& text, const std::string& place) {
    for (const std::string& key : cited_keys(text)) places_.emplace(key, place);
  }
  std::map<std::string, std::string> places_;
};

TEST(Bibliography, HoldsEveryKeyThatIsCitedAndNoOther) {
  const Cited cited;
  std::set<std::string> used;
  for (const auto& [key, place] : cited.places()) {
    EXPECT_TRUE(bibliography().contains(key)) << key << " of " << place;
    used.insert(key);
  }
  for (const auto& [key, reference] : bibliography()) {
    EXPECT_TRUE(used.contains(key)) << key << ": nothing cites it";
  }
  EXPECT_GE(used.size(), 20u) << "what is cited was found";
}

/// A method's key is of the form that texts cite, or nobody would notice that it is missing.
TEST(Bibliography, KeysOfMethodsAreKeys) {
  for (const std::string& id : method_registry().all_ids()) {
    const MethodInfo& info = method_registry().info(id);
    if (!test::is_of_the_tree(info)) continue;
    const std::string& key = info.source.key;
    EXPECT_EQ(cited_keys("[" + key + "]"), std::vector<std::string>{key}) << id;
  }
}

TEST(Bibliography, OneKeyAPublication) {
  std::set<std::string> titles, dois;
  for (const auto& [key, reference] : bibliography()) {
    EXPECT_TRUE(titles.insert(reference.title).second) << key;
    if (reference.doi.empty()) continue;
    EXPECT_TRUE(dois.insert(reference.doi).second) << key;
    EXPECT_TRUE(std::regex_match(reference.doi, std::regex(R"(10\.[0-9]{4,}/\S+)"))) << key;
    EXPECT_TRUE(key.find(std::to_string(reference.year)) != std::string::npos) << key;
  }
}

/// Title and citation stand in one place: the bibliography, or the file of a paper it does not
/// hold.
TEST(Bibliography, PapersTakeTitleAndCitationFromIt) {
  const auto read = [](const std::string& id, const std::string& more) {
    const test::ScratchFolder scratch;
    test::write_text(scratch.path / id / "paper.json",
                     R"({"editions":[{"key":"en","id":"e","label":"l"}],"items":[])" + more + "}");
    return read_paper(scratch.path / id);
  };
  EXPECT_EQ(read("newmark1959", "").title, "A method of computation for structural dynamics");
  EXPECT_EQ(read("newmark1959", "").citation, bibliography().at("newmark1959").text());
  EXPECT_EQ(read("mine", R"(,"title":"T","citation":"C")").citation, "C");
  EXPECT_THROW(read("newmark1959", R"(,"title":"T","citation":"C")"), BadInput);
  EXPECT_THROW(read("mine", ""), BadInput);
}

TEST(Bibliography, TextsInShortAndInFull) {
  const std::string source = "after [newmark1959] and [hairer1996], [1/2] and [nobody1900]";
  EXPECT_EQ(cited_keys(source),
            (std::vector<std::string>{"newmark1959", "hairer1996", "nobody1900"}));
  EXPECT_EQ(with_citations(source),
            "after Newmark 1959 and Hairer & Wanner 1996, [1/2] and [nobody1900]");
  EXPECT_EQ(full_references(source),
            (std::vector<std::string>{
                "N. M. Newmark: A method of computation for structural dynamics. Journal of the "
                "Engineering Mechanics Division, ASCE 85(EM3), 67–94, 1959, "
                "doi:10.1061/JMCEA3.0000098.",
                "E. Hairer, G. Wanner: Solving Ordinary Differential Equations II: Stiff and "
                "Differential-Algebraic Problems. 2nd edition, Springer, 1996, "
                "doi:10.1007/978-3-642-05221-7."}));
  EXPECT_EQ(with_citations("[li2019]; [zhang2022]"), "Li, Ding & Li 2019; Zhang et al. 2022");
  EXPECT_EQ(citation("", "p. 1"), "p. 1");
  EXPECT_EQ(citation("newmark1959", ""), "[newmark1959]");
}

}  // namespace
}  // namespace daemark
