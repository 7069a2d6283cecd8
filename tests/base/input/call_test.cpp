#include "base/input/call.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/text/bad_input.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/repeated.hpp"

namespace daemark {
namespace {

using Kind = CallValue::Kind;
using Type = Parameter::Type;

std::string refusal(const std::string& text) {
  return test::refusal([&] { parse_call(text, "--method"); });
}

Arguments bound(const std::string& text, const std::vector<Parameter>& parameters) {
  return Arguments(parse_call(text, "test"), parameters);
}

const std::vector<Parameter> kBlock = {
    {"r", Type::integer, "", "integer 2..20"},
    {"k", Type::integer, "2", "integer 0..r"},
    {"nodes", Type::nodes, "equidistant", "equidistant | chebyshev | a list"},
    {"j", Type::integer, "", "integer 0..r", true},
};
const std::vector<Parameter> kGauss = {{"s", Type::integer, "2", "integer 1..50"}};

TEST(Call, ValuesAreRecognised) {
  const Call call = parse_call(
      " f ( 1/2 , [1/4, 1/2,1] , radau, gauss(3), a = sqrt(2)/h, b=h, c = root(x^2-2,0,2), "
      "d=esdirk_3_2_4l )",
      "test");
  EXPECT_EQ(call.id, "f");
  ASSERT_EQ(call.arguments.size(), 8U);
  const auto value = [&](int i) -> const CallValue& { return call.arguments[i].value; };
  EXPECT_EQ(value(0).kind, Kind::expression);
  EXPECT_EQ(value(0).expression.as_rational(), rational(1, 2));
  ASSERT_EQ(value(1).kind, Kind::list);
  ASSERT_EQ(value(1).list.size(), 3U);
  EXPECT_EQ(value(1).list[0].as_rational(), rational(1, 4));
  EXPECT_EQ(value(2).kind, Kind::word);
  EXPECT_EQ(value(2).text, "radau");
  ASSERT_EQ(value(3).kind, Kind::call);
  EXPECT_EQ(value(3).call->id, "gauss");
  EXPECT_EQ(call.arguments[4].key, "a");
  EXPECT_EQ(value(4).kind, Kind::expression);
  EXPECT_EQ(value(5).kind, Kind::expression);
  EXPECT_EQ(value(6).kind, Kind::expression);
  EXPECT_EQ(value(7).kind, Kind::word);
  EXPECT_EQ(value(7).call->id, "esdirk_3_2_4l");
  EXPECT_EQ(call.text(),
            "f(1/2,[1/4,1/2,1],radau,gauss(3),a=sqrt(2)/h,b=h,c=root(x^2-2,0,2),d=esdirk_3_2_4l)");
}

TEST(Call, TextIsStable) {
  for (const char* text : {"erk4", "gauss(3)", "pade_block(r=4,k=2,nodes=[1/4,1/2,1])",
                           "tangent_space(erk4)", "baumgarte(alpha=1/h,beta=sqrt(2)/h)",
                           "a(b(c(d(1),x=[cos(pi/5),2]),k=0.5))", "bathe(rho=0.6)"}) {
    EXPECT_EQ(parse_call(text, "test").text(), text);
  }
  EXPECT_EQ(parse_call("gauss()", "test").text(), "gauss");
  EXPECT_EQ(parse_call("\tgauss( s = 3 )\n", "test").text(), "gauss(s=3)");
}

TEST(Call, MalformedTextsAreRefusedOnOneLine) {
  const std::vector<std::string> texts = {
      "",
      "(",
      "3",
      "f)",
      "f(1))",
      "f(1,)",
      "f(a=)",
      "f(a=1,a=2)",
      "f(a=1,2)",
      "f([])",
      "f([1",
      "f([[1]])",
      "f g",
      "f(g(1)+1)",
      "f(1/0)",
      "f(sqrt(-1))",
      "f(a=1=2)",
      "f(pi)",
      "f(1e999999999)",
      "f(\xff)",
      std::string("f(1\0)", 5),
      "f\x01",
      "1f(2)",
      "f({1})",
      repeated("(", 10000),
      "f(" + repeated("(", 10000),
      repeated("f(", 30) + "1" + repeated(")", 30),
      "f(" + repeated("[", 9000),
      repeated("f", 30000),
  };
  for (const std::string& text : texts) {
    const std::string message = refusal(text);
    EXPECT_NE(message, "accepted") << text.substr(0, 60);
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
    EXPECT_EQ(message.rfind("--method: ", 0), 0U) << message;
    EXPECT_NE(message.find("accepted: "), std::string::npos) << message;
  }
}

TEST(Call, RandomTextsNeitherCrashNorHang) {
  const std::vector<std::string> parts = {"f", "(",     ")", "[", "]",  ",",  "=", "1",
                                          "h", "sqrt(", " ", "/", "a=", "g(", "b"};
  std::mt19937 random(11);
  int accepted = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = "f(";
    const unsigned length = 1 + random() % 8;
    for (unsigned k = 0; k < length; ++k) text += parts[random() % parts.size()];
    try {
      const std::string canonical = parse_call(text, "test").text();
      ++accepted;
      EXPECT_EQ(parse_call(canonical, "test").text(), canonical) << text;
    } catch (const BadInput&) {
    }
  }
  EXPECT_GT(accepted, 100);
}

TEST(Arguments, BindByOrderNameAndDefault) {
  const Arguments arguments = bound("pade_block(4,nodes=[0.25,1/2,1])", kBlock);
  EXPECT_EQ(arguments.integer("r", 2, 20), 4);
  EXPECT_EQ(arguments.integer("k", 0, 4), 2);
  EXPECT_EQ(arguments.value("nodes").list.size(), 3U);
  EXPECT_FALSE(arguments.given("j"));
  EXPECT_TRUE(arguments.given("k"));
  EXPECT_EQ(arguments.canonical(), "pade_block(r=4,k=2,nodes=[1/4,1/2,1])");
  EXPECT_EQ(bound("pade_block(j=3,k=3,r=4.0)", kBlock).canonical(),
            "pade_block(r=4,k=3,nodes=equidistant,j=3)");
  EXPECT_EQ(bound("erk4", {}).canonical(), "erk4");
  EXPECT_EQ(bound("erk4()", {}).canonical(), "erk4");
}

TEST(Arguments, CanonicalNormalisesNumbersOnly) {
  const std::vector<Parameter> baumgarte = {{"alpha", Type::real, "1/h", "number"},
                                            {"beta", Type::real, "", "number"}};
  EXPECT_EQ(bound("baumgarte(beta = sqrt( 2 ) / h)", baumgarte).canonical(),
            "baumgarte(alpha=1/h,beta=sqrt(2)/h)");
  EXPECT_EQ(bound("baumgarte(alpha=0.6,beta=-2e-1)", baumgarte).canonical(),
            "baumgarte(alpha=3/5,beta=-1/5)");
  const std::vector<Parameter> decorator = {{"inner", Type::call, "", "a method"}};
  const Arguments nested = bound("tangent_space( bathe(rho = 0.6) )", decorator);
  EXPECT_EQ(nested.canonical(), "tangent_space(inner=bathe(rho=3/5))");
  EXPECT_EQ(nested.call("inner").id, "bathe");
  EXPECT_EQ(bound("tangent_space(erk4)", decorator).call("inner").id, "erk4");
  for (const char* text : {"baumgarte(alpha=0.6,beta=-2e-1)", "baumgarte(beta=sqrt(2)/h)"}) {
    const std::string once = bound(text, baumgarte).canonical();
    EXPECT_EQ(bound(once, baumgarte).canonical(), once);
  }
}

TEST(Arguments, RefusalsNameTheParameterAndWhatIsAccepted) {
  const auto refused = [](const std::string& text, const std::vector<Parameter>& parameters) {
    return test::refusal([&] { bound(text, parameters); });
  };
  EXPECT_EQ(refused("gauss(n=3)", kGauss),
            "gauss: unknown argument \"n\"; accepted: s (integer 1..50)");
  EXPECT_EQ(refused("gauss(3,4)", kGauss),
            "gauss: 2 arguments are too many; accepted: s (integer 1..50)");
  EXPECT_EQ(refused("erk4(1)", {}), "erk4: 1 arguments are too many; accepted: no arguments");
  EXPECT_EQ(refused("gauss(3,s=4)", kGauss),
            "gauss: s is given twice; accepted: one value, integer 1..50");
  EXPECT_EQ(refused("pade_block", kBlock), "pade_block: r is missing; accepted: integer 2..20");
  EXPECT_EQ(refused("gauss(1/2)", kGauss),
            "gauss: s = 1/2 is not an integer, accepted: integer 1..50");
  for (const char* text :
       {"gauss(sqrt(2))", "gauss(03)", "gauss(h)", "gauss(three)", "gauss([1])", "gauss(f(1))"}) {
    EXPECT_NE(refused(text, kGauss), "accepted") << text;
  }
  EXPECT_NE(refused("pade_block(4,nodes=1/2)", kBlock), "accepted");
  EXPECT_NE(refused("m(1)", {{"inner", Type::call, "", ""}}), "accepted");
  EXPECT_NE(refused("m(word)", {{"alpha", Type::real, "", ""}}), "accepted");
  EXPECT_NE(refused("m(1)", {{"kind", Type::word, "", ""}}), "accepted");
}

TEST(Arguments, RangesAreChecked) {
  const Arguments arguments = bound("gauss(0)", kGauss);
  EXPECT_EQ(test::refusal([&] { arguments.integer("s", 1, 50); }),
            "gauss: s = 0 is out of range, accepted: integer 1..50");
  EXPECT_NE(test::refusal([] { bound("gauss(9e99)", kGauss).integer("s", 1, 50); }), "accepted");
  const std::vector<Parameter> bathe = {{"rho", Type::real, "1", "real in [0, 1]"}};
  EXPECT_EQ(bound("bathe(0.6)", bathe).real_in("rho", 0, 1), rational(3, 5));
  EXPECT_EQ(test::refusal([&] { bound("bathe(1.1)", bathe).real_in("rho", 0, 1); }),
            "bathe: rho = 1.1 is out of range, accepted: real in [0, 1]");
  EXPECT_EQ(test::refusal([&] { bound("bathe(sqrt(2)/2)", bathe).real_in("rho", 0, 1); }),
            "bathe: rho = sqrt(2)/2 is not rational, accepted: real in [0, 1]");
  const std::vector<Parameter> start = {{"start", Type::word, "ivp", "ivp | iftomm"}};
  EXPECT_EQ(bound("andrews", start).word("start", {"ivp", "iftomm"}), "ivp");
  EXPECT_EQ(test::refusal([&] {
              bound("andrews(foo)", start).word("start", {"ivp", "iftomm"});
            }),
            "andrews: start = foo, accepted: ivp | iftomm");
  EXPECT_THROW(arguments.integer("undeclared", 0, 1), std::logic_error);
}

}  // namespace
}  // namespace daemark
