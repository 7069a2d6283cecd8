#include "experiments/errata/errata_block.hpp"

#include "analysis/exact/theory/import.hpp"
#include "analysis/exact/theory/pade_block.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/errata/errata_check.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;

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
  return degrees.first < 0 ? "no Pade approximant of exp"
                           : "the (" + std::to_string(degrees.first) + "," +
                                 std::to_string(degrees.second) + ")-Pade approximant";
}

/// Entries (i, j) of B, d counted as column r + 1, that differ.
std::string differing(const BlockMatrices& printed, const BlockMatrices& derived) {
  std::string out;
  const std::size_t r = printed.d.size();
  int count = 0;
  for (std::size_t i = 0; i < r; ++i) {
    for (std::size_t j = 0; j <= r; ++j) {
      const bool equal = j < r ? printed.b[i][j] == derived.b[i][j] : printed.d[i] == derived.d[i];
      if (equal) continue;
      ++count;
      out += (out.empty() ? "" : " ") + std::string(j < r ? "B" : "d") + std::to_string(i + 1) +
             (j < r ? std::to_string(j + 1) : "");
    }
  }
  if (count == 0) return "every entry is equal";
  return std::to_string(count) + " of " + std::to_string(r * (r + 1)) + " entries differ: " + out;
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
  for (int j = r; j >= 1; --j) {
    for (int k = r - j; k <= r; ++k) {
      if (equal(printed, derived_set(printed.nodes, k, j))) {
        return "; every entry equals the derived (" + std::to_string(k) + "," + std::to_string(j) +
               ") set";
      }
    }
  }
  return "; no derived set has these entries";
}

std::string listed(const BlockMatrices& set) {
  std::string out = "B = [";
  for (std::size_t i = 0; i < set.b.size(); ++i)
    for (std::size_t j = 0; j < set.b.size(); ++j)
      out += (j > 0 ? ", " : i > 0 ? "; " : "") + set.b[i][j].text();
  out += "], d = [";
  for (std::size_t i = 0; i < set.d.size(); ++i) out += (i > 0 ? ", " : "") + set.d[i].text();
  return out + "]";
}

void judge(const BlockMatrices& printed, const BlockMatrices* right, int k, int j, Erratum& out) {
  const BlockMatrices derived = derived_set(printed.nodes, k, j);
  if (!equal(printed, derived) && right == nullptr) {
    out.right +=
        "; derived (" + std::to_string(k) + "," + std::to_string(j) + ") set: " + listed(derived);
  }
  out.printed_holds = equal(printed, derived);
  const auto approximant = identify_pade(block_stability_function(derived.b, derived.d));
  out.right_holds =
      approximant == std::pair<int, int>(k, j) && (right == nullptr || equal(*right, derived));
  const RationalFunction r = block_stability_function(printed.b, printed.d);
  const StabilityProof proof = prove_stability(r);
  out.condition =
      "against the (" + std::to_string(k) + "," + std::to_string(j) +
      ") set: " + differing(printed, derived) + "; R is " + pade_name(identify_pade(r)) +
      ", order " + std::to_string(proof.order) +
      (proof.l_stable   ? ", L-stable"
       : proof.a_stable ? ", A-stable"
                        : ", not A-stable") +
      ", R(infinity) = " + (proof.at_infinity ? proof.at_infinity->decimal(6) : "unbounded") +
      true_name(printed);
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
  Matrix transposed(factor.size(), Vector(factor.size()));
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

}  // namespace

void run_block_check(const Json& check, const std::string& where, Erratum& out) {
  const std::string kind = check.at("kind").get<std::string>();
  std::vector<std::string> required = keys_of(kind, where);
  const std::vector<std::string> given = required;
  required.insert(required.end(), {"kind", "r", "nodes", "pade"});
  require_entry_keys(check, where, required, {"scale", "right_B", "right_d"});
  const std::size_t r = check.at("r").get<std::size_t>();
  const int k = check.at("pade").at(0).get<int>(), j = check.at("pade").at(1).get<int>();
  EntryReader reader(node_set(check.at("nodes").get<std::string>(), static_cast<int>(r)), where,
                     check.value("scale", std::string("1")));
  for (const std::string& key : given) reader.add(check.at(key));
  const bool has_right = check.contains("right_B");
  if (has_right) reader.add(check.at("right_B"));
  if (has_right) reader.add(check.contains("right_d") ? check.at("right_d") : check.at("d"));
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

}  // namespace daemark::exact
