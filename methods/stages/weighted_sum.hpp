// Weighted sums of rows: they build stage values and take most of the time of a step.
#pragma once

#include <cstring>
#include <type_traits>

namespace daemark {

/// Two neighbouring entries of double rows. Left to itself the compiler pairs the terms of a sum
/// instead, and spends more on shuffling them than on adding.
struct DoublePair {
  using Lanes = double __attribute__((vector_size(16)));
  Lanes lanes;

  static DoublePair load(const double* from) {
    DoublePair pair;
    std::memcpy(&pair.lanes, from, sizeof pair.lanes);
    return pair;
  }
  void store(double* to) const { std::memcpy(to, &lanes, sizeof lanes); }
};

/// to[k] = base[k] + Σ_j weights[j] · row(j)[k], k = 0..Width, summed in registers.
template <int Width, class S, class Row>
inline void weighted_sum_chunk(S* to, const S* base, const S* weights, int count, Row row) {
  if constexpr (std::is_same_v<S, double> && Width % 2 == 0) {
    DoublePair sum[Width / 2];
    for (int k = 0; k < Width / 2; ++k) sum[k] = DoublePair::load(base + 2 * k);
    for (int j = 0; j < count; ++j) {
      const double* const from = row(j);
      const DoublePair::Lanes weight = {weights[j], weights[j]};
      for (int k = 0; k < Width / 2; ++k)
        sum[k].lanes += weight * DoublePair::load(from + 2 * k).lanes;
    }
    for (int k = 0; k < Width / 2; ++k) sum[k].store(to + 2 * k);
  } else {
    S sum[Width];
    for (int k = 0; k < Width; ++k) sum[k] = base[k];
    for (int j = 0; j < count; ++j) {
      const S* const from = row(j);
      for (int k = 0; k < Width; ++k) sum[k] += weights[j] * from[k];
    }
    for (int k = 0; k < Width; ++k) to[k] = sum[k];
  }
}

/// For k = 0..length; row(j, k) is the address of entry k of row j.
template <class S, class Row>
inline void weighted_sum_of(S* to, const S* base, const S* weights, int count, int length,
                            Row row) {
  int k = 0;
  const auto from_here = [&row, &k](int j) { return row(j, k); };
  for (; k + 6 <= length; k += 6)
    weighted_sum_chunk<6>(to + k, base + k, weights, count, from_here);
  for (; k + 4 <= length; k += 4)
    weighted_sum_chunk<4>(to + k, base + k, weights, count, from_here);
  for (; k + 2 <= length; k += 2)
    weighted_sum_chunk<2>(to + k, base + k, weights, count, from_here);
  if (k < length) weighted_sum_chunk<1>(to + k, base + k, weights, count, from_here);
}

/// to[k] = base[k] + Σ_j weights[j] · source[j · stride + k]. `to` may be `base`, not `source`.
template <class S>
inline void weighted_sum(S* to, const S* base, const S* weights, const S* source, int stride,
                         int count, int length) {
  weighted_sum_of(to, base, weights, count, length, [source, stride](int j, int k) {
    return source + static_cast<long>(j) * stride + k;
  });
}

/// The same with rows that begin at source + offsets[j]: a sum that leaves zero weights out.
template <class S>
inline void sparse_weighted_sum(S* to, const S* base, const S* weights, const int* offsets,
                                const S* source, int count, int length) {
  weighted_sum_of(to, base, weights, count, length,
                  [source, offsets](int j, int k) { return source + offsets[j] + k; });
}

}  // namespace daemark
