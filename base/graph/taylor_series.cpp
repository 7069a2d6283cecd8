#include "base/graph/taylor_series_body.hpp"

namespace daemark::graph {

bool has_series(const Graph& graph, const std::vector<std::vector<Var>>& groups) {
  const std::vector<char> live = live_nodes(graph, flat(groups));
  for (int i = 0; i < graph.size(); ++i)
    if (live[i] && (graph.node(i).op == Op::select || graph.node(i).op == Op::abs)) return false;
  return true;
}

template class TaylorSeries<double>;
template class TaylorSeries<real50>;

}  // namespace daemark::graph
