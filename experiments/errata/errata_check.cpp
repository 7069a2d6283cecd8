#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "analysis/exact/numbers/poly.hpp"
#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/pade_block.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/errata/errata_parts.hpp"

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
  require_keys(condition, where, {"of", "at_most"});
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
      return fmt::format("B J differs from I by {} in entry ({},{})", gap.text(), r + 1, c + 1);
    }
  }
  return "";
}

void run_inverse_start(const Json& check, const std::string& where, Erratum& out) {
  require_keys(check, where, {"kind", "J", "h"});
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
  require_keys(check, where, {"kind", "variables", "conditions"},
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

/// Reads everything of an entry into one field: nodes first, then the printed numbers.
class EntryReader {
 public:
  EntryReader(const NodeSet& nodes, std::string where, std::string scale)
      : where_(std::move(where)), scale_(std::move(scale)), texts_(nodes.text) {}
  void add(const Json& list) {
    for (const Json& x : list) {
      if (x.is_array()) {
        add(x);
      } else {
        const std::string text = "(" + scale_ + ")*(" + x.get<std::string>() + ")";
        texts_.push_back(Expression::parse(text, where_));
      }
    }
  }
  void import() { numbers_ = import_numbers(pointers_to({&texts_}), where_); }
  Vector take(std::size_t count) {
    if (at_ + static_cast<long>(count) > static_cast<long>(numbers_.size()))
      throw BadInput(where_ + ": fewer numbers than r asks for");
    const Vector out(numbers_.begin() + at_, numbers_.begin() + at_ + count);
    at_ += static_cast<long>(count);
    return out;
  }
  Matrix take(std::size_t rows, std::size_t columns) {
    Matrix out;
    for (std::size_t i = 0; i < rows; ++i) out.push_back(take(columns));
    return out;
  }

 private:
  std::string where_, scale_;
  std::vector<Expression> texts_;
  Vector numbers_;
  long at_ = 0;
};

std::string pade_name(const std::pair<int, int>& degrees) {
  const auto [k, j] = degrees;
  return k < 0 ? "no Pade approximant of exp" : fmt::format("the ({},{})-Pade approximant", k, j);
}

/// Entries (i, j) of B, d counted as column r + 1, that differ.
std::string differing(const BlockMatrices& printed, const BlockMatrices& derived) {
  std::vector<std::string> out;
  const std::size_t r = printed.d.size();
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j < r; ++j)
      if (!(printed.b[i][j] == derived.b[i][j])) out.push_back(fmt::format("B{}{}", i + 1, j + 1));
    if (!(printed.d[i] == derived.d[i])) out.push_back(fmt::format("d{}", i + 1));
  }
  if (out.empty()) return "every entry is equal";
  return fmt::format("{} of {} entries differ: {}", out.size(), r * (r + 1), fmt::join(out, " "));
}

bool equal(const BlockMatrices& a, const BlockMatrices& b) { return a.b == b.b && a.d == b.d; }

BlockMatrices derived_set(const Vector& nodes, int k, int j) {
  const BlockDerivation block = derive_block(static_cast<int>(nodes.size()), k, j);
  Vector mu;
  for (const Number& h : nodes) mu.push_back(block.mu(h));
  return block_matrices(nodes, mu);
}

/// The (k, j) set with these nodes that the printed one equals entry by entry.
std::string true_name(const BlockMatrices& printed) {
  const int r = static_cast<int>(printed.d.size());
  for (int j = r; j >= 1; --j)
    for (int k = r - j; k <= r; ++k)
      if (equal(printed, derived_set(printed.nodes, k, j)))
        return fmt::format("; every entry equals the derived ({},{}) set", k, j);
  return "; no derived set has these entries";
}

std::string listed(const BlockMatrices& set) {
  const auto line = [](const Vector& numbers) {
    std::vector<std::string> texts;
    for (const Number& number : numbers) texts.push_back(number.text());
    return fmt::format("{}", fmt::join(texts, ", "));
  };
  std::vector<std::string> rows;
  for (const Vector& row : set.b) rows.push_back(line(row));
  return fmt::format("B = [{}], d = [{}]", fmt::join(rows, "; "), line(set.d));
}

