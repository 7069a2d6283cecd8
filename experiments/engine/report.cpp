// `daemark report`: what can be made from the records that stand there.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "experiments/engine/reproduce.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {

namespace fs = std::filesystem;

namespace {

/// The text files of the items that are made, from their records. Says on `out` which were missing.
std::size_t render_again(const Book& book, const fs::path& results, const Damage& damage,
                         std::ostream& out) {
  std::size_t count = 0;
  for (const ItemSpec& item : book.items) {
    if (!is_made(item, results) || is_damaged(item, damage)) continue;
    for (const auto& [name, text] : text_files(book.paper, book.outcome(item))) {
      const std::string file = book.paper.id + "/" + item.id + "/" + name;
      if (!fs::exists(results / file))
        out << file << ": was missing, made again from the records\n";
      write_if_changed(results / file, text);
    }
    ++count;
  }
  return count;
}

/// Says on `out` which items are left of experiments that are there no more.
void name_left_over(const fs::path& experiments, const fs::path& results, std::ostream& out) {
  std::vector<std::string> found;
  for (const auto& paper : fs::directory_iterator(results)) {
    const std::string id = paper.path().filename();
    if (!paper.is_directory() || id.starts_with('.')) continue;
    for (const auto& item : fs::directory_iterator(paper)) {
      const std::string name = id + "/" + item.path().filename().string();
      if (fs::exists(item.path() / "records.jsonl") && !fs::exists(experiments / (name + ".json")))
        found.push_back(name);
    }
  }
  std::sort(found.begin(), found.end());
  for (const std::string& item : found)
    out << item << ": of no experiment that is there, its folder under results can go\n";
}

}  // namespace

int report(const fs::path& experiments, const fs::path& results, std::ostream& out,
           std::ostream& err) {
  const FileLock lock = lock_results(results, "daemark report", err);
  Books books;
  Damage damage;
  Faults faults;
  std::size_t pages = 0;
  std::vector<std::string> not_made;
  for (const std::string& id : paper_ids(experiments)) {
    try {
      Book book = read_book(experiments, id, {}, {}, &faults);
      Damage own = read_known(book, results, {});
      for (const ItemSpec& item : book.items) {
        if (!is_made(item, results)) not_made.push_back(id + "/" + item.id);
        for (std::string& file : missing_figures(item, results))
          own[id + "/" + item.id].push_back(std::move(file));
      }
      pages += render_again(book, results, own, out);
      for (const std::string& line : not_computed_lines(book)) out << line << "\n";
      damage.merge(own);
      books.emplace(id, std::move(book));
    } catch (const BadInput& fault) {
      faults.emplace(id, fault.what());
    }
  }
  constexpr std::size_t named = 8;
  if (!not_made.empty())
    out << fmt::format(
        "not reproduced yet: {}{}\n",
        fmt::join(not_made.begin(), not_made.begin() + std::min(named, not_made.size()), ", "),
        not_made.size() > named ? fmt::format(" and {} more", not_made.size() - named) : "");
  write_summary(books, results, faults, damage);
  name_left_over(experiments, results, out);
  for (const std::string& line : damage_lines(damage))
    err << fmt::format("daemark report: {}\n", line);
  for (const std::string& line : fault_lines(faults))
    err << fmt::format("daemark report: {}\n", line);
  out << fmt::format("written: verdicts.csv, the pages of the report and those of {}\n",
                     counted(pages, "item"));
  return faults.empty() && damage.empty() ? 0 : 2;
}

}  // namespace daemark
