#include "experiments/engine/reproduce.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <map>
#include <ostream>
#include <set>

#include "analysis/reference/reference_store.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/stamp.hpp"
#include "experiments/spec/book.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;

/// paper → items asked for, with those their claims refer to.
std::map<std::string, std::set<std::string>> selected(const std::vector<Book>& books,
                                                      const std::vector<std::string>& selection) {
  std::map<std::string, std::set<std::string>> out;
  const auto add = [&](const Book& book, const ItemSpec& item) {
    auto& items = out[book.paper.id];
    items.insert(item.id);
    for (const std::string& other : references_of(item, book.paper)) items.insert(other);
  };
  for (const Book& book : books) {
    if (selection.empty()) {
      for (const ItemSpec& item : book.items) add(book, item);
    }
  }
  for (const std::string& text : selection) {
    const std::size_t slash = text.find('/');
    const auto book = std::find_if(books.begin(), books.end(), [&](const Book& candidate) {
      return candidate.paper.id == text.substr(0, slash);
    });
    if (book == books.end()) {
      std::vector<std::string> known;
      for (const Book& candidate : books) known.push_back(candidate.paper.id);
      throw BadInput(fmt::format("no paper '{}'; accepted: {} or PAPER/ITEM", text.substr(0, slash),
                                 fmt::join(known, ", ")));
    }
    if (slash == std::string::npos) {
      for (const ItemSpec& item : book->items) add(*book, item);
    } else {
      add(*book, book->item(text.substr(slash + 1)));
    }
  }
  return out;
}

/// Everything the files of an item depend on.
std::string inputs_of(const Book& book, const ItemSpec& item, const Services& services,
                      bool short_only) {
  std::string text = services.renderer + (short_only ? " short " : " all ") +
                     digest(book.paper.title + book.paper.citation);
  for (const EditionSpec& edition : book.paper.editions) text += edition.id + edition.label;
  const auto add = [&](const ItemSpec& used) {
    text += "\n" + used.id + " " + used.digest;
    for (const Cell& cell : cells_of(used)) text += " " + cell_key(cell, services.sources);
  };
  add(item);
  for (const std::string& other : references_of(item, book.paper)) add(book.item(other));
  return digest(text);
}

struct Target {
  Book* book;
  const ItemSpec* item;
  std::string inputs;
};

/// Times and provenance, apart from the records and not committed: results/.local/<paper>/<item>/.
void write_apart(const fs::path& results, const std::vector<Target>& targets,
                 const Services& services) {
  const std::string seen = services.provenance().dump(2) + "\n";
  for (const Target& target : targets) {
    const PaperSpec& paper = target.book->paper;
    const Judge judge(target.book->items, target.book->results);
    Table times;
    times.head = {"row", "ours [s]"};
    for (const EditionSpec& edition : paper.editions) times.head.push_back("printed " + edition.id);
    times.head.push_back("command");
    for (const RowSpec& row : target.item->rows) {
      std::string ours;
      if (const CellResult* result = row.cell ? judge.result(*row.cell) : nullptr) {
        ours = fmt::format("{:.4g}", result->seconds);
      }
      std::vector<std::string> line = {row.label, ours};
      for (const EditionSpec& edition : paper.editions) {
        std::string printed;
        for (const ColumnSpec& column : target.item->columns) {
          const auto texts = row.printed.find(column.id);
          if (column.measure != "seconds" || texts == row.printed.end()) continue;
          const auto text = texts->second.find(edition.key);
          if (text != texts->second.end()) printed = text->second;
        }
        line.push_back(printed);
      }
      line.push_back(row.cell ? command(*row.cell) : "");
      times.rows.push_back(std::move(line));
    }
    const fs::path folder = results / ".local" / paper.id / target.item->id;
    if (!times.rows.empty()) write_if_changed(folder / "timings.csv", csv(times));
    write_if_changed(folder / "provenance.json", seen);
  }
}

/// The reference states behind the errors of these cells, for everyone to see.
void publish_references(const std::vector<Cell>& cells) {
  std::map<std::string, std::set<rational>> wanted;
  for (const Cell& cell : cells) {
    const bool study = cell.kind == CellKind::integration && (cell.errors || cell.is_study());
    std::vector<std::string> times = cell.t_ends;
    if (study) times = {cell.t_end};
    if (!study && cell.kind != CellKind::orders) continue;
    auto& known = wanted[problem_registry().make(cell.problem).name];
    for (const std::string& t : times) known.insert(Expression::parse(t, "t_end").as_rational());
  }
  for (const auto& [problem, times] : wanted) ReferenceStore(problem).publish(times);
}

