// Tables as LaTeX: they fit a text width, and the committed ones compile.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "analysis/report/latex_formula.hpp"
#include "analysis/report/table.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

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
  const fs::path folder = fs::temp_directory_path() / "daemark_tables";
  fs::create_directories(folder);
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
  fs::remove_all(folder);
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

}  // namespace
}  // namespace daemark
