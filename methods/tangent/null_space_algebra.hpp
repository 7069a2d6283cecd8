// Newton's matrix of tangent-space stages by elimination with a null space of each stage's own G,
// for constraints that may be redundant.
//
// With N a basis of null G and G⁺ the least-norm solution of G x = r, a stage's increments are
//   x = x₀ + N ξ,  v = v₀ + V_ξ ξ + N η,  a = a₀ + A_ξ ξ + A_η η + N α,
//   x₀ = G⁺ r_Φ,  v₀ = G⁺(r_Φ̇ − Φ̇_q x₀),  a₀ = G⁺(r_Φ̈ − Φ̈_q x₀ − Φ̈_v v₀),
// and (ξ, η, α) of all stages solve a dense system of 3 (n − rank) unknowns a stage: the rows of
// positions, velocities and dynamics times Nᵀ. Multipliers follow by least norm.
#pragma once

#include "base/linear/rank_revealing_qr.hpp"
#include "methods/stages/stage_matrix.hpp"
#include "methods/tangent/tangent_system.hpp"

namespace daemark {

class NullSpaceAlgebra final : public StageAlgebra<double> {
 public:
  NullSpaceAlgebra(const TangentSystem<double>& system, int r);

  void set_step(const std::vector<double>& hB, const std::vector<double>& h2_position,
                const std::vector<double>& row_scale) override;
  void add_stage(int i) override;
  bool factor() override;
  LuStatus status() const override { return status_; }
  const char* why() const override { return why_; }
  void solve(double* x) override;

 private:
  using Vector = std::vector<double>;
  /// Jacobian values of a stage, in the order of the system's patterns, and what follows from them.
  struct Stage {
    Vector values, rates;
    RankRevealingQr qr;
    Vector v_xi, a_xi, a_eta;       ///< n × d by columns
    Vector x0, v0, a0, dx, dv, da;  ///< n
  };
  struct Block {
    const Pattern* pattern;
    int begin;  ///< of its values
  };

  void multiply(const Block& block, const Vector& values, const double* x, double* y,
                double sign) const;
  void project(const Stage& stage, const double* x, double* to, double sign) const;
  bool prepare(Stage& stage);
  void fill_rows(int i);
  void add_formula(int i, int j);
  bool factor_dense();
  void solve_dense(double* x) const;
  void particular(int i, const double* residual);
  void reduced_residual(int i, const double* residual);
  void expand(int i, const double* residual, double* x);
  double& dense(int row, int column) { return dense_[row * size_ + column]; }

  const TangentSystem<double>& system_;
  int r_, n_, m_, d_, first_, unknowns_, size_;
  Block residual_q_, residual_v_, acceleration_q_, acceleration_v_, mu_, nu_, velocity_q_, mass_;
  int gradient_begin_;  ///< of G among the values (Φ's rows)
  std::vector<double> hB_, h2_position_, row_scale_;
  std::vector<Stage> stages_;
  Vector dense_, right_, unscaled_;
  std::vector<int> pivots_;
  mutable Vector scratch_, scratch_rows_;
  LuStatus status_ = LuStatus::not_factored;
  const char* why_ = "";
};

class NullSpaceMaker final : public StageAlgebraMaker {
 public:
  std::unique_ptr<StageAlgebra<double>> make(const ImplicitSystem<double>& system, StageLayoutPtr,
                                             int r, const std::vector<char>&) const override {
    return std::make_unique<NullSpaceAlgebra>(dynamic_cast<const TangentSystem<double>&>(system),
                                              r);
  }
};

}  // namespace daemark
