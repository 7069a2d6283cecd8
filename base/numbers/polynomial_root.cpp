#include "base/numbers/polynomial_root.hpp"

#include <algorithm>
#include <utility>

namespace daemark {
namespace {

using IntegerPolynomial = std::vector<exact_integer>;

void drop_leading_zeros(IntegerPolynomial& p) {
  while (!p.empty() && p.back() == 0) p.pop_back();
}

/// Divides by the (positive) content, so signs are kept.
void make_primitive(IntegerPolynomial& p) {
  exact_integer content = 0;
  for (const exact_integer& c : p) {
    content = mp::gcd(content, c);
    if (content == 1) return;
  }
  if (content == 0) return;
  for (exact_integer& c : p) c /= content;
}

IntegerPolynomial derivative(const IntegerPolynomial& p) {
  IntegerPolynomial d;
  for (std::size_t i = 1; i < p.size(); ++i) d.push_back(p[i] * static_cast<long>(i));
  make_primitive(d);
  return d;
}

/// A positive multiple of the remainder of a by b, made primitive.
IntegerPolynomial remainder(IntegerPolynomial a, const IntegerPolynomial& b) {
  const exact_integer lead = mp::abs(b.back());
  const int lead_sign = b.back().sign();
  while (a.size() >= b.size()) {
    const exact_integer factor = a.back() * lead_sign;
    const std::size_t shift = a.size() - b.size();
    for (exact_integer& c : a) c *= lead;
    for (std::size_t i = 0; i < b.size(); ++i) a[i + shift] -= factor * b[i];
    drop_leading_zeros(a);
  }
  make_primitive(a);
  return a;
}

/// a / b where b divides a; both primitive, hence so is the quotient (Gauss).
IntegerPolynomial exact_quotient(IntegerPolynomial a, const IntegerPolynomial& b) {
  IntegerPolynomial quotient(a.size() - b.size() + 1);
  for (std::size_t k = quotient.size(); k-- > 0;) {
    quotient[k] = a[k + b.size() - 1] / b.back();
    for (std::size_t i = 0; i < b.size(); ++i) a[k + i] -= quotient[k] * b[i];
  }
  return quotient;
}

/// p(numerator / denominator) * denominator^degree, denominator > 0.
exact_integer scaled_value(const IntegerPolynomial& p, const exact_integer& numerator,
                           const exact_integer& denominator) {
  exact_integer value = p.back();
  exact_integer power = 1;
  for (std::size_t i = p.size() - 1; i-- > 0;) {
    power *= denominator;
    value = value * numerator + p[i] * power;
  }
  return value;
}

int sign_at(const IntegerPolynomial& p, const rational& x) {
  return scaled_value(p, mp::numerator(x), mp::denominator(x)).sign();
}

int sign_changes(const std::vector<IntegerPolynomial>& chain, const rational& x) {
  int changes = 0;
  int last = 0;
  for (const IntegerPolynomial& p : chain) {
    const int sign = sign_at(p, x);
    if (sign == 0) continue;
    if (last != 0 && sign != last) ++changes;
    last = sign;
  }
  return changes;
}

/// Removes the simple root x, if it is one.
void deflate(IntegerPolynomial& p, const rational& x) {
  if (sign_at(p, x) == 0) p = exact_quotient(p, {-mp::numerator(x), mp::denominator(x)});
}

/// Quadratic interval refinement (J. Abbott, 2006): the interval is cut into 2^bits_ pieces, the
/// secant guesses the piece, signs at its ends prove it. Bounds are integers over one denominator.
class Enclosure {
 public:
  Enclosure(IntegerPolynomial p, const rational& lower, const rational& upper)
      : p_(std::move(p)), denominator_(mp::lcm(mp::denominator(lower), mp::denominator(upper))) {
    lower_ = mp::numerator(lower) * (denominator_ / mp::denominator(lower));
    width_ = mp::numerator(upper) * (denominator_ / mp::denominator(upper)) - lower_;
    value_lower_ = scaled_value(p_, lower_, denominator_);
    value_upper_ = scaled_value(p_, lower_ + width_, denominator_);
  }

  wide root(unsigned relative_bits) {
    while (width_ != 0 && !narrow(relative_bits)) refine();
    return wide(rational(2 * lower_ + width_, 2 * denominator_));
  }

 private:
  bool narrow(unsigned relative_bits) const {
    const exact_integer nearest =
        std::min<exact_integer>(mp::abs(lower_), mp::abs(lower_ + width_));
    return (width_ << relative_bits) <= nearest;
  }

