// daemark export-tableau: coefficients as source text of other languages, correctly rounded.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <boost/algorithm/string/replace.hpp>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

#include "analysis/exact/proof/catalogue.hpp"
#include "analysis/exact/theory/collocation.hpp"
#include "analysis/report/mathml.hpp"
#include "base/program/interrupt.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/tableau.hpp"

namespace daemark {
namespace {

using exact::Number;
using Texts = std::vector<std::string>;

/// Of coefficients that are computed with 130 digits, not given by expressions.
constexpr int most_computed_digits = 80;
constexpr int most_digits = 10000;
constexpr double seconds_for_proof = 60;

struct TableauOptions {
  std::string method, format = "json";
  int digits = 17;
};

/// How a language writes a list of numbers and what stands around it.
struct Language {
  const char *comment, *head, *wide_head;  ///< wide_head: for more digits than a double has
  const char *scalar, *list, *matrix;      ///< declarations: {name}, {s}, {rows}
  const char *open, *between, *close;      ///< of a row within a matrix
  const char *number, *wide_number;        ///< {}: the digits
};

const std::map<std::string, Language> languages = {
    {"c",
     {"/* {} */", "", "", "static const {type} {name} = {rows};\n",
      "static const {type} {name}[{s}] = {{rows}};\n",
      "static const {type} {name}[{s}][{s}] = {\n  {rows}};\n", "{", ",\n  ", "}", "{}", "{}L"}},
    {"python",
     {"# {}", "", "from decimal import Decimal\n\n", "{name} = {rows}\n", "{name} = [{rows}]\n",
      "{name} = [\n    {rows}]\n", "[", ",\n    ", "]", "{}", "Decimal(\"{}\")"}},
    {"julia",
     {"# {}", "", "", "{name} = {rows}\n", "{name} = [{rows}]\n", "{name} = [\n    {rows}]\n", "",
      "\n    ", "", "{}", "big\"{}\""}},
    {"fortran",
     {"! {}", "integer, parameter :: wp = kind(1d0)\n",
      "integer, parameter :: wp = selected_real_kind(33)\n",
      "real(wp), parameter :: {name} = {rows}\n",
      "real(wp), parameter :: {name}({s}) = [ &\n  {rows}]\n",
      "real(wp), parameter :: {name}({s},{s}) = transpose(reshape([ &\n  {rows}], [{s},{s}]))\n",
      "", ", &\n  ", "", "{}_wp", "{}_wp"}}};

/// x to `digits` significant digits, to the nearest, ties to even: "d.ddde-3"; an integer as it is.
std::string rounded(const rational& x, int digits) {
  if (x == 0) return "0.0";
  const exact::integer num = abs(mp::numerator(x)), den = mp::denominator(x);
  long exponent = static_cast<long>(num.str().size()) - static_cast<long>(den.str().size());
  const auto scaled = [&](long e) {  // |x| 10^(digits - 1 - e), rounded
    const long shift = digits - 1 - e;
    const exact::integer power =
        mp::pow(exact::integer(10), static_cast<unsigned>(std::abs(shift)));
    const exact::integer top = shift > 0 ? exact::integer(num * power) : num;
    const exact::integer bottom = shift > 0 ? den : exact::integer(den * power);
    exact::integer quotient = top / bottom;
    const exact::integer twice = 2 * (top - quotient * bottom);
    if (twice > bottom || (twice == bottom && quotient % 2 != 0)) ++quotient;
    return quotient;
  };
  const auto most = static_cast<std::size_t>(digits);
  std::string text = scaled(--exponent).str();
  if (text.size() > most) text = scaled(++exponent).str();
  if (text.size() > most) text.pop_back(), ++exponent;  // 9.99 -> 10.0
  while (text.size() > 2 && text.back() == '0') text.pop_back();
  if (text.size() < 2) text += '0';
  text.insert(1, ".");
  if (exponent != 0) text += "e" + std::to_string(exponent);
  return (x < 0 ? "-" : "") + text;
}

/// Both ends of an enclosure round to the same, or it is too wide.
std::string rounded(const Number& x, int digits) {
  if (x.is_rational()) return rounded(x.to_rational(), digits);
  for (long precision = 4L * digits + 64;; precision *= 2) {  // irrational: never halfway
    rational lower, upper;
    x.enclose(lower, upper, precision);
    const std::string text = rounded(lower, digits);
    if (text == rounded(upper, digits)) return text;
  }
}

using Shape = ArraySchema::Shape;

/// An array of a tableau file: a list has one row, a number one entry.
struct Part {
  std::string name;
  Shape shape;
  std::vector<Texts> rows;
};

template <class T, class Text>
Part part_of(const char* name, Shape shape, const std::vector<std::vector<T>>& rows,
             const Text& text) {
  Part part{name, shape, {}};
  for (const auto& row : rows) {
    part.rows.emplace_back();
    for (const T& value : row) part.rows.back().push_back(text(value));
  }
  return part;
}

template <class T, class Text>
std::vector<Part> parts_of(const std::vector<std::vector<T>>& A, const std::vector<T>& b,
                           const std::vector<T>& c, const std::vector<T>& embedded,
                           const Text& text) {
  std::vector<Part> parts = {part_of("A", Shape::matrix, A, text),
                             part_of<T>("b", Shape::list, {b}, text),
                             part_of<T>("c", Shape::list, {c}, text)};
  if (!embedded.empty()) parts.push_back(part_of<T>("b_hat", Shape::list, {embedded}, text));
  return parts;
}

/// Every array of the file, as expressions where `digits` is 0.
std::vector<Part> parts_of(const Coefficients& written, int digits) {
  std::vector<Part> parts;
  for (const auto& array : schema_of(written).arrays) {
    const RowsOf<Expression>& rows = written.rows(array.name);
    if (rows.empty()) continue;
    parts.push_back(part_of(array.name, array.shape, rows, [&](const Expression& e) {
      return digits == 0 ? e.text()
                         : rounded(exact::import_numbers({&e}, written.id).front(), digits);
    }));
  }
  return parts;
}

bool has_exact_nodes(const Method& method) {
  const auto* const member = method.member_of<Collocation>();
  return member != nullptr && member->stages <= exact::most_nodal_stages;
}

/// In digits, or as exact expressions where `digits` is 0 and the method has them.
std::vector<Part> parts_of(const Method& method, const std::string& call, int digits) {
  if (const Coefficients* written = method.coefficients()) return parts_of(*written, digits);
  const WideTableau* computed = method.tableau();
  if (digits == 0 && has_exact_nodes(method)) {
    const exact::TableauNumbers numbers =
        exact::nodal_tableau(exact::family_from(method.member_of<Collocation>()->id), computed->c);
    return parts_of(numbers.a, numbers.b, numbers.c, numbers.embedded,
                    [](const Number& x) { return x.text(); });
  }
  if (!computed) throw BadInput(call + " has no tableau; accepted: a method given by coefficients");
  if (digits > most_computed_digits)
    throw BadInput(
        fmt::format("--digits {}: the coefficients of {} are known to {}; accepted: at "
                    "most {}, or a method of a tableau file",
                    digits, call, most_computed_digits, most_computed_digits));
  const int shown = digits == 0 ? most_computed_digits : digits;
  return parts_of(computed->A, computed->b, computed->c, computed->embedded, [&](const wide& x) {
    return rounded(Expression::parse(x.str(130, std::ios_base::scientific), call).as_rational(),
                   shown);
  });
}

std::string replaced(std::string text, const std::map<std::string, std::string>& values) {
  for (const auto& [key, value] : values) boost::replace_all(text, key, value);
  return text;
}

std::string source_of(const Language& language, const std::string& format,
                      const std::vector<Part>& parts, const std::string& comment, int digits) {
  const bool wide_numbers = digits > 17;
  std::string out = replaced(language.comment, {{"{}", comment}}) + "\n";
  out += wide_numbers ? language.wide_head : language.head;
  // A line of Fortran has 132 characters.
  const char* separator = format == "julia" ? " " : format == "fortran" ? ", &\n    " : ", ";
  for (const Part& part : parts) {
    const bool matrix = part.shape == Shape::matrix;
    Texts rows;
    for (const Texts& row : part.rows) {
      Texts numbers;
      for (const std::string& digits_text : row)
        numbers.push_back(
            replaced(wide_numbers ? language.wide_number : language.number, {{"{}", digits_text}}));
      const std::string line =
          fmt::format("{}", fmt::join(numbers, matrix || format == "fortran" ? separator : ", "));
      rows.push_back(matrix ? language.open + line + language.close : line);
    }
    const char* const form = matrix                        ? language.matrix
                             : part.shape == Shape::number ? language.scalar
                                                           : language.list;
    out += replaced(form, {{"{rows}", fmt::format("{}", fmt::join(rows, language.between))},
                           {"{name}", part.name},
                           {"{type}", wide_numbers ? "long double" : "double"},
                           {"{s}", std::to_string(part.rows[0].size())}});
  }
  return out;
}

/// The digest of the certificate, or why there is none.
std::string certificate_of(const std::string& call) {
  try {
    const Watch watch(seconds_for_proof);
    const auto report = exact::verify_method(call);
    if (report.certificate_data.contains("digest"))
      return "certificate " + report.certificate_data["digest"].get<std::string>();
    return "no certificate";
  } catch (const Stopped& stopped) {
    if (stopped.cause == StopCause::interrupted) throw;
    return fmt::format("no certificate within {:g} s", seconds_for_proof);
  }
}

nlohmann::ordered_json interpolant(const Coefficients& method) {
  const auto texts = [](const std::vector<Expression>& row) {
    Texts out;
    for (const Expression& e : row) out.push_back(e.text());
    return out;
  };
  nlohmann::ordered_json shown = nlohmann::ordered_json::object();
  for (const auto& row : method.rows("dense.A")) shown["A"].push_back(texts(row));
  if (method.has("dense.c")) shown["c"] = texts(method.list("dense.c"));
  for (const auto& row : method.rows("dense.weights")) shown["weights"].push_back(texts(row));
  return shown;
}

/// A tableau file.
nlohmann::ordered_json file_of(const Method& method, const std::string& call,
                               const std::vector<Part>& parts, const std::string& certificate) {
  const Coefficients* written = method.coefficients();
  nlohmann::ordered_json shown = {{"id", parse_call(call, "method").id},
                                  {"kind", written ? schema_of(*written).name : "runge_kutta"},
                                  {"summary", call + ", " + certificate}};
  if (written ? written->decimal : !has_exact_nodes(method)) shown["decimal"] = true;
  for (const Part& part : parts)
    if (part.shape == Shape::matrix)
      shown[part.name] = part.rows;
    else if (part.shape == Shape::list)
      shown[part.name] = part.rows.front();
    else
      shown[part.name] = part.rows.front().front();
  if (written && written->has("dense.weights")) shown["dense"] = interpolant(*written);
  return shown;
}

std::string formula_of(const std::string& text) {
  return latex_formula(Expression::parse(text, "export-tableau"));
}

/// c, A and the weights as a Butcher tableau; without A its place is empty.
std::string butcher_latex(const std::string& title, const Part* A, const Part& c,
                          const std::vector<std::pair<const char*, const Part*>>& weights) {
  const std::size_t s = c.rows[0].size();
  std::string out = title.empty() ? "" : "% " + title + "\n";
  out += fmt::format("\\[\n\\renewcommand{{\\arraystretch}}{{1.4}}\n\\begin{{array}}{{c|{}}}\n",
                     std::string(s, 'c'));
  for (std::size_t i = 0; i < s; ++i) {
    out += formula_of(c.rows[0][i]);
    for (std::size_t j = 0; j < s; ++j)
      out += " & " + (A && A->rows[i][j] != "0" ? formula_of(A->rows[i][j]) : "");
    out += " \\\\\n";
  }
  out += "\\hline\n";
  for (const auto& [name, part] : weights) {
    if (!part) continue;
    out += name;
    for (const std::string& weight : part->rows.front()) out += " & " + formula_of(weight);
    out += " \\\\\n";
  }
  return out + "\\end{array}\n\\]\n";
}

/// An array that is in no Butcher tableau, "A_hat = (...)".
std::string array_latex(const Part& part) {
  static const std::map<std::string, const char*> names = {
      {"alpha", "\\alpha"},          {"beta", "\\beta"},    {"gamma", "\\gamma"},
      {"gamma_ij", "\\Gamma"},       {"A_hat", "\\hat{A}"}, {"b_hat", "\\hat{b}"},
      {"b_low", "b_{\\mathrm{low}}"}};
  const auto known = names.find(part.name);
  const std::string name = known == names.end() ? part.name : known->second;
  std::string rows;
  for (const Texts& row : part.rows) {
    Texts cells;
    for (const std::string& cell : row) cells.push_back(formula_of(cell));
    rows += fmt::format("{} \\\\\n", fmt::join(cells, " & "));
  }
  if (part.shape == Shape::number)
    return fmt::format("\\[\n{} = {}\n\\]\n", name, formula_of(part.rows[0][0]));
  return fmt::format("\\[\n{} = \\begin{{pmatrix}}\n{}\\end{{pmatrix}}\n\\]\n", name, rows);
}

/// To stand in a paper: Butcher tableaus where the kind has them, other arrays behind them.
std::string latex_of(const Method& method, const std::vector<Part>& parts,
                     const std::string& comment) {
  static const std::vector<PartSchema> one = {{"", "A", "b", "c", "b_hat"}};
  const Coefficients* written = method.coefficients();
  std::string out = "% " + comment + "\n";
  std::set<std::string> done;
  const auto find = [&](const char* name) -> const Part* {
    done.insert(name);
    for (const Part& part : parts)
      if (part.name == name) return &part;
    return nullptr;
  };
  for (const PartSchema& part : written ? schema_of(*written).parts : one)
    out += butcher_latex(part.title, find(part.A), *find(part.c),
                         {{"b", find(part.b)}, {"\\hat{b}", find(part.embedded)}});
  for (const Part& part : parts)
    if (!done.contains(part.name)) out += array_latex(part);
  return out;
}

int write(const TableauOptions& options, std::ostream& out, std::ostream&) {
  const std::string call = method_registry().bind(options.method).canonical();
  const std::shared_ptr<const Method> method = method_registry().make(call);
  const std::vector<Part> parts = parts_of(
      *method, call, options.format == "json" || options.format == "latex" ? 0 : options.digits);
  const std::string certificate = certificate_of(call);
  if (options.format == "json")
    out << file_of(*method, call, parts, certificate).dump(1) << "\n";
  else if (options.format == "latex")
    out << latex_of(*method, parts, call + ", " + certificate);
  else
    out << source_of(languages.at(options.format), options.format, parts,
                     fmt::format("{}, {} digits, {}", call, options.digits, certificate),
                     options.digits);
  return 0;
}

void declare(OptionSet& app, TableauOptions& options) {
  app.add_option("method", options.method, "M",
                 "a method given by coefficients: a tableau of any kind")
      ->required();
  app.add_option(
         "--format", options.format, "FORMAT",
         "c, python, julia, fortran, latex (Butcher tableaus, matrices), or json (the default): a "
         "tableau file; the last two of exact expressions where the method has them")
      ->one_of({"c", "python", "julia", "fortran", "latex", "json"});
  app.add_option(
         "--digits", options.digits, "N",
         "significant digits, correctly rounded; default 17. More are written as long double, "
         "Decimal, big\"\" or quadruple precision; json and latex ignore it")
      ->range(1, most_digits);
}

}  // namespace

void register_export_tableau(Verbs& verbs) {
  verbs.add<TableauOptions>(
      {"export-tableau", VerbGroup::make,
       "the coefficients of a method as C, Python, Julia, Fortran, LaTeX or JSON",
       "daemark export-tableau 'gauss(2)' --format c --digits 36"},
      declare, write);
}

}  // namespace daemark
