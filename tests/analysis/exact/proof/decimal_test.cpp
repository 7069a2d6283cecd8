// Decimals and approximating fractions: judged to the accuracy of their digits, never certified.
#include <gtest/gtest.h>

#include <cmath>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/rounding.hpp"
#include "base/input/strict_json.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "tests/analysis/exact/proof_reports.hpp"

namespace daemark::exact {
namespace {

void never_proved(const VerifyReport& report) {
  EXPECT_FALSE(report.exact);
  EXPECT_TRUE(report.certificate.empty());
  EXPECT_TRUE(report.certificate_data.is_null());
  EXPECT_TRUE(report.to_json()["certificate"].is_null());
  EXPECT_EQ(report.to_json().dump().find("prove"), std::string::npos);
}

// The two-stage SDIRK with gamma = 1 - sqrt(2)/2 (Alexander 1977), rounded to `digits`.
Coefficients alexander(int digits) {
  const wide gamma = 1 - sqrt(wide(2)) / 2;
  const std::string g = gamma.str(digits, std::ios_base::fixed);
  const std::string rest = wide(1 - gamma).str(digits, std::ios_base::fixed);
  Coefficients t = tableau_of_texts("alexander", {{g, "0"}, {rest, g}}, {rest, g}, {g, "1"});
  t.decimal = true;
  t.claims.order = 2;
  t.claims.a_stable = t.claims.l_stable = t.claims.stiffly_accurate = true;
  return t;
}

TEST(ExactDecimal, TrueClaimsHoldAtAnyNumberOfDigits) {
  for (const int digits : {5, 8, 12, 16, 25}) {
    const VerifyReport report = verify_tableau(alexander(digits));
    EXPECT_TRUE(report.verified()) << digits << "\n" << failures_of(report);
    EXPECT_EQ(report.order, 2);
    EXPECT_LT(*report.order_residual, std::pow(10.0, 1 - digits));
    never_proved(report);
  }
}

TEST(ExactDecimal, FalseClaimsDoNot) {
  Coefficients t = alexander(16);
  t.claims.order = 3;
  EXPECT_NE(failures_of(verify_tableau(t)).find("order: claimed 3, derived 2"), std::string::npos);
  t = alexander(16);
  t.claims.symplectic = true;
  EXPECT_FALSE(verify_tableau(t).verified());
  t = tableau_of_texts("explicit", {{"0", "0"}, {"0.5", "0"}}, {"0", "1"}, {"0", "0.5"});
  t.decimal = true;
  t.claims.a_stable = true;
  EXPECT_NE(failures_of(verify_tableau(t)).find("A_stable: claimed true"), std::string::npos);
}

TEST(ExactDecimal, WrongSumsAreRefused) {
  Coefficients t = tableau_of_texts("sums", {{"0.5"}}, {"0.6"}, {"0.5"});
  t.decimal = true;
  EXPECT_NE(failures_of(verify_tableau(t)).find("weights sum to 1 plus -4.0"), std::string::npos);
  Coefficients rows = alexander(16);
  rows.list("c")[1] = Expression::parse("1.0000000000010000", "test");
  EXPECT_NE(failures_of(verify_tableau(rows)).find("row sums: row 2"), std::string::npos);
}

/// Gauss, s stages: A, b and c to numbers of digits of their own.
Coefficients gauss_in_digits(int s, int of_a, int of_b, int of_c) {
  const auto found = method_registry().make("gauss(" + std::to_string(s) + ")")->tableau();
  const auto texts = [](const std::vector<wide>& values, int digits) {
    std::vector<std::string> out;
    for (const wide& x : values) out.push_back(x.str(digits, std::ios_base::fixed));
    return out;
  };
  std::vector<std::vector<std::string>> a;
  for (const auto& row : found->A) a.push_back(texts(row, of_a));
  Coefficients t = tableau_of_texts("gauss", a, texts(found->b, of_b), texts(found->c, of_c));
  t.decimal = true;
  t.claims.order = 2 * s;
  return t;
}

// The residuals of a method with b to 6 digits are below 3 * 10^-6; those of a wrong sixth digit
// are not.
TEST(ExactDecimal, GroupsAreJudgedByTheirOwnDigits) {
  for (const auto& [of_a, of_b] : {std::pair(16, 6), {6, 16}, {16, 16}, {6, 6}}) {
    const VerifyReport report = verify_tableau(gauss_in_digits(3, of_a, of_b, 16));
    EXPECT_TRUE(report.verified()) << of_a << ", " << of_b << "\n" << failures_of(report);
    EXPECT_EQ(report.order, 6);
    EXPECT_LT(*report.order_residual, 3e-6);
  }
  Coefficients wrong = gauss_in_digits(3, 16, 6, 16);
  wrong.list("b")[0] = Expression::parse("0.277788", "test");  // 0.277778
  EXPECT_NE(failures_of(verify_tableau(wrong)).find("the weights sum to 1 plus 1.0"),
            std::string::npos)
      << failures_of(verify_tableau(wrong));
}

// One short entry, or short dyadic fractions, are exact in a file of long decimals.
TEST(ExactDecimal, ShortEntriesOfLongFilesAreExact) {
  Coefficients t = gauss_in_digits(3, 16, 16, 16);
  for (const char* text : {"0.2778", "0.3125"}) {
    t.list("b") = expressions({text, "0.4444444444444444", "0.2777777777777778"});
    EXPECT_FALSE(verify_tableau(t).verified()) << text;
  }
  t.list("b") = expressions({"0.3125", "0.4375", "0.2501"});
  EXPECT_FALSE(verify_tableau(t).verified());
}

// Gauss, 6 and 7 stages, to 60 digits: by trees to 12 and then 14, where the table of trees ends
// and the quadrature shows that B(15) does not hold.
TEST(ExactDecimal, OrdersBeyondTen) {
  for (const int s : {6, 7}) {
    const VerifyReport report = verify_tableau(gauss_in_digits(s, 60, 60, 60));
    EXPECT_TRUE(report.verified()) << failures_of(report);
    EXPECT_EQ(report.order, 2 * s);
    EXPECT_EQ(report.facts.b, 2 * s);
    EXPECT_EQ(report.stage_order, s);
    EXPECT_LT(*report.order_residual, 1e-58);
    const std::string notes = joined(report.notes);
    EXPECT_NE(notes.find("e^z - R(z) = O(z^" + std::to_string(2 * s + 1) + ")"), notes.npos)
        << notes;
    never_proved(report);
  }
}

// Extrapolated midpoint rule of order 16, 57 stages: the trees end at order 13.
TEST(ExactDecimal, OrdersBeyondTheTreesAreBounds) {
  Coefficients t = extrapolated_midpoint(8);
  for (auto& row : t.rows("A"))
    for (Expression& e : row)
      if (e.eval<wide>() != 0)
        e = Expression::parse(e.eval<wide>().str(60, std::ios_base::fixed), "test");
  t.decimal = true;
  t.claims.order = 12;
  const VerifyReport low = verify_tableau(t);
  EXPECT_FALSE(low.order);
  EXPECT_NE(failures_of(low).find("order: claimed 12, derived 13"), std::string::npos)
      << failures_of(low);
  EXPECT_NE(low.to_json().dump().find("order at least 13 to the accuracy"), std::string::npos);
}

// 0.5 is 1/2: a table with short decimals only is exact, and gains no order by their "accuracy".
// A-stability is that of the numbers as written.
TEST(ExactDecimal, ShortDecimalsAreExact) {
  Coefficients t = tableau_of_texts("rk4",
                                    {{"0", "0", "0", "0"},
                                     {"0.5", "0", "0", "0"},
                                     {"0", "0.5", "0", "0"},
                                     {"0", "0", "1.0", "0"}},
                                    {"1/6", "1/3", "1/3", "1/6"}, {"0", "0.5", "0.5", "1.0"});
  t.decimal = true;
  EXPECT_EQ(verify_tableau(t).order, 4);
  EXPECT_EQ(verify_tableau(t).order_residual, 0.0);
  t.list("b") = expressions({"0.1667", "0.3333", "0.3333", "0.1667"});
  EXPECT_EQ(verify_tableau(t).order, 4);
  EXPECT_GT(*verify_tableau(t).order_residual, 1e-6);
  t = tableau_of_texts("midpoint", {{"0.5"}}, {"1"}, {"0.5"});
  t.decimal = true;
  EXPECT_EQ(verify_tableau(t).a_stable, true);
}

// ARK3(2)4L[2]SA, implicit part (Kennedy & Carpenter 2003): fractions good to some 25 digits.
Coefficients kennedy_carpenter() {
  const std::string g = "1767732205903/4055673282236";
  const std::vector<std::string> b = {"1471266399579/7840856788654", "-4482444167858/7529755066697",
                                      "11266239266428/11593286722821", g};
  Coefficients t =
      tableau_of_texts("ark3",
                       {{"0", "0", "0", "0"},
                        {g, g, "0", "0"},
                        {"2746238789719/10658868560708", "-640167445237/6845629431997", g, "0"},
                        b},
                       b, {"0", "1767732205903/2027836641118", "3/5", "1"});
  t.list("b_hat") = expressions({"2756255671327/12835298489170", "-10771552573575/22201958757719",
                                 "9247589265047/10645013368117", "2193209047091/5459859503100"});
  return t;
}

TEST(ExactDecimal, FractionsThatApproximateHaveTwoOrders) {
  const VerifyReport report = verify_tableau(kennedy_carpenter());
  EXPECT_TRUE(report.exact);
  EXPECT_LT(*report.order, 3);
  EXPECT_EQ(report.order_within_rounding, 3);
  EXPECT_LT(*report.order_residual, 1e-23);
  Coefficients declared = kennedy_carpenter();
  declared.decimal = true;
  declared.claims.order = 3;
  declared.claims.embedded_order = 2;
  declared.claims.a_stable = declared.claims.l_stable = true;
  const VerifyReport rounded = verify_tableau(declared);
  EXPECT_TRUE(rounded.verified()) << failures_of(rounded);
  EXPECT_EQ(rounded.order, 3);
  EXPECT_EQ(rounded.facts.embedded_order, 2);
  never_proved(rounded);
}

// The same of Nyström, additive and Rosenbrock methods, whose files declare their digits.
TEST(ExactDecimal, EveryKindHasAnOrderWithinRounding) {
  for (const auto& [id, order] : {std::pair("dprkn_12", 12), {"ark3_2_4l", 3}, {"ros34pw2", 3}}) {
    Coefficients undeclared = *method_registry().make(id)->coefficients();
    undeclared.decimal = false;
    undeclared.claims = {};
    const VerifyReport report = verify_coefficients(undeclared);
    EXPECT_LT(*report.order, order) << id;
    EXPECT_EQ(report.order_within_rounding, order) << id;
  }
  const Coefficients exact = *method_registry().make("fine_5")->coefficients();
  EXPECT_FALSE(verify_coefficients(exact).order_within_rounding);
}

TEST(ExactDecimal, ExactFractionsWithLongDenominatorsGainNothing) {
  for (const char* id : {"dormand_prince_5", "fehlberg_8", "verner_8"}) {
    const VerifyReport report = verify_tableau(load_method_file(tableau_file(id)));
    EXPECT_TRUE(report.verified()) << id;
    EXPECT_FALSE(report.order_within_rounding) << id;
  }
}

/// What verify says of the roots at infinity: simple ones, and one that leaves the plane.
TEST(ExactVerify, MultistepRootsAtInfinity) {
  const auto notes = [](const std::vector<std::string>& alpha,
                        const std::vector<std::string>& beta) {
    return joined(verify_multistep(formula_of_texts("formula", alpha, beta)).notes);
  };
  // Milne and Simpson: s² + 4 s + 1 has the root -2 - √3.
  EXPECT_NE(notes({"-1", "0", "1"}, {"1/3", "4/3", "1/3"}).find("at infinity 3.732050808"),
            std::string::npos);
  // Two steps of Adams and Bashforth.
  EXPECT_NE(notes({"0", "-1", "1"}, {"-1/2", "3/2", "0"}).find("unbounded at infinity"),
            std::string::npos);
}

/// Order 3 with two explicit steps, the root -5 of rho: the classical example of divergence.
TEST(ExactVerify, AFormulaThatIsNotZeroStableIsCalledSo) {
  for (const bool decimal : {false, true}) {
    Coefficients formula = formula_of_texts("dahlquist", {"-5", "4", "1"}, {"2", "4", "0"});
    formula.decimal = decimal;
    formula.claims.order = 3;
    const VerifyReport report = verify_multistep(formula);
    EXPECT_EQ(report.order, 3);
    EXPECT_TRUE(report.is_unstable());
    EXPECT_TRUE(report.verified()) << "what it claims is true: " << failures_of(report);
  }
}

TEST(ExactDecimal, Multistep) {
  Coefficients bdf2 = formula_of_texts("bdf2", {"0.3333333333333333", "-1.3333333333333333", "1"},
                                       {"0", "0", "0.6666666666666666"});
  bdf2.decimal = true;
  bdf2.claims.order = 2;
  bdf2.claims.a_stable = bdf2.claims.l_stable = true;
  const VerifyReport report = verify_multistep(bdf2);
  EXPECT_TRUE(report.verified()) << failures_of(report);
  EXPECT_EQ(report.order, 2);
  EXPECT_FALSE(report.is_unstable());
  never_proved(report);
  bdf2.list("beta").back() = Expression::parse("0.6667", "test");
  EXPECT_FALSE(verify_multistep(bdf2).verified());
}

// Alexander 1977: gamma = 1 - sqrt(2)/2 is L-stable, so that no rounding of it may be called less;
// for gamma < 1/4 the method is not A-stable (Hairer & Wanner 1996, table IV.6.3).
TEST(ExactDecimal, RoundingAloneDecidesNothingAboutStability) {
  for (int digits = 12; digits <= 25; ++digits) {
    const VerifyReport report = verify_tableau(alexander(digits));
    EXPECT_NE(report.a_stable, std::optional(false)) << digits;
    EXPECT_NE(report.l_stable, std::optional(false)) << digits;
    EXPECT_NE(report.facts.imaginary_interval, std::optional(0.0)) << digits;
  }
  Coefficients t = tableau_of_texts("low", {{"0.21234", "0"}, {"0.57532", "0.21234"}},
                                    {"0.5", "0.5"}, {"0.21234", "0.78766"});
  t.decimal = true;
  EXPECT_EQ(verify_tableau(t).a_stable, std::optional(false));
}

/// Radau IIA with 3 stages, order 5, in fractions as Fraction.limit_denominator(2000) rounds them.
Coefficients radau_in_short_fractions() {
  Coefficients t = tableau_of_texts("short",
                                    {{"309/1570", "-112/1709", "44/1851"},
                                     {"764/1937", "479/1640", "-44/1059"},
                                     {"67/178", "903/1762", "1/9"}},
                                    {"67/178", "903/1762", "1/9"}, {"198/1277", "881/1366", "1"});
  t.decimal = true;
  t.claims.order = 5;
  return t;
}

// 67/178 is off by 3e-6: denominators below 1000 are rounded where their neighbours are. The last
// entry of a row as what the others leave of c_i, exactly or as an expression, is off by as much.
TEST(ExactDecimal, ShortDenominatorsAndSubtractionsAreRounded) {
  EXPECT_EQ(failures_of(verify_tableau(radau_in_short_fractions())), "");
  for (const bool written : {false, true}) {
    Coefficients t = radau_in_short_fractions();
    for (std::size_t i = 0; i < 3; ++i) {
      const std::string text = t.list("c")[i].text() + "-(" + t.rows("A")[i][0].text() + ")-(" +
                               t.rows("A")[i][1].text() + ")";
      const Expression rest = Expression::parse(text, "test");
      t.rows("A")[i][2] = written ? rest : Expression(rest.as_rational());
    }
    t.list("b") = t.rows("A")[2];
    const VerifyReport report = verify_tableau(t);
    EXPECT_EQ(failures_of(report), "") << written;
    EXPECT_EQ(report.order, 5) << written;
  }
  Coefficients wrong = radau_in_short_fractions();
  wrong.rows("A")[1][1] = Expression::parse("479/1641", "test");  // off by 2e-4
  EXPECT_NE(failures_of(verify_tableau(wrong)), "");
}

// ROS3P (Lang & Verwer 2001) in 8 digits: order 3 to their accuracy, also with one digit less.
TEST(ExactDecimal, RosenbrockMethodsInFewDigits) {
  using Pair = std::pair<std::string, std::string>;
  for (const auto& [gamma, below] :
       {Pair("0.78867513", "-1.07735027"), Pair("0.7886751", "-1.0773503")}) {
    Coefficients method = tableau_of_texts("ros3p_in_digits", {}, {"2/3", "0", "1/3"}, {});
    method.kind = MethodKind::rosenbrock;
    method.list("gamma") = expressions({gamma});
    method.rows("alpha") = {expressions({"0", "0", "0"}), expressions({"1", "0", "0"}),
                            expressions({"1", "0", "0"})};
    method.rows("gamma_ij") = {expressions({"0", "0", "0"}), expressions({"-1", "0", "0"}),
                               expressions({"-" + gamma, below, "0"})};
    method.decimal = true;
    method.claims.order = 3;
    EXPECT_EQ(failures_of(verify_rosenbrock(method)), "") << gamma;
    method.rows("gamma_ij")[2][1] = Expression::parse("-1.07734027", "test");
    EXPECT_NE(failures_of(verify_rosenbrock(method)), "");
  }
}

// Rounding of fractions cannot make a polynomial bounded: not A-stable, proved.
TEST(ExactDecimal, ExplicitMethodsAreNotAStableWhateverTheirDigits) {
  for (const char* call : {"dormand_prince_5", "verner_efficient_8", "fehlberg_8"}) {
    const VerifyReport report = verify_method(call);
    EXPECT_EQ(report.a_stable, std::optional(false)) << call;
    EXPECT_EQ(report.l_stable, std::optional(false)) << call;
    EXPECT_NE(report.facts.imaginary_interval, std::nullopt) << call;
  }
}

// Published as A-stable, with decimals or long fractions that miss it by less than 1e-17: proofs by
// Steinebach 2023, Rang & Angermann 2005, Kennedy & Carpenter 2003, 2016.
TEST(ExactDecimal, PublishedMethodsAreNotCalledUnstableForTheirRounding) {
  for (const char* call : {"rodas4p2", "rodas5p", "rodas6p", "ros34pw2", "esdirk_5_4_7l",
                           "qesdirk_4_3_6l", "ark3_2_4l"}) {
    const VerifyReport report = verify_method(call);
    EXPECT_EQ(report.a_stable, std::nullopt) << call;
    EXPECT_EQ(report.l_stable, std::nullopt) << call;
    EXPECT_EQ(report.facts.imaginary_interval, std::nullopt) << call;
    EXPECT_EQ(report.facts.a_alpha, std::nullopt) << call;
    EXPECT_TRUE(report.verified()) << call << failures_of(report);
  }
}

}  // namespace
}  // namespace daemark::exact
