// What the formulations of a mechanism share: y = (q, v, λ, …), on its chart.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "problems/formulations/formulation.hpp"
#include "problems/system/index_one_solve.hpp"

namespace daemark {

/// The rows of the constraints where they are one combination C of Φ, Φ̇, Φ̈, the same for all.
template <class S>
struct ConstraintLevels {
  ConstraintWeights<S> weights;
  bool stabilised = false;  ///< besides C = Φ̇: q̇ = v − Gᵀμ and Φ = 0
};

template <class S>
class MechanicalFormulation : public ImplicitSystem<S> {
 public:
  /// Empty where the equations are others than M v̇ + Gᵀλ = f, C = 0.
  virtual std::optional<ConstraintLevels<S>> levels() const { return std::nullopt; }

  int chart_size() const override { return mechanism_->chart_size(); }
  void rebase(S* chart, const std::vector<S*>& points_y,
              const std::vector<S*>& points_rate) override {
    chart_points_.clear();
    for (std::size_t i = 0; i < points_y.size(); ++i)
      chart_points_.push_back({points_y[i], points_rate[i], points_y[i] + n_, points_rate[i] + n_});
    mechanism_->rebase(chart, chart_points_);
  }

 protected:
  using Kind = Component::Kind;

  explicit MechanicalFormulation(MechanicalPtr<S> mechanism)
      : mechanism_(std::move(mechanism)),
        index_one_(*mechanism_),
        n_(mechanism_->coordinates()),
        m_(mechanism_->constraints()) {}

  /// q integral, v differential, λ algebraic.
  void add_mechanical_components() {
    auto& components = this->components_;
    for (int i = 0; i < n_; ++i)
      components.push_back({mechanism_->coordinate_names()[i], Kind::integral, n_ + i});
    for (int i = 0; i < n_; ++i)
      components.push_back({"d" + mechanism_->coordinate_names()[i], Kind::differential, -1});
    for (int i = 0; i < m_; ++i)
      components.push_back({mechanism_->constraint_names()[i], Kind::algebraic, -1});
  }

  /// a and λ by the index-1 solve, q̇ = v, the other rates zero.
  bool solve_index_one(S* y, S* rate, const S& t, const S* chart,
                       const ConstraintWeights<S>& weights) {
    std::copy_n(y + n_, n_, rate);
    std::fill(rate + 2 * n_, rate + this->size(), S(0));
    return index_one_.solve(*mechanism_, {t, y, y + n_, nullptr, nullptr, chart}, weights,
                            rate + n_, y + 2 * n_);
  }

  MechanicalPtr<S> mechanism_;
  IndexOneSolve<S> index_one_;
  int n_, m_;
  std::vector<ChartPoint<S>> chart_points_;
};

// The ways a mechanism M a + Gᵀλ = f, Φ = 0 becomes an ImplicitSystem; formulation.cpp names them.

/// q̇ = v, M v̇ + Gᵀλ = f, one linear combination of Φ, Φ̇, Φ̈ = 0, its rows scaled by h^row_power.
/// y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> weighted_dae(MechanicalPtr<S> mechanism,
                                                ConstraintWeights<S> weights, int row_power);

/// q̇ = v − Gᵀμ, M v̇ + Gᵀλ = f, Φ = 0, Φ̇ = 0. y = (q, v, λ, μ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> stabilised_dae(MechanicalPtr<S> mechanism);

/// q̇ = v, Vᵀ(M v̇ − f) = 0, Φ̈ = 0 with V an orthonormal basis of null(G) (Yang, Duan & Di 2006,
/// eq. 12); λ follows from G(M v̇ + Gᵀλ − f) = 0. y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> eliminated_dae(MechanicalPtr<S> mechanism);

/// q̇ = v, M v̇ + Gᵀλ = f, Φ̈_r + c λ_r Φ_r = 0 for every row r. y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> substituted_dae(MechanicalPtr<S> mechanism, S c);

}  // namespace daemark
