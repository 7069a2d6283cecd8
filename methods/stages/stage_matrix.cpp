#include "methods/stages/stage_matrix.hpp"

#include <algorithm>

#include "base/linear/dense_eigenvalues.hpp"
#include "methods/stages/weighted_sum.hpp"

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

TransformedBlocks::TransformedBlocks(const ImplicitSystem<double>& system, StageLayoutPtr layout,
                                     const std::vector<std::vector<double>>& B)
    : shared_(std::move(layout)),
      layout_(shared_->block),
      r_(static_cast<int>(B.size())),
      unknowns_(system.unknowns()) {
  const Eigenvectors eigen = eigenvectors(B);
  constexpr double worst_condition = 1e10;
  usable_ = eigen.condition < worst_condition;
  if (!usable_) return;
  to_stages_.assign(r_ * r_, 0.0);
  int row = 0;  // of the parts
  for (int k = 0; k < r_; ++k) {
    const Complex eigenvalue = eigen.values[k];
    if (eigenvalue.imag() < 0) continue;  // its conjugate stands for the pair
    Block& block = blocks_.emplace_back();
    block.eigenvalue = eigenvalue;
    block.real = eigenvalue.imag() == 0;
    const double weight = block.real ? 1 : 2;
    for (int i = 0; i < r_; ++i) {
      block.to_block_re.push_back(eigen.inverse[k * r_ + i].real());
      block.to_block_im.push_back(eigen.inverse[k * r_ + i].imag());
      to_stages_[i * r_ + row] = weight * eigen.vectors[i * r_ + k].real();
      if (!block.real) to_stages_[i * r_ + row + 1] = -weight * eigen.vectors[i * r_ + k].imag();
    }
    row += block.real ? 1 : 2;
    if (block.real)
      block.real_lu.set_pattern(unknowns_, layout_.positions);
    else
      block.complex_lu.set_pattern(unknowns_, layout_.positions);
  }
  const std::size_t all = layout_.positions.size();
  jacobian_y_.resize(system.pattern_y().size());
  jacobian_rate_.resize(system.pattern_rate().size());
  first_.resize(all), second_.resize(all), own_.resize(all);
  real_values_.resize(all), complex_values_.resize(all);
  complex_x_.resize(unknowns_), zeros_.assign(unknowns_, 0.0);
  parts_.resize(static_cast<std::size_t>(r_) * unknowns_);
}

bool TransformedBlocks::factor(double h, const std::vector<double>& row_scale) {
  layout_.gather(jacobian_y_.data(), jacobian_rate_.data(), row_scale.data(), first_, second_,
                 own_);
  finite_ = true;
  for (Block& block : blocks_) {
    const Complex b = h * block.eigenvalue;
    const Complex b2(b.real() * b.real() - b.imag() * b.imag(), 2 * b.real() * b.imag());
    bool ok;
    if (block.real) {
      for (std::size_t k = 0; k < own_.size(); ++k)
        real_values_[k] = own_[k] + b.real() * first_[k] + b2.real() * second_[k];
      ok = block.real_lu.factor(real_values_.data());
      finite_ = finite_ && block.real_lu.status() != LuStatus::not_finite;
    } else {
      for (std::size_t k = 0; k < own_.size(); ++k)
        complex_values_[k] = {own_[k] + b.real() * first_[k] + b2.real() * second_[k],
                              b.imag() * first_[k] + b2.imag() * second_[k]};
      ok = block.complex_lu.factor(complex_values_.data());
      finite_ = finite_ && block.complex_lu.status() != LuStatus::not_finite;
    }
    if (!ok) return false;
  }
  return true;
}

void TransformedBlocks::solve(double* x) {
  const int u = unknowns_;
  double* part = parts_.data();  // real, and below it imaginary parts of the blocks' solutions
  for (Block& block : blocks_) {
    weighted_sum(part, zeros_.data(), block.to_block_re.data(), x, u, r_, u);
    if (block.real) {
      block.real_lu.solve(part);
      part += u;
      continue;
    }
    double* const imaginary = part + u;
    weighted_sum(imaginary, zeros_.data(), block.to_block_im.data(), x, u, r_, u);
    for (int k = 0; k < u; ++k) complex_x_[k] = {part[k], imaginary[k]};
    block.complex_lu.solve(complex_x_.data());
    for (int k = 0; k < u; ++k) part[k] = complex_x_[k].real(), imaginary[k] = complex_x_[k].imag();
    part += 2 * u;
  }
  for (int i = 0; i < r_; ++i)
    weighted_sum(x + i * u, zeros_.data(), &to_stages_[i * r_], parts_.data(), u, r_, u);
}

}  // namespace daemark
