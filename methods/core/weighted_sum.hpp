// to[k] = base[k] + Σ_j weights[j] · source[j · stride + k], k = 0..length: how stage values are built.
#pragma once

namespace daemark {

template <int Width, class S>
inline void weighted_sum_chunk(S* to, const S* base, const S* weights, const S* source, int stride,
                               int count) {
  S sum[Width];  // stays in registers: the sums over j are what a step spends its time on
  for (int k = 0; k < Width; ++k) sum[k] = base[k];
  for (int j = 0; j < count; ++j) {
    const S* row = source + static_cast<long>(j) * stride;
    for (int k = 0; k < Width; ++k) sum[k] += weights[j] * row[k];
  }
  for (int k = 0; k < Width; ++k) to[k] = sum[k];
}

/// `to` may be `base`, not `source`.
template <class S>
inline void weighted_sum(S* to, const S* base, const S* weights, const S* source, int stride,
                         int count, int length) {
  int k = 0;
  for (; k + 4 <= length; k += 4)
    weighted_sum_chunk<4>(to + k, base + k, weights, source + k, stride, count);
  for (; k + 2 <= length; k += 2)
    weighted_sum_chunk<2>(to + k, base + k, weights, source + k, stride, count);
  if (k < length) weighted_sum_chunk<1>(to + k, base + k, weights, source + k, stride, count);
}

/// The same with rows that begin at source + offsets[j]: a sum that leaves zero weights out.
template <int Width, class S>
inline void sparse_weighted_sum_chunk(S* to, const S* base, const S* weights, const int* offsets,
                                      const S* source, int count) {
  S sum[Width];
  for (int k = 0; k < Width; ++k) sum[k] = base[k];
  for (int j = 0; j < count; ++j) {
    const S* row = source + offsets[j];
    for (int k = 0; k < Width; ++k) sum[k] += weights[j] * row[k];
  }
  for (int k = 0; k < Width; ++k) to[k] = sum[k];
}

template <class S>
inline void sparse_weighted_sum(S* to, const S* base, const S* weights, const int* offsets,
                                const S* source, int count, int length) {
  int k = 0;
  for (; k + 4 <= length; k += 4)
    sparse_weighted_sum_chunk<4>(to + k, base + k, weights, offsets, source + k, count);
  for (; k + 2 <= length; k += 2)
    sparse_weighted_sum_chunk<2>(to + k, base + k, weights, offsets, source + k, count);
  if (k < length)
    sparse_weighted_sum_chunk<1>(to + k, base + k, weights, offsets, source + k, count);
}

}  // namespace daemark
