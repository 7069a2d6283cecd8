#include "analysis/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(Table, MarkdownPadsByCodePointsAndEscapesBars) {
  const Table table{"", {"a", "|Φ|"}, {{"x", "1"}, {}, {"long label", "2"}}};
  EXPECT_EQ(markdown(table),
            "| a          | \\|Φ\\| |\n| ---------- | ----- |\n| x          | 1     |\n"
            "| long label | 2     |\n");
}

TEST(Table, CsvReadsBackWhatItWrote) {
  const Table table{"", {"a", "b"}, {{"x, y", "say \"no\""}, {"", "two\nlines"}}};
  const auto back = read_csv(csv(table), "t");
  ASSERT_EQ(back.size(), 3U);
  EXPECT_EQ(back[1], table.rows[0]);
  EXPECT_EQ(back[2], table.rows[1]);
  EXPECT_THROW(read_csv("a,\"open", "t"), BadInput);
}

TEST(Table, LatexHasBooktabsPowersAndEscapes) {
  const std::string text = latex({"100 % of a_b", {"m", "ε"}, {{"h", "7.0007e-05"}}}, "tab:x");
  EXPECT_THAT(text, HasSubstr("$7.0007\\cdot 10^{-5}$"));
  EXPECT_THAT(text, HasSubstr("100 \\% of a\\_b"));
  EXPECT_THAT(text, HasSubstr("$\\varepsilon$"));
  EXPECT_THAT(text, HasSubstr("\\toprule"));
}

TEST(Table, SentencesBecomeAListThatKeepsTogetherWhatBelongsTogether) {
  std::string evidence;
  for (int i = 0; i < 200; ++i) evidence += "evidence ";
  const std::string text = markdown(
      {"",
       {"claim", "verdict", "measured", "why"},
       {{"short", "holds", evidence, ""}, {}, {"a | b", "fails", "2*a.x < b.x", "one of 2"}}});
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
  EXPECT_TRUE(text.starts_with("1. short\n   - verdict: holds\n   - measured: evidence")) << text;
  EXPECT_THAT(text, HasSubstr("\n     evidence")) << "indented below its entry\n" << text;
  EXPECT_TRUE(
      text.ends_with("\n2. a | b\n   - verdict: fails\n   - measured: 2\\*a.x < b.x\n"
                     "   - why: one of 2\n"))
      << text;
  EXPECT_THAT(text, Not(HasSubstr("note")));
}

TEST(Table, ABrokenComparisonIsNoQuotation) {
  const std::string name(70, 'x');
  const std::string text =
      markdown({"",
                {"claim", "measured", "why"},
                {{"c", name + " " + std::string(14, 'y') + " > 1", name + name}}});
  EXPECT_THAT(text, HasSubstr("\n     \\> 1\n")) << text;
}

TEST(Table, LongLabelsStayBesideTheirNumbers) {
  const std::string label(300, 'x');
  const std::string text = markdown({"", {"method", "error"}, {{label, "1"}}});
  EXPECT_THAT(text, HasSubstr("| " + label + " | 1     |\n")) << text;
}

}  // namespace
}  // namespace daemark
