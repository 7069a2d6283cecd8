#include "analysis/orders/tableau_conditions.hpp"

#include <algorithm>

#include "methods/core/trees.hpp"

namespace daemark {
namespace {

template <class Holds>
int largest(int most, Holds&& holds) {
  int k = 0;
  while (k < most && holds(k + 1)) ++k;
  return k;
}

}  // namespace

TableauConditions::TableauConditions(const WideTableau& tableau, const wide& unit)
    : t_(tableau), s_(tableau.stages()), unit_(unit) {}

bool TableauConditions::holds(const wide& left, const wide& right, const wide& terms) const {
  return abs(wide(left - right)) <= unit_ * (terms + abs(right));
}

TableauConditions::Column TableauConditions::powers(int k) const {
  Column out(s_, wide(1));
  for (int i = 0; i < s_; ++i)
    for (int n = 0; n < k; ++n) out[i] *= t_.c[i];
  return out;
}

bool TableauConditions::row_sums() const {
  for (int i = 0; i < s_; ++i) {
    wide sum = 0, terms = 0;
    for (const wide& a : t_.A[i]) sum += a, terms += abs(a);
    if (!holds(sum, t_.c[i], terms)) return false;
  }
  return true;
}

int TableauConditions::quadrature(int most) const {
  return largest(most, [this](int k) {
    const Column c = powers(k - 1);
    wide sum = 0, terms = 0;
    for (int i = 0; i < s_; ++i) {
      const wide term = t_.b[i] * c[i];
      sum += term, terms += abs(term);
    }
    return holds(sum, wide(1) / k, terms);
  });
}

int TableauConditions::stages(int most) const {
  return largest(most, [this](int k) {
    const Column before = powers(k - 1), after = powers(k);
    for (int i = 0; i < s_; ++i) {
      wide sum = 0, terms = 0;
      for (int j = 0; j < s_; ++j) {
        const wide term = t_.A[i][j] * before[j];
        sum += term, terms += abs(term);
      }
      if (!holds(sum, after[i] / k, terms)) return false;
    }
    return true;
  });
}

int TableauConditions::adjoint(int most) const {
  wide largest_weight = 0;  // what a weight that should be zero was computed from
  for (const wide& weight : t_.b) largest_weight = std::max(largest_weight, wide(abs(weight)));
  return largest(most, [&](int k) {
    const Column before = powers(k - 1), after = powers(k);
    for (int j = 0; j < s_; ++j) {
      wide sum = 0, terms = largest_weight / k;  // 1 - c^k may cancel
      for (int i = 0; i < s_; ++i) {
        const wide term = t_.b[i] * before[i] * t_.A[i][j];
        sum += term, terms += abs(term);
      }
      if (!holds(sum, t_.b[j] * (1 - after[j]) / k, terms)) return false;
    }
    return true;
  });
}

int TableauConditions::trees(int most) const {
  const exact::RootedTrees rooted(most);
  std::vector<Column> edges, edge_terms;  // Σ_j a_ij Φ_j(t), and the same of absolute values
  for (const exact::Tree& tree : rooted.all()) {
    Column weight(s_, wide(1)), terms(s_, wide(1));
    for (const int child : tree.children) {
      for (int i = 0; i < s_; ++i) {
        weight[i] *= edges[child][i];
        terms[i] *= edge_terms[child][i];
      }
    }
    wide sum = 0, sum_terms = 0;
    Column edge(s_, wide(0)), edge_term(s_, wide(0));
    for (int i = 0; i < s_; ++i) {
      sum += t_.b[i] * weight[i];
      sum_terms += abs(t_.b[i]) * terms[i];
      for (int j = 0; j < s_; ++j) {
        if (t_.A[i][j] == 0) continue;  // most entries, where stages follow each other
        edge[i] += t_.A[i][j] * weight[j];
        edge_term[i] += abs(t_.A[i][j]) * terms[j];
      }
    }
    if (!holds(sum, wide(1 / wide(tree.density)), sum_terms)) return tree.order - 1;
    edges.push_back(std::move(edge));
    edge_terms.push_back(std::move(edge_term));
  }
  return most;
}

}  // namespace daemark
