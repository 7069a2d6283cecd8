#include "analysis/report/mathml.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/analysis/markup_check.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

std::string of(const char* text) { return mathml(Expression::parse(text, "test")); }

TEST(MathMl, ExpressionsAreTypesetAsTheyBind) {
  EXPECT_EQ(of("1/4"), "<mfrac><mrow><mn>1</mn></mrow><mrow><mn>4</mn></mrow></mfrac>");
  EXPECT_THAT(of("1/4 - sqrt(3)/6"), HasSubstr("<msqrt><mn>3</mn></msqrt>"));
  EXPECT_THAT(of("2*(1-sqrt(2))"), HasSubstr("<mo>(</mo>"));
  EXPECT_THAT(of("2*sqrt(2)"), Not(HasSubstr("<mo>(</mo>")));
  EXPECT_THAT(of("-(1+sqrt(2))"), HasSubstr("<mo>(</mo>"));
  EXPECT_THAT(of("2^(1/3)"), HasSubstr("<mroot><mrow><mn>2</mn></mrow><mn>3</mn></mroot>"));
  EXPECT_THAT(of("cos(2*pi/5)"), HasSubstr("<mi>cos</mi>"));
  for (const char* text : {"1/4", "1-sqrt(2)/2", "-3^2", "cos(pi/5)*2-1", "2^(2/3)", "2e-3"})
    EXPECT_EQ(markup_error("<p>" + math(of(text)) + "</p>", true), "") << text;
}

TEST(MathMl, FormulasInPlainText) {
  EXPECT_THAT(
      mathml_of("m x'' + 2 x lambda = 0").value(),
      testing::AllOf(HasSubstr("<mover><mi>x</mi><mo>¨</mo></mover>"), HasSubstr("<mi>λ</mi>")));
  EXPECT_THAT(mathml_of("x1 = cos(theta1)/2").value(),
              HasSubstr("<msub><mi>x</mi><mi>1</mi></msub>"));
  EXPECT_THAT(mathml_of("m L^2 theta''").value(), HasSubstr("<msup>"));
  EXPECT_FALSE(mathml_of("torque T0 sin(w t) on theta")) << "words";
  EXPECT_FALSE(mathml_of("(x")) << "an open parenthesis";
  EXPECT_FALSE(mathml_of("x + "));
  EXPECT_FALSE(mathml_of(""));
}

TEST(MathMl, SentencesKeepTheirWords) {
  const std::string text = mathml_sentence("two rods: I = m L^2/12, y2 - y1 likewise <b>");
  EXPECT_THAT(text, HasSubstr("two rods: <math>"));
  EXPECT_THAT(text, HasSubstr(", y2 - y1 likewise &lt;b&gt;"));
  EXPECT_EQ(markup_error("<p>" + text + "</p>", true), "");
}

}  // namespace
}  // namespace daemark
