#include "base/graph/code.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "base/graph/compiled.hpp"

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

}  // namespace daemark::graph
