#include "experiments/engine/check/check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ostream>
#include <set>
#include <sstream>

#include "analysis/reference/reference.hpp"
#include "analysis/report/table.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::string shortened(const std::string& line) {
  constexpr std::size_t most = 120;
  return line.size() <= most ? line : line.substr(0, most) + "...";
}

class Check {
 public:
  Check(const fs::path& results, const fs::path& fresh, CheckOf what)
      : results_(results), fresh_(fresh), what_(what) {}

  void item(const PlannedItem& target) {
    try {
      compare(target);
    } catch (const BadInput& fault) {  // a file that cannot be read at all
      moved("{}", fault.what());
    }
  }

  /// The report, by the records of all papers.
  void pages() {
    if (!damage_.empty()) return;
    Faults faults;
    for (const std::string& file : write_summary(books_, results_, faults, {}, fresh_ / "pages"))
      if (file != "verdicts.csv" &&
          read_text(results_ / file) != read_text(fresh_ / "pages" / file))
        moved("{}: not what the records give; `daemark report` makes it", file);
  }

  int end(std::size_t items, std::ostream& out) const {
    for (const std::string& line : moved_) out << "moved: " << line << "\n";
    out << (moved_.empty() ? counted(items, "item") + (items == 1 ? " agrees" : " agree") +
                                 " with the committed results\n"
                           : fmt::format("{} differences\n", moved_.size()));
    return moved_.empty() ? 0 : 1;
  }

 private:
  void compare(const PlannedItem& target) {
    const std::string name = target.name();
    if (!is_made(target.item(), results_)) return moved("{}: not in the results", name);
    const Book& old = committed(*target.book);
    if (!is_damaged(target.item(), damage_)) {
      const ItemOutcome& outcome = old.outcome(old.item(target.item().id));
      for (const auto& [file, text] : text_files(old.paper, outcome))
        same_text(name + "/" + file, text);
      same_verdicts(old.paper, outcome);
      all_moved("", moved_outcome(outcome, target.book->outcome(target.item())));
    }
    if (!damage_.contains(name)) same_records(target, old.judge());
    same_figure(target);
    same_animation(target);
    no_others(target);
    if (what_ != CheckOf::others) published(target);
  }

