#include "experiments/engine/write/explore_item.hpp"

#include <algorithm>
#include <map>

#include "analysis/report/table.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {
namespace {

/// Curves of each panel by title, in the order of the file.
using Panels = std::map<std::string, std::vector<ExploreCurve>>;

int family_of_label(const std::string& label, std::vector<std::string>& families) {
  const std::size_t colon = label.find(": ");
  const std::string name = colon == std::string::npos ? label : label.substr(0, colon);
  const auto known = std::find(families.begin(), families.end(), name);
  const auto place = static_cast<int>(known - families.begin());
  if (known == families.end() && place < most_families) families.push_back(name);
  return std::min(place, most_families - 1);
}

Panels read_panels(const std::string& text, std::vector<std::string>& families) {
  Panels panels;
  const auto lines = read_csv(text, "figure.csv");
  for (std::size_t i = 1; i < lines.size(); ++i) {
    if (lines[i].size() != 4) continue;
    std::vector<ExploreCurve>& curves = panels[lines[i][0]];
    if (curves.empty() || curves.back().name != lines[i][1]) {
      ExploreCurve curve;
      curve.name = lines[i][1], curve.family = family_of_label(lines[i][1], families);
      curves.push_back(std::move(curve));
    }
    curves.back().x.push_back(std::stod(lines[i][2]));
    curves.back().y.push_back(std::stod(lines[i][3]));
  }
  return panels;
}

/// The first of each family to fall to that error.
void mark_best(std::vector<ExploreCurve>& curves, double error) {
  std::map<int, std::pair<double, ExploreCurve*>> best;
  for (ExploreCurve& curve : curves)
    for (std::size_t i = 0; i < curve.x.size(); ++i) {
      if (!(curve.y[i] <= error)) continue;
      const auto [known, first] = best.try_emplace(curve.family, curve.x[i], &curve);
      if (!first && curve.x[i] < known->second.first) known->second = {curve.x[i], &curve};
      break;
    }
  for (auto& [family, curve] : best) curve.second->front = true;
}

}  // namespace

std::string explore_item(const ItemSpec& item, const std::filesystem::path& csv,
                         std::vector<std::string>& families) {
  if (!item.plot) return "";
  const auto wanted = [](const PanelSpec& panel) { return panel.best_at > 0; };
  if (std::none_of(item.plot->panels.begin(), item.plot->panels.end(), wanted)) return "";
  const std::optional<std::string> text = read_text(csv);
  if (!text) return "";
  std::string figures;
  try {
    Panels panels = read_panels(*text, families);
    for (const PanelSpec& panel : item.plot->panels) {
      const auto found = panels.find(panel.frame.title);
      if (!wanted(panel) || found == panels.end()) continue;
      mark_best(found->second, panel.best_at);
      ExplorePlot plot;
      plot.title = panel.frame.title, plot.x_label = panel.frame.x.label;
      plot.log_x = panel.frame.x.log, plot.log_y = panel.frame.y.log;
      plot.parts = {{"all", panel.frame.y.label, std::move(found->second)}};
      figures += explore_figure(plot);
    }
  } catch (const BadInput&) {  // damaged: the drawn figure stands
    return "";
  } catch (const std::exception&) {
    return "";
  }
  return figures;
}

}  // namespace daemark
