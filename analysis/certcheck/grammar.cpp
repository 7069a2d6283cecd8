#include "analysis/certcheck/grammar.hpp"

#include <algorithm>

#include "analysis/certcheck/interval.hpp"

namespace daemark::certcheck {

namespace {

constexpr std::size_t longest_text = 10000;
constexpr int deepest = 200, largest_power = 1000, longest_number = 2000;

/// pi to 40 digits and cos of an interval by Taylor's series: they only have to distinguish
/// conjugates.
Interval pi() {
  const exact::integer digits("31415926535897932384626433832795028841971");
  const exact::integer scale = mp::pow(exact::integer(10), 40);
  return {rational(digits, scale), rational(exact::integer(digits + 1), scale)};
}

Interval cosine_of(rational turns) {  // of pi turns
  exact::integer whole, rest;
  mp::divide_qr(exact::integer(mp::numerator(turns)), exact::integer(2 * mp::denominator(turns)),
                whole, rest);
  turns -= rational(exact::integer(2 * whole));
  const Interval x = pi() * Interval(turns), square = x * x;
  Interval sum(1), term(1);
  int k = 0;
  for (; k < 60; k += 2) {
    term *= -square / Interval(rational((k + 1) * (k + 2)));
    sum += term;
  }
  const Interval tail(rational(-1) / exact::power_of_two(80),
                      rational(1) / exact::power_of_two(80));
  return sum + tail;  // the next term is below 7^62/62! < 2^-100
}

/// T_n(y) = cos(n phi) for y = cos(phi).
Number chebyshev(long n, const Number& y) {
  Number before = 1, here = y;
  if (n == 0) return before;
  for (long k = 1; k < n; ++k) {
    const Number next = Number(2) * y * here - before;
    before = here;
    here = next;
  }
  return here;
}

/// Recursive descent. A value is a polynomial in the one variable known where it stands (x in
/// root, pi in cos and sin; elsewhere none), so of degree 0 outside.
class Parser {
 public:
  Parser(const std::string& text, Radicals& radicals, std::string name)
      : text_(text), radicals_(radicals), name_(std::move(name)) {}

  Number run() {
    check(text_.size() <= longest_text);
    const Row out = sum();
    check(peek() == '\0' && at_ == text_.size());
    return constant(out);
  }

 private:
  void check(bool good) const {
    require(good, name_ + ": '" + text_.substr(0, 60) + "' is no expression");
  }
  char peek() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool accept(char c) {
    if (peek() != c || c == '\0') return false;
    ++at_;
    return true;
  }
  Number constant(const Row& p) const {
    check(p.size() <= 1);
    return p.empty() ? Number(0) : p[0];
  }

  Row sum() {
    check(++depth_ < deepest);
    Row out = product_of();
    for (;;) {
      const bool plus = accept('+');
      if (!plus && !accept('-')) break;
      Row next = product_of();
      out.resize(std::max(out.size(), next.size()));
      for (std::size_t i = 0; i < next.size(); ++i) out[i] += plus ? next[i] : -next[i];
      out = trimmed(out);
    }
    --depth_;
    return out;
  }

  Row product_of() {
    Row out = signed_power();
    for (;;) {
      if (accept('*')) {
        out = product(out, signed_power());
      } else if (accept('/')) {
        const Number divisor = constant(signed_power());
        check(!divisor.is_zero());
        out = scaled(out, divisor.inverse());
      } else {
        return out;
      }
    }
  }

  Row signed_power() {
    bool minus = false;
    for (;;)
      if (accept('-'))
        minus = !minus;
      else if (!accept('+'))
        break;
    return scaled(power(), minus ? -1 : 1);
  }

  Row power() {
    const Row base = primary();
    if (!accept('^')) return base;
    const bool bracket = accept('(');
    const bool minus = accept('-');
    if (!minus) accept('+');
    peek();
    const std::string digits = whole_digits();
    check(!digits.empty() && digits.size() <= 4);
    const int exponent = std::stoi(digits);
    check(exponent <= largest_power && (!bracket || accept(')')) && peek() != '^');
    if (minus) {
      const Number x = constant(base);
      check(!x.is_zero());
      return trimmed({pow(x, -exponent)});
    }
    Row out{Number(1)};
    for (int i = 0; i < exponent; ++i) out = product(out, base);
    return out;
  }

  std::string whole_digits() {
    const std::size_t start = at_;
    while (at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '9') ++at_;
    return text_.substr(start, at_ - start);
  }

