#include "analysis/exact/numbers/tower.hpp"

#include <algorithm>

#include "base/numbers/polynomial_root.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

constexpr int max_composed_degree = 128;  // before factoring; bounds the time of one adjunction

void to_flint(fmpq_poly_t out, const std::vector<rational>& poly) {
  fmpq_poly_zero(out);
  for (std::size_t i = 0; i < poly.size(); ++i) set_coefficient(out, static_cast<long>(i), poly[i]);
}

std::vector<rational> from_flint(const fmpz_poly_t poly) {
  std::vector<rational> out;
  for (long i = 0; i < fmpz_poly_length(poly); ++i) out.push_back(coefficient(poly, i));
  return out;
}

/// Does the value of poly over [lower, upper] possibly vanish?
bool may_vanish(const std::vector<rational>& poly, const rational& lower, const rational& upper) {
  rational low = 0, high = 0;
  for (std::size_t i = poly.size(); i-- > 0;) {
    const rational p[4] = {low * lower, low * upper, high * lower, high * upper};
    low = *std::min_element(p, p + 4) + poly[i];
    high = *std::max_element(p, p + 4) + poly[i];
  }
  return low <= 0 && high >= 0;
}

integer floor_of(const rational& x) {
  integer q, r;
  mp::divide_qr(integer(mp::numerator(x)), integer(mp::denominator(x)), q, r);
  return r < 0 ? integer(q - 1) : q;
}

/// Short decimal interval that holds the enclosed root of `minimal` and no other.
void isolate(const std::vector<rational>& minimal, const Radical& radical, rational& lower,
             rational& upper) {
  const SturmChain chain(primitive_part(minimal));
  rational scale = 1;
  for (long digits = 0; digits < 2000; ++digits, scale *= 10) {
    integer cell = 0, end = 1;  // one cell of the grid: an irrational number lies on no line
    for (long precision = 4 * digits + 16; cell != end; precision *= 2) {
      rational low, high;
      radical.enclose(low, high, precision);
      cell = floor_of(low * scale);
      end = floor_of(high * scale);
    }
    lower = rational(cell) / scale;
    upper = rational(integer(cell + 1)) / scale;
    if (chain.count(lower, upper) == 1) return;
  }
  throw BadInput("algebraic number: its root cannot be separated from its neighbours");
}

/// Product over all pairs of roots of (x - a_i - multiple b_j), through power sums.
std::vector<rational> composed_sum(const std::vector<rational>& a, const std::vector<rational>& b,
                                   long multiple) {
  const long n = static_cast<long>(a.size() - 1) * static_cast<long>(b.size() - 1);
  fmpq_poly_t p, sums_a, sums_b;
  fmpq_poly_init(p);
  fmpq_poly_init(sums_a);
  fmpq_poly_init(sums_b);
  to_flint(p, a);
  fmpq_poly_make_monic(p, p);
  fmpq_poly_power_sums(sums_a, p, n + 1);
  to_flint(p, b);
  fmpq_poly_make_monic(p, p);
  fmpq_poly_power_sums(sums_b, p, n + 1);
  std::vector<rational> sums;
  for (long i = 0; i <= n; ++i) {
    rational sum = 0, binomial = 1, scale = 1;
    for (long j = 0; j <= i; ++j) {
      sum += binomial * scale * coefficient(sums_a, i - j) * coefficient(sums_b, j);
      binomial = binomial * rational(i - j) / rational(j + 1);
      scale *= multiple;
    }
    sums.push_back(sum);
  }
  to_flint(p, sums);
  fmpz_poly_t out;
  fmpz_poly_init(out);
  fmpq_poly_power_sums_to_fmpz_poly(out, p);
  std::vector<rational> result = from_flint(out);
  fmpz_poly_clear(out);
  fmpq_poly_clear(p);
  fmpq_poly_clear(sums_a);
  fmpq_poly_clear(sums_b);
  return result;
}

Poly as_poly(const std::vector<rational>& c) {
  return Poly(std::vector<Number>(c.begin(), c.end()));
}

/// d with all square factors of small primes moved to `root`: value = root² d.
void split_square(integer value, integer& root, integer& d) {
  root = 1;
  for (integer prime = 2; prime < 2000 && prime * prime <= mp::abs(value); ++prime) {
    while (value % (prime * prime) == 0) {
      value /= prime * prime;
      root *= prime;
    }
  }
  d = value;
}

}  // namespace

Radical bracketed_root(const std::vector<rational>& polynomial, const rational& lower,
                       const rational& upper) {
  const Poly p = as_poly(polynomial);
  const int left = p(Number(lower)).sign();
  if (left * p(Number(upper)).sign() >= 0) throw std::logic_error("no change of sign to bisect");
  Radical out;
  out.polynomial = polynomial;
  out.enclose = [p, left, lower, upper](rational& low, rational& high, long precision) {
    low = lower;
    high = upper;
    const rational width(integer(1), power_of_two(precision));
    while (high - low > width) {
      const rational middle = (low + high) / 2;
      const int here = p(Number(middle)).sign();
      if (here == 0) {
        low = high = middle;
        return;
      }
      (here == left ? low : high) = middle;
    }
  };
  return out;
}

