// Errata as texts: results/errata.md and errata.csv.
#include <algorithm>
#include <cctype>
#include <sstream>

#include "base/program/write_file.hpp"
#include "base/text/wrap.hpp"
#include "experiments/errata/errata.hpp"

namespace daemark::exact {

namespace {

std::string quoted(const std::string& text) {  // for CSV
  std::string out = "\"";
  for (const char c : text) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

long count(const std::vector<Erratum>& errata, ErratumKind kind) {
  return std::count_if(errata.begin(), errata.end(),
                       [&](const Erratum& e) { return e.kind == kind; });
}

const char* meaning(ErratumKind kind) {
  switch (kind) {
    case ErratumKind::wrong:
      return "The form as transcribed fails the check and the derived one passes. Either a second, "
             "independent transcription (another edition) has the same form, or the paper's own "
             "other formulas contradict it and no damage of text extraction that is known from the "
             "texts (lost minus signs, lost or misread dots, fraction lines shifted by a row, lost "
             "displays) turns the one form into the other.";
    case ErratumKind::damaged:
      return "A pattern of text extraction turns the right form into the transcribed one, and the "
             "same pattern is found elsewhere in the same text. These say nothing about the paper.";
    case ErratumKind::open:
      return "The form as transcribed fails, but what we have cannot tell the paper from our text "
             "of it, or does not show that the paper says it.";
    case ErratumKind::right:
      return "Formulas that were suspected or are used, with the check that they pass.";
  }
  return "";
}

/// "- name: value" in lines that people can read; nothing where there is no value.
void line(const std::string& name, const std::string& value, std::ostream& text) {
  if (!value.empty()) text << "- " << wrapped(name + ": " + value, 100, 2).substr(2) << "\n";
}

void write_kind(const std::vector<Erratum>& errata, ErratumKind kind, std::ostream& text) {
  std::string title = heading(kind);
  title[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(title[0])));
  text << "\n## " << title << " (" << count(errata, kind) << ")\n\n" << meaning(kind) << "\n";
  std::string paper;
  for (const Erratum& e : errata) {
    if (e.kind != kind) continue;
    if (e.paper != paper) text << "\n### " << (paper = e.paper) << "\n";
    text << "\n#### " << e.place << "\n\n";
    line("as transcribed", e.transcribed.empty() ? "nothing" : e.transcribed, text);
    line("right", e.right, text);
    line("effect", e.effect, text);
    line("exact check", e.condition, text);
    line("carried by", e.evidence, text);
    line("REFUSED", e.refusal, text);
  }
}

}  // namespace

std::string errata_counts(const std::vector<Erratum>& errata) {
  std::ostringstream text;
  text << count(errata, ErratumKind::wrong) << " wrong in the papers, "
       << count(errata, ErratumKind::damaged) << " damaged in our transcription, "
       << count(errata, ErratumKind::open) << " open; " << count(errata, ErratumKind::right)
       << " forms checked and right";
  return text.str();
}

void write_errata(const std::vector<Erratum>& errata, const std::filesystem::path& folder) {
  std::ostringstream text, table;
  text << "# Errata\n\n"
       << errata_counts(errata) << ". " << errata_rule
       << "\n\nEvery kind is decided by evidence that `daemark verify` checks: an entry whose "
          "evidence does not carry its kind fails it.\n";
  for (const ErratumKind kind : erratum_kinds) write_kind(errata, kind, text);
  table << "paper,place,kind,transcribed,derived,evidence,condition,effect\n";
  for (const Erratum& e : errata) {
    table << e.paper;
    for (const std::string& field :
         {e.place, word(e.kind), e.transcribed, e.right, e.evidence, e.condition, e.effect})
      table << "," << quoted(field);
    table << "\n";
  }
  write_if_changed(folder / "errata.md", text.str());
  write_if_changed(folder / "errata.csv", table.str());
}

}  // namespace daemark::exact
