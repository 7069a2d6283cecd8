#include "methods/catalogue/tableau_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
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

  /// s rows of s entries.
  std::vector<Weights> matrix(const char* key, std::size_t s) const {
    if (size_of(key, 1, max_file_stages) != s)
      refuse(where, std::string(key) + ": b has " + std::to_string(s) + " entries, so " + key +
                        " must have as many rows");
    std::vector<Weights> rows;
    for (std::size_t i = 0; i < s; ++i)
      rows.push_back(list(file[key][i], key + ("[" + std::to_string(i + 1) + "]"), s));
    return rows;
  }
  /// Empty where there is no such key.
  Weights weights(const char* key, std::size_t s) const {
    return file.contains(key) ? list(file[key], key, s) : Weights{};
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
               {"order", "stage_order", "embedded_order", "interpolant_order", "A_stable",
                "L_stable", "stiffly_accurate", "algebraically_stable", "symplectic"});
  read_claim(*this, object, "order", result.order);
  read_claim(*this, object, "stage_order", result.stage_order);
  read_claim(*this, object, "embedded_order", result.embedded_order);
  read_claim(*this, object, "interpolant_order", result.interpolant_order);
  if (result.interpolant_order && !file.contains("dense"))
    refuse(where, "claims: interpolant_order needs an interpolant, dense");
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

/// Rows of weights of different lengths, and further stages.
/// Decimals are taken, of exact tableaus too: then the interpolant is not certified.
Dense<Expression> read_dense(FileReader reader, std::size_t s) {
  Dense<Expression> dense;
  if (!reader.file.contains("dense")) return dense;
  reader.decimal = true;
  const json& object = reader.file["dense"];
  require_keys(object, reader.where + ": dense", {"weights"}, {"A", "c"});
  const json rows = object.value("A", json::array()), c = object.value("c", json::array());
  const std::size_t more = rows.is_array() ? rows.size() : 0;
  dense.c = reader.list(c, "dense.c", more);
  for (std::size_t i = 0; i < more; ++i)
    dense.A.push_back(reader.list(rows[i], "dense.A[" + std::to_string(i + 1) + "]", s + i));
  const json& weights = object["weights"];
  if (!weights.is_array() || weights.size() != s + more)
    refuse(reader.where, "dense.weights: a list for each of the " + std::to_string(s + more) +
                             " stages is accepted");
  for (std::size_t i = 0; i < weights.size(); ++i)
    dense.weights.push_back(reader.list(weights[i], "dense.weights[" + std::to_string(i + 1) + "]",
                                        weights[i].is_array() ? weights[i].size() : 0));
  return dense;
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
  tableau.A = reader.matrix("A", s);
  tableau.b = reader.weights("b", s);
  tableau.c = reader.weights("c", s);
  tableau.embedded = reader.weights("b_hat", s);
  if (tableau.embedded.empty() && tableau.claims.embedded_order)
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
  return tableau;
}

/// The keys of the two parts; those after "optional" may be missing. Both have the nodes c: of a
/// partitioned method time runs with the first.
struct PairKeys {
  ExactPair::Kind kind;
  const char *first_A, *second_A, *second_b, *second_hat;
  std::vector<std::string> required, optional;
};

ExactPair read_pair(const FileReader& reader, const PairKeys& keys) {
  std::vector<std::string> required = {"id", "kind", "b", "c"};
  std::vector<std::string> optional = {"b_hat", "summary", "claims", "decimal", "source"};
  required.insert(required.end(), keys.required.begin(), keys.required.end());
  optional.insert(optional.end(), keys.optional.begin(), keys.optional.end());
  require_keys(reader.file, reader.where, required, optional);
  ExactPair pair = read_common<ExactPair>(reader);
  pair.kind = keys.kind;
  const std::size_t s = reader.size_of("b", 1, max_file_stages);
  pair.first.A = reader.matrix(keys.first_A, s);
  pair.first.b = reader.weights("b", s);
  pair.first.c = reader.weights("c", s);
  pair.first.embedded = reader.weights("b_hat", s);
  if (reader.file.contains(keys.second_A)) pair.second.A = reader.matrix(keys.second_A, s);
  pair.second.b = reader.weights(keys.second_b, s);
  pair.second.c = pair.first.c;
  pair.second.embedded = reader.weights(keys.second_hat, s);
  if (pair.first.embedded.empty() && pair.second.embedded.empty() && pair.claims.embedded_order)
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
  return pair;
}

