#include "experiments/spec/range.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace daemark {
namespace {

double apply_op(const std::string& op, const std::vector<double>& v) {
  if (op == "+") return v[0] + v[1];
  if (op == "-") return v[0] - v[1];
  if (op == "*") return v[0] * v[1];
  if (op == "/") return v[0] / v[1];
  if (op == "^") return std::pow(v[0], v[1]);
  if (op == "neg") return -v[0];
  if (op == "abs") return std::abs(v[0]);
  if (op == "log") return std::log(v[0]);
  if (op == "log10") return std::log10(v[0]);
  if (op == "sqrt") return std::sqrt(v[0]);
  if (op == "min") return *std::min_element(v.begin(), v.end());
  return *std::max_element(v.begin(), v.end());
}

Range bounded(double low, double high) {
  return std::isnan(low) || std::isnan(high) ? Range{} : Range{low, high};
}

Range negative(const Range& a) { return {-a.high, -a.low}; }

/// Its ends rounded as its values are.
Range scaled(const std::string& op, const Range& a, double factor) {
  if (!std::isfinite(factor) || factor == 0) return {};
  const double x = apply_op(op, {a.low, factor}), y = apply_op(op, {a.high, factor});
  return factor > 0 ? bounded(x, y) : bounded(y, x);
}

Range magnitude(const Range& a) {
  const double most = std::max(-a.low, a.high);
  return {std::max({0.0, a.low, -a.high}), most};
}

bool truth(const std::string& op, double a, double b) {
  if (op == "<") return a < b;
  if (op == "<=") return a <= b;
  if (op == ">") return a > b;
  if (op == ">=") return a >= b;
  if (op == "==") return a == b;
  return a != b;
}

}  // namespace

std::optional<double> Range::value() const {
  if (low == high || std::isnan(low)) return low;
  return std::nullopt;
}

Range combine(const std::string& op, const std::vector<Range>& args) {
  std::vector<double> values;
  for (const Range& arg : args) {
    if (const auto value = arg.value()) values.push_back(*value);
  }
  if (values.size() == args.size()) return Range::of(apply_op(op, values));
  if (std::any_of(values.begin(), values.end(), [](double v) { return std::isnan(v); })) return {};
  const Range &a = args.front(), &b = args.back();
  if (op == "min" || op == "max") {
    std::vector<double> lows, highs;
    for (const Range& arg : args) lows.push_back(arg.low), highs.push_back(arg.high);
    return {apply_op(op, lows), apply_op(op, highs)};
  }
  if (op == "+") return bounded(a.low + b.low, a.high + b.high);
  if (op == "-") return bounded(a.low - b.high, a.high - b.low);
  if (op == "neg") return negative(a);
  if (op == "abs") return magnitude(a);
  if (op == "*" && a.value()) return scaled(op, b, *a.value());
  if (op == "*" && b.value()) return scaled(op, a, *b.value());
  if (op == "/" && b.value()) return scaled(op, a, *b.value());
  const bool grows = op == "log" || op == "log10" || op == "sqrt";
  if (grows && a.low > 0) return {apply_op(op, {a.low}), apply_op(op, {a.high})};
  return {};
}

std::optional<bool> compare(const std::string& op, const Range& a, const Range& b) {
  const auto x = a.value(), y = b.value();
  if (x && y)
    return std::isnan(*x) || std::isnan(*y) ? std::nullopt : std::optional(truth(op, *x, *y));
  // An infinite bound is none: what is missing may be anything, infinite too.
  const bool upper = std::isfinite(a.high) && std::isfinite(b.low);
  const bool lower = std::isfinite(a.low) && std::isfinite(b.high);
  const bool below = upper && a.high < b.low, at_most = upper && a.high <= b.low;
  const bool above = lower && a.low > b.high, at_least = lower && a.low >= b.high;
  if (op == "<" && (below || at_least)) return below;
  if (op == "<=" && (at_most || above)) return at_most;
  if (op == ">" && (above || at_most)) return above;
  if (op == ">=" && (at_least || below)) return at_least;
  if ((op == "==" || op == "!=") && (below || above)) return op == "!=";
  return std::nullopt;
}

std::string significant(double value, int digits) {
  constexpr double most = 1e7;
  if (std::abs(value) < most && value == std::trunc(value))
    return fmt::format("{:.0f}", value + 0.0);  // no -0
  return fmt::format("{:.{}g}", value, digits);
}

std::string shown(const Range& range, int digits) {
  const auto number = [&](double x) { return significant(x, digits); };
  if (range.value()) return number(range.low);
  if (std::isfinite(range.low) && std::isfinite(range.high))
    return number(range.low) + " to " + number(range.high);
  if (std::isfinite(range.low)) return number(range.low) + " or more";
  if (std::isfinite(range.high)) return number(range.high) + " or less";
  return "?";
}

}  // namespace daemark