  Row primary() {
    const char c = peek();
    if (accept('(')) {
      const Row inner = sum();
      check(accept(')'));
      return inner;
    }
    if (c == '.' || (c >= '0' && c <= '9')) return number();
    std::string word;
    while (at_ < text_.size() && text_[at_] >= 'a' && text_[at_] <= 'z') word += text_[at_++];
    if (!word.empty() && word == variable_) return {Number(0), Number(1)};
    check(accept('('));
    Number out;
    if (word == "sqrt") {
      out = radicals_.square_root(constant(sum()));
    } else if (word == "cos" || word == "sin") {
      const Row angle = with_variable("pi");
      check(angle.empty() ||
            (angle.size() <= 2 && angle[0].is_zero() && angle.back().is_rational()));
      const rational turns = angle.empty() ? rational(0) : angle.back().to_rational();
      out = radicals_.cosine(word == "cos" ? turns : rational(rational(1) / 2 - turns));
    } else {
      check(word == "root");
      const Row p = with_variable("x");
      check(p.size() > 1 && accept(','));
      const rational lower = constant(with_variable("")).to_rational();
      check(accept(','));
      const rational upper = constant(with_variable("")).to_rational();
      check(lower < upper && roots_between(p, Number(lower), Number(upper)) == 1);
      out = radicals_.root(p, lower, upper);
    }
    check(accept(')'));
    return trimmed({out});
  }

  Row with_variable(std::string name) {
    std::swap(name, variable_);
    Row out = sum();
    std::swap(name, variable_);
    return out;
  }

  Row number() {
    std::string digits = whole_digits();
    long scale = 0;
    if (at_ < text_.size() && text_[at_] == '.') {
      ++at_;
      const std::string behind = whole_digits();
      scale = -static_cast<long>(behind.size());
      digits += behind;
    }
    check(!digits.empty() && digits.size() <= longest_number);
    if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
      ++at_;
      const bool minus = at_ < text_.size() && text_[at_] == '-';
      if (at_ < text_.size() && (text_[at_] == '-' || text_[at_] == '+')) ++at_;
      const std::string exponent = whole_digits();
      check(!exponent.empty() && exponent.size() <= 4);
      scale += minus ? -std::stol(exponent) : std::stol(exponent);
    }
    check(std::abs(scale) <= longest_number);
    digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size() - 1));
    const exact::integer power =
        mp::pow(exact::integer(10), static_cast<unsigned>(std::abs(scale)));
    const exact::integer mantissa(digits);
    const rational value = scale < 0 ? rational(mantissa, power) : rational(mantissa * power);
    return trimmed({Number(value)});
  }

  const std::string& text_;
  Radicals& radicals_;
  std::string name_, variable_;
  std::size_t at_ = 0;
  int depth_ = 0;
};

}  // namespace

template <class Property>
Number Radicals::find(const std::string& what, const Property& is) {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    if (!is(values_[i])) continue;
    used_[i] = true;
    return values_[i];
  }
  throw Refused("radicals: none is " + what);
}

Number Radicals::square_root(const Number& x) {
  if (x.is_zero()) return x;
  return find("the square root of " + x.text(),
              [&](const Number& y) { return y * y == x && y.sign() > 0; });
}

Number Radicals::cosine(const rational& turns) {
  require(mp::denominator(turns) <= 1000, "radicals: an angle with too large a denominator");
  const long period = static_cast<long>(mp::denominator(turns));
  const bool odd = exact::integer(mp::numerator(turns)) % 2 != 0;
  const Interval near = cosine_of(turns);
  return find("cos(" + turns.str() + "*pi)", [&](const Number& y) {
    rational low, high;
    y.enclose(low, high, 80);
    return high >= near.lower && low <= near.upper && chebyshev(period, y) == Number(odd ? -1 : 1);
  });
}

Number Radicals::root(const Row& p, const rational& lower, const rational& upper) {
  return find("the root in (" + lower.str() + ", " + upper.str() + ")", [&](const Number& y) {
    return y > Number(lower) && y < Number(upper) && value(p, y).is_zero();
  });
}

void Radicals::require_all_used() const {
  for (std::size_t i = 0; i < values_.size(); ++i) {
    require(used_[i], "radicals: entry " + std::to_string(i + 1) + " stands for none");
    for (std::size_t j = 0; j < i; ++j)
      require(!(values_[i] == values_[j]), "radicals: two entries are equal");
  }
}

Number evaluated(const std::string& text, Radicals& radicals, const std::string& name) {
  return Parser(text, radicals, name).run();
}

}  // namespace daemark::certcheck
