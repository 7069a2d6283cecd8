#include "tests/support/tableaus.hpp"

#include <map>

#include "base/program/paths.hpp"

namespace daemark {

namespace {

using Combination = std::map<int, rational>;  ///< Σ coefficient · k_stage

struct Builder {
  std::vector<Combination> stages{{}};  ///< the first is shared: y_n
  Combination weights;

  int add(const Combination& value) {
    stages.push_back(value);
    return static_cast<int>(stages.size()) - 1;
  }
  void weigh(const Combination& end, const rational& weight) {
    for (const auto& [stage, c] : end) weights[stage] += weight * c;
  }
  Coefficients tableau(const std::string& id) const {
    const int s = static_cast<int>(stages.size());
    Coefficients out;
    out.id = id;
    const auto row = [s](const Combination& from) {
      std::vector<Expression> values(static_cast<std::size_t>(s), Expression(rational(0)));
      for (const auto& [stage, c] : from) values[static_cast<std::size_t>(stage)] = Expression(c);
      return values;
    };
    for (const Combination& stage : stages) {
      out.rows("A").push_back(row(stage));
      rational sum = 0;
      for (const auto& [unused, c] : stage) sum += c;
      out.list("c").emplace_back(sum);
    }
    out.list("b") = row(weights);
    return out;
  }
};

}  // namespace

std::vector<Expression> expressions(const std::vector<std::string>& texts) {
  std::vector<Expression> out;
  for (const std::string& text : texts) out.push_back(Expression::parse(text, "test"));
  return out;
}

Coefficients tableau_of_texts(const std::string& id, const std::vector<std::vector<std::string>>& a,
                              const std::vector<std::string>& b,
                              const std::vector<std::string>& c) {
  Coefficients out;
  out.id = id;
  for (const auto& row : a) out.rows("A").push_back(expressions(row));
  out.list("b") = expressions(b);
  out.list("c") = expressions(c);
  return out;
}

Coefficients formula_of_texts(const std::string& id, const std::vector<std::string>& alpha,
                              const std::vector<std::string>& beta) {
  Coefficients out;
  out.kind = MethodKind::multistep;
  out.id = id;
  out.list("alpha") = expressions(alpha);
  out.list("beta") = expressions(beta);
  return out;
}

Coefficients pair_of(MethodKind kind, const Coefficients& first, const Coefficients& second) {
  Coefficients pair;
  pair.kind = kind;
  pair.id = "pair";
  const std::vector<PartSchema>& parts = schema_of(pair).parts;
  for (const auto& [part, from] : {std::pair(&parts[1], &second), {&parts[0], &first}}) {
    pair.arrays[part->A] = from->rows("A");
    pair.arrays[part->b] = from->rows("b");
    pair.arrays[part->c] = from->rows("c");
    pair.arrays[part->embedded] = from->rows("b_hat");
  }
  return pair;
}

std::string tableau_file(const std::string& id) {
  return (source_root() / "methods" / "tableaus" / (id + ".json")).string();
}

Coefficients extrapolated_euler(int p) {
  Builder builder;
  for (int n = 1; n <= p; ++n) {
    rational weight = 1;  // Aitken–Neville in h
    for (int m = 1; m <= p; ++m) {
      if (m != n) weight *= rational(n) / rational(n - m);
    }
    Combination y{{0, rational(1) / n}};
    for (int i = 1; i < n; ++i) {
      const int stage = builder.add(y);
      y[stage] = rational(1) / n;
    }
    builder.weigh(y, weight);
  }
  return builder.tableau("extrapolated_euler");
}

Coefficients extrapolated_midpoint(int k) {
  Builder builder;
  for (int j = 1; j <= k; ++j) {
    const int n = 2 * j;
    rational weight = 1;  // in h²
    for (int l = 1; l <= k; ++l) {
      if (l != j) weight *= rational(j * j) / rational(j * j - l * l);
    }
    Combination before, y{{0, rational(1) / n}};
    for (int i = 1; i < n; ++i) {
      const int stage = builder.add(y);
      Combination next = before;
      next[stage] += rational(2) / n;
      before = y;
      y = next;
    }
    builder.weigh(y, weight);
  }
  return builder.tableau("extrapolated_midpoint");
}

}  // namespace daemark
