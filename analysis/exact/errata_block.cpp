#include "analysis/exact/errata_block.hpp"

#include <deque>

#include "analysis/exact/import.hpp"
#include "analysis/exact/pade_block.hpp"
#include "base/text/bad_input.hpp"

namespace daemark::exact {

namespace {

using Json = nlohmann::ordered_json;

/// Reads everything of an entry into one field: nodes first, then the printed numbers.
class EntryReader {
 public:
  EntryReader(const NodeSet& nodes, std::string where) : where_(std::move(where)) {
    for (const Expression& e : nodes.text) texts_.push_back(e);
  }
  void add(const Json& list) {
    for (const Json& x : list) {
      if (x.is_array()) {
        add(x);
      } else {
        texts_.push_back(Expression::parse(x.get<std::string>(), where_));
      }
    }
  }
  void import() {
    std::vector<const Expression*> all;
    for (const Expression& e : texts_) all.push_back(&e);
    numbers_ = import_numbers(all, where_);
  }
  Vector take(std::size_t count) {
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
  std::string where_;
  std::deque<Expression> texts_;
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
  for (std::size_t i = 0; i < set.b.size(); ++i) {
    for (std::size_t j = 0; j < set.b.size(); ++j) {
      out += (j > 0 ? ", " : i > 0 ? "; " : "") + set.b[i][j].text();
    }
  }
  out += "], d = [";
  for (std::size_t i = 0; i < set.d.size(); ++i) out += (i > 0 ? ", " : "") + set.d[i].text();
  return out + "]";
}

void judge(const BlockMatrices& printed, int k, int j, Erratum& out) {
  const BlockMatrices derived = derived_set(printed.nodes, k, j);
  if (!equal(printed, derived)) {
    out.right +=
        "; derived (" + std::to_string(k) + "," + std::to_string(j) + ") set: " + listed(derived);
  }
  out.printed_holds = equal(printed, derived);
  const auto right = identify_pade(block_stability_function(derived.b, derived.d));
  out.right_holds = right == std::pair<int, int>(k, j);
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
}

}  // namespace

void run_block_check(const nlohmann::ordered_json& check, const std::string& where, Erratum& out) {
  const std::string kind = check.at("kind").get<std::string>();
  const std::size_t r = check.at("r").get<std::size_t>();
  const NodeSet nodes = node_set(check.at("nodes").get<std::string>(), static_cast<int>(r));
  const int k = check.at("pade").at(0).get<int>(), j = check.at("pade").at(1).get<int>();
  EntryReader reader(nodes, where);
  BlockMatrices printed;
  if (kind == "block_set") {
    reader.add(check.at("B"));
    reader.add(check.at("d"));
    reader.import();
    printed.nodes = reader.take(r);
    printed.b = reader.take(r, r);
    printed.d = reader.take(r);
  } else if (kind == "block_mu") {
    reader.add(check.at("mu"));
    reader.import();
    const Vector h = reader.take(r);
    printed = block_matrices(h, reader.take(r));
  } else if (kind == "block_system") {
    reader.add(check.at("left"));
    reader.add(check.at("right_factor"));
    reader.import();
    printed.nodes = reader.take(r);
    const Matrix left = reader.take(r, r + 1), factor = reader.take(r + 1, r + 1);
    Matrix transposed(r + 1, Vector(r + 1));
    for (std::size_t a = 0; a <= r; ++a) {
      for (std::size_t b = 0; b <= r; ++b) transposed[a][b] = factor[b][a];
    }
    for (std::size_t i = 0; i < r; ++i) {
      Vector row;
      if (!solve(transposed, left[i], row)) throw BadInput(where + ": the factor is singular");
      printed.d.push_back(row.back());
      row.pop_back();
      printed.b.push_back(row);
    }
  } else {
    throw BadInput(where + ": unknown kind of check '" + kind +
                   "', accepted are conditions, "
                   "block_set, block_mu, block_system, inverse_start");
  }
  judge(printed, k, j, out);
}

}  // namespace daemark::exact
