#include "methods/catalogue/tableau_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "methods/catalogue/tableau_json.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using Weights = std::vector<Expression>;

[[noreturn]] void refuse(const std::string& where, const std::string& what) {
  throw BadInput(where + ": " + what);
}

/// What every kind of method file has.
struct FileReader {
  const json& file;
  std::string where;  ///< file name, for messages
  bool decimal = false;

  FileReader(const json& content, std::string name)
      : file(content),
        where(std::move(name)),
        decimal(file.contains("decimal") && get_bool(file, "decimal", where)) {}

  /// An optional line of text; control characters would break the one-line outputs.
  std::string text(const json& object, const char* key) const {
    if (!object.contains(key)) return "";
    const std::string value = get_string(object, key, where);
    const bool one_line = std::none_of(value.begin(), value.end(),
                                       [](unsigned char c) { return c < 0x20 || c == 0x7f; });
    if (!one_line) refuse(where, std::string(key) + ": one line without control characters");
    return value;
  }

  std::string id() const {
    const std::string value = text(file, "id");
    const auto word = [](char c) {
      return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
    };
    const bool good = !value.empty() && value.size() <= 64 && value[0] >= 'a' && value[0] <= 'z' &&
                      std::all_of(value.begin(), value.end(), word);
    if (!good) {
      refuse(where, "id " + in_quotes(value) +
                        " is not accepted; an id is a lower-case letter, then lower-case letters, "
                        "digits and _, at most 64");
    }
    return value;
  }

  Expression entry(const json& value, const std::string& place) const {
    const std::string here = where + ": " + place;
    const Expression expression = to_expression(value, here);
    if (expression.has_decimal() && !decimal) {
      refuse(here, in_quotes(expression.text()) +
                       " is a decimal; write it exactly, or declare \"decimal\": true");
    }
    if (!isfinite(expression.eval<wide>())) {
      refuse(here, in_quotes(expression.text()) + " is out of range");
    }
    return expression;
  }

  Weights list(const json& values, const std::string& place, std::size_t size) const {
    if (!values.is_array() || values.size() != size) {
      refuse(where, place + ": a list of " + std::to_string(size) + " entries is accepted" +
                        (values.is_array() ? ", not " + std::to_string(values.size()) : ""));
    }
    Weights result;
    for (std::size_t i = 0; i < size; ++i) {
      result.push_back(entry(values[i], place + "[" + std::to_string(i + 1) + "]"));
    }
    return result;
  }

  /// Number of entries of the list that fixes the size of the others.
  std::size_t size_of(const char* key, std::size_t least, std::size_t most) const {
    const json& values = file[key];
    if (!values.is_array() || values.size() < least || values.size() > most) {
      refuse(where, std::string(key) + ": a list of " + std::to_string(least) + ".." +
                        std::to_string(most) + " entries is accepted");
    }
    return values.size();
  }

  Source source() const {
    if (!file.contains("source")) return {};
    const json& object = file["source"];
    require_keys(object, where + ": source", {"key"}, {"where"});
    return {text(object, "key"), text(object, "where")};
  }

  Claims claims() const;
};

void read_claim(const FileReader& reader, const json& claims, const char* key,
                std::optional<int>& into) {
  if (!claims.contains(key)) return;
  into = static_cast<int>(get_int(claims, key, reader.where + ": claims", 0, 2 * max_file_stages));
}

void read_claim(const FileReader& reader, const json& claims, const char* key,
                std::optional<bool>& into) {
  if (!claims.contains(key)) return;
  into = get_bool(claims, key, reader.where + ": claims");
}