void judge(const BlockMatrices& printed, const BlockMatrices* right, int k, int j, Erratum& out) {
  const BlockMatrices derived = derived_set(printed.nodes, k, j);
  if (!equal(printed, derived) && right == nullptr)
    out.right += fmt::format("; derived ({},{}) set: {}", k, j, listed(derived));
  out.printed_holds = equal(printed, derived);
  const auto approximant = identify_pade(block_stability_function(derived.b, derived.d));
  out.right_holds =
      approximant == std::pair<int, int>(k, j) && (right == nullptr || equal(*right, derived));
  const RationalFunction r = block_stability_function(printed.b, printed.d);
  const StabilityProof proof = prove_stability(r);
  out.condition = fmt::format(
      "against the ({},{}) set: {}; R is {}, order {}, {}, R(infinity) = {}{}", k, j,
      differing(printed, derived), pade_name(identify_pade(r)), proof.order,
      proof.l_stable   ? "L-stable"
      : proof.a_stable ? "A-stable"
                       : "not A-stable",
      proof.at_infinity ? proof.at_infinity->decimal(6) : "unbounded", true_name(printed));
  if (!out.right_holds) out.condition += " (the form given as right is not the derived set)";
}

std::vector<std::string> keys_of(const std::string& kind, const std::string& where) {
  if (kind == "block_set") return {"B", "d"};
  if (kind == "block_mu") return {"mu"};
  if (kind == "block_system") return {"left", "right_factor"};
  throw BadInput(where + ": unknown kind of check '" + kind +
                 "', accepted are conditions, block_set, block_mu, block_system, inverse_start");
}

/// [B d] = left · factor^-1.
void solve_system(const Matrix& left, const Matrix& factor, const std::string& where,
                  BlockMatrices& out) {
  Matrix transposed = factor;
  for (std::size_t a = 0; a < factor.size(); ++a)
    for (std::size_t b = 0; b < factor.size(); ++b) transposed[a][b] = factor[b][a];
  for (const Vector& right_side : left) {
    Vector row;
    if (!solve(transposed, right_side, row)) throw BadInput(where + ": the factor is singular");
    out.d.push_back(row.back());
    row.pop_back();
    out.b.push_back(row);
  }
}

/// The kinds of block_ for the coefficient sets of Li 2019; refuses every other kind.
void run_block_check(const Json& check, const std::string& where, Erratum& out) {
  const std::string kind = check.at("kind").get<std::string>();
  const std::vector<std::string> given = keys_of(kind, where);
  std::vector<std::string> required = given;
  required.insert(required.end(), {"kind", "r", "nodes", "pade"});
  require_keys(check, where, required, {"scale", "right_B", "right_d"});
  const std::size_t r = check.at("r").get<std::size_t>();
  const int k = check.at("pade").at(0).get<int>(), j = check.at("pade").at(1).get<int>();
  EntryReader reader(node_set(check.at("nodes").get<std::string>(), static_cast<int>(r)), where,
                     check.value("scale", std::string("1")));
  for (const std::string& key : given) reader.add(check.at(key));
  const bool has_right = check.contains("right_B");
  if (has_right) {
    reader.add(check.at("right_B"));
    reader.add(check.contains("right_d") ? check.at("right_d") : check.at("d"));
  }
  reader.import();
  BlockMatrices printed, right;
  printed.nodes = right.nodes = reader.take(r);
  if (kind == "block_set") {
    printed.b = reader.take(r, r);
    printed.d = reader.take(r);
  } else if (kind == "block_mu") {
    printed = block_matrices(printed.nodes, reader.take(r));
  } else {
    const Matrix left = reader.take(r, r + 1);
    solve_system(left, reader.take(r + 1, r + 1), where, printed);
  }
  if (has_right) right.b = reader.take(r, r);
  if (has_right) right.d = reader.take(r);
  judge(printed, has_right ? &right : nullptr, k, j, out);
}

}  // namespace

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
