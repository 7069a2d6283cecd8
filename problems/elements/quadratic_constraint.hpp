// Constraint rows that are polynomials of degree two, as natural coordinates (points and unit
// vectors) have them; every derivative is at hand:
//   Φ = constant + Σ l z_i + Σ c z_i z_j.
#pragma once

#include <algorithm>

#include "problems/elements/element.hpp"

namespace daemark {

template <class S>
struct QuadraticRow {
  struct Linear {
    int i;
    S coefficient;
  };
  struct Product {
    int i, j;  ///< may be the same
    S coefficient;
  };
  Quantity quantity;
  S constant;
  std::vector<Linear> linear;
  std::vector<Product> products;
};

template <class S>
class QuadraticConstraint final : public Element<S> {
 public:
  /// Indices i, j count the element's coordinates.
  QuadraticConstraint(std::vector<int> coordinates, std::vector<QuadraticRow<S>> rows)
      : Element<S>(std::move(coordinates)), data_(std::move(rows)) {
    for (const QuadraticRow<S>& row : data_) this->rows_.push_back(row.quantity);
  }

  bool fills(ElementBlock block, int i, int j) const override {
    if (block == ElementBlock::residual_q)
      return std::any_of(data_.begin(), data_.end(),
                         [&](const QuadraticRow<S>& row) { return multiplies(row, i, j); });
    if (block != ElementBlock::gradient && block != ElementBlock::curvature) return false;
    const QuadraticRow<S>& row = data_[i];
    for (const auto& p : row.products)
      if (p.i == j || p.j == j) return true;
    return block == ElementBlock::gradient && std::any_of(row.linear.begin(), row.linear.end(),
                                                          [j](const auto& l) { return l.i == j; });
  }

  void evaluate(const ElementPoint<S>& p, const ConstraintWeights<S>& w,
                const ElementValues<S>& out) override {
    if (!out.levels()) return;
    const int k = this->size(), rows = static_cast<int>(data_.size());
    for (S* block : {out.gradient, out.curvature_q, out.curvature_v})
      if (block) std::fill_n(block, rows * k, S(0));
    for (int r = 0; r < rows; ++r) {
      S value = data_[r].constant, rate(0), second(0);
      for (const auto& [i, c] : data_[r].linear) {
        value += c * p.q[i], rate += c * p.v[i], second += c * p.a[i];
        if (out.gradient) out.gradient[r * k + i] += c;
      }
      for (const auto& [i, j, c] : data_[r].products) {
        value += c * p.q[i] * p.q[j];
        rate += c * (p.v[i] * p.q[j] + p.q[i] * p.v[j]);
        second += c * (p.a[i] * p.q[j] + S(2) * p.v[i] * p.v[j] + p.q[i] * p.a[j]);
        for (const auto& [own, other] : {std::pair(i, j), std::pair(j, i)}) {
          const int at = r * k + own;
          if (out.gradient) out.gradient[at] += c * p.q[other];
          if (out.curvature_q)
            out.curvature_q[at] += c * (w.velocity * p.v[other] + w.acceleration * p.a[other]);
          if (out.curvature_v) out.curvature_v[at] += S(2) * c * w.acceleration * p.v[other];
        }
      }
      if (out.position) out.position[r] = value;
      if (out.velocity) out.velocity[r] = rate;
      if (out.acceleration) out.acceleration[r] = second;
    }
  }

  void multiplier_stiffness(const ElementPoint<S>& p, S* stiffness) override {
    const int k = this->size();
    std::fill_n(stiffness, k * k, S(0));
    for (std::size_t r = 0; r < data_.size(); ++r)
      for (const auto& [i, j, c] : data_[r].products) {
        stiffness[i * k + j] += c * p.lambda[r];
        stiffness[j * k + i] += c * p.lambda[r];
      }
  }

  bool has_record() const override { return true; }
  void record(const ElementPoint<Var>& p, const ElementRecord<S>& out) override {
    using V = Var;
    const int k = this->size();
    for (std::size_t r = 0; r < data_.size(); ++r) {
      V value(data_[r].constant);
      V* const gradient = out.gradient + r * k;
      for (int i = 0; i < k; ++i) gradient[i] = V(S(0));
      for (const auto& [i, c] : data_[r].linear) value += V(c) * p.q[i], gradient[i] += V(c);
      for (const auto& [i, j, c] : data_[r].products) {
        value += V(c) * p.q[i] * p.q[j];
        gradient[i] += V(c) * p.q[j];
        gradient[j] += V(c) * p.q[i];
      }
      out.position[r] = value;
    }
  }

 private:
  static bool multiplies(const QuadraticRow<S>& row, int i, int j) {
    return std::any_of(row.products.begin(), row.products.end(), [&](const auto& p) {
      return (p.i == i && p.j == j) || (p.i == j && p.j == i);
    });
  }

  std::vector<QuadraticRow<S>> data_;
};

}  // namespace daemark
