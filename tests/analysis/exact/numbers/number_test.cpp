// Real algebraic numbers: equality and sign decided, fields built from expressions, limits.
#include <gtest/gtest.h>

#include "analysis/exact/numbers/poly.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/exact/proof_reports.hpp"
#include "tests/support/refusal.hpp"

namespace daemark::exact {
namespace {

TEST(ExactNumber, NestedRootsAreEqual) {
  const auto n =
      numbers_of_texts({"sqrt(5+2*sqrt(6))", "sqrt(2)+sqrt(3)", "sqrt(2)*sqrt(3)", "sqrt(6)"});
  EXPECT_TRUE(n[0] == n[1]);
  EXPECT_TRUE(n[2] == n[3]);
  EXPECT_EQ((n[0] - n[1]).sign(), 0);
}

TEST(ExactNumber, SignOfATinyDifference) {
  // sqrt(2) against a convergent that agrees to 40 digits: no rounded type settles this by luck.
  rational p = 1, q = 1;
  for (int i = 0; i < 60; ++i) {
    const rational next = p + 2 * q;
    q = p + q;
    p = next;
  }
  const Number root = numbers_of_texts({"sqrt(2)"})[0];
  const Number gap = root - Number(rational(p / q));
  EXPECT_LT(mp::abs(gap.to_wide()), wide("1e-45"));
  EXPECT_NE(gap.sign(), 0);
  EXPECT_EQ(gap.sign(), (Number(2) - Number(rational(p * p / (q * q)))).sign());
}

TEST(ExactNumber, DegreeFollowsTheNumbersNotTheText) {
  EXPECT_EQ(numbers_of_texts({"sqrt(2)", "sqrt(3)", "sqrt(6)"})[0].field()->degree(), 4);
  EXPECT_EQ(numbers_of_texts({"sqrt(12)", "sqrt(3)"})[0].field()->degree(), 2);
  EXPECT_EQ(numbers_of_texts({"cos(pi/10)", "cos(3*pi/10)"})[0].field()->degree(), 4);
  EXPECT_TRUE(numbers_of_texts({"cos(pi/3)"})[0] == Number(rational(1) / 2));
  EXPECT_TRUE(numbers_of_texts({"sqrt(9/4)"})[0] == Number(rational(3) / 2));
}

TEST(ExactNumber, FractionalPowersShareAField) {
  const auto n =
      numbers_of_texts({"2^(1/3)", "2^(2/3)", "4^(1/3)", "16^(1/6)", "1/2^(-1/3)", "3^(1/2)"});
  EXPECT_EQ(n[0].field()->degree(), 6);
  EXPECT_TRUE(n[0] * n[0] == n[1]);
  EXPECT_TRUE(n[0] * n[1] == Number(2));
  EXPECT_TRUE(n[1] == n[2] && n[2] == n[3] && n[0] == n[4]);
  EXPECT_TRUE(n[5] * n[5] == Number(3));
}

TEST(ExactNumber, AgreesWithTheWideEvaluation) {
  const std::vector<std::string> texts{"1/4-sqrt(3)/6", "root(6*x^3-18*x^2+9*x-1,0.4,0.5)",
                                       "sin(pi/5)*sqrt(2)", "(1+sqrt(2))^5/(3-sqrt(2))",
                                       "root(63*x^4-70*x^2+15,0,0.6)-cos(pi/8)"};
  for (const std::string& t : texts) {
    const wide expected = Expression::parse(t, "test").eval<wide>();
    EXPECT_LT(mp::abs(numbers_of_texts({t})[0].to_wide() - expected), wide("1e-120")) << t;
  }
}

TEST(ExactNumber, TextReadsBackAsTheSameNumber) {
  for (const std::string t : {"1/4-sqrt(3)/6", "root(6*x^3-18*x^2+9*x-1,0.4,0.5)^2/3+1", "7"}) {
    const Number x = numbers_of_texts({t})[0];
    EXPECT_TRUE(numbers_of_texts({x.text()})[0] == x) << x.text();
  }
}

TEST(ExactNumber, BadInputIsRefusedWithTheReason) {
  const auto message = [](const std::vector<std::string>& t) {
    return test::refusal([&] { numbers_of_texts(t); });
  };
  EXPECT_NE(message({"root((x^2-2)*(x^2-3),1.5,2)"}).find("reducible"), std::string::npos);
  EXPECT_NE(message({"1/(sqrt(2)*sqrt(2)-2)"}).find("zero"), std::string::npos);
  EXPECT_NE(message({"sqrt(sqrt(2)-3/2)"}).find("negative"), std::string::npos);
  EXPECT_NE(
      message({"sqrt(2)", "sqrt(3)", "sqrt(5)", "sqrt(7)", "sqrt(11)", "sqrt(13)"}).find("degree"),
      std::string::npos);
  EXPECT_NE(message({"cos(pi/397)"}).find("degree"), std::string::npos);
}

TEST(ExactPoly, SturmAndParity) {
  const Poly p = power(Poly::root(1), 2) * power(Poly::root(2), 3) * Poly::root(-1);
  Poly odd, square;
  split_by_parity(p, odd, square);
  EXPECT_TRUE(odd * square * square == p);
  EXPECT_EQ(odd.degree(), 2);
  const auto chain = sturm_chain(odd);
  const Number zero = 0;
  EXPECT_EQ(sign_changes(chain, &zero) - sign_changes(chain, nullptr), 1);  // only x = 2 is odd
}

TEST(ExactPoly, AlgebraicCoefficients) {
  const auto n = numbers_of_texts({"sqrt(2)", "sqrt(3)"});
  const Poly p = Poly::root(n[0]) * Poly::root(n[1]);
  const Poly q = Poly::root(n[1]) * Poly::root(-n[0]);
  EXPECT_TRUE(gcd(p, q) == Poly::root(n[1]));
  const Matrix a{{n[0], Number(1)}, {Number(2), n[1]}};
  EXPECT_TRUE(resolvent_determinant(a)[2] == determinant(a));
}

}  // namespace
}  // namespace daemark::exact
