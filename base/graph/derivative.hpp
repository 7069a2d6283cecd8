// Derivatives of recorded functions, as functions on the same graph.
#pragma once

#include "base/graph/graph.hpp"

namespace daemark::graph {

/// ∂node/∂argument for each argument, in their order; of `select` by the chosen branch alone (the
/// condition's entry is 0), of abs its sign.
std::vector<Var> partial_derivatives(Graph& graph, int node);

/// One entry of a sparse matrix of functions.
struct Entry {
  int row, column;
  Var value;
};

/// The entries of ∂outputs/∂inputs that are not zero by structure, row by row; `inputs` are inputs
/// of the outputs' graph. Forward: one pass over the nodes, of which each carries what it depends
/// on.
std::vector<Entry> jacobian(const std::vector<Var>& outputs, const std::vector<Var>& inputs);

/// Σ ∂outputs/∂inputs · rates.
std::vector<Var> directional(const std::vector<Var>& outputs, const std::vector<Var>& inputs,
                             const std::vector<Var>& rates);

/// ∂output/∂inputs of one function, backward: a few times its own operations.
std::vector<Var> gradient(const Var& output, const std::vector<Var>& inputs);

}  // namespace daemark::graph
