// The inverse of a lower triangular matrix, in any field.
#pragma once

#include <vector>

namespace daemark {

/// Column by column. From row and column `first` on; zeros before.
template <class T>
std::vector<std::vector<T>> inverse_of_lower(const std::vector<std::vector<T>>& m,
                                             std::size_t first = 0) {
  const std::size_t s = m.size();
  std::vector<std::vector<T>> out(s, std::vector<T>(s, T(0)));
  for (std::size_t j = first; j < s; ++j) {
    out[j][j] = T(1) / m[j][j];
    for (std::size_t i = j + 1; i < s; ++i) {
      T sum(0);
      for (std::size_t k = j; k < i; ++k) sum += m[i][k] * out[k][j];
      out[i][j] = -(sum / m[i][i]);
    }
  }
  return out;
}

}  // namespace daemark
