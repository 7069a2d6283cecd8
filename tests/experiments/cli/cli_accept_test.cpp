// daemark accept: files it writes, exit statuses.
#include "tests/experiments/cli_fixture.hpp"

namespace daemark {
namespace {

using namespace cli_testing;

TEST_F(Cli, AcceptWritesAPageAndJUnit) {
  const json found =
      value_of("accept erk4 --only order,estimate --junit @a.xml --html @a.html --json");
  EXPECT_TRUE(found.at("accepted"));
  ASSERT_EQ(found.at("checks").size(), 2u);
  EXPECT_EQ(found["checks"][0]["judgement"], "pass");
  EXPECT_EQ(found["checks"][1]["judgement"], "not applicable");
  const std::string xml = content("a.xml");
  EXPECT_THAT(xml, HasSubstr("tests=\"2\" failures=\"0\" errors=\"0\" skipped=\"1\""));
  EXPECT_THAT(xml, HasSubstr("<testcase classname=\"daemark.accept\" name=\"order\"></testcase>"));
  EXPECT_THAT(content("a.html"), HasSubstr("erk4"));
}

TEST_F(Cli, AcceptFailsWithStatusOneAndNamesTheCause) {
  const std::string wrong = write("wrong_weight.json", R"({"id": "wrong_weight",
    "kind": "runge_kutta", "summary": "<x> & \"y\"", "A": [["0", "0"], ["1/2", "0"]],
    "b": ["0", "9/10"], "c": ["0", "1/2"], "claims": {"order": 2}})");
  EXPECT_THAT(printed("accept wrong_weight --tableau " + wrong + " --only order --junit @b.xml", 1),
              HasSubstr("weights (b) do not sum to 1"));
  EXPECT_THAT(content("b.xml"), HasSubstr("<failure message=\"order 0.0 of q instead of 2"));
}

}  // namespace
}  // namespace daemark
