#include "experiments/engine/plan/series_asked.hpp"

#include "experiments/cells/support/cell_kind.hpp"

namespace daemark {

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
