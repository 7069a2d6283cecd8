// What moved between two versions of a table, a record, a figure.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>
#include <optional>

#include "analysis/report/table.hpp"
#include "base/numbers/precision.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/read_double.hpp"
#include "experiments/engine/check/check.hpp"
#include "experiments/engine/write/render.hpp"
#include "experiments/spec/verdict.hpp"

namespace daemark {

namespace {

/// Within one unit of the last digit that the committed text claims.
bool same_digits(const std::string& committed, const std::string& fresh,
                 std::optional<double> floor) {
  if (committed == fresh) return true;
  try {
    const PrintedInterval a = printed_interval(committed, "committed");
    const PrintedInterval b = printed_interval(fresh, "fresh");
    if (floor && mp::abs(a.value) <= rational(*floor) && mp::abs(b.value) <= rational(*floor))
      return true;
    return mp::abs(rational(a.value - b.value)) <= a.upper - a.lower;
  } catch (const BadInput&) {  // a word such as nan: only equal texts are the same
    return false;
  }
}

class Moved {
 public:
  template <class Value>
  void compare(const std::string& where, const Value& was, const Value& is) {
    if (was != is) lines_.push_back(fmt::format("{}: {} is now {}", where, was, is));
  }
  void number(const std::string& where, const RowOutcome& was, const RowOutcome& is,
              const ColumnSpec& column) {
    const ValueOutcome &before = was.values.at(column.id), &now = is.values.at(column.id);
    if (!same_digits(before.measured, now.measured, now.floor))
      compare(where + ", measured", before.measured, now.measured);
    compare(where + ", beside", before.beside, now.beside);
    for (std::size_t i = 0; i < std::min(before.numbers.size(), now.numbers.size()); ++i)
      compare(where + ", verdict_" + now.numbers[i].edition,
              word(before.numbers[i].judgement.verdict), word(now.numbers[i].judgement.verdict));
  }
  void claim(const std::string& where, const ClaimOutcome& was, const ClaimOutcome& is) {
    bool open = false;
    for (std::size_t i = 0; i < is.conditions.size(); ++i) {
      const ConditionOutcome &before = was.conditions[i], &now = is.conditions[i];
      const bool left_out = !now.truth && !now.floors;
      open = open || left_out;
      if (!left_out) compare(where + ", " + now.formula, truth_word(before), truth_word(now));
    }
    if (!open) compare(where, word(was.verdict), word(is.verdict));
  }
  std::vector<std::string> take() { return std::move(lines_); }

