#include "base/numbers/expression.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/text/bad_input.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/repeated.hpp"

namespace daemark {
namespace {

using Op = ExpressionNode::Op;

Expression parsed(const std::string& text) { return Expression::parse(text, "test", {"h"}); }

std::string why_refused(const std::string& text, const std::vector<std::string>& variables = {}) {
  return test::refusal([&] { Expression::parse(text, "here", variables); });
}

/// Agreement to the last few of 130 digits.
void expect_wide(const wide& value, const wide& expected) {
  EXPECT_LE(mp::abs(value - expected),
            8 * std::numeric_limits<wide>::epsilon() * std::max<wide>(mp::abs(expected), 1))
      << value << " " << expected;
}

TEST(Expression, RationalsAreExact) {
  const std::vector<std::pair<std::string, rational>> cases = {
      {"0.6", rational(3, 5)},
      {"2e-6", rational(1, 500000)},
      {"1.25E+2", 125},
      {".5", rational(1, 2)},
      {"-3", -3},
      {"1/2+1/3*6", rational(5, 2)},
      {"(1/2 - 1/3) / (1/6)", 1},
      {"-2^2", -4},
      {"(-2)^2", 4},
      {"2^-3", rational(1, 8)},
      {"2^(-3)", rational(1, 8)},
      {"8-3-2", 3},
      {"8/4/2", 1},
      {"08", 8},
      {"--3", 3},
      {"2*-3", -6},
      {"0^5", 0},
      {"(1/3)^3", rational(1, 27)},
  };
  for (const auto& [text, expected] : cases) {
    const Expression expression = parsed(text);
    EXPECT_TRUE(expression.is_rational()) << text;
    EXPECT_EQ(expression.as_rational(), expected) << text;
    EXPECT_EQ(expression.eval<rational>(), expected) << text;
    EXPECT_EQ(expression.eval<double>(), static_cast<double>(expected)) << text;
    EXPECT_EQ(expression.text(), text);
  }
}

TEST(Expression, DecimalsAreFlagged) {
  for (const char* text : {"0.5", "1e2", "1/4+2.0", "sqrt(0.5)", "cos(0.5*pi)", "root(x^2-.5,0,1)",
                           "root(x^2-2,0,2.5)"}) {
    EXPECT_TRUE(parsed(text).has_decimal()) << text;
  }
  for (const char* text : {"1/2", "sqrt(2)", "cos(pi/2)", "root(x^2-2,0,2)", "h"}) {
    EXPECT_FALSE(parsed(text).has_decimal()) << text;
  }
}

TEST(Expression, TreeIsKeptAsWritten) {
  const Expression expression = parsed("1/4-sqrt(3)/6");
  const ExpressionNode& root = expression.root();
  ASSERT_EQ(root.op, Op::sub);
  EXPECT_EQ(root.args[0]->op, Op::div);
  EXPECT_EQ(root.args[0]->args[1]->value, 4);
  ASSERT_EQ(root.args[1]->op, Op::div);
  EXPECT_EQ(root.args[1]->args[0]->op, Op::sqrt);
  EXPECT_EQ(parsed("-3").root().op, Op::number);
  EXPECT_EQ(parsed("-2^2").root().op, Op::neg);
  EXPECT_EQ(parsed("h^-2").root().exponent, -2);
  EXPECT_EQ(parsed("cos(3/4*pi)").root().value, rational(3, 4));
  EXPECT_EQ(parsed("sin((1/2-1/3)*pi+pi)").root().value, rational(7, 6));
  const Expression radical = parsed("root(x^3-9*x^2+18*x-6, 0, 1)");
  EXPECT_EQ(radical.root().polynomial, (std::vector<rational>{-6, 18, -9, 1}));
  EXPECT_EQ(radical.root().lower, 0);
  EXPECT_EQ(radical.root().upper, 1);
}

TEST(Expression, IrrationalsHaveAllTheirDigits) {
  const wide sqrt2 = mp::sqrt(wide(2));
  const wide sqrt5 = mp::sqrt(wide(5));
  expect_wide(parsed("sqrt(2)").eval<wide>(), sqrt2);
  expect_wide(parsed("cos(pi/6)").eval<wide>(), mp::sqrt(wide(3)) / 2);
  expect_wide(parsed("cos(3/4*pi)").eval<wide>(), -sqrt2 / 2);
  expect_wide(parsed("sin(2*pi/5)").eval<wide>(), mp::sqrt(10 + 2 * sqrt5) / 4);
  expect_wide(parsed("cos(pi/5)").eval<wide>(), (1 + sqrt5) / 4);
  expect_wide(parsed("sin(-pi/10)").eval<wide>(), (1 - sqrt5) / 4);
  expect_wide(parsed("cos(1001*pi/4)").eval<wide>(), sqrt2 / 2);
  expect_wide(parsed("1/4-sqrt(3)/6").eval<wide>(), wide(1) / 4 - mp::sqrt(wide(3)) / 6);
  EXPECT_FALSE(parsed("sqrt(2)").is_rational());
  EXPECT_THROW(parsed("sqrt(2)").as_rational(), BadInput);
  EXPECT_THROW(parsed("sqrt(2)").eval<rational>(), BadInput);
}

TEST(Expression, RationalValuesInDisguiseAreExact) {
  EXPECT_EQ(parsed("sqrt(9/4)").eval<rational>(), rational(3, 2));
  EXPECT_EQ(parsed("sqrt(0)").eval<rational>(), 0);
  EXPECT_EQ(parsed("cos(pi/2)").eval<rational>(), 0);
  EXPECT_EQ(parsed("cos(pi)").eval<rational>(), -1);
  EXPECT_EQ(parsed("cos(2*pi/3)").eval<rational>(), rational(-1, 2));
  EXPECT_EQ(parsed("sin(pi/6)").eval<rational>(), rational(1, 2));
  EXPECT_EQ(parsed("sin(-11*pi/6)").eval<rational>(), rational(1, 2));
  EXPECT_EQ(parsed("cos(0)").eval<rational>(), 1);
}

TEST(Expression, RootsOfPolynomials) {
  const wide cube_root = mp::exp(mp::log(wide(2)) / 3);
  expect_wide(parsed("root(x^3-2,0,2)").eval<wide>(), cube_root);
  expect_wide(parsed("root(x^2-2,-2,0)").eval<wide>(), -mp::sqrt(wide(2)));
  expect_wide(parsed("root((x-1/3)^2*(x-5),0,1)").eval<wide>(), wide(1) / 3);
  expect_wide(parsed("root((x^2-2)*(x-1)*(x-2),1,2)").eval<wide>(), mp::sqrt(wide(2)));
  expect_wide(parsed("root((x^2-2)^50,0,2)").eval<wide>(), mp::sqrt(wide(2)));
  EXPECT_EQ(parsed("root(x,-1,2)").eval<wide>(), 0);
  EXPECT_EQ(parsed("root(8*x^2-2,0,1)").eval<wide>(), wide(0.5));
  const wide small = parsed("root(x*10^300-1,-1,1)").eval<wide>();
  expect_wide(small * mp::pow(wide(10), 300), 1);
  const wide gamma = parsed("root(x^3-9*x^2+18*x-6, 0, 1)").eval<wide>();
  expect_wide(((gamma - 9) * gamma + 18) * gamma, 6);
  expect_wide(parsed("1/root(x^2-x-1,1,2)").eval<wide>(), (mp::sqrt(wide(5)) - 1) / 2);
}

TEST(Expression, FractionalPowersOfRationals) {
  const wide third = mp::exp(mp::log(wide(2)) / 3);
  expect_wide(parsed("2^(1/3)").eval<wide>(), third);
  expect_wide(parsed("1/(2-2^(1/3))").eval<wide>(), 1 / (2 - third));
  expect_wide(parsed("2^(-2/3)").eval<wide>(), 1 / (third * third));
  expect_wide(parsed("(16/81)^(5/6)").eval<wide>(), mp::exp(mp::log(wide(16) / 81) * wide(5) / 6));
  // 1/2 is met first, then the third root is left: x^3 - 4 is irreducible, x^6 - 16 is not.
  EXPECT_EQ(parsed("16^(1/6)").root().polynomial, (std::vector<rational>{-4, 0, 0, 1}));
  for (const auto& [text, value] :
       {std::pair("8^(1/3)", rational(2)), std::pair("(4/9)^(-3/2)", rational(27, 8)),
        std::pair("0^(2/3)", rational(0)), std::pair("1^(1/7)", rational(1)),
        std::pair("5^(4/2)", rational(25)), std::pair("4^1/2", rational(2))}) {
    EXPECT_TRUE(parsed(text).is_rational()) << text;
    EXPECT_EQ(parsed(text).as_rational(), value) << text;
  }
  EXPECT_FALSE(parsed("2^(1/3)").is_rational());
  EXPECT_TRUE(parsed("0.2^(1/3)").has_decimal());
}

TEST(Expression, RootIntervalsMustIsolate) {
  EXPECT_NE(why_refused("root(x^2-2,-2,2)").find("holds 2 roots"), std::string::npos);
  EXPECT_NE(why_refused("root(x^2+1,-2,2)").find("holds 0 roots"), std::string::npos);
  EXPECT_NE(why_refused("root(x^2-4,0,2)").find("holds 0 roots"),
            std::string::npos);  // open interval
  EXPECT_NE(why_refused("root(x^2-4,-2,1)").find("holds 0 roots"),
            std::string::npos);  // at both ends
  for (const char* text :
       {"root(1,0,1)", "root(0*x,0,1)", "root(x-x,0,1)", "root(x,1,-1)", "root(x,0,0)",
        "root(1/x,0,1)", "root(x^-1,0,1)", "root(x-sqrt(2),0,2)", "root(x-h,0,2)", "root(x,0)",
        "root(x)", "root(x,-sqrt(2),1)", "root(x^201-2,0,2)", "root((x^100)^3-2,0,2)",
        "root(y-1,0,2)", "root(x-1,x,2)", "root(x-1/(1-1),0,2)", "root(root(x-1,0,2)*x-1,0,2)"}) {
    EXPECT_NE(why_refused(text, {"h"}), "accepted") << text;
  }
}

TEST(Expression, VariablesAreEvaluatedWhereAllowed) {
  const Expression expression = parsed("sqrt(2)/h + 1/h^2");
  const wide h = wide(1) / 8;
  expect_wide(expression.eval<wide>({{"h", h}}), 8 * mp::sqrt(wide(2)) + 64);
  EXPECT_EQ(parsed("1/h").eval<rational>({{"h", h}}), 8);
  EXPECT_FALSE(parsed("h").is_rational());
  EXPECT_THROW(expression.eval<double>(), BadInput);
  EXPECT_THROW(expression.eval<double>({{"h", wide(0)}}), BadInput);
  EXPECT_THROW(parsed("sqrt(h)").eval<double>({{"h", wide(-1)}}), BadInput);
  EXPECT_NE(why_refused("1/h"), "accepted");
  EXPECT_NE(why_refused("h/0", {"h"}), "accepted");
  EXPECT_NE(why_refused("sqrt(-1)*h", {"h"}), "accepted");
}

TEST(Expression, EveryScalarIsRoundedOnce) {
  for (int i = 2; i < 400; ++i) {
    const std::string text = "sqrt(" + std::to_string(i) + ")/7";
    const wide exact = parsed(text).eval<wide>();
    const wide error = mp::abs(wide(parsed(text).eval<real50>()) - exact);
    EXPECT_LE(error, exact * mp::ldexp(wide(1), -168)) << text;
    const double as_double = parsed(text).eval<double>();
    EXPECT_LE(mp::abs(wide(as_double) - exact), exact * mp::ldexp(wide(1), -53)) << text;
  }
  EXPECT_EQ(parsed("1/3").eval<real50>(), real50(1) / 3);
  EXPECT_EQ(parsed("sqrt(2)").eval<real50>(), mp::sqrt(real50(2)));
}

TEST(Expression, WhatDoesNotFitAScalarIsRefused) {
  EXPECT_THROW(parsed("1e400").eval<double>(), BadInput);
  EXPECT_THROW(parsed("1e-400").eval<double>(), BadInput);
  EXPECT_EQ(parsed("1e400").eval<real50>(), mp::pow(real50(10), 400));
}

TEST(Expression, FullDigitsReadBack) {
  EXPECT_EQ(std::stod(full_digits(0.1)), 0.1);
  const real50 r = mp::sqrt(real50(3));
  EXPECT_EQ(real50(full_digits(r)), r);
  const wide w = mp::sqrt(wide(3));
  EXPECT_EQ(wide(full_digits(w)), w);
  EXPECT_EQ(full_digits(rational(6, 10)), "3/5");
  EXPECT_STREQ(scalar_name<real50>(), "real50");
}

TEST(Expression, MalformedTextsAreRefusedOnOneLine) {
  const std::vector<std::string> texts = {
      "",
      " ",
      "1+",
      "2x",
      "(1",
      "1)",
      "()",
      "1..2",
      "1e",
      "1/0",
      "1/(2-2)",
      "0^0",
      "0^-1",
      "sqrt(-1)",
      "sqrt(1-sqrt(2))",
      "sqrt",
      "1/(sqrt(4)-2)",
      "1/(sqrt(2)*sqrt(3)-sqrt(6))",
      "(sqrt(2)-sqrt(2))^-1",
      "sqrt(sqrt(2)*sqrt(3)-sqrt(6)-0)",
      "1/cos(pi/2)",
      "1/(2*cos(pi/5)-root(x^2-x-1,1,2))",
      "cos(1)",
      "cos(pi*pi)",
      "cos(1/pi)",
      "cos(pi+1)",
      "cos(sqrt(2)*pi)",
      "pi",
      "nan",
      "x",
      "foo(2)",
      "2^0.5",
      "2^(1/0)",
      "2^(1/2/3)",
      "2^(1/1001)",
      "2^1/2^(1/2)^2",
      "(-8)^(1/3)",
      "0^(-1/3)",
      "sqrt(2)^(1/3)",
      "h^(1/3)",
      "2^x",
      "2^1001",
      "2^99999999999999999999",
      "2^3^2",
      "1,2",
      "1\n+",
      "1e400000",
      "1e-400000",
      "1e99999999999999999999999",
      repeated("9", 2001),
      "((9^1000)^1000)^1000",
      "sqrt(" + repeated("(", 9) + "sqrt(2)" + repeated("^1000)", 9) + ")^1000",
      repeated("(", 10000),
      repeated("-", 9000) + "1",
      repeated("sqrt(", 1500),
      repeated("(", 300) + "1" + repeated(")", 300),
      "1" + repeated("+1", 4000),
      repeated("1", 20000),
      std::string("1\0+1", 4),
      std::string("\xff\xfe\x01"),
      "root(" + repeated("(x+1)^200+", 900) + "1,0,1)",
      "root(" + repeated("x^199*99999999999+", 100) + "1,0,10^1000)",
      "root((x+1)^200+x^7,-2,0)",
  };
  for (const std::string& text : texts) {
    const std::string message = why_refused(text);
    EXPECT_NE(message, "accepted") << text.substr(0, 60);
    EXPECT_EQ(message.find('\n'), std::string::npos) << text.substr(0, 60);
    EXPECT_LT(message.size(), 500U);
    EXPECT_EQ(message.rfind("here: ", 0), 0U) << message;
    EXPECT_NE(message.find("accepted: "), std::string::npos) << message;
  }
}

TEST(Expression, MessagesNameThePosition) {
  EXPECT_EQ(
      why_refused("1+)").rfind("here: unexpected ')' at character 3 of \"1+)\"; accepted: ", 0),
      0U);
  EXPECT_EQ(why_refused("1/0").rfind("here: division by zero at character 2 of ", 0), 0U);
}

TEST(Expression, LongButDecentTextsAreRead) {
  EXPECT_EQ(parsed("1" + repeated("+1", 900)).as_rational(), 901);
  EXPECT_EQ(parsed(repeated("(", 190) + "1" + repeated(")", 190)).as_rational(), 1);
  EXPECT_EQ(parsed(repeated("9", 2000)).as_rational() + 1,
            rational(mp::pow(mp::mpz_int(10), 2000)));
}

TEST(Expression, RandomTextsNeitherCrashNorHang) {
  const std::vector<std::string> parts = {"1", "2.5", "h", "pi",   "(",    ")",     "+",    "-",
                                          "*", "/",   "^", "sqrt", "cos(", "root(", "x",    ",",
                                          "e", "3",   " ", ".",    "0",    "sin(",  "\x80", "^2"};
  std::mt19937 random(7);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    const unsigned length = 1 + random() % 12;
    for (unsigned k = 0; k < length; ++k) text += parts[random() % parts.size()];
    try {
      const Expression expression = parsed(text);
      ++accepted;
      const double value = expression.eval<double>({{"h", wide(1) / 3}});
      EXPECT_TRUE(std::isfinite(value)) << text;
    } catch (const BadInput&) {
    }
  }
  EXPECT_GT(accepted, 100);
}

}  // namespace
}  // namespace daemark
