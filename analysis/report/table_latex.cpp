// Tables as LaTeX that fit a text width: widths are measured in ems of Computer Modern, long labels
// and headings are wrapped, columns that do not fit go to a further table, many rows over pages.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <regex>

#include "analysis/report/table.hpp"

namespace daemark {
namespace {

/// Symbols by their LaTeX; those that start with a backslash belong in mathematics.
const std::map<std::string, std::string, std::less<>> tex_symbols = {
    {"Φ", "\\Phi"},     {"Ω", "\\Omega"},     {"Σ", "\\Sigma"},
    {"Δ", "\\Delta"},   {"Ψ", "\\Psi"},       {"Γ", "\\Gamma"},
    {"Λ", "\\Lambda"},  {"Θ", "\\Theta"},     {"α", "\\alpha"},
    {"β", "\\beta"},    {"γ", "\\gamma"},     {"δ", "\\delta"},
    {"ε", "\\varepsilon"}, {"ζ", "\\zeta"},      {"η", "\\eta"},
    {"θ", "\\theta"},   {"κ", "\\kappa"},     {"λ", "\\lambda"},
    {"μ", "\\mu"},      {"µ", "\\mu"},        {"ν", "\\nu"},
    {"ξ", "\\xi"},      {"π", "\\pi"},        {"ρ", "\\rho"},
    {"σ", "\\sigma"},   {"τ", "\\tau"},       {"φ", "\\varphi"},
    {"χ", "\\chi"},     {"ψ", "\\psi"},       {"ω", "\\omega"},
    {"≤", "\\le"},      {"≥", "\\ge"},        {"≠", "\\ne"},
    {"≈", "\\approx"},  {"∞", "\\infty"},     {"∫", "\\int"},
    {"√", "\\surd"},    {"·", "\\cdot"},      {"×", "\\times"},
    {"✗", "\\times"},   {"±", "\\pm"},        {"‖", "\\|"},
    {"→", "\\to"},      {"↓", "\\downarrow"}, {"↑", "\\uparrow"},
    {"ż", "\\dot z"},   {"ẋ", "\\dot x"},     {"ẏ", "\\dot y"},
    {"Ẋ", "\\dot X"},   {"ẍ", "\\ddot x"},    {"Ẍ", "\\ddot X"},
    {"∂", "\\partial"}, {"ᵀ", "^T"},          {"°", "^\\circ"},
    {"†", "^\\dagger"}, {"½", "\\frac12"},    {"−", "-"},
    {"|", "|"},         {"<", "<"},           {">", ">"},
    {"₀", "_0"},        {"₁", "_1"},          {"₂", "_2"},
    {"₃", "_3"},        {"₄", "_4"},          {"₅", "_5"},
    {"⁻", "^-"},        {"¹", "^1"},          {"²", "^2"},
    {"³", "^3"},        {"⁴", "^4"},          {"⁵", "^5"},
    {"⁶", "^6"},        {"⁷", "^7"},          {"⁸", "^8"},
    {"⁹", "^9"},        {"⁰", "^0"},          {"ρ∞", "\\rho_\\infty"}};
const std::map<std::string, std::string, std::less<>> tex_words = {{"—", "---"},
                                                                   {"–", "--"},
                                                                   {"…", "\\ldots{}"},
                                                                   {"’", "'"},
                                                                   {"‘", "`"},
                                                                   {"“", "``"},
                                                                   {"”", "''"},
                                                                   {"§", "\\S{}"},
                                                                   {"\n", " "},
                                                                   {"\\", "\\textbackslash{}"},
                                                                   {"~", "\\textasciitilde{}"},
                                                                   {"^", "\\textasciicircum{}"}};
const std::map<std::string, std::string, std::less<>> tex_accents = {
    {"\u0307", "\\dot"}, {"\u0308", "\\ddot"}, {"\u0304", "\\bar"}};

/// UTF-8 text in characters; an accent belongs to the character before it, as "∞" to "ρ".
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t n = 1;
    while (i + n < text.size() && (text[i + n] & 0xC0) == 0x80) ++n;
    const std::string one(text.substr(i, n));
    const bool joins =
        !out.empty() && (tex_accents.count(one) > 0 || (one == "∞" && out.back() == "ρ"));
    joins ? out.back() += one : out.emplace_back(one);
    i += n;
  }
  return out;
}

