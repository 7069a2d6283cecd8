#include "methods/core/pair_trees.hpp"

namespace daemark::exact {

std::vector<VertexType> vertex_types(const PairShape& shape) {
  switch (shape.kind) {
    case MethodKind::partitioned:
      return {{"q", "]q"}, {"p", "]p"}};
    case MethodKind::additive:
      return {{"f", "]f"}, {"g", "]g"}};
    default:
      break;
  }
  const unsigned branches = shape.second_matrix ? 7u : 6u;  // F, c and, with a', f
  return {{"f", "]f", 1, false, branches}, {"F", "]F", 2, false, branches}, {"c", "]c", 1, true}};
}

}  // namespace daemark::exact
