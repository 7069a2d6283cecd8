#include "analysis/report/template.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "base/program/write_file.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;
using testing::Not;

/// Of a row of the skeleton table.html.
std::string row(const PageData& cell) {
  return fill_template("table", {{"rows", {{{"cells", PageData::array({cell})}}}}});
}

TEST(Template, TextIsEscapedAndBackQuotesAreCode) {
  EXPECT_THAT(row({{"text", "a<b `c&d`"}}), HasSubstr("<td>a&lt;b <code>c&amp;d</code></td>"));
  EXPECT_EQ(html_text("one ` alone"), "one ` alone");
  EXPECT_EQ(html_text("`a` and `b"), "<code>a</code> and `b");
}

TEST(Template, SectionsFollowTheData) {
  const std::string linked = row({{"text", "x"}, {"head", true}, {"link", "y.html"}});
  EXPECT_THAT(linked, HasSubstr("<th scope=\"row\"><a href=\"y.html\">x</a></th>"));
  EXPECT_THAT(row({{"text", "x"}, {"link", ""}}), Not(HasSubstr("<a")));
  EXPECT_EQ(fill_template("notes", {{"lines", PageData::array()}}), "\n");
  EXPECT_EQ(fill_template("notes", {{"lines", {"a", "b", "c"}}}),
            "\n<ul class=\"notes\"><li>a</li><li>b</li><li>c</li></ul>\n");
}

TEST(Template, ANameThatIsNotThereIsAFault) {
  EXPECT_THROW(fill_template("verdict", PageData::object()), std::logic_error);
}

/// `node --check` of every script.
TEST(Assets, ScriptsHaveNoSyntaxError) {
  if (std::system("node --version >/dev/null 2>&1") != 0)
    GTEST_SKIP()
        << "no node on the PATH: scripts are not checked; on Debian the package nodejs has it";
  const ScratchFolder folder;
  const std::string file = folder.path() / "script.js";
  int scripts = 0;
  for (const auto& [name, text] : assets()) {
    if (!name.ends_with(".js")) continue;
    ++scripts;
    std::ofstream(file) << text;
    EXPECT_EQ(std::system(("node --check '" + file + "'").c_str()), 0) << name;
  }
  EXPECT_GE(scripts, 5);
  std::ofstream(file) << "function (";
  EXPECT_NE(std::system(("node --check '" + file + "' 2>/dev/null").c_str()), 0);
}

}  // namespace
}  // namespace daemark
