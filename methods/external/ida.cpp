// ida(tol): IDA of SUNDIALS (Hindmarsh et al. 2005), the descendant of Petzold's DASSL, on
// r(t, y, ẏ) = 0.
//
//   ẏ_n ≈ (1/h_n) Σ_{i=0..k} α_{n,i} y_{n−i},  backward differentiation of variable order k ≤ 5 and
//   step in fixed leading coefficient form; Newton on r with ∂r/∂y + c_j ∂r/∂ẏ, factored by KLU.
//
// Equations: q̇ − v = 0 for the positions and the unchanged rows of the formulation (of any index).
// Errors are weighted by tol (1 + |y|). Multipliers are left out of the error test
// (IDASetSuppressAlg): on index 2 and 3 their error estimate does not fall with h, on index 1 it is
// that of the state, magnified (analysis/decisions/0012). On index 2 and 3 they are weighted by 1 +
// tol |λ| in Newton's test: with weights as small as tol the rounding of multipliers, that of
// velocities over h, ends Newton at the small steps of the start. Output points are stop times: hit
// by steps, not interpolated.
#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"

#ifdef DAEMARK_SUNDIALS
#include <ida/ida.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <map>

#include "methods/external/sundials.hpp"
#endif

namespace daemark {
namespace {

#ifdef DAEMARK_SUNDIALS
using namespace sundials;

/// KLU for either index type of the library.
[[maybe_unused]] void count_flops(klu_symbolic* symbolic, klu_numeric* numeric,
                                  klu_common* common) {
  klu_flops(symbolic, numeric, common);
}
[[maybe_unused]] void count_flops(klu_l_symbolic* symbolic, klu_l_numeric* numeric,
                                  klu_l_common* common) {
  klu_l_flops(symbolic, numeric, common);
}

// NOLINTNEXTLINE(cppcoreguidelines-virtual-class-destructor): Integrator's is virtual
class IdaStepper final : public OutputStepper {
 public:
  IdaStepper(const Target<double>& target, double tol)
      : system_(*target.system),
        tol_(tol),
        index_(target.formulation ? target.formulation->info.index : 1),
        n_(system_.size()) {
    for (int c = 0; c < n_; ++c)
      if (system_.components()[c].kind == Component::Kind::integral)
        integrals_.emplace_back(c, system_.components()[c].source);
    jacobian_y_.resize(system_.pattern_y().size());
    jacobian_rate_.resize(system_.pattern_rate().size());
    lay_out();
    y_ = Vector(N_VNew_Serial(n_, context_)), rate_ = Vector(N_VNew_Serial(n_, context_));
    matrix_ = Matrix(
        SUNSparseMatrix(n_, n_, static_cast<sunindextype>(row_of_.size()), CSC_MAT, context_));
    solver_ = LinearSolver(SUNLinSol_KLU(y_, matrix_, context_));
  }
  ~IdaStepper() override { IDAFree(&memory_); }

 private:
  /// Every position once, by columns; and for each value of the Jacobians the place it is added to.
  void lay_out() {
    std::map<std::pair<int, int>, int> places;  // (column, row)
    const int first = static_cast<int>(integrals_.size());
    const auto add = [&](int row, int column) { places[{column, row}] = 0; };
    for (int k = 0; k < first; ++k) {
      add(k, integrals_[k].first);
      add(k, integrals_[k].second);
    }
    for (const Pattern* pattern : {&system_.pattern_y(), &system_.pattern_rate()})
      for (const auto& [i, j] : pattern->entries) add(first + i, j);
    column_begin_.assign(n_ + 1, 0);
    for (auto& [position, place] : places) {
      place = static_cast<int>(row_of_.size());
      row_of_.push_back(position.second);
      ++column_begin_[position.first + 1];
    }
    for (int c = 0; c < n_; ++c) column_begin_[c + 1] += column_begin_[c];
    for (int k = 0; k < first; ++k) {
      own_place_.push_back(places.at({integrals_[k].first, k}));
      source_place_.push_back(places.at({integrals_[k].second, k}));
    }
    for (const auto& [i, j] : system_.pattern_y().entries)
      place_y_.push_back(places.at({j, first + i}));
    for (const auto& [i, j] : system_.pattern_rate().entries)
      place_rate_.push_back(places.at({j, first + i}));
  }

