#include "experiments/engine/write/book.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/certificate.hpp"
#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/spec/names.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

namespace {

/// The registry's id of what a cell integrates; empty for a cell without a problem.
std::string problem_of(const Cell& cell) {
  return cell.problem.empty() ? "" : parse_call(cell.problem, "problem").id;
}

void add_animation(ReportProblem& problem, const Book& book, const ItemSpec& item,
                   const std::filesystem::path& results) {
  const RowSpec& row = *find_row(item, item.animate);
  const std::string path = book.paper.id + "/" + item.id + "/animation.svg";
  const std::optional<std::string> text = read_text(results / path);
  if (!text || !problem.animation.empty()) return;
  problem.animation = *text;
  problem.animation_path = path;
  problem.caption = row.label;
  problem.command = command(*row.cell) + " --animate " + problem.id + ".html";
}

ReportProblem described(const std::string& id) {
  const ProblemInfo& info = problem_registry().info(id);
  ReportProblem problem;
  problem.id = id;
  problem.summary = info.summary;
  problem.source = with_citations(info.source);
  problem.references = full_references(info.source);
  problem.equations = info.equations;
  for (const Parameter& p : info.parameters) problem.parameters.push_back({p.name, p.accepted});
  for (const Datum& d : problem_registry().make(id).data)
    problem.data.push_back({d.name, d.text(), d.unit, d.source});
  return problem;
}

/// Every problem of the catalogue, with the animation that an item made of it (`animate`) and the
/// items whose cells integrate it.
std::vector<ReportProblem> report_problems(const Books& books,
                                           const std::filesystem::path& results) {
  std::map<std::string, ReportProblem> problems;
  for (const std::string& id : problem_registry().catalogue_ids())
    problems.emplace(id, described(id));
  for (const auto& [paper, book] : books) {
    for (const ItemSpec& item : book.items) {
      if (!item.animate.empty()) {
        const auto shown = problems.find(problem_of(*find_row(item, item.animate)->cell));
        if (shown != problems.end()) add_animation(shown->second, book, item, results);
      }
      std::set<std::string> used;
      for (const Cell& cell : cells_of(item)) used.insert(problem_of(cell));
      for (const std::string& id : used) {
        const auto problem = problems.find(id);
        if (problem != problems.end() && book.paper.role != "problems")
          problem->second.used_by.emplace_back(book.paper.id, item.id);
      }
    }
  }
  std::vector<ReportProblem> out;
  for (auto& [id, problem] : problems) out.push_back(std::move(problem));
  return out;
}

/// What `daemark verify` decided of the catalogue, each method with its certificate.
void add_certificates(ReportModel& model, const std::filesystem::path& results) {
  model.certificate_columns = exact::catalogue_columns;
  for (const exact::CatalogueLine& line : exact::read_catalogue(results)) {
    const std::string path = "certificates/" + exact::certificate_name(line.method);
    const bool there = std::filesystem::exists(results / path);
    model.certificates.push_back({line.cells(), there ? path : ""});
  }
}

/// Links to the pages that `daemark compare` wrote under results/compare.
void add_comparisons(ReportModel& model, const std::filesystem::path& results) {
  std::error_code none;
  std::set<std::string> names;
  for (const auto& folder : std::filesystem::directory_iterator(results / "compare", none))
    if (std::filesystem::exists(folder.path() / "index.html"))
      names.insert(folder.path().filename());
  for (const std::string& name : names)
    model.downloads.push_back({"compare " + name, "compare/" + name + "/index.html",
                               "a method compared with the catalogue, problem by problem"});
}

}  // namespace

const ItemSpec& Book::item(const std::string& id) const {
  require_item(paper, id);
  for (const ItemSpec& candidate : items) {
    if (candidate.id == id) return candidate;
  }
  throw std::logic_error("item not read: " + id);
}

