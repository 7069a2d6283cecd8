#include "base/graph/code.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <utility>

#include "base/graph/compiled.hpp"
#include "base/graph/operation.hpp"
#include "base/numbers/sin_cos.hpp"

namespace daemark::graph {
namespace {

/// Hands out slots, and takes them back after their last use.
class Slots {
 public:
  Slots(int first, bool reuse) : next_(first), reuse_(reuse) {}
  int take() {
    if (free_.empty()) return next_++;
    const int slot = free_.back();
    free_.pop_back();
    return slot;
  }
  void give_back(int slot) {
    if (reuse_) free_.push_back(slot);
  }
  int count() const { return next_; }

 private:
  int next_;
  bool reuse_;
  std::vector<int> free_;
};

/// The last node that reads each node; none after what an output is.
std::vector<int> last_uses(const Graph& graph, const std::vector<char>& live,
                           const std::vector<Var>& outputs) {
  std::vector<int> last(graph.size(), -1);
  for (int i = 0; i < graph.size(); ++i) {
    const Node& n = graph.node(i);
    if (!live[i] || arity(n.op) == 0) continue;
    for (const int argument : {n.a, n.b, n.c})
      if (argument >= 0) last[argument] = i;
  }
  for (const Var& y : outputs)
    if (!y.is_constant()) last[y.node()] = graph.size();
  return last;
}

class Compiler {
 public:
  Compiler(const Graph& graph, const std::vector<Var>& outputs, bool reuse)
      : graph_(graph),
        live_(live_nodes(graph, outputs)),
        last_(last_uses(graph, live_, outputs)),
        slot_(graph.size(), -1),
        slots_(0, reuse) {
    code_.inputs = graph.input_count();
    for (int i = 0; i < code_.inputs; ++i) slot_[graph.input_node(i)] = i;
    for (int i = 0; i < graph.size(); ++i)
      if (live_[i] && graph.node(i).op == Op::constant)
        slot_[i] = constant_slot(graph.constant(graph.node(i).a));
    for (const Var& y : outputs)
      if (y.is_constant()) constant_slot(y.constant());
    slots_ = Slots(code_.first_computed(), reuse);
    for (int i = 0; i < graph.size(); ++i)
      if (live_[i] && arity(graph.node(i).op) > 0 && slot_[i] < 0) emit(i);
    code_.slots = slots_.count();
  }

  int slot_of(const Var& y) {
    return y.is_constant() ? constant_slot(y.constant()) : slot_[y.node()];
  }
  Code take() { return std::move(code_); }

 private:
  int constant_slot(const wide& value) {
    const auto [at, is_new] = constants_.try_emplace(value, code_.first_computed());
    if (is_new) code_.constants.push_back(value);
    return at->second;
  }

  void emit(int i) {
    const Node n = graph_.node(i);
    Instruction made{n.op, -1, slot_[n.a], n.b < 0 ? -1 : slot_[n.b], n.c < 0 ? -1 : slot_[n.c]};
    const bool trigonometric = n.op == Op::sin || n.op == Op::cos;
    const int partner = trigonometric ? partner_of(i, n) : -1;
    if (partner < 0) free_arguments(n, i);  // which may be where the result goes
    made.to = slots_.take(), slot_[i] = made.to;
    if (partner >= 0) {
      slot_[partner] = slots_.take();
      made.op = Op::sin, made.b = slot_[partner];
      if (n.op == Op::cos) std::swap(made.to, made.b);
      free_arguments(n, std::max(i, partner));
    }
    code_.list.push_back(made);
  }

  /// The live sine or cosine of the same angle.
  int partner_of(int i, const Node& n) const {
    for (int j = i + 1; j < graph_.size(); ++j) {
      const Node& other = graph_.node(j);
      if (live_[j] && other.a == n.a && other.op == (n.op == Op::sin ? Op::cos : Op::sin)) return j;
    }
    return -1;
  }

  void free_arguments(const Node& n, int user) {
    for (const int argument : {n.a, n.b, n.c})
      if (argument >= 0 && last_[argument] == user && slot_[argument] >= code_.first_computed()) {
        slots_.give_back(slot_[argument]);
        last_[argument] = -1;  // once, also where it is read twice
      }
  }

