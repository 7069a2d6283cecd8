#include "analysis/exact/theory/import.hpp"

#include <algorithm>

#include "analysis/exact/numbers/tower.hpp"
#include "base/numbers/polynomial_root.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

constexpr long max_bits = 200000;  // of a coefficient: stops towers of powers, not real tableaus
constexpr long max_exponent = 10000;
constexpr long max_period = 400;  // cos(pi a/b) needs b below this
constexpr std::size_t max_root_degree = 64;

using Op = ExpressionNode::Op;

/// Text that is equal for equal radicals, so that each is adjoined once.
std::string key(const ExpressionNode& node) {
  std::string out = std::to_string(static_cast<int>(node.op)) + "(";
  if (node.op == Op::number || node.op == Op::cos_pi || node.op == Op::sin_pi)
    out += node.value.str();
  if (node.op == Op::variable) out += node.name;
  if (node.op == Op::pow) out += std::to_string(node.exponent) + ";";
  if (node.op == Op::root) {
    for (const rational& c : node.polynomial) out += c.str() + ",";
    out += ";" + node.lower.str() + ";" + node.upper.str();
  }
  for (const auto& arg : node.args) out += key(*arg) + ",";
  return out + ")";
}

bool is_radical(Op op) {
  return op == Op::sqrt || op == Op::cos_pi || op == Op::sin_pi || op == Op::root;
}

class Importer {
 public:
  Importer(std::string where, const std::map<std::string, rational>& variables)
      : where_(std::move(where)), variables_(variables), tower_(where_) {}

  void collect(const ExpressionNode& node) {
    for (const auto& arg : node.args) collect(*arg);
    if (!is_radical(node.op)) return;
    const std::string name = key(node);
    if (radicals_.count(name)) return;
    const FieldPtr before = tower_.field();
    Number image;
    const Number value = radical(node, image);
    if (tower_.field() != before && before)
      for (auto& [unused, number] : radicals_) number = number.lifted(image);
    radicals_[name] = value;
  }

  /// In the order of their texts; equal values once.
  std::vector<Number> radicals() const {
    std::vector<Number> out;
    for (const auto& [unused, value] : radicals_) {
      const bool known = std::find(out.begin(), out.end(), value) != out.end();
      if (!known && !value.is_zero()) out.push_back(value);
    }
    return out;
  }

  Number evaluate(const ExpressionNode& node) const {
    if (is_radical(node.op)) return radicals_.at(key(node));
    const auto arg = [&](std::size_t i) { return evaluate(*node.args.at(i)); };
    switch (node.op) {
      case Op::number:
        return checked(Number(node.value));
      case Op::variable: {
        const auto found = variables_.find(node.name);
        if (found == variables_.end())
          throw BadInput(where_ + ": variable '" + node.name + "' has no exact value");
        return Number(found->second);
      }
      case Op::add:
        return checked(arg(0) + arg(1));
      case Op::sub:
        return checked(arg(0) - arg(1));
      case Op::mul:
        return checked(arg(0) * arg(1));
      case Op::neg:
        return -arg(0);
      case Op::div: {
        const Number divisor = arg(1);
        if (divisor.is_zero()) throw BadInput(where_ + ": division by an exact zero");
        return checked(arg(0) / divisor);
      }
      case Op::pow: {
        const Number base = arg(0);
        if (std::abs(node.exponent) > max_exponent ||
            base.bits() * std::abs(node.exponent) > max_bits)
          throw BadInput(where_ + ": power too large for exact work");
        if (base.is_zero() && node.exponent < 0)
          throw BadInput(where_ + ": division by an exact zero");
        return checked(pow(base, node.exponent));
      }
      default:
        throw BadInput(where_ + ": expression is no algebraic number");
    }
  }

 private:
  Number checked(Number x) const {
    if (x.bits() > max_bits) {
      throw BadInput(where_ + ": a number of more than " + std::to_string(max_bits) +
                     " bits, too large for exact work");
    }
    return x;
  }

  Number radical(const ExpressionNode& node, Number& image) {
    if (node.op == Op::sqrt) return square_root(evaluate(*node.args.at(0)), image);
    if (node.op == Op::root) return polynomial_root(node, image);
    return cosine(node.op == Op::cos_pi ? node.value : rational(rational(1) / 2 - node.value),
                  image);
  }