std::string latex_character(const std::string& c) {
  if (const auto word = tex_words.find(c); word != tex_words.end()) return word->second;
  if (const auto symbol = tex_symbols.find(c); symbol != tex_symbols.end())
    return "$" + symbol->second + "$";
  for (const auto& [accent, command] : tex_accents) {
    if (c.size() <= accent.size() || !c.ends_with(accent)) continue;
    const std::string base = c.substr(0, c.size() - accent.size());
    const auto symbol = tex_symbols.find(base);
    return fmt::format("${}{{{}}}$", command, symbol == tex_symbols.end() ? base : symbol->second);
  }
  if (c.size() == 1) return std::string("%&#_{}$").find(c) == std::string::npos ? c : "\\" + c;
  // Letters of Latin-1 are known to LaTeX; of others the place in Unicode is printed.
  if (c.size() == 2 && c[0] == '\xC3') return c;
  unsigned code = static_cast<unsigned char>(c[0]) & (0xFFU >> (c.size() + 1));
  for (std::size_t i = 1; i < c.size(); ++i) code = code << 6U | (c[i] & 0x3F);
  return fmt::format("U+{:04X}", code);
}

/// The width of a character of Computer Modern in em, a little too large.
double em_of(const std::string& c) {
  const auto among = [&](std::string_view some) { return some.find(c[0]) != some.npos; };
  if (c.size() > 1) return c.ends_with("∞") ? 1.4 : 0.9;
  if (among(" .,:;'!|il-")) return 0.34;
  if (among("()[]jftrs")) return 0.4;
  if (among("0123456789/cevz_")) return 0.5;
  if (among("mMW%")) return 1.03;
  return among("<>=+wABCDEFGHIJKLNOPQRSTUVXYZ") ? 0.8 : 0.58;
}

/// Text that is not broken, and its width; `blank`: with a blank before it.
struct TexPiece {
  std::string latex;
  double em = 0;
  bool blank = false;
};

/// A cell in pieces: broken at blanks and behind signs inside long words. Numbers with an
/// exponent, 7.0007e-05, become products with a power of ten.
std::vector<TexPiece> pieces_of(const std::string& text) {
  static const std::regex number(R"((-?\d+(?:\.\d+)?)[eE](?:\+|(-))?0*(\d+))");
  constexpr double power = 2.9;
  std::vector<TexPiece> out(1);
  const auto add = [&](std::string_view part) {
    for (const std::string& c : characters(part)) {
      if (c == " ") {
        out.push_back({"", 0, true});
        continue;
      }
      out.back().latex += latex_character(c);
      out.back().em += em_of(c);
      if (std::string_view(",;/_)=").find(c) != std::string_view::npos) out.emplace_back();
    }
  };
  auto from = text.begin();
  for (std::sregex_iterator at(text.begin(), text.end(), number), end; at != end; ++at) {
    const std::smatch& match = *at;
    add({from, match[0].first});
    out.back().latex +=
        fmt::format("${}\\cdot 10^{{{}{}}}$", match[1].str(), match[2].str(), match[3].str());
    out.back().em += 0.5 * static_cast<double>(match[1].length()) + power;
    from = match[0].second;
  }
  add({from, text.end()});
  return out;
}

struct TexCell {
  std::string plain, breakable;  ///< the second says where words may be broken
  double em = 0, longest = 0;    ///< of all, and of the widest piece
  double word = 0;               ///< of the widest word
  /// Words are broken only where they must be.
  const std::string& text(double width) const { return word > width ? breakable : plain; }
};

TexCell cell_of(const std::string& text) {
  constexpr double blank = 0.34;
  TexCell cell;
  double word = 0;
  for (const TexPiece& piece : pieces_of(text)) {
    const bool inside = !piece.blank && !cell.plain.empty() && !piece.latex.empty();
    cell.plain += (piece.blank ? " " : "") + piece.latex;
    cell.breakable += (piece.blank ? " " : inside ? "\\allowbreak{}" : "") + piece.latex;
    cell.em += piece.em + (piece.blank ? blank : 0);
    cell.longest = std::max(cell.longest, piece.em);
    word = piece.blank ? piece.em : word + piece.em;
    cell.word = std::max(cell.word, word);
  }
  return cell;
}

struct TexColumn {
  TexCell head;
  std::vector<TexCell> cells;  ///< of the rows that are not rules
  double em = 0;               ///< its width
  bool wrapped = false;
};

/// Widths that fit a text of 345 pt (10 pt), 360 pt (11 pt) or 390 pt (12 pt): in the size of the
/// text and in \footnotesize.
constexpr double text_em = 32.5, small_em = 38.5, between = 0.8;
constexpr double page_lines = 36, label_em = 12, prose_em = 14, head_em = 5;

std::vector<TexColumn> columns_of(const Table& table) {
  std::vector<TexColumn> columns;
  double others = 0;
  for (std::size_t i = table.head.size(); i-- > 0;) {
    TexColumn column;
    column.head = cell_of(table.head[i]);
    double body = 0, longest = column.head.longest;
    for (const auto& row : table.rows) {
      if (row.empty()) continue;
      column.cells.push_back(cell_of(row[i]));
      body = std::max(body, column.cells.back().em);
      longest = std::max(longest, column.cells.back().longest);
    }
    const double most = i == 0 ? std::max(label_em, small_em - others) : prose_em;
    column.wrapped = body > most;
    column.em =
        column.wrapped
            ? std::max(most, longest)
            : std::max(body, std::min(column.head.em, std::max(column.head.longest, head_em)));
    others += column.em + between;
    columns.insert(columns.begin(), std::move(column));
  }
  return columns;
}

