#include "base/numbers/taylor_tape.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace daemark {

template <class S>
TapeVar<S> Tape<S>::input() {
  nodes_.push_back({TapeOp::input, input_count(), -1});
  inputs_.push_back(size() - 1);
  return Var(this, size() - 1);
}

template <class S>
std::vector<TapeVar<S>> Tape<S>::inputs(int count) {
  std::vector<Var> result;
  result.reserve(count);
  for (int i = 0; i < count; ++i) result.push_back(input());
  return result;
}

template <class S>
Tape<S>* Tape<S>::common(const Var& x, const Var& y) {
  if (x.tape() && y.tape() && x.tape() != y.tape()) {
    throw std::logic_error("operation on variables of two tapes");
  }
  return x.tape() ? x.tape() : y.tape();
}

template <class S>
TapeVar<S> Tape<S>::intern(TapeOp op, int first, int second) {
  const auto [entry, is_new] = known_.try_emplace({op, first, second}, size());
  if (is_new) nodes_.push_back({op, first, second});
  return Var(this, entry->second);
}

template <class S>
int Tape<S>::constant_index(const S& value) {
  // NaN would also break the ordering of the map below.
  // NOLINTNEXTLINE(misc-redundant-expression): false of what is not finite
  if (!(value - value == 0)) throw std::domain_error("recorded function: constant is not finite");
  const auto [entry, is_new] =
      constant_of_value_.try_emplace(value, static_cast<int>(constants_.size()));
  if (is_new) constants_.push_back(value);
  return entry->second;
}

template <class S>
int Tape<S>::constant_node(const S& value) {
  return intern(TapeOp::constant, constant_index(value)).node();
}

template <class S>
TapeVar<S> Tape<S>::scaled(const S& factor, int node) {
  if (factor == 0) return Var();
  if (factor == 1) return Var(this, node);
  if (is(TapeOp::scale, node)) {
    const S inner = constants_[nodes_[node].second];
    return scaled(factor * inner, nodes_[node].first);
  }
  return intern(TapeOp::scale, node, constant_index(factor));
}

template <class S>
TapeVar<S> Tape<S>::shifted(const S& offset, int node) {
  if (offset == 0) return Var(this, node);
  if (is(TapeOp::shift, node)) {
    const S inner = constants_[nodes_[node].second];
    return shifted(offset + inner, nodes_[node].first);
  }
  return intern(TapeOp::shift, node, constant_index(offset));
}

// Factors are pulled out of products and quotients so that equal products up to sign are shared.
template <class S>
TapeVar<S> Tape<S>::product(int x, int y) {
  S factor(1);
  for (int* argument : {&x, &y}) {
    if (!is(TapeOp::scale, *argument)) continue;
    factor *= constants_[nodes_[*argument].second];
    *argument = nodes_[*argument].first;
  }
  if (x > y) std::swap(x, y);
  const Var bare = x == y ? intern(TapeOp::square, x) : intern(TapeOp::multiply, x, y);
  return scaled(factor, bare.node());
}

template <class S>
TapeVar<S> Tape<S>::quotient(int x, int y) {
  S factor(1);
  if (is(TapeOp::scale, x)) {
    factor = constants_[nodes_[x].second];
    x = nodes_[x].first;
  }
  if (is(TapeOp::scale, y)) {
    factor /= constants_[nodes_[y].second];
    y = nodes_[y].first;
  }
  if (x == y) return Var(factor);
  return scaled(factor, intern(TapeOp::divide, x, y).node());
}

template <class S>
TapeVar<S> Tape<S>::add(const Var& x, const Var& y) {
  Tape* tape = common(x, y);
  if (!tape) return Var(S(x.constant() + y.constant()));
  if (x.is_constant()) return tape->shifted(x.constant(), y.node());
  if (y.is_constant()) return tape->shifted(y.constant(), x.node());
  const S minus_one(-1);
  for (const auto& [term, other] : {std::pair(x, y), std::pair(y, x)}) {
    const TapeNode node = tape->nodes_[term.node()];
    if (node.op == TapeOp::scale && tape->constants_[node.second] == minus_one) {
      return subtract(other, Var(tape, node.first));
    }
  }
  if (x.node() == y.node()) return tape->scaled(S(2), x.node());
  return tape->intern(TapeOp::add, std::min(x.node(), y.node()), std::max(x.node(), y.node()));
}

template <class S>
TapeVar<S> Tape<S>::subtract(const Var& x, const Var& y) {
  Tape* tape = common(x, y);
  if (!tape) return Var(S(x.constant() - y.constant()));
  if (y.is_constant()) return tape->shifted(S(-y.constant()), x.node());
  if (x.is_constant()) return add(x, -y);
  if (x.node() == y.node()) return Var();
  const TapeNode node = tape->nodes_[y.node()];
  if (node.op == TapeOp::scale && tape->constants_[node.second] == S(-1)) {
    return add(x, Var(tape, node.first));
  }
  return tape->intern(TapeOp::subtract, x.node(), y.node());
}

template <class S>
TapeVar<S> Tape<S>::multiply(const Var& x, const Var& y) {
  Tape* tape = common(x, y);
  if (!tape) return Var(S(x.constant() * y.constant()));
  if (x.is_constant()) return tape->scaled(x.constant(), y.node());
  if (y.is_constant()) return tape->scaled(y.constant(), x.node());
  return tape->product(x.node(), y.node());
}

template <class S>
TapeVar<S> Tape<S>::divide(const Var& x, const Var& y) {
  Tape* tape = common(x, y);
  if (!tape) return Var(S(x.constant() / y.constant()));
  if (y.is_constant()) return tape->scaled(S(S(1) / y.constant()), x.node());
  if (x.is_zero()) return Var();
  // A constant numerator is recorded as 1 so that all reciprocals of one node are shared.
  if (x.is_constant()) {
    return multiply(x, tape->quotient(tape->constant_node(S(1)), y.node()));
  }
  return tape->quotient(x.node(), y.node());
}

template <class S>
TapeVar<S> Tape<S>::square_root(const Var& x) {
  using std::sqrt;
  if (x.is_constant()) return Var(S(sqrt(x.constant())));
  return x.tape()->intern(TapeOp::sqrt, x.node());
}

template <class S>
TapeVar<S> Tape<S>::sine_or_cosine(const Var& x, bool sine) {
  using std::cos;
  using std::sin;
  if (x.is_constant()) return Var(sine ? S(sin(x.constant())) : S(cos(x.constant())));
  Tape* tape = x.tape();
  const int weighted = tape->intern(TapeOp::weight, x.node()).node();
  const Var sine_node = tape->intern(TapeOp::sin, x.node(), weighted);
  const Var cosine_node = tape->intern(TapeOp::cos, x.node(), weighted);
  return sine ? sine_node : cosine_node;
}

template class Tape<double>;
template class Tape<quad>;
template class Tape<real50>;

}  // namespace daemark