Claims FileReader::claims() const {
  Claims result;
  if (!file.contains("claims")) return result;
  const json& object = file["claims"];
  require_keys(object, where + ": claims", {},
               {"order", "stage_order", "embedded_order", "A_stable", "L_stable",
                "stiffly_accurate", "algebraically_stable", "symplectic"});
  read_claim(*this, object, "order", result.order);
  read_claim(*this, object, "stage_order", result.stage_order);
  read_claim(*this, object, "embedded_order", result.embedded_order);
  read_claim(*this, object, "A_stable", result.a_stable);
  read_claim(*this, object, "L_stable", result.l_stable);
  read_claim(*this, object, "stiffly_accurate", result.stiffly_accurate);
  read_claim(*this, object, "algebraically_stable", result.algebraically_stable);
  read_claim(*this, object, "symplectic", result.symplectic);
  return result;
}

template <class Method>
Method read_common(const FileReader& reader) {
  Method method;
  method.id = reader.id();
  method.summary = reader.text(reader.file, "summary");
  method.claims = reader.claims();
  method.source = reader.source();
  method.decimal = reader.decimal;
  return method;
}

/// s rows of s entries.
std::vector<Weights> read_rows(const FileReader& reader, const std::string& key, std::size_t s) {
  if (reader.size_of(key.c_str(), 1, max_file_stages) != s) {
    refuse(reader.where, key + ": b has " + std::to_string(s) + " entries, so " + key +
                             " must have as many rows");
  }
  std::vector<Weights> rows;
  for (std::size_t i = 0; i < s; ++i) {
    rows.push_back(reader.list(reader.file[key][i], key + "[" + std::to_string(i + 1) + "]", s));
  }
  return rows;
}

/// Refuses entries on and above the diagonal, or only above.
void require_lower(const FileReader& reader, const std::string& key,
                   const std::vector<Weights>& rows, bool strictly, const std::string& why) {
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (std::size_t j = strictly ? i : i + 1; j < rows.size(); ++j)
      if (rows[i][j].eval<wide>() != 0)
        refuse(reader.where, key + "[" + std::to_string(i + 1) + "][" + std::to_string(j + 1) +
                                 "]: 0 is accepted, " + why);
}

/// A, b, c and what may stand beside them.
template <class Tableau>
Tableau read_stages(const FileReader& reader) {
  Tableau tableau = read_common<Tableau>(reader);
  const std::size_t s = reader.size_of("b", 1, max_file_stages);
  tableau.A = read_rows(reader, "A", s);
  tableau.b = reader.list(reader.file["b"], "b", s);
  tableau.c = reader.list(reader.file["c"], "c", s);
  if (reader.file.contains("b_hat")) {
    tableau.embedded = reader.list(reader.file["b_hat"], "b_hat", s);
  } else if (tableau.claims.embedded_order) {
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
  }
  return tableau;
}

ExactTableau read_tableau(const FileReader& reader) {
  require_keys(reader.file, reader.where, {"id", "kind", "A", "b", "c"},
               {"b_hat", "summary", "claims", "decimal", "source"});
  return read_stages<ExactTableau>(reader);
}

ExactHalfExplicit read_half_explicit(const FileReader& reader) {
  require_keys(reader.file, reader.where, {"id", "kind", "A", "b", "c"},
               {"A_hat", "b_hat", "b_low", "summary", "claims", "decimal", "source"});
  ExactHalfExplicit method = read_stages<ExactHalfExplicit>(reader);
  const std::size_t s = method.b.size();
  require_lower(reader, "A", method.A, true, "as its stages are explicit");
  if (reader.file.contains("A_hat")) {
    method.constraint = read_rows(reader, "A_hat", s);
    require_lower(reader, "A_hat", method.constraint, false, "as its stages are explicit");
  }
  if (reader.file.contains("b_low")) {
    if (method.embedded.empty()) refuse(reader.where, "b_low needs the weights b_hat");
    method.lower = reader.list(reader.file["b_low"], "b_low", s);
  }
  const std::vector<std::vector<wide>> rows = evaluate(method).constraint;
  for (std::size_t i = 0; i < s; ++i) {
    const bool carried =
        std::all_of(rows[i].begin(), rows[i].end(), [](const wide& a) { return a == 0; });
    if (rows[i][i] == 0 && !(carried && i == 0))
      refuse(reader.where,
             "stage " + std::to_string(i + 1) +
                 " has the weight 0 where its constraint holds, which determines no "
                 "multiplier; accepted: other weights, a first row of zeros in A_hat");
  }
  return method;
}

