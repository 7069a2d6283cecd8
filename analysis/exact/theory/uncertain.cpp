#include "analysis/exact/theory/uncertain.hpp"

#include <algorithm>

#include "base/numbers/scalar.hpp"

namespace daemark::exact {

namespace {

constexpr int exact_decimals = 3, double_decimals = 15, double_most = 18,
              shortest_denominator = 1000;

/// Digits after the point of every decimal literal in the text: "1.25e-3" has 5.
std::vector<int> decimals_in(const std::string& text) {
  std::vector<int> out;
  const auto digit = [&](std::size_t i) {
    return i < text.size() && text[i] >= '0' && text[i] <= '9';
  };
  for (std::size_t i = 0; i < text.size();) {
    if (!digit(i) && text[i] != '.') {
      ++i;
      continue;
    }
    int places = 0;
    bool decimal = false;
    while (digit(i)) ++i;
    if (i < text.size() && text[i] == '.') {
      decimal = true;
      for (++i; digit(i); ++i) ++places;
    }
    if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
      decimal = true;
      std::string exponent;
      for (++i; digit(i) || (i < text.size() && (text[i] == '-' || text[i] == '+')); ++i)
        exponent += text[i];
      places -= std::stoi(exponent);
    }
    if (decimal) out.push_back(std::max(places, 0));
  }
  return out;
}

}  // namespace

wide exactly_zero() { return wide("1e-100"); }

wide uncertainty(const Expression& entry, int decimals) {
  const wide size = abs(entry.eval<wide>());
  const std::vector<int> places = decimals_in(entry.text());
  if (!places.empty()) {
    if (decimals <= exact_decimals) return 0;
    const int fewest = *std::min_element(places.begin(), places.end());
    // A long entry of its own accuracy, or a short one whose zeros were dropped.
    const int digits = fewest >= decimals / 2 ? fewest : decimals;
    const wide unit = mp::pow(wide(10), -digits);
    const bool as_doubles = decimals >= double_decimals && decimals <= double_most;
    const wide computed = as_doubles ? wide(mp::ldexp(size, -52)) : wide(0);
    return std::max(unit, computed);
  }
  if (!entry.is_rational() || size == 0) return 0;
  const rational value = entry.as_rational();
  const wide denominator(mp::denominator(value));
  return denominator < shortest_denominator ? wide(0) : wide(1 / (denominator * denominator));
}

int longest_decimal(const std::vector<const Expression*>& entries) {
  int out = 0;
  for (const Expression* e : entries)
    for (const int places : decimals_in(e->text())) out = std::max(out, places);
  return out;
}

bool any_uncertain(const std::vector<const Expression*>& entries) {
  const int decimals = longest_decimal(entries);
  return std::any_of(entries.begin(), entries.end(),
                     [&](const Expression* e) { return uncertainty(*e, decimals) > 0; });
}

Ball ball_of(const Expression& entry, int decimals) {
  const rational value = exact_value(entry.eval<wide>());
  const wide u = uncertainty(entry, decimals);
  if (u == 0) return Ball(value);
  const rational radius = exact_value(u);
  return {rational(value - radius), rational(value + radius)};
}

Uncertain::Uncertain(const std::vector<Expression>& entries, int decimals) {
  for (const Expression& entry : entries) {
    value.push_back(entry.eval<wide>());
    size.push_back(to_double(wide(abs(value.back()))));
    excess.push_back(to_double(uncertainty(entry, decimals)));
  }
}

Uncertain Uncertain::ones(std::size_t count) {
  Uncertain out;
  out.value.assign(count, wide(1));
  out.size.assign(count, 1.0);
  out.excess.assign(count, 0.0);
  return out;
}

Uncertain product(const Uncertain& x, const Uncertain& y) {
  Uncertain out = x;
  for (std::size_t i = 0; i < x.count(); ++i) {
    out.value[i] *= y.value[i];
    out.size[i] = x.size[i] * y.size[i];
    out.excess[i] = x.size[i] * y.excess[i] + x.excess[i] * y.size[i] + x.excess[i] * y.excess[i];
  }
  return out;
}

Condition condition(const Uncertain& weights, const Uncertain& function, const wide& target) {
  Condition out{-target, 0};
  for (std::size_t i = 0; i < weights.count(); ++i) {
    if (weights.size[i] != 0 && function.size[i] != 0)
      out.residual += weights.value[i] * function.value[i];
    out.bound += weights.size[i] * function.excess[i] + weights.excess[i] * function.size[i] +
                 weights.excess[i] * function.excess[i];
  }
  return out;
}

Uncertain applied(const std::vector<Uncertain>& rows, const Uncertain& x) {
  Uncertain out;
  for (const Uncertain& row : rows) {
    const Condition entry = condition(row, x, 0);
    double size = 0;
    for (std::size_t j = 0; j < x.count(); ++j) size += row.size[j] * x.size[j];
    out.value.push_back(entry.residual);
    out.size.push_back(size);
    out.excess.push_back(entry.bound);
  }
  return out;
}

}  // namespace daemark::exact
