#include "experiments/errata/errata_check.hpp"

#include <algorithm>
#include <map>

#include "analysis/exact/numbers/poly.hpp"
#include "analysis/exact/theory/import.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/errata/errata_block.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;
using Values = std::map<std::string, rational>;

rational evaluate(const std::string& text, const Values& values, const std::string& where) {
  std::vector<std::string> names;
  for (const auto& [name, unused] : values) names.push_back(name);
  const Expression e = Expression::parse(text, where, names);
  return import_numbers({&e}, where, values).front().to_rational();
}

void define(const Json& definitions, Values& values, const std::string& where) {
  for (const auto& [name, text] : definitions.items())
    values[name] = evaluate(text.get<std::string>(), values, where + ", " + name);
}

/// What a condition is off by; 0 where it holds.
rational residual(const Json& condition, const Values& values, const std::string& where) {
  if (condition.is_string()) return evaluate(condition.get<std::string>(), values, where);
  require_entry_keys(condition, where, {"of", "at_most"});
  const rational of = evaluate(condition.at("of").get<std::string>(), values, where);
  const rational bound = evaluate(condition.at("at_most").get<std::string>(), values, where);
  return mp::abs(of) <= bound ? rational(0) : of;
}

Matrix rational_matrix(const Json& rows, const std::string& where) {
  Matrix out;
  for (const Json& row : rows) {
    out.emplace_back();
    for (const Json& x : row) out.back().emplace_back(evaluate(x.get<std::string>(), {}, where));
  }
  return out;
}

/// Yang 2006, eq. (20): B = I; for each j: p = h e_j, q = J p, Broyden-Fletcher-Shanno update.
Matrix updated_inverse(const Matrix& j, const Number& h) {
  const std::size_t m = j.size();
  Matrix b = identity(static_cast<int>(m));
  for (std::size_t column = 0; column < m; ++column) {
    Vector p(m), q;
    p[column] = h;
    q = multiply(j, p);
    const Vector bq = multiply(b, q);
    const Number pq = dot(p, q), mu = Number(1) + dot(q, bq) / pq;
    for (std::size_t r = 0; r < m; ++r)
      for (std::size_t c = 0; c < m; ++c)
        b[r][c] += (mu * p[r] * p[c] - bq[r] * p[c] - p[r] * bq[c]) / pq;
  }
  return b;
}

/// Entry of `product` that differs from I, columns before `first` left out; "" for none.
std::string off_identity(const Matrix& product, std::size_t first) {
  for (std::size_t r = 0; r < product.size(); ++r) {
    for (std::size_t c = first; c < product.size(); ++c) {
      const Number gap = product[r][c] - Number(r == c ? 1 : 0);
      if (gap.is_zero()) continue;
      return "B J differs from I by " + gap.text() + " in entry (" + std::to_string(r + 1) + "," +
             std::to_string(c + 1) + ")";
    }
  }
  return "";
}

void run_inverse_start(const Json& check, const std::string& where, Erratum& out) {
  require_entry_keys(check, where, {"kind", "J", "h"});
  const Matrix j = rational_matrix(check.at("J"), where);
  const Number h(evaluate(check.at("h").get<std::string>(), {}, where));
  const Matrix product = multiply(updated_inverse(j, h), j);
  const std::string last = off_identity(product, j.size() - 1), all = off_identity(product, 0);
  out.printed_holds = out.right_holds = last.empty();
  out.condition = !last.empty() ? "secant equation of the last direction: " + last
                  : all.empty() ? "B is the inverse"
                                : "the secant equation of the last direction holds; elsewhere " +
                                      all + ": an approximation, as the text says";
}

void run_conditions(const Json& check, const std::string& where, Erratum& out) {
  require_entry_keys(check, where, {"kind", "variables", "conditions"},
                     {"common", "printed", "right", "derived"});
  if (check.contains("printed")) {
    const Finding printed = check_conditions(check, check.at("printed"), where);
    out.printed_holds = printed.holds;
    out.condition = printed.holds ? "every condition holds" : printed.text;
  } else {
    out.condition = "nothing was transcribed";
  }
  const char* form = check.contains("right") ? "right" : "printed";
  const Finding right = check_conditions(check, check.at(form), where);
  out.right_holds = right.holds;
  if (!right.holds) out.condition += " (derived form: " + right.text + ")";
}

}  // namespace

void require_entry_keys(const Json& object, const std::string& where,
                        const std::vector<std::string>& required,
                        const std::vector<std::string>& optional) {
  if (!object.is_object()) throw BadInput(where + ": not an object");
  for (const std::string& key : required)
    if (!object.contains(key)) throw BadInput(where + ": '" + key + "' is missing");
  for (const auto& [key, unused] : object.items()) {
    if (std::count(required.begin(), required.end(), key) != 0) continue;
    if (std::count(optional.begin(), optional.end(), key) != 0) continue;
    std::string accepted;
    for (const auto* list : {&required, &optional})
      for (const std::string& name : *list) accepted += (accepted.empty() ? "" : ", ") + name;
    throw BadInput(where + ": unknown key '" + key + "', accepted: " + accepted);
  }
}

Finding check_conditions(const Json& check, const Json& form, const std::string& where,
                         const std::string& only) {
  if (!only.empty() && !check.at("conditions").contains(only))
    throw BadInput(where + ": no condition '" + only + "'");
  if (check.at("conditions").empty()) throw BadInput(where + ": no conditions");
  std::vector<std::string> names;
  std::vector<std::vector<rational>> grid;
  for (const auto& [name, list] : check.at("variables").items()) {
    names.push_back(name);
    grid.emplace_back();
    for (const Json& x : list) grid.back().push_back(evaluate(x.get<std::string>(), {}, where));
    if (grid.back().empty()) throw BadInput(where + ": no values for " + name);
  }
  std::vector<std::size_t> at(names.size(), 0);
  while (true) {
    Values values;
    std::string point;
    for (std::size_t i = 0; i < names.size(); ++i) {
      values[names[i]] = grid[i][at[i]];
      point += (i == 0 ? " at " : ", ") + names[i] + " = " + grid[i][at[i]].str();
    }
    if (check.contains("common")) define(check.at("common"), values, where);
    define(form, values, where);
    if (check.contains("derived")) define(check.at("derived"), values, where);
    for (const auto& [name, condition] : check.at("conditions").items()) {
      if (!only.empty() && name != only) continue;
      const rational off = residual(condition, values, where + ", " + name);
      if (off != 0) return {false, name + ": off by " + off.str() + point};
    }
    std::size_t i = 0;
    while (i < names.size() && ++at[i] == grid[i].size()) at[i++] = 0;
    if (i == names.size()) return {true, ""};
  }
}

void run_check(const Json& check, const std::string& where, Erratum& out) {
  const std::string kind = check.at("kind").get<std::string>();
  if (kind == "conditions")
    run_conditions(check, where, out);
  else if (kind == "inverse_start")
    run_inverse_start(check, where, out);
  else
    run_block_check(check, where, out);
}

}  // namespace daemark::exact