 private:
  static std::string word(Verdict verdict) { return verdict_name(verdict); }
  std::vector<std::string> lines_;
};

std::string status_of(const RowOutcome& row) {
  return row.result == nullptr ? "left_out" : row.result->status;
}

}  // namespace

std::vector<std::string> moved_outcome(const ItemOutcome& was, const ItemOutcome& is) {
  Moved moved;
  const std::string item = is.item->paper + "/" + is.item->id + ", ";
  for (std::size_t i = 0; i < is.rows.size(); ++i) {
    if (is.rows[i].result == nullptr) continue;
    const std::string row = item + is.rows[i].row->id;
    moved.compare(row + ", status", status_of(was.rows[i]), status_of(is.rows[i]));
    for (const ColumnSpec& column : is.item->columns)
      moved.number(row + "/" + column.id, was.rows[i], is.rows[i], column);
  }
  for (std::size_t i = 0; i < is.claims.size(); ++i)
    moved.claim(item + is.claims[i].claim->id, was.claims[i], is.claims[i]);
  return moved.take();
}

namespace {

/// Below it a run says nothing but its round-off.
double noise_of(const std::string& precision) {
  return parse_precision(precision) == Precision::in_double ? 1e-10 : 1e-44;
}

/// To five digits, as tables show by default, or both are noise.
bool same_number(double a, double b, double noise) {
  constexpr double five_digits = 1e-5;
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  if (a == b) return true;
  const double size = std::max(std::abs(a), std::abs(b));
  return size <= noise || std::abs(a - b) <= std::max(five_digits * size, noise);
}

/// Iterations may differ by a few where rounding does.
bool same_count(long a, long b) {
  constexpr double part = 0.01;
  constexpr long few = 2;
  return std::abs(a - b) <= std::max<long>(few, std::lround(part * static_cast<double>(a)));
}

template <class Map, class Same>
void compare_maps(const char* what, const Map& was, const Map& is, const Same& same,
                  std::vector<std::string>& moved) {
  for (const auto& [key, value] : was) {
    const auto now = is.find(key);
    if (now == is.end())
      moved.push_back(fmt::format("{} {}: no longer there", what, key));
    else if (!same(value, now->second))
      moved.push_back(fmt::format("{} {}: {} is now {}", what, key, value, now->second));
  }
  for (const auto& [key, value] : is)
    if (!was.contains(key)) moved.push_back(fmt::format("{} {}: {} is new", what, key, value));
}

}  // namespace

std::vector<std::string> moved_record(const Cell& cell, const CellResult& was,
                                      const CellResult& is) {
  std::vector<std::string> moved;
  const double noise = noise_of(cell.precision);
  const auto same = [&](double a, double b) { return same_number(a, b, noise); };
  if (was.status != is.status)
    moved.push_back(fmt::format("status: {} is now {}", was.status, is.status));
  if (!same(was.t, is.t)) moved.push_back(fmt::format("t: {} is now {}", was.t, is.t));
  compare_maps("measure", was.measures, is.measures, same, moved);
  compare_maps("count", was.counts, is.counts, same_count, moved);
  const auto compare_list = [&](const std::string& name, const auto& a, const auto& b) {
    if (a.size() != b.size()) {
      moved.push_back(fmt::format("{}: {} values are now {}", name, a.size(), b.size()));
      return;
    }
    for (std::size_t i = 0; i < a.size(); ++i)
      if (!same(a[i], b[i]))
        moved.push_back(fmt::format("{}, value {}: {} is now {}", name, i + 1, a[i], b[i]));
  };
  const auto numbers = [](const std::vector<std::string>& texts) {
    std::vector<double> out;
    for (const std::string& text : texts) out.push_back(double_of(text));
    return out;
  };
  compare_list("q", numbers(was.q), numbers(is.q));
  compare_list("v", numbers(was.v), numbers(is.v));
  compare_list("a", numbers(was.a), numbers(is.a));
  compare_list("lambda", numbers(was.lambda), numbers(is.lambda));
  for (const auto& [name, list] : was.series)  // of studies; other records hold none
    if (const auto now = is.series.find(name); now != is.series.end())
      compare_list("series " + name, list, now->second);
    else
      moved.push_back("series " + name + ": no longer there");
  return moved;
}

namespace {

/// How far apart two values are on an axis, in its length.
struct Scale {
  bool log = false;
  double lo = std::numeric_limits<double>::infinity(), hi = -lo;
  double place(double value) const { return log ? std::log10(value) : value; }
  void take(double value) {
    if (!std::isfinite(value) || (log && value <= 0)) return;
    lo = std::min(lo, place(value)), hi = std::max(hi, place(value));
  }
  /// The width of a line is about 1/200 of a panel. In logarithms nothing below round-off counts.
  bool same(double a, double b) const {
    constexpr double visible = 1.0 / 200, noise = 1e-10;
    if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
    if (a == b || (log && std::max(a, b) <= noise)) return true;
    return std::abs(place(a) - place(b)) <= visible * (hi - lo);
  }
};

struct Scales {
  Scale x, y;
};

const Panel* panel_of(const ItemSpec& item, const std::string& name) {
  if (!item.plot) return nullptr;
  for (std::size_t i = 0; i < item.plot->panels.size(); ++i) {
    const Panel& panel = item.plot->panels[i].frame;
    if (is_panel(name, panel.title, i + 1)) return &panel;
  }
  return nullptr;
}

}  // namespace

std::vector<std::string> moved_points(const ItemSpec& item, const std::string& committed_csv,
                                      const std::string& fresh_csv) {
  const std::string where = item.paper + "/" + item.id + "/figure.csv";
  const auto was = read_csv(committed_csv, where), is = read_csv(fresh_csv, where);
  if (was.size() != is.size())
    return {fmt::format("{} points are now {}", was.size() - 1, is.size() - 1)};
  std::map<std::string, Scales> scales;
  for (std::size_t i = 1; i < was.size(); ++i) {
    if (was[i].size() != 4 || is[i].size() != 4)
      return {fmt::format("line {}: not panel,curve,x,y", i + 1)};
    const auto [at, first] = scales.try_emplace(was[i][0]);
    if (const Panel* panel = first ? panel_of(item, was[i][0]) : nullptr)
      at->second.x.log = panel->x.log, at->second.y.log = panel->y.log;
    at->second.x.take(double_of(was[i][2]));
    at->second.y.take(double_of(was[i][3]));
  }
  std::vector<std::string> moved;
  for (std::size_t i = 1; i < was.size(); ++i) {
    const Scales& panel = scales.at(was[i][0]);
    const bool same = was[i][0] == is[i][0] && was[i][1] == is[i][1] &&
                      panel.x.same(double_of(was[i][2]), double_of(is[i][2])) &&
                      panel.y.same(double_of(was[i][3]), double_of(is[i][3]));
    if (!same)
      moved.push_back(fmt::format("line {}: {} is now {}", i + 1, fmt::join(was[i], ","),
                                  fmt::join(is[i], ",")));
  }
  return moved;
}

bool same_drawing(const std::string& committed_svg, const std::string& fresh_svg) {
  constexpr double pixel = 1;
  const char *a = committed_svg.c_str(), *b = fresh_svg.c_str();
  while (*a != '\0' && *b != '\0') {
    const auto begins = [](const char* at) {
      return std::isdigit(static_cast<unsigned char>(*at)) != 0 ||
             (*at == '-' && std::isdigit(static_cast<unsigned char>(at[1])) != 0);
    };
    if (begins(a) && begins(b)) {
      char *after_a = nullptr, *after_b = nullptr;
      if (std::abs(std::strtod(a, &after_a) - std::strtod(b, &after_b)) > pixel) return false;
      a = after_a, b = after_b;
    } else if (*a++ != *b++) {
      return false;
    }
  }
  return *a == *b;
}

}  // namespace daemark