PairKeys nystrom_keys() {
  return {ExactPair::Kind::nystrom,
          "A",
          "A_velocity",
          "b_velocity",
          "b_hat_velocity",
          {"A", "b_velocity"},
          {"A_velocity", "b_hat_velocity"}};
}
PairKeys partitioned_keys() {
  return {ExactPair::Kind::partitioned,
          "A",
          "A_velocity",
          "b_velocity",
          "b_hat_velocity",
          {"A", "A_velocity", "b_velocity"},
          {"b_hat_velocity"}};
}
PairKeys additive_keys() {
  return {ExactPair::Kind::additive,
          "A_explicit",
          "A_implicit",
          "b",
          "b_hat",
          {"A_explicit", "A_implicit"},
          {}};
}

ExactTableau read_tableau(const FileReader& reader) {
  require_keys(reader.file, reader.where, {"id", "kind", "A", "b", "c"},
               {"b_hat", "dense", "summary", "claims", "decimal", "source"});
  ExactTableau tableau = read_stages<ExactTableau>(reader);
  tableau.dense = read_dense(reader, tableau.b.size());
  return tableau;
}

ExactHalfExplicit read_half_explicit(const FileReader& reader) {
  require_keys(reader.file, reader.where, {"id", "kind", "A", "b", "c"},
               {"A_hat", "b_hat", "b_low", "summary", "claims", "decimal", "source"});
  ExactHalfExplicit method = read_stages<ExactHalfExplicit>(reader);
  const std::size_t s = method.b.size();
  require_lower(reader, "A", method.A, true, "as its stages are explicit");
  if (reader.file.contains("A_hat")) {
    method.constraint = reader.matrix("A_hat", s);
    require_lower(reader, "A_hat", method.constraint, false, "as its stages are explicit");
  }
  if (reader.file.contains("b_low")) {
    if (method.embedded.empty()) refuse(reader.where, "b_low needs the weights b_hat");
    method.lower = reader.weights("b_low", s);
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
    if (carried && method.c[i].eval<wide>() != 0)
      refuse(reader.where, "stage 1 takes the rates of the step's beginning; accepted: c[1] = 0");
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
  method.alpha = reader.matrix(first, s);
  method.gammas = reader.matrix(second, s);
  require_lower(reader, first, method.alpha, true, "as its stages follow each other");
  require_lower(reader, second, method.gammas, true,
                "as its stages follow each other and gamma is the diagonal");
  method.b = reader.weights("b", s);
  method.embedded = reader.weights("b_hat", s);
  if (method.embedded.empty() && method.claims.embedded_order)
    refuse(reader.where, "claims: embedded_order needs the weights b_hat");
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

struct Kind {
  const char* name;
  MethodFile (*read)(const FileReader&);
};
constexpr Kind file_kinds[] = {
    {"runge_kutta", [](const FileReader& r) -> MethodFile { return read_tableau(r); }},
    {"multistep", [](const FileReader& r) -> MethodFile { return read_multistep(r); }},
    {"nystrom", [](const FileReader& r) -> MethodFile { return read_pair(r, nystrom_keys()); }},
    {"partitioned",
     [](const FileReader& r) -> MethodFile { return read_pair(r, partitioned_keys()); }},
    {"additive", [](const FileReader& r) -> MethodFile { return read_pair(r, additive_keys()); }},
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
std::filesystem::path library_folder() { return tableau_folder() / "library"; }

bool from_outside(const std::filesystem::path& file) {
  if (file.empty() || file.extension() == ".cpp") return false;
  std::error_code ignored;
  const auto folder = file.parent_path().empty() ? std::filesystem::path(".") : file.parent_path();
  return !std::filesystem::equivalent(folder, tableau_folder(), ignored) &&
         !std::filesystem::equivalent(folder, library_folder(), ignored);
}

}  // namespace daemark
