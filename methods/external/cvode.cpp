// cvode(tol): CVODE of SUNDIALS (Hindmarsh et al. 2005) on ẏ = f(t, y).
//
//   Σ_i α_{n,i} y_{n−i} + h_n Σ_i β_{n,i} ẏ_{n−i} = 0, variable order and step: Adams–Moulton to
//   order 12 with fixed-point iteration, or backward differentiation to order 5 with Newton and a
//   dense Jacobian by differences.
//
// f of a mechanism are its velocities and the accelerations of the formulation (index-1 solve,
// null-space projection, Baumgarte, or none in minimal coordinates). Errors are weighted by
// tol (1 + |y|); output points are stop times, so that they are hit by steps and not interpolated.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"

#ifdef DAEMARK_SUNDIALS
#include <cvode/cvode.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include "methods/external/sundials.hpp"
#endif

namespace daemark {
namespace {

#ifdef DAEMARK_SUNDIALS
using namespace sundials;

class CvodeStepper final : public OdeStepper {
 public:
  CvodeStepper(const Target<double>& target, double tol, bool adams)
      : OdeStepper(target), tol_(tol), adams_(adams) {}
  ~CvodeStepper() override {
    CVodeFree(&memory_);
    if (fixed_point_) SUNNonlinSolFree(fixed_point_);
  }

 private:
  void begin() override {
    OdeStepper::begin();
    if (memory_) {
      CVodeReInit(memory_, state_.t, y_);
      return;
    }
    memory_ = CVodeCreate(adams_ ? CV_ADAMS : CV_BDF, context_);
    if (!memory_) throw std::bad_alloc();
    CVodeInit(memory_, rates, state_.t, y_);
    DAEMARK_SILENT(CVode);
    CVodeSetUserData(memory_, static_cast<OdeStepper*>(this));
    CVodeSStolerances(memory_, tol_, tol_);
    CVodeSetMaxNumSteps(memory_, most_steps);
    if (adams_) {
      fixed_point_ = SUNNonlinSol_FixedPoint(y_, 0, context_);
      CVodeSetNonlinearSolver(memory_, fixed_point_);
    } else {
      matrix_ = Matrix(SUNDenseMatrix(size(), size(), context_));
      solver_ = LinearSolver(SUNLinSol_Dense(y_, matrix_, context_));
      CVodeSetLinearSolver(memory_, solver_, matrix_);
    }
  }
  int advance_to(double end) override {
    CVodeSetStopTime(memory_, end);
    double reached = 0;
    return CVode(memory_, end, y_, &reached, CV_NORMAL);
  }
  void read_counts(Counts& c) const override {
    long inner = 0, failures = 0;
    CVodeGetNumSteps(memory_, &c.steps);
    CVodeGetNumRhsEvals(memory_, &c.residual_evals);
    CVodeGetNumErrTestFails(memory_, &c.rejected_steps);
    CVodeGetNumNonlinSolvIters(memory_, &c.newton_iterations);
    CVodeGetNumNonlinSolvConvFails(memory_, &failures);
    c.failed_solves = failures;
    c.factorizations = c.residual_evals;  // each an index-1 solve
    if (adams_) return;
    CVodeGetNumLinRhsEvals(memory_, &inner);  // those of Jacobians, which are counted in them alone
    c.residual_evals += inner;
    CVodeGetNumLinSolvSetups(memory_, &inner);
    c.factorizations = c.residual_evals + inner;
  }
  std::int64_t lu_pairs() const override {
    if (adams_) return 0;
    long factorizations = 0, solves = 0;
    CVodeGetNumLinSolvSetups(memory_, &factorizations);
    CVodeGetNumNonlinSolvIters(memory_, &solves);
    return dense_pairs(factorizations, solves);
  }

  double tol_;
  bool adams_;
  void* memory_ = nullptr;
  SUNNonlinearSolver fixed_point_ = nullptr;
  Matrix matrix_;
  LinearSolver solver_;
};
#endif

}  // namespace

void register_cvode(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "cvode";
  info.kind = "external";
  info.summary =
      std::string("SUNDIALS CVODE: variable order and step, Adams or BDF, on an ODE form") +
      without_library(has_sundials);
  info.parameters = {tolerance_parameter(),
                     {"formula", Parameter::Type::word, "adams", "adams | bdf"}};
  info.examples = {"cvode(1e-6)", "cvode(1e-6,bdf)"};
  info.source = {"hindmarsh2005", "CVODE"};
  registry.add(info, [](const Arguments& arguments) {
    [[maybe_unused]] const double tol = tolerance(arguments, "cvode");
    [[maybe_unused]] const bool adams = arguments.word("formula", {"adams", "bdf"}) == "adams";
    ExternalSolver solver;
    solver.settings = adams
                          ? "Adams-Moulton, orders 1 to 12, fixed-point iteration"
                          : "backward differentiation, orders 1 to 5, Newton with a dense Jacobian "
                            "by differences";
#ifdef DAEMARK_SUNDIALS
    solver.make = [tol, adams](const Target<double>& target) {
      return std::make_unique<CvodeStepper>(target, tol, adams);
    };
#endif
    return external_method(std::move(solver));
  });
}

}  // namespace daemark
