#include "experiments/compare/beside.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/input/call.hpp"
#include "base/text/counted.hpp"
#include "experiments/compare/shelf.hpp"

namespace daemark {
namespace {

/// What moved most in a sweep; by: 0 where nothing did.
struct Moved {
  double by = 0;
  std::string text;

  void take(double by_now, const std::string& what) {
    if (by_now > by) by = by_now, text = what;
  }
};

/// Relative distance beyond what is claimed, else 0.
double distance(const std::string& column, double there, double here) {
  constexpr double four_digits = 1e-3, round_off = 1e-10, few = 2, part = 0.01;
  if (std::isnan(there) && std::isnan(here)) return 0;
  if (!std::isfinite(there) || !std::isfinite(here))
    return there == here ? 0 : std::numeric_limits<double>::infinity();
  const double size = std::max(std::abs(there), std::abs(here)), off = std::abs(there - here);
  const bool is_error = column.starts_with("error");
  if (is_error ? size <= round_off || off <= four_digits * size : off <= std::max(few, part * size))
    return 0;
  return off / size;
}

Moved moved_of(const CellResult& there, const CellResult& here) {
  Moved moved;
  const double infinite = std::numeric_limits<double>::infinity();
  if (there.status != here.status)
    moved.take(infinite, fmt::format("status {} there, {} here", there.status, here.status));
  for (const auto& [column, values] : there.series) {
    const auto own = here.series.find(column);
    if (own == here.series.end() || own->second.size() != values.size()) {
      moved.take(infinite, column + ": other runs");
      continue;
    }
    for (std::size_t i = 0; i < values.size(); ++i)
      moved.take(distance(column, values[i], own->second[i]),
                 fmt::format("{} of run {}: {:.4g} there, {:.4g} here", column, i + 1, values[i],
                             own->second[i]));
  }
  return moved;
}

}  // namespace

std::string beside_lines(const std::vector<Compared>& compared, std::size_t shown,
                         const std::filesystem::path& results, const std::string& name) {
  std::string text;
  for (std::size_t k = shown; k < compared.size(); ++k) {
    const CompareField& field = compared[k].field;
    const std::string id = parse_call(field.motion.problem, "problem").id;
    const std::optional<Shelf> shelf = read_shelf(results, id);
    if (!shelf || shelf->motion.problem != field.motion.problem) {
      text += fmt::format("  {}: no sweeps of {} as it is here\n", name, field.motion.problem);
      continue;
    }
    int same = 0, moved = 0, missing = 0;
    Moved worst;
    for (const CompareEntry& entry : field.entries) {
      if (!entry.result || entry.is_new) continue;
      const auto found = shelf->sweeps.find({field.formulation, entry.method});
      if (found == shelf->sweeps.end()) {
        ++missing;
        continue;
      }
      const Moved by = moved_of(found->second, shelved(*entry.result));
      ++(by.by > 0 ? moved : same);
      worst.take(by.by, entry.method + ": " + by.text);
    }
    text += fmt::format("  {}: {}, {}: {} as here", name, field.motion.problem, field.formulation,
                        counted(same, "sweep"));
    if (missing > 0) text += fmt::format(", {} not there", missing);
    text += moved == 0 ? "\n" : fmt::format(", {} moved; most: {}\n", moved, worst.text);
  }
  return text;
}

}  // namespace daemark
