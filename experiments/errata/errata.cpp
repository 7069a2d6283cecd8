#include "experiments/errata/errata.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/program/progress.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/errata/errata_check.hpp"
#include "experiments/errata/errata_evidence.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;

ErratumKind kind_of(const std::string& text, const std::string& where) {
  for (const ErratumKind kind : erratum_kinds)
    if (word(kind) == text) return kind;
  throw BadInput(where + ": unknown kind '" + text + "', accepted: wrong, damaged, open, right");
}

/// The entries of a paper; refuses a file that is no list of entries, each at a place of its own.
Json read_entries(const std::filesystem::path& file) {
  parse_json_file(
      file.string());  // refuses what is no clean JSON; the order of names is kept below
  std::ifstream stream(file);
  const Json all = Json::parse(stream);
  const std::string paper = file.parent_path().filename().string(), where = paper + "/errata.json";
  require_entry_keys(all, where, {"paper", "entries"});
  if (all.at("paper") != paper) throw BadInput(where + ": 'paper' is not the name of its folder");
  std::set<std::string> places;
  for (const Json& entry : all.at("entries"))
    if (!places.insert(entry.value("where", "")).second)
      throw BadInput(where + ": the place '" + entry.value("where", "") + "' comes twice");
  return all.at("entries");
}

}  // namespace

std::string word(ErratumKind kind) {
  constexpr const char* words[] = {"wrong", "damaged", "open", "right"};
  return words[static_cast<std::size_t>(kind)];
}

std::string heading(ErratumKind kind) {
  constexpr const char* headings[] = {"wrong in the paper", "damaged in our transcription", "open",
                                      "checked and right"};
  return headings[static_cast<std::size_t>(kind)];
}

Erratum run_erratum(const std::string& paper, const Json& entry, const Json& siblings) {
  Erratum out;
  out.paper = paper;
  try {
    out.place = entry.at("where").get<std::string>();
    const std::string where = "errata of " + paper + ", entry '" + out.place + "'";
    require_entry_keys(entry, where, {"where", "kind", "transcribed", "right", "effect", "check"},
                       {"evidence"});
    out.kind = kind_of(entry.at("kind").get<std::string>(), where);
    out.transcribed = entry.at("transcribed").get<std::string>();
    out.right = entry.at("right").get<std::string>();
    out.effect = entry.at("effect").get<std::string>();
    run_check(entry.at("check"), where, out);
    weigh_evidence(entry, siblings, where, out);
  } catch (const nlohmann::json::exception& problem) {
    throw BadInput("errata of " + paper + ", entry '" + out.place + "': " + problem.what());
  }
  return out;
}

Erratum find_erratum(const std::filesystem::path& folder, const std::string& paper,
                     const std::string& place) {
  const Json entries = read_entries(folder / paper / "errata.json");
  for (const Json& entry : entries)
    if (entry.value("where", "") == place) return run_erratum(paper, entry, entries);
  throw BadInput("erratum '" + paper + "/" + place +
                 "' is unknown, accepted: PAPER/PLACE of experiments/PAPER/errata.json");
}

std::vector<Erratum> run_errata(const std::filesystem::path& folder) {
  if (!std::filesystem::is_directory(folder))
    throw BadInput("errata folder " + folder.string() + ": not found");
  std::set<std::string> papers;
  for (const auto& entry : std::filesystem::directory_iterator(folder))
    if (std::filesystem::exists(entry.path() / "errata.json"))
      papers.insert(entry.path().filename().string());
  std::vector<std::pair<std::string, Json>> lists;
  double all = 0;
  for (const std::string& paper : papers) {
    lists.emplace_back(paper, read_entries(folder / paper / "errata.json"));
    all += static_cast<double>(lists.back().second.size());
  }
  std::vector<Erratum> out;
  for (const auto& [paper, entries] : lists)
    for (const Json& entry : entries) {
      tell_progress("formulas", static_cast<double>(out.size()) / all);
      out.push_back(run_erratum(paper, entry, entries));
    }
  return out;
}

}  // namespace daemark::exact