  Number square_root(const Number& x, Number& image) {
    const int sign = x.sign();
    if (sign < 0) throw BadInput(where_ + ": sqrt of an exact negative, accepted are numbers >= 0");
    if (sign == 0) return Number(0);
    Radical r;
    for (const rational& c : annihilator(x)) {  // p(x) = 0 gives p(y²) = 0 for y = sqrt(x)
      r.polynomial.push_back(c);
      r.polynomial.emplace_back(0);
    }
    r.polynomial.pop_back();
    r.enclose = [&x](rational& lower, rational& upper, long precision) {
      x.enclose(lower, upper, precision);
      const integer scale = power_of_two(2 * precision + 64);
      const integer half = power_of_two(precision + 32);
      const integer low(mp::numerator(lower) * scale / mp::denominator(lower));
      const integer high(mp::numerator(upper) * scale / mp::denominator(upper));
      lower = rational(integer(mp::sqrt(low)), half);
      upper = rational(integer(mp::sqrt(high) + 1), half);
    };
    return tower_.adjoin(r, image);
  }

  /// A rational polynomial with the root x: characteristic polynomial of multiplication by x.
  static std::vector<rational> annihilator(const Number& x) {
    if (x.is_rational()) return {rational(-x.to_rational()), 1};
    const int n = x.field()->degree();
    Matrix times;
    Number power = 1;
    for (int i = 0; i < n; ++i) {
      const std::vector<rational> c = (power * x).coefficients();
      Vector row(static_cast<std::size_t>(n));
      for (std::size_t j = 0; j < c.size(); ++j) row[j] = Number(c[j]);
      times.push_back(row);
      power *= Number::generator(x.field());
    }
    std::vector<rational> out;
    const Poly characteristic = resolvent_determinant(times).reversed(n);
    for (const Number& c : characteristic.coefficients()) out.push_back(c.to_rational());
    return out;
  }

  Number polynomial_root(const ExpressionNode& node, Number& image) {
    if (node.polynomial.size() > max_root_degree + 1) {
      throw BadInput(where_ + ": root of a polynomial of degree " +
                     std::to_string(node.polynomial.size() - 1) + ", accepted are degrees up to " +
                     std::to_string(max_root_degree));
    }
    bool repeated = false;
    if (irreducible_factors(node.polynomial, repeated).size() != 1 || repeated) {
      throw BadInput(where_ +
                     ": the polynomial in root(...) is reducible over the rationals, "
                     "accepted is an irreducible one: give the factor that is meant");
    }
    const SturmChain chain(primitive_part(node.polynomial));
    if (!(node.lower < node.upper) || chain.count(node.lower, node.upper) != 1)
      throw BadInput(where_ + ": the interval in root(...) must hold exactly one root");
    Radical r;
    r.polynomial = node.polynomial;
    r.enclose = [&node, &chain](rational& lower, rational& upper, long precision) {
      lower = node.lower;
      upper = node.upper;
      const rational width(integer(1), power_of_two(precision));
      while (upper - lower > width) {
        const rational middle = (lower + upper) / 2;
        (chain.count(lower, middle) == 1 ? upper : lower) = middle;
        if (value(node.polynomial, middle) == 0) lower = upper = middle;
      }
    };
    return tower_.adjoin(r, image);
  }

  static rational value(const std::vector<rational>& poly, const rational& x) {
    rational out = 0;
    for (std::size_t i = poly.size(); i-- > 0;) out = out * x + poly[i];
    return out;
  }

  Number cosine(const rational& turns, Number& image) {
    const rational halves = turns / 2;  // cos(pi q) = cos(2 pi q/2)
    const integer period = mp::denominator(halves);
    if (period > 2 * max_period) {
      throw BadInput(where_ + ": cos or sin of pi times a fraction with denominator above " +
                     std::to_string(max_period));
    }
    fmpz_poly_t poly;  // minimal polynomial of 2 cos(2 pi/period), shared by all conjugates
    fmpz_poly_init(poly);
    fmpz_poly_cos_minpoly(poly, static_cast<unsigned long>(period));
    Radical r;
    rational power = 1;
    for (long i = 0; i < fmpz_poly_length(poly); ++i, power *= 2)
      r.polynomial.push_back(coefficient(poly, i) * power);
    fmpz_poly_clear(poly);
    if (r.polynomial.size() > max_root_degree + 1) {
      throw BadInput(where_ + ": cos or sin of algebraic degree " +
                     std::to_string(r.polynomial.size() - 1) + ", accepted are degrees up to " +
                     std::to_string(max_root_degree));
    }
    r.enclose = [&turns](rational& lower, rational& upper, long precision) {
      arb_t x;
      arb_init(x);
      arb_cos_pi_fmpq(x, Fraction(turns).q, precision + 16);
      arf_t end;
      arf_init(end);
      Fraction q;
      arb_get_lbound_arf(end, x, precision + 16);
      arf_get_fmpq(q.q, end);
      lower = q.value();
      arb_get_ubound_arf(end, x, precision + 16);
      arf_get_fmpq(q.q, end);
      upper = q.value();
      arf_clear(end);
      arb_clear(x);
    };
    return tower_.adjoin(r, image);
  }

