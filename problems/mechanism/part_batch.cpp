#include "problems/mechanism/part_batch.hpp"

#include <algorithm>
#include <numeric>

#include "base/graph/compiled.hpp"

namespace daemark {

template <class S>
typename PartBatch<S>::Table PartBatch<S>::table_of(PartGroup group) {
  constexpr Table of[part_groups] = {
      coordinates, coordinates, coordinates,     rows,      rows,      rows,       mass,   gradient,
      residual_q,  residual_v,  residual_lambda, curvature, curvature, residual_q, scalar, scalar,
      scalar,      scalar};
  return of[static_cast<int>(group)];
}

template <class S>
void PartBatch<S>::add(const Element& element, int first_row, MotionPatterns& patterns) {
  const std::vector<int>& c = element.coordinates;
  std::array<std::vector<int>, tables> places;
  places[coordinates] = c, places[chart] = element.chart, places[scalar] = {0};
  places[rows].resize(part_->sizes().rows);
  std::iota(places[rows].begin(), places[rows].end(), first_row);
  const auto put = [&](PartGroup group, PatternBuilder& pattern, bool of_rows, bool by_rows) {
    for (const auto& [row, column] : part_->places(group))
      places[table_of(group)].push_back(pattern.add(of_rows ? first_row + row : c[row],
                                                    by_rows ? first_row + column : c[column]));
  };
  put(PartGroup::gradient, patterns.gradient, true, false);
  put(PartGroup::curvature_q, patterns.curvature, true, false);
  put(PartGroup::mass, patterns.mass, false, false);
  put(PartGroup::residual_q, patterns.residual_q, false, false);
  put(PartGroup::residual_v, patterns.residual_v, false, false);
  put(PartGroup::residual_lambda, patterns.residual_lambda, false, true);
  places_.push_back(std::move(places));
  elements_.push_back(element);
}

template <class S>
void PartBatch<S>::lay_out(bool whole) {
  whole_ = whole;
  count_ = static_cast<int>(elements_.size());
  lanes_ = std::min(count_ > 4 ? 8 : count_ > 1 ? 4 : 1, graph::Evaluator<S>::most_lanes);
  padded_ = (count_ + lanes_ - 1) / lanes_ * lanes_;
  // The last instance fills what is left of the last lanes.
  const auto instance = [this](int i) { return std::min(i, count_ - 1); };
  for (int table = 0; table < tables; ++table)
    for (std::size_t local = 0; local < places_[0][table].size(); ++local)
      for (int i = 0; i < padded_; ++i) table_[table].push_back(places_[instance(i)][table][local]);
  for (int local = 0; local < part_->sizes().data; ++local)
    for (int i = 0; i < padded_; ++i)
      data_.push_back(from_wide<S>(elements_[instance(i)].data[local]));
  elements_ = {}, places_ = {};
}

template <class S>
typename PartBatch<S>::Program& PartBatch<S>::program(unsigned mask) {
  for (Program& known : programs_) {
    if (known.mask != mask) continue;
    if (known.interpreted_runs > 0 && --known.interpreted_runs == 0)
      if (const auto function = graph::find_compiled(known.evaluator.code()))
        known = made_program(mask, function);
    return known;
  }
  return programs_.emplace_back(made_program(mask, nullptr));
}

template <class S>
typename PartBatch<S>::Program PartBatch<S>::made_program(unsigned mask,
                                                          graph::Compiled function) const {
  const auto code = part_->code(mask);
  if (std::is_same_v<S, double> && !function) function = code->compiled;
  Program made;
  made.mask = mask;
  made.evaluator = graph::Evaluator<S>(code, whole_ || function ? 1 : lanes_, function);
  list_stores(made);
  if (made.evaluator.compiled() && !whole_) make_room(made);
  if (!made.stores.empty()) list_loads(made);
  const std::size_t a_run = code->list.size() * (padded_ / made.evaluator.lanes());
  if (std::is_same_v<S, double> && !function && a_run > 0 && !made.stores.empty())
    made.interpreted_runs = static_cast<long>(graph::instructions_before_compiling / a_run) + 1;
  return made;
}

template <class S>
void PartBatch<S>::list_stores(Program& program) const {
  const graph::Code& code = program.evaluator.code();
  for (int group = 0; group < part_groups; ++group) {
    const std::vector<int>& slots = code.outputs[group];
    for (std::size_t i = 0; i < slots.size(); ++i) {
      const int constant = slots[i] - code.inputs;
      const bool zero =
          constant >= 0 && slots[i] < code.first_computed() && code.constants[constant] == 0;
      if (!zero || whole_)
        program.stores.push_back(
            {group, slots[i], table_of(static_cast<PartGroup>(group)), static_cast<int>(i)});
    }
  }
}

/// Compiled code writes each group's values together.
template <class S>
void PartBatch<S>::make_room(Program& program) const {
  const auto& outputs = program.evaluator.code().outputs;
  std::array<int, part_groups> first{};
  int size = 0;
  for (int group = 0; group < part_groups; ++group)
    first[group] = size, size += static_cast<int>(outputs[group].size());
  program.values.resize(size);
  for (int group = 0; group < part_groups; ++group)
    program.groups[group] = program.values.data() + first[group];
  for (Store& store : program.stores) store.slot = first[store.group] + store.local;
}

template <class S>
void PartBatch<S>::list_loads(Program& program) const {
  const graph::Code& code = program.evaluator.code();
  std::vector<char> read(code.slots, false);
  for (const graph::Instruction& i : code.list)
    for (const int slot : {i.a, i.op == graph::Op::sin ? -1 : i.b, i.c})
      if (slot >= 0) read[slot] = true;
  for (const auto& group : code.outputs)
    for (const int slot : group) read[slot] = true;
  const PartSizes& sizes = part_->sizes();
  int slot = 0;
  if (read[slot++]) program.time = 0;
  const auto list = [&](const S* MotionPoint<S>::*from, Table table, int count) {
    for (int local = 0; local < count; ++local, ++slot)
      if (read[slot]) program.loads.push_back({slot, from, table, local});
  };
  list(&MotionPoint<S>::q, coordinates, sizes.k);
  list(&MotionPoint<S>::v, coordinates, sizes.k);
  list(&MotionPoint<S>::a, coordinates, sizes.k);
  list(&MotionPoint<S>::lambda, rows, sizes.rows);
  list(&MotionPoint<S>::chart, chart, sizes.chart);
  list(nullptr, scalar, sizes.data);
  for (int& weight : program.weights) weight = read[slot] ? slot : -1, ++slot;
}

template <class S>
void PartBatch<S>::load(Program& program, const MotionPoint<S>& point, int first) {
  S* const x = program.evaluator.inputs();
  const int lanes = program.evaluator.lanes();
  for (const Load& load : program.loads) {
    S* const to = x + load.slot * lanes;
    if (!load.from) {
      std::copy_n(data_.data() + static_cast<std::size_t>(load.local) * padded_ + first, lanes, to);
      continue;
    }
    const S* const from = point.*load.from;
    const int* const place = at(load.table, load.local, first);
    for (int j = 0; j < lanes; ++j) to[j] = from ? from[place[j]] : S(0);
  }
}

template <class S>
void PartBatch<S>::add_up(const Program& program, int first, S* const* out) const {
  const int lanes = program.evaluator.lanes(), live = std::min(lanes, count_ - first);
  const S* const values =
      program.values.empty() ? program.evaluator.value(0) : program.values.data();
  for (const Store& store : program.stores) {
    const S* const value = values + store.slot * lanes;
    S* const to = out[store.group];
    const int* const place = at(store.table, store.local, first);
    for (int j = 0; j < live; ++j) to[place[j]] += value[j];
  }
}

template <class S>
void PartBatch<S>::run(unsigned mask, const MotionPoint<S>& point, const std::array<S, 3>& weights,
                       S* const* out) {
  Program& asked = program(mask);
  if (asked.stores.empty()) return;
  S* const x = asked.evaluator.inputs();
  const int lanes = asked.evaluator.lanes();
  if (asked.time >= 0) std::fill_n(x, lanes, point.t);
  for (int i = 0; i < 3; ++i)
    if (asked.weights[i] >= 0) std::fill_n(x + asked.weights[i] * lanes, lanes, weights[i]);
  for (int first = 0; first < count_; first += lanes) {
    load(asked, point, first);
    if (whole_) return asked.evaluator.run(out);
    if (asked.values.empty())
      asked.evaluator.compute();
    else
      asked.evaluator.run(asked.groups.data());
    add_up(asked, first, out);
  }
}

template class PartBatch<double>;
template class PartBatch<real50>;

}  // namespace daemark
