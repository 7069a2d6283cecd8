// Instances of one part evaluated together and scattered into the mechanism's vectors and blocks.
#pragma once

#include "base/linear/pattern.hpp"
#include "problems/mechanism/part.hpp"

namespace daemark {

/// The patterns of a mechanism while it is laid out.
struct MotionPatterns {
  PatternBuilder mass, gradient, curvature, residual_q, residual_v, residual_lambda;
};

template <class S>
class PartBatch {
 public:
  explicit PartBatch(std::shared_ptr<const Part> part) : part_(std::move(part)) {}

  /// The element's rows are rows first_row, first_row + 1, … of the mechanism.
  void add(const Element& element, int first_row, MotionPatterns& patterns);
  /// After the last add(). `whole`: the only element is the mechanism; run() then writes.
  void lay_out(bool whole);

  void set_data(const std::vector<S>& data) { data_ = data; }  ///< of the only element

  /// Adds the groups of the mask to `out`, by PartGroup. Weights as in ConstraintWeights, of Φ̇, Φ̈
  /// and rows of velocities. Allocates at the first call with a mask, and where its code is
  /// compiled.
  void run(unsigned mask, const MotionPoint<S>& point, const std::array<S, 3>& weights,
           S* const* out);

 private:
  enum Table {
    coordinates,
    rows,
    chart,
    gradient,
    curvature,
    mass,
    residual_q,
    residual_v,
    residual_lambda,
    scalar,
    tables
  };
  struct Load {
    int slot;
    const S* MotionPoint<S>::*from;  ///< null: data
    Table table;
    int local;
  };
  struct Store {
    int group, slot;
    Table table;
    int local;
  };
  struct Program {
    unsigned mask;
    graph::Evaluator<S> evaluator;
    std::vector<S> values;  ///< of the groups, where compiled code writes them
    std::array<S*, part_groups> groups{};
    long interpreted_runs = 0;     ///< before it is compiled; 0: it is not
    int time = -1;                 ///< slot of t where it is read
    std::array<int, 3> weights{};  ///< −1 where they are not
    std::vector<Load> loads;
    std::vector<Store> stores;
  };

  static Table table_of(PartGroup group);
  Program& program(unsigned mask);
  Program made_program(unsigned mask, graph::Compiled function) const;
  void make_room(Program& program) const;
  void list_loads(Program& program) const;
  void list_stores(Program& program) const;
  void load(Program& program, const MotionPoint<S>& point, int first);
  void add_up(const Program& program, int first, S* const* out) const;
  const int* at(Table table, int local, int first) const {
    return table_[table].data() + static_cast<std::size_t>(local) * padded_ + first;
  }

  std::shared_ptr<const Part> part_;
  bool whole_ = false;
  int count_ = 0, lanes_ = 1, padded_ = 0;
  std::array<std::vector<int>, tables> table_;  ///< entry after entry, of all instances
  std::vector<S> data_;                         ///< alike
  std::vector<Element> elements_;               ///< until they are laid out
  std::vector<std::array<std::vector<int>, tables>> places_;
  std::vector<Program> programs_;
};

}  // namespace daemark
