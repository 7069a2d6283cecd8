#include "methods/stages/stage_layout.hpp"

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
        if (components[i].source >= 0) guessed.emplace_back(i, components[i].source);
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
  PatternBuilder builder;
  const auto position = [&builder](int row, int unknown) { return builder.add(row, unknown); };
  const auto& y = system.pattern_y().entries;
  for (int k = 0; k < static_cast<int>(y.size()); ++k) {
    const auto [row, column] = y[k];
    const Component& c = components[column];
    if (c.kind == Component::Kind::differential)
      first.push_back({k, position(row, lists.unknown_of[column]), row});
    if (c.kind == Component::Kind::integral)
      second.push_back({k, position(row, lists.unknown_of[c.source]), row});
  }
  coupled = builder.size();
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
  positions = builder.entries();
}

template <class F>
void BlockLayout::gather(const F* jacobian_y, const F* jacobian_rate, const F* row_scale,
                         std::vector<F>& first_sums, std::vector<F>& second_sums,
                         std::vector<F>& own_sums) const {
  for (std::vector<F>* sums : {&first_sums, &second_sums, &own_sums})
    std::fill(sums->begin(), sums->end(), F(0));
  for (const Term& t : first) first_sums[t.position] += row_scale[t.row] * jacobian_y[t.value];
  for (const Term& t : second) second_sums[t.position] += row_scale[t.row] * jacobian_y[t.value];
  for (const Term& t : own_y) own_sums[t.position] += row_scale[t.row] * jacobian_y[t.value];
  for (const Term& t : own_rate) own_sums[t.position] += row_scale[t.row] * jacobian_rate[t.value];
}

template ComponentLists::ComponentLists(const ImplicitSystem<double>&);
template ComponentLists::ComponentLists(const ImplicitSystem<quad>&);
template ComponentLists::ComponentLists(const ImplicitSystem<real50>&);
template ComponentLists::ComponentLists(const ImplicitSystem<rational>&);
template BlockLayout::BlockLayout(const ImplicitSystem<double>&, const ComponentLists&);
template BlockLayout::BlockLayout(const ImplicitSystem<rational>&, const ComponentLists&);

#define DAEMARK_INSTANTIATE(F)                                                     \
  template void BlockLayout::gather(const F*, const F*, const F*, std::vector<F>&, \
                                    std::vector<F>&, std::vector<F>&) const;
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(rational)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
