#include "experiments/spec/book.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/exact/errata.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/spec/names.hpp"

namespace daemark {

const ItemSpec& Book::item(const std::string& id) const {
  require_item(paper, id);
  for (const ItemSpec& candidate : items) {
    if (candidate.id == id) return candidate;
  }
  throw std::logic_error("item not read: " + id);
}

std::vector<std::string> paper_ids(const std::filesystem::path& experiments) {
  std::vector<std::string> ids;
  if (!std::filesystem::is_directory(experiments)) return ids;
  for (const auto& entry : std::filesystem::directory_iterator(experiments)) {
    if (std::filesystem::exists(entry.path() / "paper.json")) {
      ids.push_back(entry.path().filename().string());
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

void require_item(const PaperSpec& paper, const std::string& id) {
  if (std::count(paper.items.begin(), paper.items.end(), id) > 0) return;
  throw BadInput(fmt::format("no experiment '{}/{}'; accepted: {}", paper.id, id,
                             fmt::join(paper.items, ", ")));
}

Book read_book(const std::filesystem::path& experiments, const std::string& paper,
               const std::set<std::string>& items) {
  const std::vector<std::string> known = paper_ids(experiments);
  if (std::count(known.begin(), known.end(), paper) == 0) {
    throw BadInput(fmt::format("no paper '{}'; accepted: {}", paper, fmt::join(known, ", ")));
  }
  Book book;
  book.paper = read_paper(experiments / paper);
  const std::vector<std::string>& all = book.paper.items;
  std::set<std::string> wanted = items;
  if (wanted.empty()) wanted.insert(all.begin(), all.end());
  std::map<std::string, ItemSpec> read;
  while (!wanted.empty()) {
    const std::string id = *wanted.begin();
    wanted.erase(wanted.begin());
    require_item(book.paper, id);
    const ItemSpec& item =
        read.emplace(id, read_item(experiments / paper / (id + ".json"), book.paper)).first->second;
    for (const std::string& other : references_of(item, book.paper)) {
      if (!read.contains(other)) wanted.insert(other);
    }
  }
  for (const std::string& id : all) {
    if (const auto item = read.find(id); item != read.end())
      book.items.push_back(std::move(item->second));
  }
  check_names(book.items);
  return book;
}

void read_known(Book& book, const std::filesystem::path& results,
                const std::set<std::string>& but) {
  for (const ItemSpec& item : book.items) {
    if (but.contains(item.id)) continue;
    const std::filesystem::path file = results / book.paper.id / item.id / "records.jsonl";
    const std::optional<std::string> text = read_text(file);
    if (!text) continue;
    const std::string where = book.paper.id + "/" + item.id + "/records.jsonl";
    for (auto& [name, result] : read_records(*text, where)) {
      book.results.try_emplace(name, std::move(result));
    }
  }
}

namespace {

/// One section of the report a kind of errata, from what `daemark verify` left in errata.csv.
std::vector<ReportSection> errata_sections(const std::filesystem::path& results) {
  const std::optional<std::string> text = read_text(results / "errata.csv");
  std::vector<ReportSection> sections;
  if (!text) return sections;
  const auto lines = read_csv(*text, "errata.csv");
  for (const auto& line : lines)
    if (line.size() != 8) return sections;  // left by another version of verify
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    ReportSection section;
    section.id = "errata-" + exact::word(kind);
    section.paragraphs = {exact::errata_rule};
    for (std::size_t i = 1; i < lines.size(); ++i) {
      const auto& e =
          lines[i];  // paper, place, kind, transcribed, derived, evidence, condition, ...
      if (e[2] != exact::word(kind)) continue;
      section.paragraphs.push_back(
          fmt::format("{}, {}. As transcribed: {}. Derived: {}. {}{}Exact check: {}.", e[0], e[1],
                      e[3].empty() ? "nothing" : e[3], e[4], e[5], e[5].empty() ? "" : ". ", e[6]));
    }
    section.title =
        fmt::format("Errata: {} ({})", exact::heading(kind), section.paragraphs.size() - 1);
    section.links = {{"errata", "errata.md", "with what each changes"}};
    sections.push_back(std::move(section));
  }
  return sections;
}

/// The paper's part of the report; its verdicts are added to `lines`.
ReportPaper summary_of(const Book& book, const std::filesystem::path& results, std::string& lines) {
  ReportPaper paper;
  paper.id = book.paper.id;
  paper.title = book.paper.title;
  paper.citation = book.paper.citation;
  paper.notes = book.paper.notes;
  for (const EditionSpec& edition : book.paper.editions) {
    paper.editions.push_back({edition.id, edition.label});
  }
  const Judge judge(book.items, book.results);
  for (const ItemSpec& item : book.items) {
    const std::filesystem::path folder = results / book.paper.id / item.id;
    if (!std::filesystem::exists(folder / "table.md")) continue;
    const ItemOutcome outcome = judge.judge(item);
    for (const auto& line : verdict_lines(book.paper, outcome)) lines += csv_line(line);
    const bool figure = std::filesystem::exists(folder / "figure.svg");
    paper.items.push_back(report_item(book.paper, outcome, figure));
  }
  return paper;
}

}  // namespace

std::vector<std::string> write_summary(const std::vector<Book>& books,
                                       const std::filesystem::path& results, PaperFaults& faults) {
  std::string lines = csv_line(verdict_head);
  ReportModel model;
  for (const Book& book : books) {
    if (faults.contains(book.paper.id)) continue;
    try {
      std::string own;
      ReportPaper paper = summary_of(book, results, own);
      lines += own;
      if (!paper.items.empty()) model.papers.push_back(std::move(paper));
    } catch (const BadInput& fault) {
      faults.emplace(book.paper.id, fault.what());
    }
  }
  model.sections = errata_sections(results);
  model.downloads = {{"verdicts.csv", "verdicts.csv", "every verdict, one line each"}};
  write_if_changed(results / "verdicts.csv", lines);
  write_report(model, results / "index.html");
  return {"verdicts.csv", "index.html"};
}

namespace {

using Line = std::map<std::string, std::string>;

/// CSV lines by a key of some columns; later lines of one key are numbered.
std::map<std::string, Line> keyed(const std::string& text, const std::string& where,
                                  const std::vector<std::string>& key) {
  const auto lines = read_csv(text, where);
  std::map<std::string, Line> out;
  for (std::size_t i = 1; i < lines.size(); ++i) {
    Line line;
    for (std::size_t k = 0; k < lines[0].size() && k < lines[i].size(); ++k) {
      line[lines[0][k]] = lines[i][k];
    }
    std::vector<std::string> parts;
    for (const std::string& column : key) parts.push_back(line[column]);
    out[fmt::format("{}", fmt::join(parts, "/"))] = std::move(line);
  }
  return out;
}

/// Within one unit of the last digit that the committed text claims.
bool same_digits(const std::string& committed, const std::string& fresh, const std::string& floor) {
  if (committed == fresh) return true;
  try {
    const PrintedInterval a = printed_interval(committed, "committed");
    const PrintedInterval b = printed_interval(fresh, "fresh");
    if (!floor.empty()) {
      const rational bound = printed_interval(floor, "floor").value;
      if (mp::abs(a.value) <= bound && mp::abs(b.value) <= bound) return true;
    }
    return mp::abs(rational(a.value - b.value)) <= a.upper - a.lower;
  } catch (const BadInput&) {  // a word such as nan: only equal texts are the same
    return false;
  }
}

}  // namespace

std::vector<std::string> moved_values(const std::string& item, const std::string& committed_csv,
                                      const std::string& fresh_csv) {
  const auto committed = keyed(committed_csv, item + ", committed", {"row", "column"});
  const auto fresh = keyed(fresh_csv, item + ", fresh", {"row", "column"});
  std::vector<std::string> moved;
  for (const auto& [key, now] : fresh) {
    if (now.at("status") == "left_out") continue;
    const auto old = committed.find(key);
    if (old == committed.end()) {
      moved.push_back(fmt::format("{}, {}: not in the committed table", item, key));
      continue;
    }
    const Line& was = old->second;
    for (const auto& [column, text] : now) {
      const auto before = was.find(column);
      const std::string old_text = before == was.end() ? "(none)" : before->second;
      const bool same =
          column == "measured" ? same_digits(old_text, text, now.at("floor")) : old_text == text;
      if (!same)
        moved.push_back(fmt::format("{}, {}, {}: {} is now {}", item, key, column, old_text, text));
    }
  }
  for (const auto& [key, was] : committed) {
    if (!fresh.contains(key)) moved.push_back(fmt::format("{}, {}: no longer there", item, key));
  }
  return moved;
}

std::vector<std::string> moved_claims(const std::string& committed_csv,
                                      const std::string& fresh_csv) {
  const std::vector<std::string> key = {"paper", "item", "row", "column"};
  const auto committed = keyed(committed_csv, "verdicts.csv, committed", key);
  std::vector<std::string> moved;
  for (const auto& [name, now] : keyed(fresh_csv, "verdicts.csv, fresh", key)) {
    const bool left_out =
        now.at("verdict") == "undetermined" && now.at("measured").find("open") != std::string::npos;
    if (now.at("column") != "claim" || left_out) continue;
    const auto old = committed.find(name);
    const std::string was = old == committed.end() ? "(none)" : old->second.at("verdict");
    if (was != now.at("verdict"))
      moved.push_back(fmt::format("{}: {} is now {}", name, was, now.at("verdict")));
  }
  return moved;
}

}  // namespace daemark