  void refine() {
    const exact_integer pieces = exact_integer(1) << bits_;
    exact_integer guess =
        (pieces * value_lower_ + (value_lower_ - value_upper_) / 2) / (value_lower_ - value_upper_);
    guess = bits_ == 1 ? exact_integer(1) : std::clamp<exact_integer>(guess, 1, pieces - 1);
    const exact_integer scale = denominator_ << bits_;
    const exact_integer start = lower_ << bits_;
    const auto value = [&](const exact_integer& piece) {
      return scaled_value(p_, start + piece * width_, scale);
    };
    exact_integer left = guess;
    exact_integer value_left = value(guess);
    exact_integer value_right = value_left;
    if (value_left == 0) {
      accept(start + guess * width_, scale, 0, 0);
      width_ = 0;
      return;
    }
    if (value_left.sign() == value_lower_.sign()) {
      value_right = value(guess + 1);
    } else {
      left = guess - 1;
      value_left = value(left);
    }
    if (value_left.sign() * value_right.sign() < 0) {
      accept(start + left * width_, scale, value_left, value_right);
      bits_ = std::min(2 * bits_, 512U);
    } else if (value_left == 0 || value_right == 0) {
      accept(start + (value_left == 0 ? left : guess + 1) * width_, scale, 0, 0);
      width_ = 0;
    } else {
      bits_ = std::max(bits_ / 2, 1U);
    }
  }

  void accept(const exact_integer& lower, const exact_integer& denominator,
              const exact_integer& value_lower, const exact_integer& value_upper) {
    lower_ = lower;
    denominator_ = denominator;
    value_lower_ = value_lower;
    value_upper_ = value_upper;
  }

  IntegerPolynomial p_;
  exact_integer denominator_, lower_, width_;  ///< root in (lower_, lower_ + width_) / denominator_
  exact_integer value_lower_, value_upper_;    ///< scaled values at the ends, of opposite sign
  unsigned bits_ = 2;
};

}  // namespace

std::optional<rational> exact_root(const rational& x, int k) {
  const auto root = [k](exact_integer value) -> std::optional<exact_integer> {
    const auto degree = static_cast<unsigned long>(k);
    if (mpz_root(value.backend().data(), value.backend().data(), degree) == 0) return std::nullopt;
    return value;
  };
  const auto above = root(mp::numerator(x)), below = root(mp::denominator(x));
  if (!above || !below) return std::nullopt;
  return rational(*above, *below);
}

std::optional<rational> radicand(const std::vector<rational>& polynomial) {
  const bool binomial = polynomial.size() > 2 && polynomial.back() == 1 && polynomial[0] < 0 &&
                        std::all_of(polynomial.begin() + 1, polynomial.end() - 1,
                                    [](const rational& c) { return c == 0; });
  return binomial ? std::optional(rational(-polynomial[0])) : std::nullopt;
}

std::vector<exact_integer> primitive_part(const std::vector<rational>& polynomial) {
  exact_integer denominator = 1;
  for (const rational& c : polynomial) denominator = mp::lcm(denominator, mp::denominator(c));
  IntegerPolynomial p;
  for (const rational& c : polynomial) {
    p.push_back(mp::numerator(c) * (denominator / mp::denominator(c)));
  }
  drop_leading_zeros(p);
  make_primitive(p);
  return p;
}

SturmChain::SturmChain(std::vector<exact_integer> polynomial) {
  chain_.push_back(std::move(polynomial));
  chain_.push_back(derivative(chain_.front()));
  while (chain_.back().size() > 1) {
    IntegerPolynomial next = remainder(chain_[chain_.size() - 2], chain_.back());
    if (next.empty()) break;
    for (exact_integer& c : next) c = -c;
    chain_.push_back(std::move(next));
  }
  const IntegerPolynomial divisor = chain_.back();
  if (divisor.size() == 1) return;
  for (IntegerPolynomial& p : chain_) p = exact_quotient(std::move(p), divisor);
}

int SturmChain::count(const rational& lower, const rational& upper) const {
  const int half_open = sign_changes(chain_, lower) - sign_changes(chain_, upper);
  return sign_at(square_free(), upper) == 0 ? half_open - 1 : half_open;
}

wide refine_root(std::vector<exact_integer> square_free, const rational& lower,
                 const rational& upper) {
  constexpr unsigned kRelativeBits = 441;
  deflate(square_free, lower);
  deflate(square_free, upper);
  if (lower < 0 && upper > 0) {
    // Zero must not lie inside, or no relative width would ever be reached.
    const int sign_zero = square_free.front().sign();
    if (sign_zero == 0) return 0;
    const bool below = sign_at(square_free, lower) != sign_zero;
    return Enclosure(square_free, below ? lower : rational(0), below ? rational(0) : upper)
        .root(kRelativeBits);
  }
  return Enclosure(std::move(square_free), lower, upper).root(kRelativeBits);
}

}  // namespace daemark
