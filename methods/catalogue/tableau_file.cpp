#include "methods/catalogue/tableau_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {

namespace {

using nlohmann::json;

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

  std::vector<Expression> list(const json& values, const std::string& place,
                               std::size_t size) const {
    if (!values.is_array() || values.size() != size) {
      refuse(where, place + ": a list of " + std::to_string(size) + " entries is accepted" +
                        (values.is_array() ? ", not " + std::to_string(values.size()) : ""));
    }
    std::vector<Expression> result;
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

  /// s rows of s entries.
  RowsOf<Expression> matrix(const char* key, std::size_t s) const {
    if (size_of(key, 1, max_file_stages) != s)
      refuse(where, std::string(key) + ": b has " + std::to_string(s) + " entries, so " + key +
                        " must have as many rows");
    RowsOf<Expression> rows;
    for (std::size_t i = 0; i < s; ++i)
      rows.push_back(list(file[key][i], key + ("[" + std::to_string(i + 1) + "]"), s));
    return rows;
  }

  Source source() const {
    if (!file.contains("source")) return {};
    const json& object = file["source"];
    require_keys(object, where + ": source", {"key"}, {"where"});
    return {text(object, "key"), text(object, "where")};
  }

  Claims claims() const {
    Claims result;
    if (!file.contains("claims")) return result;
    const json& object = file["claims"];
    const std::string here = where + ": claims";
    std::vector<std::string> keys;
    each_claim(result, [&](const char* key, const auto&) { keys.emplace_back(key); });
    require_keys(object, here, {}, keys);
    each_claim(result, [&](const char* key, auto& claim) {
      if (!object.contains(key)) return;
      if constexpr (std::is_same_v<decltype(claim), std::optional<bool>&>)
        claim = get_bool(object, key, here);
      else
        claim = static_cast<int>(get_int(object, key, here, 0, 2 * max_file_stages));
    });
    if (result.interpolant_order && !file.contains("dense"))
      refuse(where, "claims: interpolant_order needs an interpolant, dense");
    return result;
  }
};

/// An interpolant: rows of weights of different lengths, and further stages. Decimals are taken, of
/// exact tableaus too: then the interpolant is not certified.
void read_dense(FileReader reader, Coefficients& method) {
  if (!reader.file.contains("dense")) return;
  reader.decimal = true;
  const std::size_t s = method.list("b").size();
  const json& object = reader.file["dense"];
  require_keys(object, reader.where + ": dense", {"weights"}, {"A", "c"});
  const json rows = object.value("A", json::array()), c = object.value("c", json::array());
  const std::size_t more = rows.is_array() ? rows.size() : 0;
  method.list("dense.c") = reader.list(c, "dense.c", more);
  for (std::size_t i = 0; i < more; ++i)
    method.rows("dense.A").push_back(
        reader.list(rows[i], "dense.A[" + std::to_string(i + 1) + "]", s + i));
  const json& weights = object["weights"];
  if (!weights.is_array() || weights.size() != s + more)
    refuse(reader.where, "dense.weights: a list for each of the " + std::to_string(s + more) +
                             " stages is accepted");
  for (std::size_t i = 0; i < weights.size(); ++i)
    method.rows("dense.weights")
        .push_back(reader.list(weights[i], "dense.weights[" + std::to_string(i + 1) + "]",
                               weights[i].is_array() ? weights[i].size() : 0));
}

RowsOf<Expression> read_array(const FileReader& reader, const ArraySchema& array, std::size_t s) {
  switch (array.shape) {
    case ArraySchema::Shape::number:
      return {{reader.entry(reader.file[array.name], array.name)}};
    case ArraySchema::Shape::list:
      return {reader.list(reader.file[array.name], array.name, s)};
    case ArraySchema::Shape::matrix:
      break;
  }
  RowsOf<Expression> rows = reader.matrix(array.name, s);
  if (array.zeros == ArraySchema::Zeros::none) return rows;
  const std::size_t first = array.zeros == ArraySchema::Zeros::above ? 1 : 0;
  for (std::size_t i = 0; i < s; ++i)
    for (std::size_t j = i + first; j < s; ++j)
      if (rows[i][j].eval<wide>() != 0)
        refuse(reader.where, fmt::format("{}[{}][{}]: 0 is accepted, {}", array.name, i + 1, j + 1,
                                         array.reason));
  return rows;
}

/// What no rule on single arrays says.
void check_half_explicit(const Coefficients& method, const std::string& where) {
  if (method.has("b_low") && !method.has("b_hat")) refuse(where, "b_low needs the weights b_hat");
  const RowsOf<wide> rows = half_explicit_numbers(method).constraint;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const bool carried =
        std::all_of(rows[i].begin(), rows[i].end(), [](const wide& a) { return a == 0; });
    if (rows[i][i] == 0 && !(carried && i == 0))
      refuse(where, "stage " + std::to_string(i + 1) +
                        " has the weight 0 where its constraint holds, which determines no "
                        "multiplier; accepted: other weights, a first row of zeros in A_hat");
    if (carried && method.list("c")[i].eval<wide>() != 0)
      refuse(where, "stage 1 takes the rates of the step's beginning; accepted: c[1] = 0");
  }
}

