#include "analysis/exact/errata.hpp"

#include <algorithm>
#include <fstream>
#include <set>

#include "analysis/exact/errata_check.hpp"
#include "analysis/exact/errata_evidence.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/strict_json.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;

ErratumKind kind_of(const std::string& text, const std::string& where) {
  for (const ErratumKind kind : erratum_kinds) {
    if (word(kind) == text) return kind;
  }
  throw BadInput(where + ": unknown kind '" + text + "', accepted: wrong, damaged, open, right");
}

/// The entries of a paper; what is no list of entries with places of their own is refused.
Json read_entries(const std::filesystem::path& file) {
  parse_json_file(
      file.string());  // refuses what is no clean JSON; the order of names is kept below
  std::ifstream stream(file);
  const Json all = Json::parse(stream);
  const std::string where = file.filename().string();
  require_entry_keys(all, where, {"paper", "entries"});
  if (all.at("paper") != file.stem().string()) throw BadInput(where + ": 'paper' is not its name");
  std::set<std::string> places;
  for (const Json& entry : all.at("entries")) {
    if (!places.insert(entry.value("place", "")).second) {
      throw BadInput(where + ": the place '" + entry.value("place", "") + "' comes twice");
    }
  }
  return all.at("entries");
}

}  // namespace

std::string word(ErratumKind kind) {
  switch (kind) {
    case ErratumKind::wrong:
      return "wrong";
    case ErratumKind::damaged:
      return "damaged";
    case ErratumKind::open:
      return "open";
    case ErratumKind::right:
      return "right";
  }
  return "open";
}

std::string heading(ErratumKind kind) {
  switch (kind) {
    case ErratumKind::wrong:
      return "wrong in the paper";
    case ErratumKind::damaged:
      return "damaged in our transcription";
    case ErratumKind::open:
      return "open";
    case ErratumKind::right:
      return "checked and right";
  }
  return "open";
}

Erratum run_erratum(const std::string& paper, const Json& entry, const Json& siblings) {
  Erratum out;
  out.paper = paper;
  try {
    out.place = entry.at("place").get<std::string>();
    const std::string where = "errata of " + paper + ", entry '" + out.place + "'";
    require_entry_keys(entry, where, {"place", "kind", "transcribed", "right", "effect", "check"},
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
  const Json entries = read_entries(folder / (paper + ".json"));
  for (const Json& entry : entries) {
    if (entry.value("place", "") == place) return run_erratum(paper, entry, entries);
  }
  throw BadInput("erratum '" + paper + "/" + place +
                 "' is unknown, accepted: PAPER/PLACE of analysis/exact/errata");
}

std::vector<Erratum> run_errata(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  if (!std::filesystem::is_directory(folder)) {
    throw BadInput("errata folder " + folder.string() + ": not found");
  }
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    if (file.path().extension() == ".json") files.push_back(file.path());
  }
  std::sort(files.begin(), files.end());
  std::vector<Erratum> out;
  for (const auto& path : files) {
    const Json entries = read_entries(path);
    for (const Json& entry : entries) {
      out.push_back(run_erratum(path.stem().string(), entry, entries));
    }
  }
  return out;
}

}  // namespace daemark::exact