ExactRosenbrock read_rosenbrock(const FileReader& reader) {
  const bool transformed = reader.file.contains("C");
  require_keys(
      reader.file, reader.where,
      {"id", "kind", "gamma", transformed ? "A" : "alpha", transformed ? "C" : "gamma_ij", "b"},
      {"b_hat", "summary", "claims", "decimal", "source"});
  ExactRosenbrock method = read_common<ExactRosenbrock>(reader);
  const std::size_t s = reader.size_of("b", 1, max_file_stages);
  method.transformed = transformed;
  method.gamma = reader.entry(reader.file["gamma"], "gamma");
  if (!(method.gamma.eval<wide>() > 0)) refuse(reader.where, "gamma: a number > 0 is accepted");
  const char *const first = transformed ? "A" : "alpha", *const second =
                                                             transformed ? "C" : "gamma_ij";
  method.alpha = read_rows(reader, first, s);
  method.gammas = read_rows(reader, second, s);
  require_lower(reader, first, method.alpha, true, "as its stages follow each other");
  require_lower(reader, second, method.gammas, true,
                "as its stages follow each other and gamma is the diagonal");
  method.b = reader.list(reader.file["b"], "b", s);
  if (reader.file.contains("b_hat")) {
    method.embedded = reader.list(reader.file["b_hat"], "b_hat", s);
  } else if (method.claims.embedded_order) {
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
  }
  return method;
}

ExactMultistep read_multistep(const FileReader& reader) {
  require_keys(reader.file, reader.where, {"id", "kind", "alpha", "beta"},
               {"summary", "claims", "decimal", "source"});
  ExactMultistep formula = read_common<ExactMultistep>(reader);
  const std::size_t size = reader.size_of("alpha", 2, max_file_stages + 1);
  formula.alpha = reader.list(reader.file["alpha"], "alpha", size);
  formula.beta = reader.list(reader.file["beta"], "beta", size);
  if (formula.alpha.back().eval<wide>() == 0) {
    refuse(reader.where, "alpha: the last entry, of the new value, must not be 0");
  }
  return formula;
}

/// Adds a line unless the terms sum to zero within round-off of the given number of digits.
void check_sum(std::vector<std::string>& defects, const std::string& rule,
               const std::vector<wide>& terms, bool decimal) {
  wide sum = 0, size = 1;
  for (const wide& term : terms) {
    sum += term;
    size += abs(term);
  }
  const wide tolerance = decimal ? wide("1e-10") : wide("1e-100");
  if (!(abs(sum) <= tolerance * size)) {
    defects.push_back(rule + ": off by " + sum.str(6, std::ios_base::scientific));
  }
}

std::vector<wide> values(const Weights& expressions) {
  std::vector<wide> result;
  for (const Expression& expression : expressions) result.push_back(expression.eval<wide>());
  return result;
}

}  // namespace

namespace {

struct Kind {
  const char* name;
  MethodFile (*read)(const FileReader&);
};
constexpr Kind file_kinds[] = {
    {"runge_kutta", [](const FileReader& r) -> MethodFile { return read_tableau(r); }},
    {"multistep", [](const FileReader& r) -> MethodFile { return read_multistep(r); }},
    {"half_explicit", [](const FileReader& r) -> MethodFile { return read_half_explicit(r); }},
    {"rosenbrock", [](const FileReader& r) -> MethodFile { return read_rosenbrock(r); }}};

/// "runge_kutta, multistep, … or …".
std::string kinds() {
  std::string text;
  for (const Kind& kind : file_kinds) {
    const bool last = &kind == std::end(file_kinds) - 1;
    text += std::string(text.empty() ? "" : last ? " or " : ", ") + kind.name;
  }
  return text;
}

}  // namespace

