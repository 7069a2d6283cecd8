// Linear systems in any scalar over one sparsity pattern: factors in double (of rationals exact
// ones), and in wide scalars solutions refined with the matrix in S, to its round-off.
#pragma once

#include "base/linear/sparse_lu.hpp"

namespace daemark {

template <class S>
class RefinedLu {
 public:
  using F = FactorScalar<S>;

  /// As SparseLu::set_pattern.
  void set_pattern(int n, std::vector<std::pair<int, int>> entries);
  /// One value per entry, in the pattern's order. False where the matrix is singular to double's
  /// precision or not finite: status() says which.
  bool factor(const S* values);
  /// x := A⁻¹ x, size() entries; false where the result is not finite.
  bool solve(S* x);

  LuStatus status() const { return lu_.status(); }
  int size() const { return lu_.size(); }

 private:
  static constexpr bool wide_scalar = !std::is_same_v<S, F>;

  SparseLu<F> lu_;
  std::vector<std::pair<int, int>> entries_;
  std::vector<S> values_, right_, left_;  ///< of wide scalars: the matrix, b, b − A x
  std::vector<F> rounded_, correction_;
};

extern template class RefinedLu<double>;
extern template class RefinedLu<real50>;
extern template class RefinedLu<rational>;

}  // namespace daemark
