// The field Q(theta): checks on its description and enclosures of theta.
#include "analysis/exact/numbers/number.hpp"
#include "base/numbers/polynomial_root.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

rational evaluate(const std::vector<rational>& poly, const rational& x) {
  rational out = 0;
  for (std::size_t i = poly.size(); i-- > 0;) out = out * x + poly[i];
  return out;
}

int sign_of(const rational& x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }

bool irreducible(const fmpz_poly_t poly) {
  fmpz_poly_factor_t factors;
  fmpz_poly_factor_init(factors);
  fmpz_poly_factor(factors, poly);
  const bool out = factors->num == 1 && factors->exp[0] == 1;
  fmpz_poly_factor_clear(factors);
  return out;
}

std::string describe(const std::vector<rational>& minimal, const rational& lower,
                     const rational& upper) {
  if (minimal.size() == 3 && minimal[2] == 1 && minimal[1] == 0 && lower >= 0)
    return "sqrt(" + rational_text(-minimal[0]) + ")";
  std::string poly;
  for (std::size_t i = minimal.size(); i-- > 0;) {
    const rational& c = minimal[i];
    if (c == 0) continue;
    const rational size = c < 0 ? -c : c;
    std::string term = i > 0 && size == 1 ? "" : rational_text(size);
    if (i > 0) term += (term.empty() ? "x" : "*x") + (i > 1 ? "^" + std::to_string(i) : "");
    poly += (c < 0 ? "-" : poly.empty() ? "" : "+") + term;
  }
  return "root(" + poly + "," + rational_text(lower) + "," + rational_text(upper) + ")";
}

}  // namespace

FieldPtr Field::make(const std::vector<rational>& minimal, const rational& lower,
                     const rational& upper) {
  std::shared_ptr<Field> field(new Field);
  fmpq_poly_init(field->modulus_);
  for (std::size_t i = 0; i < minimal.size(); ++i)
    set_coefficient(field->modulus_, static_cast<long>(i), minimal[i]);
  field->minimal_ = minimal;
  field->lower_ = lower;
  field->upper_ = upper;
  const int degree = static_cast<int>(minimal.size()) - 1;
  if (degree < 2 || degree > max_field_degree || minimal.back() == 0) {
    throw BadInput("algebraic number: degree " + std::to_string(degree) +
                   " of the minimal polynomial, accepted are 2 to " +
                   std::to_string(max_field_degree));
  }
  fmpz_poly_t integral;
  fmpz_poly_init(integral);
  fmpq_poly_get_numerator(integral, field->modulus_);
  const bool good = irreducible(integral);
  fmpz_poly_clear(integral);
  if (!good) throw BadInput("algebraic number: the polynomial is reducible, give its factor");
  // An irreducible polynomial of degree 2 or more has no root at a rational end.
  if (!(lower < upper) || SturmChain(primitive_part(minimal)).count(lower, upper) != 1)
    throw BadInput("algebraic number: the interval must hold exactly one root of the polynomial");
  field->text_ = describe(minimal, lower, upper);
  field->cached_lower_ = lower;
  field->cached_upper_ = upper;
  return field;
}

Field::~Field() { fmpq_poly_clear(modulus_); }

bool Field::same_as(const Field& other) const {
  return this == &other || (minimal_ == other.minimal_ && lower_ <= other.upper_ &&
                            other.lower_ <= upper_ && lower_ == other.lower_);
}

void Field::enclose(rational& lower, rational& upper, long precision) const {
  std::lock_guard<std::mutex> lock(mutex_);
  if (precision > precision_) {
    // Bisection by exact signs: slow but beyond doubt; refined from the cached interval only.
    int left = sign_of(evaluate(minimal_, cached_lower_));
    const rational target(integer(1), power_of_two(precision));
    while (cached_upper_ - cached_lower_ > target) {
      checkpoint();
      const rational middle = (cached_lower_ + cached_upper_) / 2;
      const int here = sign_of(evaluate(minimal_, middle));
      if (left == 0 || here == 0) break;  // impossible for degree >= 2, kept as a guard
      (here == left ? cached_lower_ : cached_upper_) = middle;
    }
    precision_ = precision;
  }
  lower = cached_lower_;
  upper = cached_upper_;
}

}  // namespace daemark::exact