  const Graph& graph_;
  std::vector<char> live_;
  std::vector<int> last_, slot_;
  std::map<wide, int> constants_;
  Slots slots_;
  Code code_;
};

}  // namespace

Code compile(const Graph& graph, const std::vector<std::vector<Var>>& groups, bool reuse) {
  std::vector<Var> all;
  for (const auto& group : groups) all.insert(all.end(), group.begin(), group.end());
  Compiler compiler(graph, all, reuse);
  std::vector<std::vector<int>> outputs;
  for (const auto& group : groups) {
    outputs.emplace_back();
    for (const Var& y : group) outputs.back().push_back(compiler.slot_of(y));
  }
  Code code = compiler.take();
  code.outputs = std::move(outputs);
  if (reuse) code.compiled = built_in(code);
  return code;
}

namespace {

// The interpreter.

// z = x op y in place: for MPFR without the temporaries of its operators.
template <class S, class Mpfr, class Plain>
void in_place(S& z, const S& x, const S& y, Mpfr mpfr, Plain plain) {
  if constexpr (std::is_same_v<S, real50>)
    mpfr(z.backend().data(), x.backend().data(), y.backend().data(), MPFR_RNDN);
  else
    z = plain(x, y);
}

/// z of the lane that a, b and c are of.
template <class S>
void run_one(Op op, S& z, const S& a, S* b, const S* c) {
  switch (op) {
    case Op::add:
      return in_place(z, a, *b, mpfr_add, [](const S& p, const S& q) -> S { return p + q; });
    case Op::subtract:
      return in_place(z, a, *b, mpfr_sub, [](const S& p, const S& q) -> S { return p - q; });
    case Op::multiply:
      return in_place(z, a, *b, mpfr_mul, [](const S& p, const S& q) -> S { return p * q; });
    case Op::divide:
      return in_place(z, a, *b, mpfr_div, [](const S& p, const S& q) -> S { return p / q; });
    case Op::square:
      return in_place(z, a, a, mpfr_mul, [](const S& p, const S& q) -> S { return p * q; });
    case Op::sin:
      if (b) return sin_cos(a, z, *b);
      [[fallthrough]];
    default:
      z = operation_value(op, a, b, c);
  }
}

/// Two numbers in one register, which every machine has.
using Pair [[gnu::vector_size(16)]] = double;

/// z = x op y for all lanes, where it is arithmetic.
template <int lanes>
bool run_pairs(Op op, double* z, const double* x, const double* y) {
  const auto each = [&](auto operation) {
    for (int j = 0; j < lanes; j += 2) {
      Pair p, q;
      std::memcpy(&p, x + j, sizeof p), std::memcpy(&q, y + j, sizeof q);
      p = operation(p, q);
      std::memcpy(z + j, &p, sizeof p);
    }
    return true;
  };
  switch (op) {
    case Op::add:
      return each([](Pair p, Pair q) { return p + q; });
    case Op::subtract:
      return each([](Pair p, Pair q) { return p - q; });
    case Op::multiply:
    case Op::square:
      return each([](Pair p, Pair q) { return p * q; });
    case Op::divide:
      return each([](Pair p, Pair q) { return p / q; });
    default:
      return false;
  }
}

template <int lanes, class S>
void run_list(const Code& code, S* x) {
  for (const Instruction& i : code.list) {
    S *const z = x + i.to * lanes, *const a = x + i.a * lanes,
             *const b = i.b < 0 ? nullptr : x + i.b * lanes,
             *const c = i.c < 0 ? nullptr : x + i.c * lanes;
    if constexpr (lanes > 1)
      if (run_pairs<lanes>(i.op, z, a, b ? b : a)) continue;
    for (int j = 0; j < lanes; ++j)
      run_one(i.op, z[j], a[j], b ? b + j : nullptr, c ? c + j : nullptr);
  }
}

}  // namespace

template <class S>
Evaluator<S>::Evaluator(std::shared_ptr<const Code> code, int lanes, Compiled compiled)
    : code_(std::move(code)), compiled_(compiled ? compiled : code_->compiled), lanes_(lanes) {
  x_.assign(static_cast<std::size_t>(code_->slots) * lanes, S(0));
  for (std::size_t i = 0; i < code_->constants.size(); ++i)
    std::fill_n(x_.begin() + (code_->inputs + i) * lanes, lanes, from_wide<S>(code_->constants[i]));
}

template <class S>
void Evaluator<S>::compute() {
  if constexpr (most_lanes > 1) {
    if (lanes_ == 8) return run_list<8>(*code_, x_.data());
    if (lanes_ == 4) return run_list<4>(*code_, x_.data());
  }
  run_list<1>(*code_, x_.data());
}

template <class S>
void Evaluator<S>::run(S* const* groups) {
  if constexpr (std::is_same_v<S, double>)
    if (compiled_) return compiled_(x_.data(), groups);
  compute();
  const S* const x = x_.data();
  for (std::size_t g = 0; g < code_->outputs.size(); ++g) {
    S* to = groups[g];
    if (to)
      for (const int slot : code_->outputs[g]) *to++ = x[slot];
  }
}

template class Evaluator<double>;
template class Evaluator<real50>;

}  // namespace daemark::graph
