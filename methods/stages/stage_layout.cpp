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
  const std::vector<int>& power = system.row_power();
  const auto add = [&](std::vector<Run>& runs, int value, int row, int unknown) {
    const int position = builder.add(row, unknown);
    const Run* const last = runs.empty() ? nullptr : &runs.back();
    if (last && last->value + last->length == value && last->position + last->length == position &&
        power[last->row] == power[row])
      ++runs.back().length;
    else
      runs.push_back({value, position, row, 1});
  };
  const auto& y = system.pattern_y().entries;
  for (int k = 0; k < static_cast<int>(y.size()); ++k) {
    const auto [row, column] = y[k];
    const Component& c = components[column];
    if (c.kind == Component::Kind::differential) add(first, k, row, lists.unknown_of[column]);
    if (c.kind == Component::Kind::integral) add(second, k, row, lists.unknown_of[c.source]);
  }
  coupled = builder.size();
  for (int k = 0; k < static_cast<int>(y.size()); ++k) {
    const auto [row, column] = y[k];
    if (components[column].kind == Component::Kind::algebraic)
      add(own_y, k, row, lists.unknown_of[column]);
  }
  const auto& rate = system.pattern_rate().entries;
  for (int k = 0; k < static_cast<int>(rate.size()); ++k) {
    const auto [row, column] = rate[k];
    add(own_rate, k, row, lists.unknown_of[column]);
  }
  positions = builder.entries();
}

template <class F>
void BlockLayout::gather(const F* jacobian_y, const F* jacobian_rate, const F* row_scale,
                         std::vector<F>& first_sums, std::vector<F>& second_sums,
                         std::vector<F>& own_sums) const {
  for (std::vector<F>* sums : {&first_sums, &second_sums, &own_sums})
    std::fill(sums->begin(), sums->end(), F(0));
  const auto add = [row_scale](const std::vector<Run>& runs, const F* values,
                               std::vector<F>& sums) {
    for (const Run& run : runs) {
      const F scale = row_scale[run.row];
      const F* const from = values + run.value;
      F* const to = sums.data() + run.position;
      for (int k = 0; k < run.length; ++k) to[k] += scale * from[k];
    }
  };
  add(first, jacobian_y, first_sums), add(second, jacobian_y, second_sums);
  add(own_y, jacobian_y, own_sums), add(own_rate, jacobian_rate, own_sums);
}

template ComponentLists::ComponentLists(const ImplicitSystem<double>&);
template ComponentLists::ComponentLists(const ImplicitSystem<real50>&);
template ComponentLists::ComponentLists(const ImplicitSystem<rational>&);
template BlockLayout::BlockLayout(const ImplicitSystem<double>&, const ComponentLists&);
template BlockLayout::BlockLayout(const ImplicitSystem<rational>&, const ComponentLists&);

#define DAEMARK_INSTANTIATE(F)                                                     \
  template void BlockLayout::gather(const F*, const F*, const F*, std::vector<F>&, \
                                    std::vector<F>&, std::vector<F>&) const;
DAEMARK_INSTANTIATE(double)
DAEMARK_INSTANTIATE(real50)
DAEMARK_INSTANTIATE(rational)
#undef DAEMARK_INSTANTIATE

}  // namespace daemark
