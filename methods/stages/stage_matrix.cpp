#include "methods/stages/stage_matrix.hpp"

#include <algorithm>

namespace daemark {

template <class S>
ComponentLists::ComponentLists(const ImplicitSystem<S>& system) {
  const auto& components = system.components();
  unknown_of.assign(components.size(), -1);
  for (int i = 0; i < system.size(); ++i) {
    switch (components[i].kind) {
      case Component::Kind::differential:
        differential.push_back(i);
        break;
      case Component::Kind::algebraic:
        algebraic.push_back(i);
        break;
      case Component::Kind::integral:
        integral.emplace_back(i, components[i].source);
        break;
    }
  }
  int next = 0;
  for (int i : differential) unknown_of[i] = next++;
  for (int i : algebraic) unknown_of[i] = next++;
  const auto extend = [](std::vector<ComponentRun>& runs, int to, int from) {
    if (!runs.empty() && runs.back().to + runs.back().length == to &&
        runs.back().from + runs.back().length == from)
      ++runs.back().length;
    else
      runs.push_back({to, from, 1});
  };
  for (int i : differential) extend(differential_runs, i, i);
  for (int i : algebraic) extend(algebraic_runs, i, i);
  for (const auto& [i, source] : integral) extend(integral_runs, i, source);
  for (int i = 0; i < system.size(); ++i)
    if (components[i].kind != Component::Kind::algebraic) extend(state_runs, i, i);
}

template <class S>
BlockLayout::BlockLayout(const ImplicitSystem<S>& system, const ComponentLists& lists) {
  const auto& components = system.components();
  const auto position = [this](int row, int unknown) {
    const std::pair<int, int> p(row, unknown);
    const auto found = std::find(positions.begin(), positions.end(), p);
    if (found != positions.end()) return static_cast<int>(found - positions.begin());
    positions.push_back(p);
    return static_cast<int>(positions.size()) - 1;
  };
  const auto& y = system.pattern_y().entries;
  for (int k = 0; k < static_cast<int>(y.size()); ++k) {
    const auto [row, column] = y[k];
    const Component& c = components[column];
    if (c.kind == Component::Kind::differential)
      first.push_back({k, position(row, lists.unknown_of[column]), row});
    if (c.kind == Component::Kind::integral)
      second.push_back({k, position(row, lists.unknown_of[c.source]), row});
  }
  coupled = static_cast<int>(positions.size());
  for (int k = 0; k < static_cast<int>(y.size()); ++k) {
    const auto [row, column] = y[k];
    if (components[column].kind == Component::Kind::algebraic)
      own_y.push_back({k, position(row, lists.unknown_of[column]), row});
  }
  const auto& rate = system.pattern_rate().entries;
  for (int k = 0; k < static_cast<int>(rate.size()); ++k) {
    const auto [row, column] = rate[k];
    own_rate.push_back({k, position(row, lists.unknown_of[column]), row});
  }
}

template <class F>
StageMatrix<F>::StageMatrix(const ImplicitSystem<F>& system, const ComponentLists& lists, int r,
                            const std::vector<char>& coupling)
    : layout_(system, lists), r_(r), block_begin_(r * r, -1) {
  std::vector<std::pair<int, int>> entries;
  const int u = system.unknowns(), all = static_cast<int>(layout_.positions.size());
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) {
      if (i != j && !coupling[i * r + j]) continue;
      block_begin_[i * r + j] = static_cast<int>(entries.size());
      const int count = i == j ? all : layout_.coupled;
      for (int k = 0; k < count; ++k) {
        const auto [row, unknown] = layout_.positions[k];
        entries.emplace_back(i * u + row, j * u + unknown);
      }
    }
  values_.assign(entries.size(), F(0));
  lu_.set_pattern(r * u, std::move(entries));
  jacobian_y_.resize(system.pattern_y().size());
  jacobian_rate_.resize(system.pattern_rate().size());
  first_.resize(layout_.coupled), second_.resize(layout_.coupled), own_.resize(all);
}

template <class F>
void StageMatrix<F>::set_step(const std::vector<F>& hB, const std::vector<F>& h2B2,
                              const std::vector<F>& row_scale) {
  hB_ = hB, h2B2_ = h2B2, row_scale_ = row_scale;
}

template <class F>
void StageMatrix<F>::add_stage(int i) {
  std::fill(first_.begin(), first_.end(), F(0));
  std::fill(second_.begin(), second_.end(), F(0));
  std::fill(own_.begin(), own_.end(), F(0));
  for (const auto& t : layout_.first)
    first_[t.position] += row_scale_[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.second)
    second_[t.position] += row_scale_[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.own_y) own_[t.position] += row_scale_[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.own_rate)
    own_[t.position] += row_scale_[t.row] * jacobian_rate_[t.value];
  for (int j = 0; j < r_; ++j) {
    const int begin = block_begin_[i * r_ + j];
    if (begin < 0) continue;
    const F b = hB_[i * r_ + j], b2 = h2B2_[i * r_ + j];
    F* block = &values_[begin];
    for (int k = 0; k < layout_.coupled; ++k) block[k] = b * first_[k] + b2 * second_[k];
    if (i != j) continue;
    for (int k = 0; k < layout_.coupled; ++k) block[k] += own_[k];
    for (std::size_t k = layout_.coupled; k < own_.size(); ++k) block[k] = own_[k];
  }
}

template class StageMatrix<double>;
template class StageMatrix<rational>;
template ComponentLists::ComponentLists(const ImplicitSystem<double>&);
template ComponentLists::ComponentLists(const ImplicitSystem<quad>&);
template ComponentLists::ComponentLists(const ImplicitSystem<real50>&);
template ComponentLists::ComponentLists(const ImplicitSystem<rational>&);
template BlockLayout::BlockLayout(const ImplicitSystem<double>&, const ComponentLists&);
template BlockLayout::BlockLayout(const ImplicitSystem<rational>&, const ComponentLists&);

}  // namespace daemark
