// Symmetric methods: a step −h from the end of a step leads back to its beginning.
#pragma once

#include "methods/core/method.hpp"

namespace daemark {

/// Symmetry properties of methods that are not given by one tableau, in addition to Method.
class SymmetricStep {
 public:
  virtual ~SymmetricStep() = default;
  /// Their order on flat coordinates; 0: this member is not symmetric.
  virtual int symmetric_order() const = 0;
};

/// a_{s+1−i,s+1−j} + a_ij = b_j, b_{s+1−j} = b_j.
bool is_symmetric(const WideTableau& tableau);

/// The order of a symmetric method, no more than 4 of tableaus; 0 where it is not known to be
/// symmetric.
int symmetric_order(const Method& method);

}  // namespace daemark
