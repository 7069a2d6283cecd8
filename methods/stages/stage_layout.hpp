// The position of each component of a system in a stage, found once and shared by all stages.
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "problems/system/implicit_system.hpp"

namespace daemark {

/// Consecutive components: to + k is computed from what is kept at from + k, k = 0..length.
struct ComponentRun {
  int to, from, length;
};

/// Index lists of a system's components, by kind.
struct ComponentLists {
  std::vector<int> differential, algebraic;   ///< component numbers
  std::vector<std::pair<int, int>> integral;  ///< (component, its source)
  std::vector<std::pair<int, int>> guessed;   ///< (algebraic component, its source: the
                                              ///< integrated one whose value is its first guess)
  std::vector<int> unknown_of;                ///< component → unknown of a stage, or −1
  /// The same lists in runs, for loops without an indirection; `state`: all but the algebraic ones.
  std::vector<ComponentRun> differential_runs, algebraic_runs, integral_runs, state_runs;
  template <class S>
  explicit ComponentLists(const ImplicitSystem<S>& system);
};

/// How Jacobian values of one stage spread over the blocks of its row, for one system and scalar F.
struct BlockLayout {
  // Distinct positions within a block; the first `coupled` occur in every block of the row, the
  // others in diagonal blocks only.
  std::vector<std::pair<int, int>> positions;
  int coupled = 0;
  /// Consecutive Jacobian values that go to consecutive positions, in rows of one scale.
  struct Run {
    int value;     ///< index into the Jacobian values
    int position;  ///< index into `positions`
    int row, length;
  };
  std::vector<Run> first, second;    ///< ∂r/∂y_diff (weight hB), ∂r/∂y_int (weight h²B²)
  std::vector<Run> own_y, own_rate;  ///< ∂r/∂y_alg and ∂r/∂ẏ (weight 1, diagonal blocks)

  template <class S>
  BlockLayout(const ImplicitSystem<S>& system, const ComponentLists& lists);

  /// Adds the Jacobian values of a stage up by position, each times the scale of its row.
  template <class F>
  void gather(const F* jacobian_y, const F* jacobian_rate, const F* row_scale,
              std::vector<F>& first, std::vector<F>& second, std::vector<F>& own) const;
};

/// Both for one system.
struct StageLayout {
  ComponentLists lists;
  BlockLayout block;
  template <class F>
  explicit StageLayout(const ImplicitSystem<F>& system) : lists(system), block(system, lists) {}
};
using StageLayoutPtr = std::shared_ptr<const StageLayout>;

}  // namespace daemark
