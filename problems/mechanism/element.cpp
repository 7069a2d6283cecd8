#include <fmt/format.h>

#include <numeric>

#include "problems/mechanism/part.hpp"

namespace daemark {
namespace {

/// Which arguments of a law an element has, and which are constants of its kind.
struct Layout {
  std::vector<int> coordinates, chart;  ///< −1: constants
  std::vector<int> chart_constants;     ///< of those
};

Layout layout_of(const std::vector<ElementNode>& nodes) {
  Layout layout;
  for (const ElementNode& node : nodes) {
    for (int i = 0; i < node.width; ++i)
      layout.coordinates.push_back(node.first < 0 ? -1 : node.first + i);
    for (int i = 0; i < 4 && node.chart != -1; ++i) {
      layout.chart.push_back(node.chart < 0 ? -1 : node.chart + i);
      layout.chart_constants.push_back(i == 0);
    }
  }
  return layout;
}

bool is_special(const wide& x) { return x == 0 || x == 1 || x == -1; }

std::vector<int> given(const std::vector<int>& places) {
  std::vector<int> all;
  for (const int place : places)
    if (place >= 0) all.push_back(place);
  return all;
}

/// `values` where there is a place, else constants.
std::vector<Var> spread(const std::vector<int>& places, const std::vector<Var>& values,
                        const std::vector<int>& constants = {}) {
  std::vector<Var> all;
  std::size_t next = 0;
  for (std::size_t i = 0; i < places.size(); ++i)
    all.push_back(places[i] >= 0 ? values[next++] : constants.empty() ? Var() : Var(constants[i]));
  return all;
}

/// The law on all its arguments, of which the part has those that are no constants.
PartFunctions placed(const Part::Recorder& record, const Layout& layout,
                     const std::vector<wide>& data, const PartArguments& at) {
  PartArguments all;
  all.t = at.t, all.lambda = at.lambda;
  all.q = spread(layout.coordinates, at.q), all.v = spread(layout.coordinates, at.v);
  all.a = spread(layout.coordinates, at.a);
  all.chart = spread(layout.chart, at.chart, layout.chart_constants);
  std::size_t next = 0;
  for (const wide& x : data) all.data.push_back(is_special(x) ? Var(x) : at.data[next++]);
  PartFunctions stated = record(all);
  const std::size_t k = layout.coordinates.size();
  PartFunctions kept = stated;
  kept.force.clear(), kept.mass.clear();
  for (std::size_t i = 0; i < k; ++i) {
    if (layout.coordinates[i] < 0) continue;
    if (!stated.force.empty()) kept.force.push_back(stated.force[i]);
    for (std::size_t j = 0; j < k && !stated.mass.empty(); ++j)
      if (layout.coordinates[j] >= 0) kept.mass.push_back(stated.mass[i * k + j]);
  }
  return kept;
}

}  // namespace

Element whole_element(const PartSizes& sizes, std::vector<Quantity> rows,
                      const Part::Recorder& record) {
  Element whole{std::make_shared<const Part>(sizes, record),
                std::vector<int>(sizes.k),
                std::vector<int>(sizes.chart),
                std::move(rows),
                {}};
  std::iota(whole.coordinates.begin(), whole.coordinates.end(), 0);
  std::iota(whole.chart.begin(), whole.chart.end(), 0);
  return whole;
}

Element ElementKinds::make(const Law& law, const std::vector<ElementNode>& nodes,
                           const std::vector<wide>& data, std::vector<Quantity> rows,
                           const Part::Recorder& record) {
  const Layout layout = layout_of(nodes);
  Element element{nullptr, given(layout.coordinates), given(layout.chart), std::move(rows), {}};
  std::string key = law.name + "|";
  for (const void* function : law.functions) key += fmt::format("{},", fmt::ptr(function));
  for (const int c : layout.coordinates) key += c < 0 ? 'g' : 'q';
  key += '|';
  for (const wide& x : data) {
    key += x == 0 ? '0' : x == 1 ? '1' : x == -1 ? '-' : 'x';
    if (!is_special(x)) element.data.push_back(x);
  }
  auto& part = known_[key];
  if (!part) {
    PartSizes sizes;
    sizes.k = static_cast<int>(element.coordinates.size());
    sizes.rows = static_cast<int>(element.rows.size());
    sizes.velocity_rows = law.velocity_rows;
    sizes.chart = static_cast<int>(element.chart.size());
    sizes.data = static_cast<int>(element.data.size());
    part = std::make_shared<const Part>(
        sizes, [&](const PartArguments& at) { return placed(record, layout, data, at); });
  }
  element.part = part;
  return element;
}

}  // namespace daemark