MethodFile load_method_file(const std::filesystem::path& path) {
  return read_method(parse_json_file(path.string()), printable(path.string(), 200));
}

MethodFile read_method(const json& file, const std::string& where) {
  const FileReader reader(file, where);
  if (!file.is_object() || !file.contains("kind")) {
    refuse(reader.where, "an object with \"kind\": " + kinds() + " is accepted");
  }
  const std::string kind = reader.text(file, "kind");
  for (const Kind& known : file_kinds)
    if (kind == known.name) return known.read(reader);
  refuse(reader.where, "kind " + in_quotes(kind) + " is not known; " + kinds());
}

std::vector<std::filesystem::path> method_files(const std::filesystem::path& folder) {
  std::error_code failure;
  std::vector<std::filesystem::path> files;
  for (std::filesystem::directory_iterator entry(folder, failure), end; !failure && entry != end;
       entry.increment(failure)) {
    if (entry->path().extension() == ".json") files.push_back(entry->path());
  }
  if (failure) {
    throw BadInput("tableau folder " + in_quotes(folder.string(), 200) +
                   " cannot be read; a folder of *.json files is accepted");
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::filesystem::path tableau_folder() { return source_root() / "methods" / "tableaus"; }

std::vector<std::string> tableau_defects(const ExactTableau& tableau) {
  std::vector<std::string> defects;
  const WideTableau value = evaluate(tableau);
  for (int i = 0; i < value.stages(); ++i) {
    std::vector<wide> terms = value.A[i];
    terms.push_back(-value.c[i]);
    check_sum(defects, "row sum of A differs from c in row " + std::to_string(i + 1), terms,
              tableau.decimal);
  }
  std::vector<wide> weights = value.b;
  weights.emplace_back(-1);
  check_sum(defects, "the weights b do not sum to 1", weights, tableau.decimal);
  if (!tableau.embedded.empty()) {
    weights = values(tableau.embedded);
    weights.emplace_back(-1);
    check_sum(defects, "the weights b_hat do not sum to 1", weights, tableau.decimal);
  }
  return defects;
}

std::vector<std::string> tableau_defects(const ExactHalfExplicit& method) {
  std::vector<std::string> defects = tableau_defects(static_cast<const ExactTableau&>(method));
  const WideHalfExplicit value = evaluate(method);
  const bool ends = std::find(value.constraint.begin(), value.constraint.end(), value.stages.b) !=
                    value.constraint.end();
  if (!ends) defects.emplace_back("no row of A_hat is b: velocities leave the constraints");
  return defects;
}

std::vector<std::string> tableau_defects(const ExactRosenbrock& method) {
  std::vector<std::string> defects;
  const RosenbrockNumbers<wide> value = evaluate(method);
  std::vector<wide> weights = value.b;
  weights.emplace_back(-1);
  check_sum(defects, "the weights b do not sum to 1", weights, method.decimal);
  if (!value.embedded.empty()) {
    weights = value.embedded;
    weights.emplace_back(-1);
    check_sum(defects, "the weights b_hat do not sum to 1", weights, method.decimal);
  }
  return defects;
}

std::vector<std::string> tableau_defects(const ExactMultistep& formula) {
  std::vector<std::string> defects;
  const std::vector<wide> alpha = values(formula.alpha), beta = values(formula.beta);
  check_sum(defects, "alpha does not sum to 0", alpha, formula.decimal);
  std::vector<wide> terms;
  for (std::size_t j = 0; j < alpha.size(); ++j) {
    terms.push_back(static_cast<int>(j) * alpha[j]);
    terms.push_back(-beta[j]);
  }
  check_sum(defects, "sum of j alpha_j differs from the sum of beta_j", terms, formula.decimal);
  return defects;
}

bool from_outside(const std::filesystem::path& file) {
  if (file.empty() || file.extension() == ".cpp") return false;
  std::error_code ignored;
  const auto folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
  return !std::filesystem::equivalent(folder, tableau_folder(), ignored);
}

}  // namespace daemark
