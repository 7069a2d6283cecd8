// Arithmetic of values: rational as long as it can be, then expressions.
#include <cstdlib>

#include "base/numbers/expression.hpp"
#include "methods/catalogue/source_values.hpp"

namespace daemark {
namespace {

using std::string;

string in_brackets(const SourceValue& value) {
  const bool plain =
      value.text.front() == '(' || value.text.find_first_of("+-*/^") == value.text.npos;
  return plain ? value.text : "(" + value.text + ")";
}

SourceValue expression(string text) {
  if (text.size() > 9000) throw Unreadable("an expression of more than 9000 characters");
  SourceValue out;
  out.text = std::move(text);
  return out;
}

bool is(const SourceValue& value, int number) { return value.exact && *value.exact == number; }

/// Digits of 10^digits; 0 for other numbers.
std::size_t power_of_ten(const rational& value) {
  const string text = value.str();
  const bool is_one = text.front() == '1' && text.find_first_not_of('0', 1) == text.npos;
  return is_one ? text.size() - 1 : 0;
}

/// 4358665215084590 // 10000000000000000 is a decimal, rounded as one: nobody means that fraction.
std::optional<SourceValue> decimal(const rational& numerator, const rational& denominator) {
  constexpr std::size_t telling = 8;
  const std::size_t digits = power_of_ten(denominator);
  if (digits < telling || mp::denominator(numerator) != 1) return std::nullopt;
  string text = rational(abs(numerator)).str();
  text.insert(0, text.size() <= digits ? digits + 1 - text.size() : 0, '0');
  text.insert(text.size() - digits, ".");
  return SourceValue::written((numerator < 0 ? "-" : "") + text, "decimal");
}

SourceValue power(const SourceValue& base, const SourceValue& exponent) {
  if (!exponent.exact) throw Unreadable("a power that is no number");
  if (*exponent.exact == rational(1) / 2) return expression("sqrt(" + base.text + ")");
  if (mp::denominator(*exponent.exact) != 1 || abs(*exponent.exact) > 100)
    throw Unreadable("a power that is neither 1/2 nor an integer up to 100");
  SourceValue out = SourceValue::number(1);
  const long n = static_cast<long>(mp::numerator(*exponent.exact));
  for (long i = 0; i < std::labs(n); ++i) out = combined('*', out, base);
  return n < 0 ? combined('/', SourceValue::number(1), out) : out;
}

}  // namespace

SourceValue SourceValue::number(const rational& value) {
  SourceValue out;
  out.exact = value;
  out.text = value.str();
  return out;
}

SourceValue SourceValue::written(std::string_view expression, std::string_view where) {
  const Expression read = Expression::parse(expression, where);
  SourceValue out;
  out.text = read.text();
  if (!read.is_rational()) return out;
  const rational value = read.as_rational();
  const bool short_decimal = mp::denominator(rational(1000 * value)) == 1;  // three places
  return read.has_decimal() && !short_decimal ? out : number(value);
}

SourceValue SourceValue::list(std::vector<SourceValue> items) {
  SourceValue out;
  out.is_list = true;
  out.items = std::move(items);
  return out;
}

SourceValue SourceValue::zeros(std::size_t rows, std::size_t columns) {
  const SourceValue entry = columns > 0 ? zeros(columns) : number(0);
  return list(std::vector<SourceValue>(rows, entry));
}

SourceValue combined(char op, const SourceValue& a, const SourceValue& b) {
  if (op == '^') return power(a, b);
  if (a.is_list || b.is_list) {
    if (a.is_list && b.is_list && a.items.size() != b.items.size())
      throw Unreadable("lists of different lengths are combined");
    std::vector<SourceValue> items;
    for (std::size_t i = 0; i < (a.is_list ? a : b).items.size(); ++i)
      items.push_back(combined(op, a.is_list ? a.items[i] : a, b.is_list ? b.items[i] : b));
    return SourceValue::list(std::move(items));
  }
  if (op == '/' && is(b, 0)) throw Unreadable("a division by 0");
  if (a.exact && b.exact) {
    const rational &x = *a.exact, &y = *b.exact;
    if (op == '/')
      if (const auto read = decimal(x, y)) return *read;
    return SourceValue::number(op == '+' ? x + y : op == '-' ? x - y : op == '*' ? x * y : x / y);
  }
  if ((op == '+' || op == '-') && is(b, 0)) return a;
  if (op == '+' && is(a, 0)) return b;
  if ((op == '*' || op == '/') && is(b, 1)) return a;
  if (op == '*' && is(a, 1)) return b;
  if ((op == '*' || op == '/') && is(a, 0)) return a;
  if (op == '*' && is(b, 0)) return b;
  if (op == '-' && is(a, 0)) return expression("-" + in_brackets(b));
  return expression("(" + in_brackets(a) + op + in_brackets(b) + ")");
}

}  // namespace daemark