/// Columns that fit side by side, each part with the labels; sentences take what is left of a line.
std::vector<std::vector<TexColumn>> parts_of(const std::vector<TexColumn>& columns) {
  std::vector<std::vector<TexColumn>> parts;
  double em = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (parts.empty() || (parts.back().size() > 1 && em + between + columns[i].em > small_em)) {
      parts.push_back({columns[0]});
      em = columns[0].em;
    }
    if (i == 0) continue;
    parts.back().push_back(columns[i]);
    em += between + columns[i].em;
  }
  for (std::vector<TexColumn>& part : parts) {
    double left = small_em, wrapped = 0;
    for (const TexColumn& column : part) left -= column.em + between, wrapped += column.wrapped;
    for (TexColumn& column : part)
      if (column.wrapped && left > 0) column.em += left / wrapped;
  }
  return parts;
}

/// How many lines of text the rows take.
double lines_of(const std::vector<TexColumn>& part) {
  double lines = 0;
  for (std::size_t r = 0; r < part.front().cells.size(); ++r) {
    double most = 1;
    for (const TexColumn& column : part)
      if (column.wrapped) most = std::max(most, std::ceil(1.2 * column.cells[r].em / column.em));
    lines += most;
  }
  return lines;
}

std::string head_line(const std::vector<TexColumn>& part) {
  std::string line;
  for (const TexColumn& column : part) {
    const bool left = column.wrapped || &column == &part.front();
    line += (line.empty() ? "" : " & ") +
            (column.head.em <= column.em
                 ? column.head.plain
                 : fmt::format("\\parbox[b]{{{:.1f}em}}{{\\ragged{} {}}}", column.em + 0.1,
                               left ? "right" : "left", column.head.text(column.em)));
  }
  return line;
}

std::string body_lines(const Table& table, const std::vector<TexColumn>& part,
                       std::string_view end) {
  std::string out;
  std::size_t r = 0;
  for (const auto& row : table.rows) {
    if (row.empty()) {
      out += "\\addlinespace\n";
      continue;
    }
    for (std::size_t i = 0; i < part.size(); ++i) {
      const TexCell& cell = part[i].cells[r];
      out += (i ? " & " : "") +
             (part[i].wrapped ? "\\raggedright " + cell.text(part[i].em) : cell.plain);
    }
    out += end;
    ++r;
  }
  return out;
}

/// One table; with many rows a longtable over several pages.
std::string part_latex(const Table& table, const std::vector<TexColumn>& part, bool is_long,
                       const std::string& caption) {
  double em = 0;
  std::string spec = "@{}";
  for (const TexColumn& column : part) {
    em += (em > 0 ? between : 0) + column.em;
    spec += column.wrapped             ? fmt::format("p{{{:.1f}em}}", column.em)
            : &column == &part.front() ? "l"
                                       : "r";
  }
  spec += "@{}";
  const std::string_view end = part.back().wrapped ? "\\tabularnewline\n" : "\\\\\n";
  const std::string size = std::string(em > text_em || is_long ? "\\footnotesize" : "") +
                           "\\setlength{\\tabcolsep}{0.4em}\n";
  const std::string head = "\\toprule\n" + head_line(part) + std::string(end) + "\\midrule\n";
  const std::string body = body_lines(table, part, end);
  if (is_long)
    return "{" + size + "\\begin{longtable}{" + spec + "}\n" + caption + "\\\\\n" + head +
           "\\endhead\n\\bottomrule\n\\endfoot\n" + body + "\\end{longtable}}\n";
  return "\\begin{table}\n\\centering\n" + caption + "\n" + size + "\\begin{tabular}{" + spec +
         "}\n" + head + body + "\\bottomrule\n\\end{tabular}\n\\end{table}\n";
}

}  // namespace

std::string latex(const Table& table, std::string_view label) {
  const auto parts = parts_of(columns_of(table));
  const bool is_long = std::any_of(parts.begin(), parts.end(),
                                   [](const auto& part) { return lines_of(part) > page_lines; });
  const std::string caption = cell_of(table.caption).plain;
  std::string out =
      fmt::format("% needs \\usepackage{{booktabs{}}}\n", is_long ? ",longtable" : "");
  for (std::size_t p = 0; p < parts.size(); ++p) {
    if (p > 0) out += "\\addtocounter{table}{-1}\n";
    out += part_latex(table, parts[p], is_long,
                      p == 0 ? fmt::format("\\caption{{{}}}\\label{{{}}}", caption, label)
                             : fmt::format("\\caption{{{} (continued)}}", caption));
  }
  return out;
}

}  // namespace daemark
