#include "analysis/exact/proof/code_theory.hpp"

#include <cmath>

#include "analysis/exact/numbers/poly.hpp"
#include "analysis/exact/theory/import.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark::exact {

namespace {

/// y' = z y as a stepper sees it: ẏ - z y = 0.
template <class S>
class LinearTest final : public ImplicitSystem<S> {
 public:
  explicit LinearTest(const S& z) : z_(z) {
    this->components_ = {{"y", Component::Kind::differential, -1}};
    this->row_power_ = {0};
    this->pattern_y_ = this->pattern_rate_ = Pattern{1, 1, {{0, 0}}};
    this->finish_components();
  }
  void evaluate(const SystemPoint<S>& p, S* r, S* jacobian_y, S* jacobian_rate) override {
    r[0] = p.rate[0] - z_ * p.y[0];
    if (jacobian_y) jacobian_y[0] = -z_;
    if (jacobian_rate) jacobian_rate[0] = S(1);
  }
  bool explicit_rates(S* y, S* rate, const S&, const S*) override {
    rate[0] = z_ * y[0];
    return true;
  }

 private:
  S z_;
};

/// One step of the method from y = 1 with h = 1; false with the reason when it fails.
template <class S>
bool one_step(const Method& method, const rational& z, S& value, bool& available,
              std::string& failure) {
  using F = FactorScalar<S>;
  LinearTest<S> system(static_cast<S>(z));
  LinearTest<F> factor(static_cast<F>(z));
  auto stepper =
      method.stepper(Target<S>{&system, &factor}, parse_settings({}, Precision::in_real50));
  available = stepper != nullptr;
  if (!available) return false;
  State<S> start;
  start.t = S(0);
  start.y = {S(1)};
  start.rate = {static_cast<S>(z)};
  stepper->start(start, S(1));
  const StepReport report = stepper->step();
  failure = std::string(status_name(report.status)) + " " + report.why;
  value = stepper->state().y[0];
  return report.status == Status::ok;
}

struct Function {
  std::vector<Expression> num, den;
  bool rational_coefficients = true;
};

wide value(const std::vector<Expression>& p, const rational& z) {
  wide out = 0;
  for (std::size_t i = p.size(); i-- > 0;) out = out * static_cast<wide>(z) + p[i].eval<wide>();
  return out;
}

rational value_at(const std::vector<Expression>& p, const rational& z) {
  rational out = 0;
  for (std::size_t i = p.size(); i-- > 0;) out = out * z + p[i].as_rational();
  return out;
}

/// A coefficient as reports have it. Those of decimals may be fractions of thousands of digits,
/// which no file may hold.
Expression coefficient(const std::string& text, const std::string& id) {
  if (text.find_first_not_of("-0123456789/") == std::string::npos)
    return Expression(rational(text));
  return Expression::parse(text, id);
}

Function function_of(const VerifyReport& report) {
  if (report.num.empty()) throw BadInput(report.id + ": no stability function to compare with");
  Function f;
  const bool decimals = !report.num_digits.empty();
  for (const std::string& t : decimals ? report.num_digits : report.num)
    f.num.push_back(coefficient(t, report.id));
  for (const std::string& t : decimals ? report.den_digits : report.den)
    f.den.push_back(coefficient(t, report.id));
  if (decimals) f.rational_coefficients = false;
  for (const auto* p : {&f.num, &f.den})
    for (const Expression& e : *p) f.rational_coefficients &= e.is_rational();
  return f;
}

/// Digits on which a and b agree, relative to max(1, |b|), capped at 50.
int agreement(const wide& a, const wide& b) {
  const wide size = std::max(wide(1), wide(mp::abs(b)));
  const wide gap = wide(mp::abs(a - b)) / size;
  if (gap == 0) return 50;
  return std::min(50, static_cast<int>(mp::floor(-mp::log10(gap))));
}

}  // namespace

void add_tableau_check(VerifyReport& report, const WideTableau& code, const BallMatrix& a,
                       const BallVector& c) {
  const rational tolerance(integer(1), mp::pow(integer(10), tableau_digits));
  const auto differs = [&](const wide& x, const Ball& exact) {
    return !exact.bounded() || !Ball(exact_value(x)).inside(exact.widened(tolerance));
  };
  std::string where;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (differs(code.c.at(i), c[i])) where = "c" + std::to_string(i + 1);
    if (differs(code.b.at(i), a.back()[i])) where = "b" + std::to_string(i + 1);
    for (std::size_t j = 0; j < a.size(); ++j) {
      const Ball exact = j < a[i].size() ? a[i][j] : Ball(0);
      if (differs(code.A.at(i).at(j), exact))
        where = "a" + std::to_string(i + 1) + std::to_string(j + 1);
    }
  }
  const std::string digits = std::to_string(tableau_digits);
  if (where.empty()) {
    report.notes.push_back("the program's tableau is the derived one, to 1e-" + digits);
  } else {
    report.failures.push_back("code is not the theory: " + where + " is off by more than 1e-" +
                              digits);
  }
}

CodeCheck compare_code(const std::string& name, const VerifyReport& report) {
  const Function f = function_of(report);
  const auto method = method_registry().make(name);
  CodeCheck out;
  out.method = name;
  out.holds = true;
  out.digits = 50;
  const int wanted = static_cast<int>(f.num.size() + f.den.size()) - 1;
  out.exact = f.rational_coefficients;
  for (int i = 1; out.points < wanted; ++i) {
    const rational z = rational(-i) / 3;
    const wide den = value(f.den, z);
    if (mp::abs(den) < wide("1e-30")) continue;  // a pole
    bool available = true;
    std::string failure;
    if (out.exact) {
      rational y;
      const bool ran = one_step<rational>(*method, z, y, available, failure);
      if (available) {
        if (!ran || y * value_at(f.den, z) != value_at(f.num, z)) {
          out.holds = false;
          out.failure = "z = " + z.str() + ": " + (ran ? "step gives " + y.str() : failure);
          return out;
        }
        ++out.points;
        continue;
      }
      out.exact = false;  // no rational stepper for this method
    }
    real50 y;
    const bool ran = one_step<real50>(*method, z, y, available, failure);
    const int digits = ran ? agreement(static_cast<wide>(y), value(f.num, z) / den) : 0;
    out.digits = std::min(out.digits, digits);
    if (!ran || digits < code_digits) {
      out.holds = false;
      out.failure = "z = " + z.str() + ": " +
                    (ran ? "agrees to " + std::to_string(digits) + " digits only" : failure);
      return out;
    }
    ++out.points;
  }
  if (out.exact) out.digits = 0;
  return out;
}

}  // namespace daemark::exact
