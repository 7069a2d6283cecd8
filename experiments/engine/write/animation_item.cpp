#include "experiments/engine/write/animation_item.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

std::optional<Animation> animation_of(const ItemSpec& item, const Judge& judge) {
  if (item.animate.empty()) return std::nullopt;
  const RowSpec& row = *find_row(item, item.animate);
  const CellResult* result = judge.result(*row.cell);
  if (result == nullptr || !result->series.contains("t")) return std::nullopt;
  const std::string where = fmt::format("{}/{}, animate", item.paper, item.id);
  const Problem problem = problem_registry().make((*row.cell)->problem);
  const auto mechanism = problem.make<double>();
  Animation animation;
  animation.drawing = drawing_of(*mechanism);
  if (animation.drawing.empty())
    throw BadInput(fmt::format("{}: problem {} has no drawing", where, problem.name));
  const auto names =
      mechanism->chart_size() > 0 ? mechanism->reference_names() : mechanism->coordinate_names();
  animation.title = problem.name;
  animation.caption = row.label;
  animation.t = result->series.at("t");
  animation.q.assign(animation.t.size(), {});
  for (const std::string& name : names) {
    const auto series = result->series.find(name);
    if (series == result->series.end() || series->second.size() != animation.t.size())
      throw BadInput(
          fmt::format("{}: row '{}' has no history of {}; accepted: a formulation that "
                      "is not minimal",
                      where, row.id, name));
    for (std::size_t i = 0; i < animation.t.size(); ++i)
      animation.q[i].push_back(series->second[i]);
  }
  return animation;
}

}  // namespace daemark
