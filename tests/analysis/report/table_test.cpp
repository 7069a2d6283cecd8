#include "analysis/report/table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "analysis/report/mathml.hpp"
#include "analysis/report/template.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "tests/analysis/markup_check.hpp"

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

// Tables as LaTeX: they fit a text width, and the committed ones compile.

namespace fs = std::filesystem;

std::vector<fs::path> committed_tables() {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(source_root() / "results"))
    if (entry.path().filename() == "table.tex" &&
        entry.path().string().find("/.local/") == std::string::npos)
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

/// Lines of tabulars that do not have a cell for each column, or hold what TeX does not read.
std::string faults_of(const std::string& text) {
  static const std::regex begin(R"(\\begin\{(?:tabular|longtable)\}\{(.*)\}$)"),
      width(R"(p\{[0-9.]+em\})"), pair(R"(@\{\})");
  std::istringstream lines(text);
  std::string faults;
  std::size_t columns = 0;
  for (std::string line; std::getline(lines, line);) {
    std::smatch found;
    if (std::regex_search(line, found, begin))
      columns = std::regex_replace(std::regex_replace(found[1].str(), width, "p"), pair, "").size();
    std::size_t cells = 1;
    for (std::size_t i = 0; i < line.size(); ++i) {
      if (line[i] == '&' && (i == 0 || line[i - 1] != '\\')) ++cells;
      const auto byte = static_cast<unsigned char>(line[i]);
      if (byte >= 0x80 && byte < 0xC0 ? static_cast<unsigned char>(line[i - 1]) != 0xC3
                                      : byte > 0xC3)
        faults += "not Latin-1: " + line + "\n";
    }
    if (cells > 1 && cells != columns) faults += line + "\n";
  }
  return faults;
}

TEST(TableLatex, WideTablesGoOnInFurtherOnes) {
  Table table{"Wide", {"method"}, {{std::string(9, 'm') + " " + std::string(40, 'n')}, {}, {"b"}}};
  for (int i = 0; i < 12; ++i) {
    table.head.push_back("the error of θ̇ at " + std::to_string(i));
    table.rows[0].push_back("1.2345e-05"), table.rows[2].emplace_back("≤ 3 †");
  }
  const std::string text = latex(table, "tab:x");
  EXPECT_EQ(faults_of(text), "");
  EXPECT_THAT(text, HasSubstr("\\caption{Wide (continued)}"));
  EXPECT_THAT(text, HasSubstr("$\\dot{\\theta}$"));
  EXPECT_THAT(text, HasSubstr("$\\le$ 3 $^\\dagger$"));
  EXPECT_THAT(latex({"ρ∞", {"a"}, {{"图"}}}, "t"), HasSubstr("$\\rho_\\infty$"));
  EXPECT_THAT(latex({"c", {"a"}, {{"图"}}}, "t"), HasSubstr("U+56FE"));
  table.rows.assign(60, table.rows[0]);
  EXPECT_THAT(latex(table, "tab:x"), HasSubstr("\\begin{longtable}"));
}

TEST(TableLatex, CommittedTablesHaveTheirColumns) {
  for (const fs::path& file : committed_tables())
    EXPECT_EQ(faults_of(read_text(file).value()), "") << file;
}

TEST(TableLatex, FormulasKeepTheirParentheses) {
  const auto formula = [](const char* text) {
    return latex_formula(Expression::parse(text, "test"));
  };
  EXPECT_EQ(formula("1/2 - sqrt(3)/6"), "\\frac{1}{2}-\\frac{\\sqrt{3}}{6}");
  EXPECT_EQ(formula("(1 - sqrt(2))*3"), "\\left(1-\\sqrt{2}\\right)\\,3");
}

TEST(TableLatex, CommittedTablesFitATextWidth) {
  const ScratchFolder scratch;
  const fs::path& folder = scratch.path();
  std::ofstream paper(folder / "paper.tex");
  paper << "\\documentclass{article}\n\\usepackage{booktabs,longtable}\n\\begin{document}\n";
  for (const fs::path& file : committed_tables())
    paper << "\\message{^^JTABLE " << file.parent_path().string() << "^^J}\\input{" << file.string()
          << "}\\clearpage\n";
  paper << "\\end{document}\n";
  paper.close();
  const ChildEnd end = run_child({"pdflatex", "-interaction=nonstopmode", "-halt-on-error",
                                  "-output-directory=" + folder.string(), folder / "paper.tex"},
                                 folder / "out.txt", 300);
  const std::string said = read_text(folder / "paper.log").value_or("");
  if (end.not_started != 0) GTEST_SKIP() << "pdflatex is missing";
  EXPECT_EQ(end.status, 0) << said.substr(said.size() - std::min<std::size_t>(said.size(), 2000));
  static const std::regex overfull(R"(Overfull \\hbox \(([0-9.]+)pt|Float too large|TABLE (\S+))");
  std::string table;
  for (std::sregex_iterator at(said.begin(), said.end(), overfull), none; at != none; ++at) {
    if ((*at)[2].matched) table = (*at)[2].str();
    if (!(*at)[2].matched && (!(*at)[1].matched || std::stod((*at)[1].str()) > 1))
      ADD_FAILURE() << table << ": " << at->str();
  }
}

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