  std::string where_;
  const std::map<std::string, rational>& variables_;
  Tower tower_;
  std::map<std::string, Number> radicals_;
};

}  // namespace

std::vector<Number> import_numbers(const std::vector<const Expression*>& expressions,
                                   const std::string& where,
                                   const std::map<std::string, rational>& variables,
                                   std::vector<Number>* radicals) {
  Importer importer(where, variables);
  for (const Expression* e : expressions) importer.collect(e->root());
  std::vector<Number> out;
  for (const Expression* e : expressions) out.push_back(importer.evaluate(e->root()));
  if (radicals) *radicals = importer.radicals();
  return out;
}

std::vector<const Expression*> pointers_to(
    std::initializer_list<const std::vector<Expression>*> lists) {
  std::vector<const Expression*> out;
  for (const auto* list : lists)
    for (const Expression& e : *list) out.push_back(&e);
  return out;
}

std::vector<const Expression*> pointers_to(const std::vector<std::vector<Expression>>& rows) {
  std::vector<const Expression*> out;
  for (const auto& row : rows)
    for (const Expression& e : row) out.push_back(&e);
  return out;
}

std::vector<const Expression*> entries_of(const Tableau<Expression>& tableau) {
  std::vector<const Expression*> out = pointers_to(tableau.A);
  for (const Expression* e : pointers_to({&tableau.b, &tableau.c, &tableau.embedded}))
    out.push_back(e);
  return out;
}

TableauNumbers as_tableau(const std::vector<Number>& flat, const Tableau<Expression>& tableau) {
  TableauNumbers out;
  auto at = flat.begin();
  for (const auto& row : tableau.A) {
    out.a.emplace_back(at, at + static_cast<long>(row.size()));
    at += static_cast<long>(row.size());
  }
  for (auto [list, to] : {std::pair(&tableau.b, &out.b), std::pair(&tableau.c, &out.c),
                          std::pair(&tableau.embedded, &out.embedded)}) {
    to->assign(at, at + static_cast<long>(list->size()));
    at += static_cast<long>(list->size());
  }
  return out;
}

std::vector<const Expression*> entries_of(const Dense<Expression>& dense) {
  std::vector<const Expression*> out;
  for (const auto* rows : {&dense.A, &dense.weights}) {
    for (const auto& row : *rows)
      for (const Expression& e : row) out.push_back(&e);
    if (rows == &dense.A)
      for (const Expression& e : dense.c) out.push_back(&e);
  }
  return out;
}

TableauNumbers import_tableau(const Coefficients& method) {
  const Tableau<Expression> tableau = tableau_of<Expression>(method);
  std::vector<Number> radicals;
  std::vector<const Expression*> all = entries_of(tableau);
  const std::vector<const Expression*> inside = entries_of(tableau.dense);
  const bool exact_inside =
      std::none_of(inside.begin(), inside.end(), [](const auto* e) { return e->has_decimal(); });
  if (exact_inside) all.insert(all.end(), inside.begin(), inside.end());
  const std::vector<Number> flat = import_numbers(all, method.id, {}, &radicals);
  TableauNumbers out = as_tableau(flat, tableau);
  out.radicals = std::move(radicals);
  if (!exact_inside) return out;
  auto at = flat.end() - static_cast<long>(inside.size());
  const auto take = [&](const std::vector<Expression>& list) {
    const auto from = at;
    return std::vector<Number>(from, at += static_cast<long>(list.size()));
  };
  for (const auto& row : tableau.dense.A) out.dense.A.push_back(take(row));
  out.dense.c = take(tableau.dense.c);
  for (const auto& row : tableau.dense.weights) out.dense.weights.push_back(take(row));
  return out;
}

}  // namespace daemark::exact
