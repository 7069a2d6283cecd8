// The boundary of daemark.h: nothing is thrown across it, and arguments are checked before they are
// used. What is not finite is looked for only where results are not, so that checks cost nothing.
#pragma GCC visibility push(default)
#include "bindings/c/daemark.h"
#pragma GCC visibility pop

#include <cmath>
#include <initializer_list>
#include <string>

#include "bindings/c/open_problem.hpp"

/// The opaque handle.
struct daemark_problem : daemark::OpenProblem {
  using OpenProblem::OpenProblem;
};

namespace {

using daemark::NamedUnit;
using namespace daemark::c;

int no_handle(const char* where) {
  return refuse(DAEMARK_BAD_INPUT,
                std::string(where) + ": the problem is NULL; accepted: what daemark_open returned");
}

constexpr const char* out_of_reach =
    "values are infinite or not a number here; accepted: another point, of rotations a turn below "
    "171 degrees from the start";

/// "t is not a number"; empty where it is one.
std::string not_finite(const char* what, double value) {
  if (std::isfinite(value)) return "";
  return std::string(what) + (std::isnan(value) ? " is not a number" : " is infinite") +
         "; accepted: finite numbers";
}

/// Whether all is finite, or what is not: the first input, also one that no equation contains, else
/// the point.
int judge(const char* where, bool finite, const std::initializer_list<std::string>& inputs) {
  for (const std::string& input : inputs)
    if (!input.empty()) return refuse(DAEMARK_BAD_INPUT, std::string(where) + ": " + input);
  if (finite) return DAEMARK_DONE;
  return refuse(DAEMARK_NOT_FINITE, std::string(where) + ": " + out_of_reach);
}

int judge_point(const char* where, bool finite, const daemark_problem* p, double t, double cj,
                const double* y, const double* yp) {
  const int n = p->size();
  return judge(where, finite,
               {p->not_finite(y, 0, n, "y"), p->not_finite(yp, 0, n, "y'"), not_finite("t", t),
                not_finite("cj", cj)});
}

const char* named(const std::vector<NamedUnit>& all, int number, const char** unit) {
  if (number < 0 || number >= static_cast<int>(all.size())) {
    refuse(DAEMARK_BAD_INPUT,
           "name of component " + std::to_string(number) +
               "; accepted: " + (all.empty() ? "none" : "0 to " + std::to_string(all.size() - 1)));
    return nullptr;
  }
  if (unit != nullptr) *unit = all[number].unit.c_str();
  return all[number].name.c_str();
}

}  // namespace

const char* daemark_version(void) { return DAEMARK_VERSION; }

const char* daemark_last_error(void) { return last_error.c_str(); }

daemark_problem* daemark_open(const char* problem, const char* formulation) {
  daemark_problem* opened = nullptr;
  if (problem == nullptr || formulation == nullptr) {
    refuse(DAEMARK_BAD_INPUT,
           "daemark_open: a text is NULL; accepted: a problem and a formulation");
    return nullptr;
  }
  free_multiprecision_at_thread_end();
  guarded("daemark_open", [&] {
    opened = new daemark_problem(problem, formulation);
    return DAEMARK_DONE;
  });
  return opened;
}

void daemark_close(daemark_problem* p) { delete p; }

int daemark_sizes(const daemark_problem* p, int* n_q, int* n_lambda, int* n_y) {
  if (p == nullptr) return no_handle("daemark_sizes");
  if (n_q != nullptr) *n_q = p->coordinates();
  if (n_lambda != nullptr) *n_lambda = p->constraints();
  if (n_y != nullptr) *n_y = p->size();
  return DAEMARK_DONE;
}

const char* daemark_name(const daemark_problem* p, int component, const char** unit) {
  if (p == nullptr) return no_handle("daemark_name"), nullptr;
  return named(p->components(), component, unit);
}

int daemark_kinds(const daemark_problem* p, int* differential, int* index) {
  if (p == nullptr) return no_handle("daemark_kinds");
  p->kinds(differential, index);
  return DAEMARK_DONE;
}

int daemark_initial(daemark_problem* p, double* t, double* y, double* yp) {
  if (p == nullptr) return no_handle("daemark_initial");
  return guarded("daemark_initial", [&] {
    if (p->initial(t, y, yp)) return DAEMARK_DONE;
    return refuse(DAEMARK_SINGULAR, "daemark_initial: the start is singular");
  });
}

int daemark_residual(daemark_problem* p, double t, const double* y, const double* yp, double* r) {
  if (p == nullptr) return no_handle("daemark_residual");
  if (y == nullptr || yp == nullptr || r == nullptr)
    return missing("daemark_residual", y == nullptr ? "y" : yp == nullptr ? "yp" : "r");
  return guarded("daemark_residual", [&] {
    return judge_point("daemark_residual", p->residual(t, y, yp, r), p, t, 0, y, yp);
  });
}

int daemark_jacobian_nnz(const daemark_problem* p, int* nnz) {
  if (p == nullptr) return no_handle("daemark_jacobian_nnz");
  if (nnz == nullptr) return missing("daemark_jacobian_nnz", "nnz");
  *nnz = p->jacobian_entries();
  return DAEMARK_DONE;
}

int daemark_jacobian(daemark_problem* p, double t, double cj, const double* y, const double* yp,
                     int* colptr, int* rowind, double* values) {
  if (p == nullptr) return no_handle("daemark_jacobian");
  if (y == nullptr || yp == nullptr || values == nullptr)
    return missing("daemark_jacobian", y == nullptr ? "y" : yp == nullptr ? "yp" : "values");
  return guarded("daemark_jacobian", [&] {
    return judge_point("daemark_jacobian", p->jacobian(t, cj, y, yp, colptr, rowind, values), p, t,
                       cj, y, yp);
  });
}