const ItemOutcome& Book::outcome(const ItemSpec& item) const {
  const auto found = outcomes_.find(item.id);
  return found != outcomes_.end() ? found->second
                                  : outcomes_.emplace(item.id, judge().judge(item)).first->second;
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

std::string edition_hint(const std::filesystem::path& experiments, const std::string& typed) {
  for (const std::string& id : paper_ids(experiments)) {
    try {
      const PaperSpec paper = read_paper(experiments / id);
      for (const EditionSpec& edition : paper.editions)
        if (edition.id == typed && typed != id)
          return fmt::format(" (did you mean '{}'? '{}' is its {} edition)", id, typed,
                             edition.label);
    } catch (const BadInput&) {  // of this paper only
    }
  }
  return "";
}

void require_item(const PaperSpec& paper, const std::string& id) {
  if (std::count(paper.items.begin(), paper.items.end(), id) > 0) return;
  throw BadInput(fmt::format("no experiment '{}/{}'{}", paper.id, id,
                             accepted_names(id, paper.items, "daemark show " + paper.id)));
}

namespace {

void require_paper(const std::filesystem::path& experiments, const std::string& paper,
                   const char* also = "") {
  const std::vector<std::string> known = paper_ids(experiments);
  if (std::count(known.begin(), known.end(), paper) > 0) return;
  const std::string edition = edition_hint(experiments, paper);
  throw BadInput(fmt::format("no paper '{}'{}; accepted: {}{}", paper,
                             edition.empty() ? did_you_mean(paper, known) : edition,
                             fmt::join(known, ", "), also));
}

/// Does `work` for an item; what is wrong is its fault, or thrown where nobody collects faults.
template <class Work>
void guarded(const std::string& name, Faults* faults, Work&& work) {
  try {
    work();
  } catch (const BadInput& fault) {
    if (faults == nullptr) throw;
    faults->emplace(name, fault.what());
  }
}

}  // namespace

std::map<std::string, std::set<std::string>> asked_for(const std::vector<std::string>& selection,
                                                       const std::filesystem::path& experiments) {
  std::map<std::string, std::set<std::string>> asked;
  for (const std::string& paper : selection.empty() ? paper_ids(experiments) : selection)
    if (paper.find('/') == std::string::npos) asked[paper];
  for (const std::string& text : selection) {
    const std::size_t slash = text.find('/');
    const std::string paper = text.substr(0, slash);
    require_paper(experiments, paper, " or PAPER/ITEM");
    const bool whole = asked.contains(paper) && asked[paper].empty();
    if (slash != std::string::npos && !whole) asked[paper].insert(text.substr(slash + 1));
  }
  return asked;
}

Book read_book(const std::filesystem::path& experiments, const std::string& paper,
               const std::set<std::string>& items, Book known, Faults* faults) {
  Book book;
  if (known.paper.id == paper) {
    book.paper = std::move(known.paper);
  } else {
    require_paper(experiments, paper);
    book.paper = read_paper(experiments / paper);
  }
  const std::vector<std::string>& all = book.paper.items;
  std::set<std::string> wanted = items;
  if (wanted.empty()) wanted.insert(all.begin(), all.end());
  std::map<std::string, ItemSpec> read;
  for (ItemSpec& item : known.items) {
    wanted.erase(item.id);
    read.emplace(item.id, std::move(item));
  }
  while (!wanted.empty()) {
    const std::string id = *wanted.begin(), name = paper + "/" + id;
    wanted.erase(wanted.begin());
    require_item(book.paper, id);
    if (faults != nullptr && faults->contains(name)) continue;
    guarded(name, faults, [&] {
      const auto& item =
          read.emplace(id, read_item(experiments / paper / (id + ".json"), book.paper))
              .first->second;
      for (const std::string& other : item.references)
        if (!read.contains(other)) wanted.insert(other);
    });
  }
  for (const std::string& id : all) {
    if (const auto item = read.find(id); item != read.end())
      book.items.push_back(std::move(item->second));
  }
  if (faults != nullptr) drop_faulty(book, *faults);
  for (const ItemSpec& item : book.items)
    guarded(paper + "/" + item.id, faults, [&] { check_names(book.items, item); });
  if (faults != nullptr) drop_faulty(book, *faults);
  add_other_guesses(book.items);
  return book;
}

void drop_faulty(Book& book, Faults& faults) {
  const auto is_there = [&](const std::string& id) {
    return std::any_of(book.items.begin(), book.items.end(),
                       [&](const ItemSpec& item) { return item.id == id; });
  };
  const auto is_faulty = [&](const ItemSpec& item) {
    return faults.contains(item.paper + "/" + item.id);
  };
  book.forget();
  for (std::size_t before = faults.size() + 1; before != faults.size();) {
    before = faults.size();
    std::erase_if(book.items, is_faulty);
    for (const ItemSpec& item : book.items)
      for (const std::string& other : item.references)
        if (!is_there(other))
          faults.emplace(item.paper + "/" + item.id,
                         "refers to " + item.paper + "/" + other + ", which is left out");
  }
}

std::vector<std::string> not_computed_lines(const Book& book) {
  std::vector<std::string> lines;
  for (const auto& [item, rows] : book.not_computed)
    lines.push_back(
        fmt::format("{}: not computed yet: {}; `daemark reproduce {}` does", item, rows, item));
  return lines;
}

std::vector<std::string> fault_lines(const Faults& faults) {
  std::vector<std::string> lines;
  for (const auto& [name, fault] : faults)
    lines.push_back(fault.starts_with(name) ? fault : name + ": " + fault);
  return lines;
}

Damage read_known(Book& book, const std::filesystem::path& results,
                  const std::set<std::string>& but) {
  Damage damage;
  for (const ItemSpec& item : book.items) {
    if (but.contains(item.id) || !is_made(item, results)) continue;
    Records known = read_records(item, results);
    const std::string name = book.paper.id + "/" + item.id;
    if (!known.damage.empty()) damage[name] = std::move(known.damage);
    if (!known.not_computed.empty())
      book.not_computed[name] = fmt::format("{}", fmt::join(known.not_computed, ", "));
    book.results.merge(known.results);
  }
  return damage;
}

bool is_damaged(const ItemSpec& item, const Damage& damage) {
  const auto hit = [&](const std::string& id) { return damage.contains(item.paper + "/" + id); };
  return hit(item.id) || std::any_of(item.references.begin(), item.references.end(), hit);
}

std::vector<std::string> damage_lines(const Damage& damage) {
  std::vector<std::string> out;
  for (const auto& [item, lines] : damage) {
    out.insert(out.end(), lines.begin(), lines.end());
    out.push_back(
        fmt::format("{} keeps the verdicts it has; `daemark reproduce {}` mends it", item, item));
  }
  return out;
}

namespace {

/// Edition and item, as verdicts.csv has them.
using JudgedItems = std::set<std::pair<std::string, std::string>>;

/// The paper's part of the report; its verdicts are added to `lines`, its items to `judged`.
ReportPaper summary_of(const Book& book, const std::filesystem::path& results, const Damage& damage,
                       std::string& lines, JudgedItems& judged) {
  ReportPaper paper{&book.paper, {}};
  for (const ItemSpec& item : book.items) {
    if (is_damaged(item, damage)) continue;
    for (const EditionSpec& edition : book.paper.editions) judged.emplace(edition.id, item.id);
    if (!is_made(item, results)) continue;
    const ItemOutcome& outcome = book.outcome(item);
    for (const auto& line : verdict_lines(book.paper, outcome)) lines += csv_line(line);
    const bool figure = std::filesystem::exists(results / book.paper.id / item.id / "figure.svg");
    paper.items.push_back({&outcome, figure});
    if (figure)
      paper.items.back().explore =
          explore_item(item, results / book.paper.id / item.id / "figure.csv", paper.families);
  }
  return paper;
}

/// What verdicts.csv says of everything that is not judged now.
std::string kept_verdicts(const std::filesystem::path& results, const JudgedItems& judged) {
  std::string kept;
  const auto lines = read_csv(read_text(results / "verdicts.csv").value_or(""), "verdicts.csv");
  for (std::size_t i = 1; i < lines.size(); ++i)
    if (lines[i].size() == verdict_head.size() && !judged.contains({lines[i][0], lines[i][1]}))
      kept += csv_line(lines[i]);
  return kept;
}

}  // namespace

std::vector<std::string> write_summary(const Books& books, const std::filesystem::path& results,
                                       Faults& faults, const Damage& damage,
                                       const std::filesystem::path& into) {
  std::string lines;
  JudgedItems judged;
  ReportModel model;
  for (const auto& [name, book] : books) {
    if (faults.contains(name)) continue;
    try {
      std::string own;
      JudgedItems items;
      ReportPaper paper = summary_of(book, results, damage, own, items);
      lines += own;
      judged.merge(items);
      const bool shown = !paper.items.empty() && book.paper.role != "problems";
      if (shown) model.papers.push_back(std::move(paper));
    } catch (const BadInput& fault) {
      faults.emplace(name, fault.what());
    }
  }
  if (!faults.empty() || !damage.empty()) lines += kept_verdicts(results, judged);
  model.problems = report_problems(books, results);
  add_certificates(model, results);
  model.field_errata = std::filesystem::exists(results / "errata-field.md");
  model.published = std::filesystem::exists(results / "references" / "published.md");
  model.league = std::filesystem::exists(results / "league" / "league.svg");
  if (std::filesystem::exists(results / "errata.md"))  // what the page links to
    model.errata = exact::run_errata(source_root() / "experiments");
  model.downloads = {{"verdicts.csv", "verdicts.csv", "every verdict, one line each"}};
  add_comparisons(model, results);
  const std::filesystem::path& folder = into.empty() ? results : into;
  if (std::filesystem::exists(results / "catalogue.json")) {  // what cards say was proved
    find_cards(results, model);
    if (into.empty()) renew_cards(results, catalogue_services(), model);
  }
  write_if_changed(folder / "verdicts.csv", csv_line(verdict_head) + lines);
  std::vector<std::string> files = write_report(model, folder);
  files.emplace_back("verdicts.csv");
  return files;
}

}  // namespace daemark
