// A recorded function as a list of instructions, the same for every arithmetic.
//
// Slots: the inputs, then the constants, then what is computed. An interpreter runs the list in any
// scalar; in double a compiled function of C may take its place (compiled.hpp).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/graph/compiled_entry.hpp"
#include "base/graph/graph.hpp"

namespace daemark::graph {

/// `to` = op(a, b, c) by slots. sin: `b` is the slot of the cosine of the same angle, −1 where it
/// is not asked for.
struct Instruction {
  Op op;
  int to, a, b, c;
};

struct Code {
  int inputs = 0;
  std::vector<wide> constants;
  std::vector<Instruction> list;
  int slots = 0;
  std::vector<std::vector<int>> outputs;  ///< slots, in the groups they were asked for
  Compiled compiled = nullptr;            ///< the same in double, where it is built in

  int first_computed() const { return inputs + static_cast<int>(constants.size()); }
};

/// Only what the outputs need. `reuse`: slots are used again when nothing reads them any more; else
/// each node keeps one of its own.
Code compile(const Graph& graph, const std::vector<std::vector<Var>>& groups, bool reuse = true);

/// One code in one scalar, for so many sets of inputs at once ("lanes": 1, in double also 4 and 8;
/// every lane has the digits it would have alone). Evaluation allocates nothing.
template <class S>
class Evaluator {
 public:
  static constexpr int most_lanes = std::is_same_v<S, double> ? 8 : 1;

  Evaluator() = default;
  /// `compiled`: in place of the code's own.
  explicit Evaluator(std::shared_ptr<const Code> code, int lanes = 1, Compiled compiled = nullptr);

  explicit operator bool() const { return code_ != nullptr; }
  const Code& code() const { return *code_; }
  bool compiled() const { return std::is_same_v<S, double> && compiled_; }
  int lanes() const { return lanes_; }
  S* inputs() { return x_.data(); }  ///< for the caller to fill, lane by lane of each
  void compute();
  const S* value(int slot) const { return x_.data() + slot * lanes_; }  ///< of all lanes
  /// One lane: computes and writes the groups; null where one is not wanted.
  void run(S* const* groups);
  /// The only group, of one function or several.
  void run(S* values) { run(&values); }

 private:
  std::shared_ptr<const Code> code_;
  Compiled compiled_ = nullptr;
  int lanes_ = 1;
  std::vector<S> x_;
};

}  // namespace daemark::graph