namespace {

/// What all functions of (t, q, v) share; `work` returns false where a result is not finite.
template <class Work>
int at_state(const char* where, daemark_problem* p, double t, const double* q, const double* v,
             Work&& work) {
  if (p == nullptr) return no_handle(where);
  if (q == nullptr || v == nullptr) return missing(where, q == nullptr ? "q" : "v");
  return guarded(where, [&] {
    const bool finite = work();
    const int n = p->coordinates();
    return judge(where, finite,
                 {p->not_finite(q, 0, n, "q"), p->not_finite(v, n, n, "v"), not_finite("t", t)});
  });
}

}  // namespace

int daemark_mechanics(daemark_problem* p, double t, const double* q, const double* v, double* M,
                      double* f, double* Phi, double* G, double* Gdot_v) {
  return at_state("daemark_mechanics", p, t, q, v,
                  [&] { return p->mechanics(t, q, v, M, f, Phi, G, Gdot_v); });
}

int daemark_constraints(daemark_problem* p, double t, const double* q, const double* v,
                        const double* a, double* Phi, double* Phi_dot, double* Phi_ddot) {
  return at_state("daemark_constraints", p, t, q, v,
                  [&] { return p->levels(t, q, v, a, Phi, Phi_dot, Phi_ddot); });
}

int daemark_accelerations(daemark_problem* p, double t, const double* q, const double* v, double* a,
                          double* lambda) {
  const int code = at_state("daemark_accelerations", p, t, q, v,
                            [&] { return p->accelerations(t, q, v, a, lambda); });
  // Finite inputs: the solve itself failed.
  if (code != DAEMARK_NOT_FINITE) return code;
  return refuse(DAEMARK_SINGULAR,
                "daemark_accelerations: [M G^T; G 0] is singular here; accepted: another point");
}

int daemark_energy(daemark_problem* p, double t, const double* q, const double* v, double* kinetic,
                   double* potential) {
  return at_state("daemark_energy", p, t, q, v,
                  [&] { return p->energy(t, q, v, kinetic, potential); });
}

int daemark_output_count(const daemark_problem* p, int* count) {
  if (p == nullptr) return no_handle("daemark_output_count");
  if (count == nullptr) return missing("daemark_output_count", "count");
  *count = static_cast<int>(p->outputs().size());
  return DAEMARK_DONE;
}

const char* daemark_output_name(const daemark_problem* p, int output, const char** unit) {
  if (p == nullptr) return no_handle("daemark_output_name"), nullptr;
  return named(p->outputs(), output, unit);
}

int daemark_outputs(daemark_problem* p, double t, const double* q, const double* v, double* out) {
  if (p != nullptr && out == nullptr && !p->outputs().empty())
    return missing("daemark_outputs", "out");
  return at_state("daemark_outputs", p, t, q, v, [&] { return p->outputs(t, q, v, out); });
}

int daemark_reference_size(const daemark_problem* p, int* n_ref) {
  if (p == nullptr) return no_handle("daemark_reference_size");
  if (n_ref == nullptr) return missing("daemark_reference_size", "n_ref");
  *n_ref = p->reference_coordinates();
  return DAEMARK_DONE;
}

const char* daemark_reference_name(const daemark_problem* p, int component, const char** unit) {
  if (p == nullptr) return no_handle("daemark_reference_name"), nullptr;
  return named(p->reference_components(), component, unit);
}

int daemark_to_reference(daemark_problem* p, const double* q, const double* v, double* q_ref,
                         double* v_ref) {
  if (q_ref == nullptr || v_ref == nullptr)
    return missing("daemark_to_reference", q_ref == nullptr ? "q_ref" : "v_ref");
  return at_state("daemark_to_reference", p, 0, q, v,
                  [&] { return p->to_reference(q, v, q_ref, v_ref); });
}

int daemark_reference(daemark_problem* p, double t, double* q, double* v, double* lambda,
                      int* digits) {
  if (p == nullptr) return no_handle("daemark_reference");
  if (const std::string t_is = not_finite("t", t); !t_is.empty())
    return refuse(DAEMARK_BAD_INPUT, "daemark_reference: " + t_is);
  free_multiprecision_at_thread_end();
  return guarded("daemark_reference", [&] {
    const int found = p->reference(t, q, v, lambda);
    if (digits != nullptr) *digits = found;
    return DAEMARK_DONE;
  });
}

int daemark_sensitivity(daemark_problem* p, const char* parameter, double t, double* dq, double* dv,
                        double* dlambda, int* digits) {
  if (p == nullptr) return no_handle("daemark_sensitivity");
  if (parameter == nullptr) return missing("daemark_sensitivity", "parameter");
  if (const std::string t_is = not_finite("t", t); !t_is.empty())
    return refuse(DAEMARK_BAD_INPUT, "daemark_sensitivity: " + t_is);
  free_multiprecision_at_thread_end();
  return guarded("daemark_sensitivity", [&] {
    const int found = p->sensitivity(parameter, t, dq, dv, dlambda);
    if (digits != nullptr) *digits = found;
    return DAEMARK_DONE;
  });
}

const char* daemark_digest(const daemark_problem* p) {
  if (p == nullptr) return no_handle("daemark_digest"), nullptr;
  return p->digest().c_str();
}