  void begin() override {
    std::copy(state_.y.begin(), state_.y.end(), data(y_));
    std::copy(state_.rate.begin(), state_.rate.end(), data(rate_));
    if (memory_) {
      IDAReInit(memory_, state_.t, y_, rate_);
      return;
    }
    memory_ = IDACreate(context_);
    if (!memory_) throw std::bad_alloc();
    IDAInit(memory_, residual, state_.t, y_, rate_);
    DAEMARK_SILENT(IDA);
    IDASetUserData(memory_, this);
    set_tolerances();
    IDASetMaxNumSteps(memory_, trial_steps);
    IDASetLinearSolver(memory_, solver_, matrix_);
    IDASetJacFn(memory_, jacobian);
  }

  void set_tolerances() {
    const Vector absolute(N_VNew_Serial(n_, context_)), kind(N_VNew_Serial(n_, context_));
    for (int c = 0; c < n_; ++c) {
      const bool algebraic = system_.components()[c].kind == Component::Kind::algebraic;
      data(kind)[c] = algebraic ? 0 : 1;
      data(absolute)[c] = algebraic && index_ >= 2 ? 1 : tol_;
    }
    IDASVtolerances(memory_, tol_, absolute);
    IDASetId(memory_, kind);
    IDASetSuppressAlg(memory_, SUNTRUE);
  }

  static int residual(double t, N_Vector y, N_Vector rate, N_Vector r, void* user) {
    auto& self = *static_cast<IdaStepper*>(user);
    if (!self.goes_on()) return -1;
    const double *const yy = data(y), *const yp = data(rate);
    double* const out = data(r);
    const int first = static_cast<int>(self.integrals_.size());
    for (int k = 0; k < first; ++k)
      out[k] = yp[self.integrals_[k].first] - yy[self.integrals_[k].second];
    self.system_.evaluate({yy, yp, t, nullptr}, out + first, nullptr, nullptr);
    double sum = 0;
    for (int i = 0; i < self.n_; ++i) sum += out[i];
    return std::isfinite(sum) ? 0 : 1;
  }

  static int jacobian(double t, double cj, N_Vector y, N_Vector rate, N_Vector, SUNMatrix matrix,
                      void* user, N_Vector, N_Vector, N_Vector) {
    auto& self = *static_cast<IdaStepper*>(user);
    std::vector<double>& r = self.scratch_;
    r.resize(self.n_);
    self.system_.evaluate({data(y), data(rate), t, nullptr}, r.data(), self.jacobian_y_.data(),
                          self.jacobian_rate_.data());
    std::copy(self.column_begin_.begin(), self.column_begin_.end(),
              SUNSparseMatrix_IndexPointers(matrix));
    std::copy(self.row_of_.begin(), self.row_of_.end(), SUNSparseMatrix_IndexValues(matrix));
    double* const values = SUNSparseMatrix_Data(matrix);
    std::fill_n(values, self.row_of_.size(), 0.0);
    for (std::size_t k = 0; k < self.own_place_.size(); ++k) {
      values[self.own_place_[k]] += cj;
      values[self.source_place_[k]] -= 1;
    }
    for (std::size_t k = 0; k < self.place_y_.size(); ++k)
      values[self.place_y_[k]] += self.jacobian_y_[k];
    for (std::size_t k = 0; k < self.place_rate_.size(); ++k)
      values[self.place_rate_[k]] += cj * self.jacobian_rate_[k];
    return 0;
  }