std::vector<std::vector<rational>> irreducible_factors(const std::vector<rational>& polynomial,
                                                       bool& repeated) {
  fmpq_poly_t p;
  fmpq_poly_init(p);
  to_flint(p, polynomial);
  fmpz_poly_t integral;
  fmpz_poly_init(integral);
  fmpq_poly_get_numerator(integral, p);
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor(factors, integral);
  std::vector<std::vector<rational>> out;
  repeated = false;
  for (long i = 0; i < factors->num; ++i) {
    out.push_back(from_flint(factors->p + i));
    repeated = repeated || factors->exp[i] > 1;
  }
  fmpz_poly_factor_clear(factors);
  fmpz_poly_clear(integral);
  fmpq_poly_clear(p);
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) {
    return a.size() != b.size() ? a.size() < b.size() : a < b;
  });
  return out;
}

std::vector<rational> minimal_polynomial(const Radical& radical) {
  bool repeated = false;
  std::vector<std::vector<rational>> left = irreducible_factors(radical.polynomial, repeated);
  for (long precision = 64; left.size() > 1; precision *= 2) {
    rational lower, upper;
    radical.enclose(lower, upper, precision);
    std::erase_if(left, [&](const auto& f) { return !may_vanish(f, lower, upper); });
  }
  if (left.empty()) throw std::logic_error("the enclosure misses every root of its polynomial");
  return left.front();
}

Number Tower::adjoin(const Radical& radical, Number& image) {
  if (field_) image = Number::generator(field_);
  const std::vector<rational> minimal = minimal_polynomial(radical);
  if (minimal.size() == 2) return Number(rational(-minimal[0] / minimal[1]));
  return field_ ? extend(minimal, radical, image) : start(minimal, radical);
}

Number Tower::start(const std::vector<rational>& minimal, const Radical& radical) {
  rational lower, upper;
  if (static_cast<int>(minimal.size()) - 1 > max_field_degree) {
    throw BadInput(where_ + ": a number of degree " + std::to_string(minimal.size() - 1) +
                   ", accepted are degrees up to " + std::to_string(max_field_degree));
  }
  if (minimal.size() != 3) {
    isolate(minimal, radical, lower, upper);
    field_ = Field::make(minimal, lower, upper);
    return Number::generator(field_);
  }
  // Quadratic: theta = sqrt(d), so that numbers read as people write them.
  const rational discriminant = minimal[1] * minimal[1] - 4 * minimal[0] * minimal[2];
  integer root, d;
  split_square(mp::numerator(discriminant), root, d);
  const integer floor = mp::sqrt(d);
  field_ = Field::make({rational(-d), 0, 1}, rational(floor), rational(integer(floor + 1)));
  const Number shift(rational(-minimal[1] / (2 * minimal[2])));
  const Number offset = Number::generator(field_) * Number(rational(root) / (2 * minimal[2]));
  for (long precision = 64;; precision *= 2) {
    radical.enclose(lower, upper, precision);
    const bool above = (shift + offset > Number(lower)) && (shift + offset < Number(upper));
    const bool below = (shift - offset > Number(lower)) && (shift - offset < Number(upper));
    if (above != below) return above ? shift + offset : shift - offset;
  }
}

Number Tower::extend(const std::vector<rational>& minimal, const Radical& radical, Number& image) {
  const int composed = field_->degree() * (static_cast<int>(minimal.size()) - 1);
  if (composed > max_composed_degree) {
    throw BadInput(where_ + ": the numbers need a field of degree up to " +
                   std::to_string(composed) + ", accepted are common fields of degree up to " +
                   std::to_string(max_field_degree));
  }
  const Number theta = Number::generator(field_);
  for (long multiple = 1;; ++multiple) {
    const FieldPtr old = field_;
    Radical sum;
    sum.polynomial = composed_sum(minimal, old->minimal(), multiple);
    bool repeated = false;
    irreducible_factors(sum.polynomial, repeated);
    if (repeated) continue;  // two sums coincide: this combination may not generate the field
    sum.enclose = [&radical, &theta, multiple](rational& lower, rational& upper, long precision) {
      rational low, high;
      radical.enclose(lower, upper, precision);
      theta.enclose(low, high, precision);
      lower += multiple * low;
      upper += multiple * high;
    };
    const std::vector<rational> joint = minimal_polynomial(sum);
    const int degree = static_cast<int>(joint.size()) - 1;
    if (degree == old->degree()) {  // the number is in the field already: find it there
      const Poly shifted = compose(as_poly(joint), Poly({theta * Number(multiple), Number(1)}));
      const Poly common = gcd(as_poly(minimal), shifted);
      if (common.degree() != 1) throw std::logic_error("adjunction: common divisor not linear");
      return -common[0];
    }
    if (degree > max_field_degree) {
      throw BadInput(where_ + ": the numbers need a field of degree " + std::to_string(degree) +
                     ", accepted are degrees up to " + std::to_string(max_field_degree));
    }
    rational lower, upper;
    isolate(joint, sum, lower, upper);
    field_ = Field::make(joint, lower, upper);
    const Number gamma = Number::generator(field_);
    const Poly other = compose(as_poly(old->minimal()),
                               Poly({gamma / Number(multiple), Number(-1) / Number(multiple)}));
    const Poly common = gcd(as_poly(minimal), other);
    if (common.degree() != 1) throw std::logic_error("adjunction: common divisor not linear");
    const Number value = -common[0];
    image = (gamma - value) / Number(multiple);
    return value;
  }
}

}  // namespace daemark::exact
