// A stage in the tangent space of the constraints, as a system the stage kernel can solve.
//
// An inner method's formulas give p and w, what they would be without constraints; the point (x, v)
// of the mechanism lies on the constraints of all levels and differs from (p, w) in normal
// directions only, N(x)ᵀ(x − p) = 0 and N(x)ᵀ(v − w) = 0 with N a basis of null G(x):
//
//   x − p + Gᵀμ = 0,  v − w + Gᵀν = 0,  M ẇ + Gᵀλ = f(t, x, v),  Φ = 0,  Φ̇ = 0,  Φ̈(x, v, ẇ) = 0
//
// (normal directions are the range of Gᵀ, so that no basis is needed), and where the inner method
// integrates first-order equations ṗ = v. p, w and their rates are known at earlier points as x, v,
// v̇ there.
//
// A row of velocities restricts v and v̇, not x: its Φ = 0 is μ = 0 instead, and x − p leaves it out.
//
// Fernández de Bustos et al. 2021, eqs. 34-58, at convergence. μ and ν are our form of N, with the
// full Newton matrix; the paper keeps N during an iteration.
#pragma once

#include "problems/system/index_one_solve.hpp"

namespace daemark {

/// Where the parts of y begin.
struct TangentLayout {
  TangentLayout(int n, int m) : n(n), m(m) {}
  int n, m;
  int p() const { return 0; }
  int w() const { return n; }
  int x() const { return 2 * n; }
  int v() const { return 3 * n; }
  int lambda() const { return 4 * n; }
  int mu() const { return 4 * n + m; }
  int nu() const { return 4 * n + 2 * m; }
  int size() const { return 4 * n + 3 * m; }
};

template <class S>
class TangentSystem final : public ImplicitSystem<S> {
 public:
  /// `twice`: the inner method gives positions from accelerations (p integral), else ṗ is its own.
  TangentSystem(MechanicalSystem<S>& mechanism, bool twice);

  const TangentLayout& layout() const { return at_; }
  bool twice() const { return twice_; }
  /// Rows and unknowns before those of the dynamics and of ẇ.
  int rate_rows() const { return twice_ ? 0 : at_.n; }
  const MechanicalSystem<S>& mechanism() const { return mechanism_; }

  void evaluate(const SystemPoint<S>& point, S* r, S* jacobian_y, S* jacobian_rate) override;
  /// λ, ẇ and ṗ at (x, v).
  bool explicit_rates(S* y, S* rate, const S& t, const S* chart) override;

 private:
  void lay_out();
  bool of_positions(int row) const { return mechanism_.row_level(row) == RowLevel::position; }
  void write_velocity_curvature(const MotionPoint<S>& point, const S* curvature_v, S* out);
  void write_jacobian(const MotionPoint<S>& point, const SystemPoint<S>& p, S* jacobian_y,
                      S* jacobian_rate);

  MechanicalSystem<S>& mechanism_;
  IndexOneSolve<S> index_one_;
  TangentLayout at_;
  bool twice_;
  std::vector<S> gradient_;
};

}  // namespace daemark
