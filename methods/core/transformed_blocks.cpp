#include "methods/core/transformed_blocks.hpp"

#include <Eigen/Eigenvalues>

namespace daemark {

TransformedBlocks::TransformedBlocks(const ImplicitSystem<double>& system,
                                     const ComponentLists& lists,
                                     const std::vector<std::vector<double>>& B)
    : layout_(system, lists), r_(static_cast<int>(B.size())), unknowns_(system.unknowns()) {
  Eigen::MatrixXd dense(r_, r_);
  for (int i = 0; i < r_; ++i)
    for (int j = 0; j < r_; ++j) dense(i, j) = B[i][j];
  const Eigen::EigenSolver<Eigen::MatrixXd> eigen(dense);
  const Eigen::MatrixXcd T = eigen.eigenvectors();
  const Eigen::MatrixXcd inverse = T.inverse();
  constexpr double worst_condition = 1e10;
  usable_ = inverse.allFinite() && T.norm() * inverse.norm() < worst_condition;
  if (!usable_) return;
  for (int k = 0; k < r_; ++k) {
    const Complex eigenvalue = eigen.eigenvalues()[k];
    if (eigenvalue.imag() < 0) continue;  // its conjugate stands for the pair
    Block& block = blocks_.emplace_back();
    block.eigenvalue = eigenvalue;
    block.real = eigenvalue.imag() == 0;
    const double weight = block.real ? 1 : 2;
    for (int i = 0; i < r_; ++i) {
      block.to_block.push_back(inverse(k, i));
      block.to_stages.push_back(weight * T(i, k));
    }
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
  real_x_.resize(unknowns_), complex_x_.resize(unknowns_);
  result_.resize(static_cast<std::size_t>(r_) * unknowns_);
}

bool TransformedBlocks::factor(double h, const std::vector<double>& row_scale) {
  std::fill(first_.begin(), first_.end(), 0.0);
  std::fill(second_.begin(), second_.end(), 0.0);
  std::fill(own_.begin(), own_.end(), 0.0);
  for (const auto& t : layout_.first) first_[t.position] += row_scale[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.second)
    second_[t.position] += row_scale[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.own_y) own_[t.position] += row_scale[t.row] * jacobian_y_[t.value];
  for (const auto& t : layout_.own_rate)
    own_[t.position] += row_scale[t.row] * jacobian_rate_[t.value];
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
  std::fill(result_.begin(), result_.end(), 0.0);
  const int u = unknowns_;
  for (Block& block : blocks_) {
    if (block.real) {
      std::fill(real_x_.begin(), real_x_.end(), 0.0);
      for (int i = 0; i < r_; ++i) {
        const double weight = block.to_block[i].real();
        for (int k = 0; k < u; ++k) real_x_[k] += weight * x[i * u + k];
      }
      block.real_lu.solve(real_x_.data());
      for (int i = 0; i < r_; ++i) {
        const double weight = block.to_stages[i].real();
        for (int k = 0; k < u; ++k) result_[i * u + k] += weight * real_x_[k];
      }
      continue;
    }
    std::fill(complex_x_.begin(), complex_x_.end(), Complex(0));
    for (int i = 0; i < r_; ++i) {
      const double re = block.to_block[i].real(), im = block.to_block[i].imag();
      for (int k = 0; k < u; ++k) {
        const double value = x[i * u + k];
        complex_x_[k] = {complex_x_[k].real() + re * value, complex_x_[k].imag() + im * value};
      }
    }
    block.complex_lu.solve(complex_x_.data());
    for (int i = 0; i < r_; ++i) {
      const double re = block.to_stages[i].real(), im = block.to_stages[i].imag();
      for (int k = 0; k < u; ++k)
        result_[i * u + k] += re * complex_x_[k].real() - im * complex_x_[k].imag();
    }
  }
  std::copy(result_.begin(), result_.end(), x);
}

}  // namespace daemark
