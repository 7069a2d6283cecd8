#include "experiments/errata/errata.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"
#include "experiments/errata/errata_parts.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;

struct KindWords {
  const char *word, *heading, *meaning;
};

const KindWords& words_of(ErratumKind kind) {
  static const KindWords words[] = {
      {"wrong", "wrong in the paper",
       "The form as transcribed fails the check and the derived one passes. Either a second, "
       "independent transcription (another edition) has the same form, or other formulas of the "
       "paper contradict it and no damage of text extraction that is known from the texts (lost "
       "minus signs, lost or misread dots, fraction lines shifted by a row, lost displays) turns "
       "one form into the other."},
      {"damaged", "damaged in our transcription",
       "A pattern of text extraction turns the right form into the transcribed one, and the same "
       "pattern is found elsewhere in the same text. These entries say nothing about the paper."},
      {"open", "open",
       "The form as transcribed fails, but we cannot tell the paper from our text of it, or our "
       "text does not show that the paper says it."},
      {"right", "checked and right",
       "Formulas that were suspected or are used, with the check that they pass."}};
  return words[static_cast<std::size_t>(kind)];
}

long count(const std::vector<Erratum>& errata, ErratumKind kind) {
  return std::count_if(errata.begin(), errata.end(),
                       [&](const Erratum& e) { return e.kind == kind; });
}

ErratumKind kind_of(const std::string& text, const std::string& where) {
  for (const ErratumKind kind : erratum_kinds)
    if (word(kind) == text) return kind;
  throw BadInput(where + ": unknown kind '" + text + "', accepted: wrong, damaged, open, right");
}

/// The entries of a paper; refuses a file that is no list of entries with distinct places.
Json read_entries(const std::filesystem::path& file) {
  parse_json_file(file.string());  // refuses unclean JSON; the order of names is kept below
  std::ifstream stream(file);
  const Json all = Json::parse(stream);
  const std::string paper = file.parent_path().filename().string(), where = paper + "/errata.json";
  require_keys(all, where, {"paper", "entries"});
  if (all.at("paper") != paper) throw BadInput(where + ": 'paper' is not the name of its folder");
  std::set<std::string> places;
  for (const Json& entry : all.at("entries"))
    if (!places.insert(entry.value("where", "")).second)
      throw BadInput(where + ": the place '" + entry.value("where", "") + "' comes twice");
  return all.at("entries");
}

}  // namespace

std::string word(ErratumKind kind) { return words_of(kind).word; }

std::string heading(ErratumKind kind) { return words_of(kind).heading; }

Erratum run_erratum(const std::string& paper, const Json& entry, const Json& siblings) {
  Erratum out;
  out.paper = paper;
  try {
    out.place = entry.at("where").get<std::string>();
    const std::string where = "errata of " + paper + ", entry '" + out.place + "'";
    require_keys(entry, where, {"where", "kind", "transcribed", "right", "effect", "check"},
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

std::string errata_counts(const std::vector<Erratum>& errata) {
  return fmt::format(
      "{} wrong in the papers, {} damaged in our transcription, {} open; {} forms checked and "
      "right",
      count(errata, ErratumKind::wrong), count(errata, ErratumKind::damaged),
      count(errata, ErratumKind::open), count(errata, ErratumKind::right));
}

std::string value_lines(const std::vector<std::pair<const char*, std::string>>& values) {
  std::string lines;
  for (const auto& [name, value] : values)
    if (!value.empty())
      lines += "- " + wrapped(fmt::format("{}: {}", name, value), 100, 2).substr(2) + "\n";
  return lines;
}

void write_errata(const std::vector<Erratum>& errata, const std::filesystem::path& folder) {
  std::string text = fmt::format(
                  "# Errata\n\n{}. {}\n\nEvery kind is decided by evidence that `daemark verify` "
                  "checks: an entry whose evidence does not support its kind fails it.\n",
                  errata_counts(errata), errata_rule),
              table = "paper,place,kind,transcribed,derived,evidence,condition,effect\n";
  for (const ErratumKind kind : erratum_kinds) {
    std::string title = heading(kind), paper;
    title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
    text += fmt::format("\n## {} ({})\n\n{}\n", title, count(errata, kind), words_of(kind).meaning);
    for (const Erratum& e : errata) {
      if (e.kind != kind) continue;
      if (e.paper != paper) text += "\n### " + (paper = e.paper) + "\n";
      text += "\n#### " + e.place + "\n\n" +
              value_lines({{"as transcribed", e.transcribed.empty() ? "nothing" : e.transcribed},
                           {"right", e.right},
                           {"effect", e.effect},
                           {"exact check", e.condition},
                           {"evidence", e.evidence},
                           {"REFUSED", e.refusal}});
    }
  }
  for (const Erratum& e : errata) {
    table += e.paper;
    for (const std::string& field :
         {e.place, word(e.kind), e.transcribed, e.right, e.evidence, e.condition, e.effect})
      table += "," + csv_quoted(field);
    table += "\n";
  }
  write_if_changed(folder / "errata.md", text);
  write_if_changed(folder / "errata.csv", table);
}

}  // namespace daemark::exact