  int advance_to(double end) override {
    IDASetStopTime(memory_, end);
    double reached = state_.t;
    for (long taken = 0; taken < most_steps; taken += trial_steps) {
      const double before = reached;
      const int flag = IDASolve(memory_, end, &reached, y_, rate_, IDA_NORMAL);
      if (flag != IDA_TOO_MUCH_WORK) return flag;
      const double share = (reached - before) / (end - before);
      if (share * 10 * most_steps < trial_steps) return hopeless;
    }
    return IDA_TOO_MUCH_WORK;
  }
  bool take_state() override {
    std::copy_n(data(y_), n_, state_.y.begin());
    std::copy_n(data(rate_), n_, state_.rate.begin());
    return true;
  }
  void read_counts(Counts& c) const override {
    IDAGetNumSteps(memory_, &c.steps);
    IDAGetNumResEvals(memory_, &c.residual_evals);
    IDAGetNumErrTestFails(memory_, &c.rejected_steps);
    IDAGetNumNonlinSolvIters(memory_, &c.newton_iterations);
    IDAGetNumNonlinSolvConvFails(memory_, &c.failed_solves);
    IDAGetNumJacEvals(memory_, &c.jacobian_evals);
    IDAGetNumLinSolvSetups(memory_, &c.factorizations);
  }
  /// Of KLU's factors as they stand: their pattern is that of all, but for rare changes of pivots.
  std::int64_t lu_pairs() const override {
    auto* const symbolic = SUNLinSol_KLUGetSymbolic(solver_);
    auto* const numeric = SUNLinSol_KLUGetNumeric(solver_);
    if (!symbolic || !numeric) return 0;
    auto* const common = SUNLinSol_KLUGetCommon(solver_);
    count_flops(symbolic, numeric, common);
    const std::int64_t divisions = numeric->lnz - n_;
    const std::int64_t off_diagonal = divisions + numeric->unz - n_ + numeric->nzoff;
    long factorizations = 0, solves = 0;
    IDAGetNumLinSolvSetups(memory_, &factorizations);
    IDAGetNumNonlinSolvIters(memory_, &solves);
    const auto flops = static_cast<std::int64_t>(common->flops);
    return factorizations * (flops - divisions) / 2 + solves * off_diagonal;
  }

  ImplicitSystem<double>& system_;
  double tol_;
  int index_, n_;
  std::vector<std::pair<int, int>> integrals_;  ///< (component, its rate)
  std::vector<sunindextype> column_begin_, row_of_;
  std::vector<int> own_place_, source_place_, place_y_, place_rate_;
  std::vector<double> jacobian_y_, jacobian_rate_, scratch_;
  Vector y_, rate_;
  Matrix matrix_;
  LinearSolver solver_;
  void* memory_ = nullptr;
};
#endif

}  // namespace

void register_ida(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "ida";
  info.kind = "external";
  info.summary =
      std::string("SUNDIALS IDA: BDF of variable order and step on the formulation's rows") +
      without_library(has_sundials);
  info.parameters = {tolerance_parameter()};
  info.examples = {"ida(1e-6)"};
  info.source = {"hindmarsh2005", "IDA"};
  registry.add(info, [](const Arguments& arguments) {
    [[maybe_unused]] const double tol = tolerance(arguments, "ida");
    ExternalSolver solver;
    solver.highest_index = 3;
    solver.settings =
        "backward differentiation, orders 1 to 5, fixed leading coefficients; Newton with the "
        "exact Jacobian and KLU; multipliers outside of the error test (IDASetSuppressAlg), on "
        "index 2 and 3 with absolute weight 1 in Newton's";
#ifdef DAEMARK_SUNDIALS
    solver.make = [tol](const Target<double>& target) {
      return std::make_unique<IdaStepper>(target, tol);
    };
#endif
    return external_method(std::move(solver));
  });
}

}  // namespace daemark
