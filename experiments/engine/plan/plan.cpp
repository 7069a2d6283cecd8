#include "experiments/engine/plan/plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

namespace {

std::vector<PlannedCell> planned_cells(const ItemSpec& item, const Services& services) {
  std::vector<PlannedCell> cells;
  for (const FixedCell& cell : cells_of(item)) {
    try {
      cells.push_back({cell, cell_key(cell, services.sources)});
    } catch (const BadInput& refusal) {
      throw BadInput(place_of(item, cell) + ": " + refusal.what());
    }
  }
  return cells;
}

/// The items of a book, each with its cells and inputs; those with cells that name nothing, and
/// what refers to them, are left out.
std::vector<PlannedItem> planned_items(Book& book, const Services& services, bool short_only,
                                       Faults& faults) {
  std::map<std::string, std::vector<PlannedCell>> cells;
  for (const ItemSpec& item : book.items) {
    try {
      cells[item.id] = planned_cells(item, services);
    } catch (const BadInput& fault) {
      faults.emplace(item.paper + "/" + item.id, fault.what());
    }
  }
  drop_faulty(book, faults);
  std::vector<PlannedItem> items;
  std::map<std::string, std::string> parts;  // by item, what it adds to the inputs
  std::map<std::string, std::vector<std::string>> long_keys;
  for (const ItemSpec& item : book.items) {
    PlannedItem& planned_item = items.emplace_back();
    planned_item.book = &book, planned_item.id = item.id;
    planned_item.cells = std::move(cells.at(item.id));
    std::string& part = parts[item.id] = "\n" + item.id + " " + item.digest;
    for (const PlannedCell& planned : planned_item.cells) {
      part += " " + planned.key;
      if (planned.cell->is_long) long_keys[item.id].push_back(planned.key);
    }
  }
  std::string common = services.renderer + (short_only ? " short " : " all ") +
                       digest(book.paper.title + book.paper.citation);
  for (const EditionSpec& edition : book.paper.editions) common += edition.id + edition.label;
  for (PlannedItem& planned : items) {
    std::string text = common + parts.at(planned.id);
    planned.long_keys = long_keys[planned.id];
    for (const std::string& other : planned.item().references) {
      text += parts.at(other);
      const std::vector<std::string>& more = long_keys[other];
      planned.long_keys.insert(planned.long_keys.end(), more.begin(), more.end());
    }
    planned.inputs = digest(text);
  }
  return items;
}

}  // namespace

bool PlannedItem::is_computed() const {
  return std::all_of(cells.begin(), cells.end(), [&](const PlannedCell& planned) {
    return book->results.contains(canonical(planned.cell));
  });
}

bool PlannedItem::is_whole() const {
  const auto computed = [&](const FixedCell& cell) {
    return book->results.contains(canonical(cell));
  };
  const std::vector<std::string>& others = item().references;
  return is_computed() && std::all_of(others.begin(), others.end(), [&](const std::string& other) {
           const std::vector<FixedCell> theirs = cells_of(book->item(other));
           return std::all_of(theirs.begin(), theirs.end(), computed);
         });
}

Plan::Plan(std::filesystem::path experiments, const std::vector<std::string>& selection,
           const Services& services, bool short_only)
    : experiments_(std::move(experiments)) {
  for (const auto& [paper, named] : asked_for(selection, experiments_)) {
    Book& book = books[paper];
    guarded(paper, [&, &paper = paper] { book.paper = read_paper(experiments_ / paper); });
    if (faults.contains(paper)) continue;
    // What the user names must exist; everything else is a fault of the paper.
    for (const std::string& item : named) require_item(book.paper, item);
    guarded(paper, [&, &paper = paper, &named = named] {
      book = read_book(experiments_, paper, named, std::move(book), &faults);
      auto planned = planned_items(book, services, short_only, faults);
      const bool lost = !named.empty() && std::all_of(named.begin(), named.end(), [&](auto& id) {
        return faults.contains(paper + "/" + id);
      });
      if (!lost) std::move(planned.begin(), planned.end(), std::back_inserter(items));
    });
  }
}

void Plan::read_the_rest() {
  for (const std::string& paper : paper_ids(experiments_))
    guarded(paper, [&] {
      Book& book = books[paper];
      book = read_book(experiments_, paper, {}, std::move(book), &faults);
    });
  drop_faulty();
}

void Plan::drop_faulty() {
  for (auto& [paper, book] : books)
    if (!faults.contains(paper)) daemark::drop_faulty(book, faults);
  keep([&](const PlannedItem& item) {
    const auto of = std::find_if(books.begin(), books.end(),
                                 [&](const auto& book) { return &book.second == item.book; });
    return !faults.contains(of->first) && !faults.contains(of->first + "/" + item.id);
  });
  std::erase_if(books, [&](const auto& book) { return faults.contains(book.first); });
}

std::vector<PlannedCell> Plan::cells(bool is_long) const {
  std::map<std::string, const PlannedCell*> each;
  for (const PlannedItem& item : items) {
    for (const PlannedCell& planned : item.cells) {
      const PlannedCell*& known = each.try_emplace(canonical(planned.cell), &planned).first->second;
      if (known->cell->is_long && !planned.cell->is_long) known = &planned;
    }
  }
  std::vector<PlannedCell> out;
  for (const auto& [name, planned] : each)
    if (planned->cell->is_long == is_long) out.push_back(*planned);
  return out;
}

std::map<std::string, std::set<std::string>> series_asked(const Books& books) {
  std::map<std::string, std::set<std::string>> asked;
  std::set<std::string> all;
  const auto cell_of = [](const ItemSpec& item, const std::string& row) -> const std::string& {
    return canonical(*find_row(item, row)->cell);
  };
  for (const auto& [paper, book] : books)
    for (const ItemSpec& item : book.items) {
      for (const FixedCell& cell : cells_of(item)) {
        asked[canonical(cell)];
        if (kind_of(cell).is_study(cell)) all.insert(canonical(cell));
      }
      for (const PanelSpec& panel : item.plot ? item.plot->panels : std::vector<PanelSpec>{})
        for (const CurveSpec& curve : panel.curves) {
          if (!curve.rows.empty()) continue;  // of measures
          for (const Formula* formula : {&curve.x, &curve.y})
            asked[cell_of(item, curve.row)].insert(formula->names().begin(),
                                                   formula->names().end());
        }
      if (!item.animate.empty()) all.insert(cell_of(item, item.animate));
    }
  for (const std::string& cell : all) asked.erase(cell);
  return asked;
}

}  // namespace daemark
