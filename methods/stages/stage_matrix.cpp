#include "methods/stages/stage_matrix.hpp"

#include <algorithm>

namespace daemark {

template <class F>
StageMatrix<F>::StageMatrix(const ImplicitSystem<F>& system, StageLayoutPtr layout, int r,
                            const std::vector<char>& coupling)
    : shared_(std::move(layout)), layout_(shared_->block), r_(r), block_begin_(r * r, -1) {
  std::vector<std::pair<int, int>> entries;
  const int u = system.unknowns(), all = static_cast<int>(layout_.positions.size());
  for (int i = 0; i < r; ++i)
    for (int j = 0; j < r; ++j) {
      if (i != j && !coupling[i * r + j]) continue;
      block_begin_[i * r + j] = static_cast<int>(entries.size());
      const int count = i == j ? all : layout_.coupled;
      for (int k = 0; k < count; ++k) {
        const auto [row, unknown] = layout_.positions[k];
        entries.emplace_back(i * u + row, j * u + unknown);
      }
    }
  values_.assign(entries.size(), F(0));
  lu_.set_pattern(r * u, std::move(entries));
  jacobian_y_.resize(system.pattern_y().size());
  jacobian_rate_.resize(system.pattern_rate().size());
  first_.resize(layout_.coupled), second_.resize(layout_.coupled), own_.resize(all);
}

template <class F>
void StageMatrix<F>::set_step(const std::vector<F>& hB, const std::vector<F>& h2_position,
                              const std::vector<F>& row_scale) {
  hB_ = hB, h2_position_ = h2_position, row_scale_ = row_scale;
}

template <class F>
void StageMatrix<F>::add_stage(int i) {
  layout_.gather(jacobian_y_.data(), jacobian_rate_.data(), row_scale_.data(), first_, second_,
                 own_);
  for (int j = 0; j < r_; ++j) {
    const int begin = block_begin_[i * r_ + j];
    if (begin < 0) continue;
    const F b = hB_[i * r_ + j], b2 = h2_position_[i * r_ + j];
    F* block = &values_[begin];
    for (int k = 0; k < layout_.coupled; ++k) block[k] = b * first_[k] + b2 * second_[k];
    if (i != j) continue;
    for (int k = 0; k < layout_.coupled; ++k) block[k] += own_[k];
    for (std::size_t k = layout_.coupled; k < own_.size(); ++k) block[k] = own_[k];
  }
}

template class StageMatrix<double>;
template class StageMatrix<rational>;

}  // namespace daemark