Coefficients read_kind(const FileReader& reader, const KindSchema& schema) {
  std::vector<std::string> required = {"id", "kind"}, optional;
  bool embedded_formula = false;
  for (const ArraySchema& array : schema.arrays) {
    (array.required ? required : optional).emplace_back(array.name);
    embedded_formula = embedded_formula || std::string_view(array.name).starts_with("b_hat");
  }
  if (schema.kind == MethodKind::runge_kutta) optional.emplace_back("dense");
  for (const char* key : {"summary", "claims", "decimal", "source"}) optional.emplace_back(key);
  require_keys(reader.file, reader.where, required, optional);
  Coefficients method;
  method.kind = schema.kind;
  method.id = reader.id();
  method.summary = reader.text(reader.file, "summary");
  method.claims = reader.claims();
  method.source = reader.source();
  method.decimal = reader.decimal;
  const std::size_t size = reader.size_of(schema.size, schema.least, schema.most);
  for (const ArraySchema& array : schema.arrays)
    if (reader.file.contains(array.name))
      method.arrays.emplace(array.name, read_array(reader, array, size));
  const auto embedded = [&](const auto& array) { return array.first.starts_with("b_hat"); };
  if (embedded_formula && method.claims.embedded_order &&
      std::none_of(method.arrays.begin(), method.arrays.end(), embedded))
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
  if (method.has("b_hat_explicit") != method.has("b_hat_implicit"))
    refuse(reader.where, "b_hat_explicit and b_hat_implicit are accepted together");
  if (schema.kind == MethodKind::runge_kutta) read_dense(reader, method);
  if (schema.kind == MethodKind::half_explicit) check_half_explicit(method, reader.where);
  if (schema.kind == MethodKind::rosenbrock && !(method.list("gamma")[0].eval<wide>() > 0))
    refuse(reader.where, "gamma: a number > 0 is accepted");
  if (schema.kind == MethodKind::multistep && method.list("alpha").back().eval<wide>() == 0)
    refuse(reader.where, "alpha: the last entry, of the new value, must not be 0");
  return method;
}

/// Numbers as numbers, other expressions as text.
Expression combined(const Expression& x, char op, const Expression& y) {
  const auto is = [](const Expression& e, int value) {
    return e.is_rational() && e.as_rational() == value;
  };
  if (x.is_rational() && y.is_rational() && !x.has_decimal() && !y.has_decimal())
    return Expression(op == '+' ? rational(x.as_rational() + y.as_rational())
                                : rational(x.as_rational() * y.as_rational()));
  if (op == '+' ? is(x, 0) : is(x, 1) || is(y, 0)) return y;
  if (op == '+' ? is(y, 0) : is(y, 1) || is(x, 0)) return x;
  return Expression::parse(fmt::format("({}){}({})", x.text(), op, y.text()), "alpha and beta");
}