int check(const std::vector<Book>& books, const std::vector<Target>& targets,
          const fs::path& results, const fs::path& apart, std::ostream& out) {
  std::vector<std::string> moved;
  for (const Target& target : targets) {
    const std::string name = target.book->paper.id + "/" + target.item->id;
    if (target.item->columns.empty()) continue;
    const auto committed = read_text(results / name / "table.csv");
    const auto fresh = read_text(apart / name / "table.csv");
    if (!committed) {
      moved.push_back(name + ": table.csv is not in the results");
      continue;
    }
    for (std::string& line : moved_values(name, *committed, fresh.value_or(""))) {
      moved.push_back(std::move(line));
    }
  }
  write_summary(books, apart);
  for (std::string& line : moved_claims(read_text(results / "verdicts.csv").value_or(""),
                                        read_text(apart / "verdicts.csv").value_or(""))) {
    moved.push_back(std::move(line));
  }
  for (const std::string& line : moved) out << "moved: " << line << "\n";
  out << (moved.empty() ? fmt::format("{} items agree with the committed tables\n", targets.size())
                        : fmt::format("{} values moved\n", moved.size()));
  return moved.empty() ? 0 : 1;
}

}  // namespace

int reproduce(const ReproduceOptions& options, const Services& services, std::ostream& out,
              std::ostream& err) {
  std::vector<Book> books;
  for (const std::string& id : paper_ids(options.experiments)) {
    books.push_back(read_book(options.experiments, id));
  }
  const auto wanted = selected(books, options.selection);
  Stamp stamp(options.results);
  std::vector<Target> targets;
  std::size_t asked = 0;
  for (Book& book : books) {
    const auto items = wanted.find(book.paper.id);
    if (items == wanted.end()) continue;
    for (const ItemSpec& item : book.items) {
      if (!items->second.contains(item.id)) continue;
      ++asked;
      Target target{&book, &item, inputs_of(book, item, services, options.short_only)};
      const bool stale = options.check || options.fresh ||
                         !stamp.current(book.paper.id + "/" + item.id, target.inputs);
      if (stale) targets.push_back(std::move(target));
    }
  }
  if (targets.empty() && stamp.current("summary", "")) {
    out << fmt::format("nothing to do: {} items are up to date\n", asked);
    return 0;
  }

  std::vector<Cell> cells;
  for (const Target& target : targets) {
    for (Cell& cell : cells_of(*target.item)) cells.push_back(std::move(cell));
  }
  const CellCache cache(options.results / ".cache");
  InterruptGuard guard;
  const RunnerReport run =
      run_cells(cells, services.run_cell, services.sources, cache,
                {options.jobs, options.fresh, options.short_only, options.progress, &guard.flag()});
  if (run.interrupted) {
    err << fmt::format(
        "interrupted: {} cells are kept, {} remain; the same command goes on from there\n",
        run.computed + run.reused, run.unfinished);
    return 2;
  }

  const fs::path apart =
      options.check ? fs::temp_directory_path() / fmt::format("daemark-check-{}", ::getpid())
                    : options.results;
  for (Book& book : books) {
    std::set<std::string> anew;
    for (const Target& target : targets) {
      if (target.book == &book) anew.insert(target.item->id);
    }
    book.results.insert(run.results.begin(), run.results.end());
    read_known(book, options.results, anew);
  }
  for (const Target& target : targets) {
    const Judge judge(target.book->items, target.book->results);
    const ItemOutcome outcome = judge.judge(*target.item);
    const auto files = write_item(apart, target.book->paper, outcome, judge);
    if (!options.check)
      stamp.set(target.book->paper.id + "/" + target.item->id, target.inputs, files);
  }
  if (options.check) {
    const int status = check(books, targets, options.results, apart, out);
    fs::remove_all(apart);
    return status;
  }
  publish_references(cells);
  stamp.set("summary", "", write_summary(books, options.results));
  stamp.save();
  write_apart(options.results, targets, services);
  out << fmt::format(
      "{} items: {} cells computed, {} taken from earlier runs, {} left out (long)\n",
      targets.size(), run.computed, run.reused, run.left_out);
  return 0;
}

namespace {

/// The pages that need records alone, of the items whose records are all there.
std::size_t render_again(const Book& book, const fs::path& results) {
  std::size_t count = 0;
  const Judge judge(book.items, book.results);
  for (const ItemSpec& item : book.items) {
    if (!fs::exists(results / book.paper.id / item.id / "table.md")) continue;
    const std::vector<Cell> cells = cells_of(item);
    const bool complete = std::all_of(cells.begin(), cells.end(), [&](const Cell& cell) {
      return judge.result(cell) != nullptr;
    });
    if (!complete) continue;
    write_text_files(results, book.paper, judge.judge(item));
    ++count;
  }
  return count;
}

}  // namespace

int report(const fs::path& experiments, const fs::path& results, std::ostream& out) {
  std::vector<Book> books;
  std::size_t pages = 0;
  for (const std::string& id : paper_ids(experiments)) {
    books.push_back(read_book(experiments, id));
    read_known(books.back(), results, {});
    pages += render_again(books.back(), results);
  }
  write_summary(books, results);
  out << fmt::format("written: verdicts.csv, index.html and the pages of {} items\n", pages);
  return 0;
}

}  // namespace daemark