  template <class... Values>
  void moved(fmt::format_string<Values...> form, Values&&... values) {
    moved_.push_back(fmt::format(form, std::forward<Values>(values)...));
  }
  void all_moved(const std::string& where, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) moved("{}{}", where, line);
  }

  std::optional<std::string> standing(const std::string& file) {
    auto text = read_text(results_ / file);
    if (!text) moved("{}: no such file", file);
    return text;
  }

  /// The book with what its committed records hold.
  const Book& committed(const Book& book) {
    const auto [at, first] = books_.try_emplace(book.paper.id);
    if (first) {
      at->second.paper = book.paper;
      at->second.items = book.items;
      const Damage damage = read_known(at->second, results_, {});
      for (const auto& [item, lines] : damage) all_moved("", lines);
      damage_.insert(damage.begin(), damage.end());
    }
    return at->second;
  }

  /// Tables and pages are made of the records: to the byte.
  void same_text(const std::string& file, const std::string& made) {
    const auto text = standing(file);
    if (!text || *text == made) return;
    const auto was = lines_of(*text), is = lines_of(made);
    if (was.size() != is.size())
      moved("{}: {} lines, {} by the records", file, was.size(), is.size());
    for (std::size_t i = 0; i < std::min(was.size(), is.size()); ++i) {
      if (was[i] == is[i]) continue;
      moved("{}, line {}: \"{}\" is \"{}\" by the records", file, i + 1, shortened(was[i]),
            shortened(is[i]));
      if (was.size() != is.size()) break;  // all that follows is out of place
    }
    if (was == is) moved("{}: ends otherwise than by the records", file);
  }

  void same_verdicts(const PaperSpec& paper, const ItemOutcome& outcome) {
    const std::string& item = outcome.item->id;
    std::set<std::vector<std::string>> standing, made;
    for (auto& line : verdict_lines(paper, outcome)) made.insert(std::move(line));
    for (auto line : read_csv(verdicts(), "verdicts.csv")) {
      const auto is_of = [&](const EditionSpec& edition) { return edition.id == line[0]; };
      if (line.size() > 1 && line[1] == item &&
          std::any_of(paper.editions.begin(), paper.editions.end(), is_of))
        standing.insert(std::move(line));
    }
    const auto missing = [&](const auto& from, const auto& in, const char* what) {
      for (const auto& line : from)
        if (!in.contains(line)) moved("verdicts.csv: {}: {}", what, shortened(csv_line(line)));
    };
    missing(standing, made, "not by the records");
    missing(made, standing, "missing");
  }

  const std::string& verdicts() {
    if (verdicts_) return *verdicts_;
    verdicts_ = standing("verdicts.csv").value_or("");
    try {
      read_csv(*verdicts_, "verdicts.csv");
    } catch (const BadInput& fault) {
      moved("{}", fault.what());
      verdicts_ = "";
    }
    return *verdicts_;
  }

  void same_records(const PlannedItem& target, const Judge& old) {
    const Judge now = target.book->judge();
    std::set<std::string> seen;
    for (const FixedCell& cell : cells_of(target.item())) {
      if (!seen.insert(canonical(cell)).second) continue;
      const CellResult *was = old.result(cell), *is = now.result(cell);
      if (is == nullptr || is->recorded) continue;  // left out
      const std::string where =
          fmt::format("{}/records.jsonl, {}: ", target.name(), shortened(command(cell)));
      if (was == nullptr)
        moved("{}left out, and is there now", where);
      else
        all_moved(where, moved_record(cell, *was, *is));
    }
  }

  void same_figure(const PlannedItem& target) {
    const std::string folder = target.name() + "/";
    const auto data = read_text(fresh_ / (folder + "figure.csv"));
    const auto drawing = read_text(fresh_ / (folder + "figure.svg"));
    if (!data) return;
    const auto was = standing(folder + "figure.csv");
    const auto drawn = standing(folder + "figure.svg");
    if (was) all_moved(folder + "figure.csv, ", moved_points(target.item(), *was, *data));
    if (!drawn || !drawing) return;
    if (was == data ? !same_drawing(*drawn, *drawing) : drawn->find("</svg>") == std::string::npos)
      moved("{}figure.svg: not what its data give", folder);
  }

  void same_animation(const PlannedItem& target) {
    const std::string file = target.name() + "/animation.svg";
    const auto drawing = read_text(fresh_ / file);
    const auto drawn = drawing ? standing(file) : std::nullopt;
    if (drawn && !same_drawing(*drawn, *drawing)) moved("{}: not the motion of its row", file);
  }

  void no_others(const PlannedItem& target) {
    const auto texts = text_files(target.book->paper, target.book->outcome(target.item()));
    for (const auto& entry : fs::directory_iterator(results_ / target.name())) {
      const std::string file = entry.path().filename().string();
      const bool own = texts.contains(file) ||
                       (file == "records.jsonl" && has_records(target.item())) ||
                       (file.starts_with("figure.") && target.item().plot) ||
                       (file == "animation.svg" && !target.item().animate.empty()) ||
                       (file == "index.html" && target.name().starts_with("problems/"));  // a card
      if (!own && !file.ends_with(".part"))
        moved("{}/{}: no file of this item", target.name(), file);
    }
  }

  /// The reference states behind its errors.
  void published(const PlannedItem& target) {
    for (const FixedCell& cell : cells_of(target.item())) {
      const auto result = target.book->results.find(canonical(cell));
      if (result == target.book->results.end() || result->second.status == "no_reference") continue;
      for (const std::string& t : kind_of(cell).reference_times(cell))
        if (references_.emplace(cell->problem, t).second && !is_published(cell->problem, t))
          moved("references: {} at t = {}: not there, damaged, or of another model", cell->problem,
                t);
    }
  }

  fs::path results_, fresh_;
  CheckOf what_;
  Books books_;
  Damage damage_;
  std::optional<std::string> verdicts_;
  std::set<std::pair<std::string, std::string>> references_;
  std::vector<std::string> moved_;
};

}  // namespace

int check_results(const std::vector<PlannedItem>& targets, const fs::path& results,
                  const fs::path& fresh, CheckOf what, std::ostream& out) {
  Check check(results, fresh, what);
  for (const PlannedItem& target : targets) check.item(target);
  if (what == CheckOf::all) check.pages();
  return check.end(targets.size(), out);
}

}  // namespace daemark
