// arkode(tol, table): Runge–Kutta pairs of SUNDIALS' ARKODE (Reynolds et al. 2023) on ẏ = f(t, y).
//
//   Y_i = y_n + h Σ_j a_ij f(t_n + c_j h, Y_j),  y_{n+1} = y_n + h Σ b_i f(Y_i),  error h Σ (b_i −
//   b̂_i) f
//
// with ARKODE's own step-size control; explicit tables by ERKStep, diagonally implicit ones by
// ARKStep with Newton and a dense Jacobian by differences. f, weights and output points as in
// cvode.cpp. A table's name ends in stages, order of the embedded formula, order.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "methods/catalogue/registry.hpp"
#include "methods/external/external_method.hpp"

#ifdef DAEMARK_SUNDIALS
// SUNDIALS 7.1 has other names for the functions of 6.4, which it keeps.
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
#include <arkode/arkode_arkstep.h>
#include <arkode/arkode_erkstep.h>

#include "methods/external/sundials.hpp"
#endif

namespace daemark {
namespace {

struct TableName {
  const char* name;
  int stages;
  bool is_explicit;
};
constexpr TableName tables[] = {
    {"heun_euler_2_1_2", 2, true},       {"bogacki_shampine_4_2_3", 4, true},
    {"zonneveld_5_3_4", 5, true},        {"cash_karp_6_4_5", 6, true},
    {"fehlberg_6_4_5", 6, true},         {"dormand_prince_7_4_5", 7, true},
    {"verner_8_5_6", 8, true},           {"fehlberg_13_7_8", 13, true},
    {"sdirk_2_1_2", 2, false},           {"trbdf2_3_3_2", 3, false},
    {"ark324l2sa_dirk_4_2_3", 4, false}, {"sdirk_5_3_4", 5, false},
    {"kvaerno_5_3_4", 5, false},         {"ark436l2sa_dirk_6_3_4", 6, false},
    {"kvaerno_7_4_5", 7, false}};

std::vector<std::string> table_names() {
  std::vector<std::string> names;
  for (const TableName& table : tables) names.emplace_back(table.name);
  return names;
}

const TableName& table_of(const std::string& name) {
  return *std::find_if(std::begin(tables), std::end(tables),
                       [&](const TableName& table) { return table.name == name; });
}

#ifdef DAEMARK_SUNDIALS
using namespace sundials;

std::string library_name(const TableName& table) {
  std::string name = std::string("ARKODE_") + table.name;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return name;
}

/// As the library holds it: doubles.
std::vector<std::string> coefficients(const TableName& table) {
  const std::string name = library_name(table);
  const ARKodeButcherTable found = table.is_explicit
                                       ? ARKodeButcherTable_LoadERKByName(name.c_str())
                                       : ARKodeButcherTable_LoadDIRKByName(name.c_str());
  if (!found) return {name + ": not in this version of the library"};
  std::vector<std::string> lines = {
      fmt::format("{}: {} stages, order {}, embedded order {}; coefficients in double:", name,
                  found->stages, found->q, found->p)};
  const auto row = [&](const char* label, const double* values) {
    std::string line = label;
    for (int j = 0; j < found->stages; ++j) line += fmt::format(" {:.17g}", values[j]);
    lines.push_back(line);
  };
  for (int i = 0; i < found->stages; ++i)
    row(fmt::format("c = {:.17g} |", found->c[i]).c_str(), found->A[i]);
  row("b", found->b);
  if (found->d) row("b_hat", found->d);
  ARKodeButcherTable_Free(found);
  return lines;
}

using Table =
    std::unique_ptr<std::remove_pointer_t<ARKodeButcherTable>, void (*)(ARKodeButcherTable)>;

/// The explicit table as ERKStep of SUNDIALS 6.4 needs it. It takes the rates of a last stage at
/// c = 1 for those of the new state, which loses the order of a pair whose last stage is another
/// point, as Verner's and Fehlberg's. Such a table gets a stage more, the new state: the same
/// method at as many evaluations a step.
Table explicit_table(const std::string& name) {
  Table table(ARKodeButcherTable_LoadERKByName(name.c_str()), ARKodeButcherTable_Free);
  if (!table) return table;
  const int s = table->stages;
  const double* const last = table->A[s - 1];
  if (table->c[s - 1] != 1 || std::equal(last, last + s, table->b)) return table;
  std::vector<double> c(table->c, table->c + s), A, b(table->b, table->b + s),
      d(table->d, table->d + s);
  for (int i = 0; i < s; ++i) A.insert(A.end(), table->A[i], table->A[i] + s), A.push_back(0);
  A.insert(A.end(), b.begin(), b.end()), A.push_back(0);
  c.push_back(1), b.push_back(0), d.push_back(0);
  table.reset(
      ARKodeButcherTable_Create(s + 1, table->q, table->p, c.data(), A.data(), b.data(), d.data()));
  return table;
}

class ErkStepper final : public OdeStepper {
 public:
  ErkStepper(const Target<double>& target, double tol, const TableName& table)
      : OdeStepper(target), tol_(tol), table_(library_name(table)) {}
  ~ErkStepper() override { ERKStepFree(&memory_); }