std::vector<std::string> entry_texts(const std::vector<Expression>& list) {
  std::vector<std::string> out;
  for (const Expression& e : list) out.push_back(e.text());
  return out;
}

/// A file with alpha and beta of Shu and Osher, u_i = Σ_{j<i} alpha_ij u_j + h Σ_j beta_ij f(u_j)
/// and what alpha leaves of 1 times y_0, as one with A, b and c. s + 1 rows, the last the step's;
/// or s, where u_1 = y_0 is left out.
json butcher_form(const FileReader& reader) {
  const std::string here = reader.where + ": alpha";
  const std::size_t rows = reader.size_of("alpha", 1, max_file_stages + 1);
  const json& first = reader.file["alpha"][0];
  const std::size_t s = first.is_array() ? first.size() : 0;
  if (s == 0 || (rows != s && rows != s + 1) || !reader.file.contains("beta") ||
      reader.size_of("beta", 1, max_file_stages + 1) != rows)
    refuse(here, "alpha and beta with s or s + 1 rows of s entries are accepted");
  RowsOf<Expression> A(s + 1 - rows, std::vector<Expression>(s));
  for (std::size_t i = 0; i < rows; ++i) {
    const std::string row = "[" + std::to_string(i + 1) + "]";
    const auto alpha = reader.list(reader.file["alpha"][i], "alpha" + row, s);
    A.push_back(reader.list(reader.file["beta"][i], "beta" + row, s));
    const std::size_t stage = A.size() - 1;
    for (std::size_t j = 0; j < s; ++j) {
      if (alpha[j].eval<wide>() == 0) continue;
      if (j >= stage) refuse(here + row, "0 is accepted at and behind the row's own stage");
      for (std::size_t k = 0; k < s; ++k)
        A.back()[k] = combined(A.back()[k], '+', combined(alpha[j], '*', A[j][k]));
    }
  }
  json file = reader.file;
  file.erase("alpha"), file.erase("beta");
  file["b"] = entry_texts(A.back());
  A.pop_back();
  for (const auto& row : A) {
    Expression sum;
    for (const Expression& a : row) sum = combined(sum, '+', a);
    file["A"].push_back(entry_texts(row));
    if (!reader.file.contains("c")) file["c"].push_back(sum.text());
  }
  return file;
}

/// "runge_kutta, multistep, … or …".
std::string kinds() {
  std::vector<std::string> names;
  for (const KindSchema& schema : coefficient_schemas())
    if (names.empty() || names.back() != schema.name) names.emplace_back(schema.name);
  const std::string last = names.back();
  names.pop_back();
  return fmt::format("{} or {}", fmt::join(names, ", "), last);
}

}  // namespace

Coefficients load_method_file(const std::filesystem::path& path) {
  return read_method(parse_json_file(path.string()), printable(path.string(), 200));
}

Coefficients read_method(const json& file, const std::string& where) {
  const FileReader reader(file, where);
  if (!file.is_object() || !file.contains("kind")) {
    refuse(reader.where, "an object with \"kind\": " + kinds() + " is accepted");
  }
  const std::string kind = reader.text(file, "kind");
  if (kind == "runge_kutta" && file.contains("alpha"))
    return read_method(butcher_form(reader), where);
  const auto given = [&](const char* array) { return file.contains(array); };
  if (const KindSchema* form = schema_of(kind, given)) return read_kind(reader, *form);
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
std::filesystem::path library_folder() { return tableau_folder() / "library"; }

bool from_outside(const std::filesystem::path& file) {
  if (file.empty() || file.extension() == ".cpp") return false;
  std::error_code ignored;
  const auto folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
  return !std::filesystem::equivalent(folder, tableau_folder(), ignored) &&
         !std::filesystem::equivalent(folder, library_folder(), ignored);
}

}  // namespace daemark
