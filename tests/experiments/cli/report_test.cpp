#include "experiments/cli/report.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>

namespace daemark {
namespace {

Report example() {
  ReportRows bodies({{"id", "-"}, {"mass", "mass", "{:.2f}"}, {"", "unit"}, {"fixed", "fixed"}});
  bodies.add({"a", 1.5, "kg", true});
  bodies.add({"b", nullptr, "kg", false});
  ReportRows steps({{"h", "h"}, {"error", "error"}});
  steps.add({0.1, 1e-3});
  steps.add({0.05, std::numeric_limits<double>::quiet_NaN()});
  Report report;
  report.keys({"status", "counts"}).say("an example").set("status", "ok");
  report.rows("bodies", "two bodies", bodies).rows("none", "no title", ReportRows({{"id"}}));
  return report.lists("", steps).pairs("counts", "counts", {{"steps", 2}});
}

TEST(Report, TextAndJsonSayTheSame) {
  std::ostringstream text;
  example().print(false, text);
  EXPECT_EQ(text.str(),
            "an example\n"
            "two bodies\n"
            "  mass  unit  fixed\n"
            "  1.50  kg    true\n"
            "  -     kg    false\n"
            "  h     error\n"
            "  0.1   0.001\n"
            "  0.05  -\n"
            "counts\n"
            "  steps  2\n");
  EXPECT_EQ(example().json.dump(),
            R"({"status":"ok","counts":{"steps":2},)"
            R"("bodies":[{"id":"a","mass":1.5,"fixed":true},{"id":"b","mass":null,"fixed":false}],)"
            R"("none":[],"h":[0.1,0.05],"error":[0.001,null]})");
}

TEST(Report, ResultsOneByOneAreOneListAndNotesAreTextAlone) {
  ReportRows rows({{"h", "-"}, {"exact", "h"}, {"error", "error"}});
  rows.add({0.5, "1/2", 0.25});
  rows.note({"slope", "2.000"});
  std::ostringstream shown;
  Report report;
  report.add(Report().lists("first", rows), shown).add(Report().say("second"), shown).say("end");
  EXPECT_EQ(shown.str(), "first\n  h      error\n  1/2    0.25\n  slope  2.000\nsecond\n");
  EXPECT_EQ(report.text, "end\n");
  EXPECT_EQ(report.json.dump(), R"([{"h":[0.5],"exact":["1/2"],"error":[0.25]},{}])");
}

TEST(Report, FailedWithoutAValueIsNotPrinted) {
  Report report;
  EXPECT_FALSE(report.failed());
  report.status = 1;
  EXPECT_TRUE(report.failed());
  report.set("status", "newton_diverged");
  EXPECT_FALSE(report.failed()) << "a result says how it failed";
}

}  // namespace
}  // namespace daemark