 private:
  void begin() override {
    OdeStepper::begin();
    if (memory_) {
      ERKStepReInit(memory_, rates, state_.t, y_);
      return;
    }
    memory_ = ERKStepCreate(rates, state_.t, y_, context_);
    if (!memory_) throw std::bad_alloc();
    DAEMARK_SILENT(ERKStep);
    ERKStepSetUserData(memory_, static_cast<OdeStepper*>(this));
    ERKStepSetTable(memory_, explicit_table(table_).get());
    ERKStepSStolerances(memory_, tol_, tol_);
    ERKStepSetMaxNumSteps(memory_, most_steps);
  }
  int advance_to(double end) override {
    ERKStepSetStopTime(memory_, end);
    double reached = 0;
    return ERKStepEvolve(memory_, end, y_, &reached, ARK_NORMAL);
  }
  void read_counts(Counts& c) const override {
    ERKStepGetNumSteps(memory_, &c.steps);
    ERKStepGetNumRhsEvals(memory_, &c.residual_evals);
    ERKStepGetNumErrTestFails(memory_, &c.rejected_steps);
    c.factorizations = c.residual_evals;  // each an index-1 solve
  }

  double tol_;
  std::string table_;
  void* memory_ = nullptr;
};

class DirkStepper final : public OdeStepper {
 public:
  DirkStepper(const Target<double>& target, double tol, const TableName& table)
      : OdeStepper(target), tol_(tol), table_(library_name(table)) {}
  ~DirkStepper() override { ARKStepFree(&memory_); }

 private:
  void begin() override {
    OdeStepper::begin();
    if (memory_) {
      ARKStepReInit(memory_, nullptr, rates, state_.t, y_);
      return;
    }
    memory_ = ARKStepCreate(nullptr, rates, state_.t, y_, context_);
    if (!memory_) throw std::bad_alloc();
    DAEMARK_SILENT(ARKStep);
    ARKStepSetUserData(memory_, static_cast<OdeStepper*>(this));
    ARKStepSetTableName(memory_, table_.c_str(), "ARKODE_ERK_NONE");
    ARKStepSStolerances(memory_, tol_, tol_);
    ARKStepSetMaxNumSteps(memory_, most_steps);
    matrix_ = Matrix(SUNDenseMatrix(size(), size(), context_));
    solver_ = LinearSolver(SUNLinSol_Dense(y_, matrix_, context_));
    ARKStepSetLinearSolver(memory_, solver_, matrix_);
  }
  int advance_to(double end) override {
    ARKStepSetStopTime(memory_, end);
    double reached = 0;
    return ARKStepEvolve(memory_, end, y_, &reached, ARK_NORMAL);
  }
  void read_counts(Counts& c) const override {
    long of_explicit = 0, inner = 0;
    ARKStepGetNumSteps(memory_, &c.steps);
    ARKStepGetNumRhsEvals(memory_, &of_explicit, &c.residual_evals);
    ARKStepGetNumLinRhsEvals(memory_, &inner);  // those of Jacobians, counted in them alone
    c.residual_evals += inner;
    ARKStepGetNumErrTestFails(memory_, &c.rejected_steps);
    ARKStepGetNumNonlinSolvIters(memory_, &c.newton_iterations);
    ARKStepGetNumNonlinSolvConvFails(memory_, &c.failed_solves);
    ARKStepGetNumLinSolvSetups(memory_, &inner);
    c.factorizations = c.residual_evals + inner;
  }
  std::int64_t lu_pairs() const override {
    long factorizations = 0, solves = 0;
    ARKStepGetNumLinSolvSetups(memory_, &factorizations);
    ARKStepGetNumNonlinSolvIters(memory_, &solves);
    return dense_pairs(factorizations, solves);
  }

  double tol_;
  std::string table_;
  void* memory_ = nullptr;
  Matrix matrix_;
  LinearSolver solver_;
};
#endif

}  // namespace

bool is_of_other_version([[maybe_unused]] const std::string& call) {
#if defined(DAEMARK_SUNDIALS) && SUNDIALS_VERSION_MAJOR != 6
  return call.starts_with("arkode");
#else
  return false;
#endif
}

void register_arkode(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "arkode";
  info.kind = "external";
  info.summary = std::string("SUNDIALS ARKODE: an embedded Runge–Kutta pair on an ODE form") +
                 without_library(has_sundials);
  info.parameters = {tolerance_parameter(),
                     {"table", Parameter::Type::word, "dormand_prince_7_4_5",
                      fmt::format("{}", fmt::join(table_names(), " | "))}};
  info.examples = {"arkode(1e-6)", "arkode(1e-6,fehlberg_13_7_8)",
                   "arkode(1e-6,ark436l2sa_dirk_6_3_4)"};
  info.source = {"reynolds2023", "ARKODE"};
  registry.add(info, [](const Arguments& arguments) {
    [[maybe_unused]] const double tol = tolerance(arguments, "arkode");
    const TableName& table = table_of(arguments.word("table", table_names()));
    ExternalSolver solver;
    solver.stages = table.stages;
    solver.is_explicit = table.is_explicit;
    solver.settings = table.is_explicit ? "explicit pair, ERKStep"
                                        : "diagonally implicit pair, ARKStep, Newton with a dense "
                                          "Jacobian by differences";
#ifdef DAEMARK_SUNDIALS
    solver.details = coefficients(table);
    solver.make = [tol,
                   table](const Target<double>& target) -> std::unique_ptr<Integrator<double>> {
      if (table.is_explicit) return std::make_unique<ErkStepper>(target, tol, table);
      return std::make_unique<DirkStepper>(target, tol, table);
    };
#endif
    return external_method(std::move(solver));
  });
}

}  // namespace daemark
