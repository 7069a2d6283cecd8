// daemark accept: files it writes, exit statuses, refusals.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

std::string content_of(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST_F(Cli, AcceptWritesAPageAndJUnit) {
  const json found = value_of({"accept", "erk4", "--only", "order,estimate", "--junit",
                               file("a.xml"), "--html", file("a.html"), "--json"});
  EXPECT_TRUE(found.at("accepted"));
  ASSERT_EQ(found.at("checks").size(), 2u);
  EXPECT_EQ(found["checks"][0]["judgement"], "pass");
  EXPECT_EQ(found["checks"][1]["judgement"], "not applicable");
  const std::string xml = content_of(file("a.xml"));
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"daemark.accept\" name=\"order\"></testcase>"));
  EXPECT_THAT(content_of(file("a.html")), HasSubstr("erk4"));
}

TEST_F(Cli, AcceptFailsWithStatusOneAndNamesTheCause) {
  const std::string wrong = write("wrong_weight.json", R"({"id": "wrong_weight",
    "kind": "runge_kutta", "summary": "<x> & \"y\"", "A": [["0", "0"], ["1/2", "0"]],
    "b": ["0", "9/10"], "c": ["0", "1/2"], "claims": {"order": 2}})");
  const Outcome outcome = call(
      {"accept", "wrong_weight", "--tableau", wrong, "--only", "order", "--junit", file("b.xml")});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_THAT(outcome.out, HasSubstr("weights (b) do not sum to 1"));
  EXPECT_THAT(content_of(file("b.xml")),
              HasSubstr("<failure message=\"order 0.0 of q instead of 2"));
}

}  // namespace
}  // namespace daemark
