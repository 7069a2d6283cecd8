#include "methods/runge_kutta/runge_kutta.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear/dense_solve.hpp"
#include "methods/core/estimate_order.hpp"
#include "methods/runge_kutta/runge_kutta_stepper.hpp"

namespace daemark {

bool is_stiffly_accurate(const WideTableau& t) {
  const int s = t.stages();
  for (int j = 0; j < s; ++j)
    if (t.A[s - 1][j] != t.b[j]) return false;
  return t.c[s - 1] == 1;
}

bool is_explicit(const WideTableau& t) {
  for (int i = 0; i < t.stages(); ++i)
    for (int j = i; j < t.stages(); ++j)
      if (t.A[i][j] != 0) return false;
  return true;
}

bool has_explicit_first_stage(const WideTableau& t) {
  for (const wide& a : t.A[0])
    if (a != 0) return false;
  return t.c[0] == 0;
}

bool has_inner_explicit_stage(const WideTableau& t) {
  for (int i = 1; i < t.stages(); ++i) {
    bool implicit = false;
    for (int j = i; j < t.stages(); ++j) implicit = implicit || t.A[i][j] != 0;
    // A zero diagonal is harmless inside a coupled block, where an earlier stage refers to i.
    for (int k = 0; k < i; ++k) implicit = implicit || t.A[k][i] != 0;
    if (!implicit) return true;
  }
  return false;
}

bool is_implicit_part_regular(const WideTableau& t) {
  const int first = has_explicit_first_stage(t) ? 1 : 0, n = t.stages() - first;
  if (n == 0) return false;
  std::vector<std::vector<wide>> inner(n);
  for (int i = 0; i < n; ++i) inner[i].assign(t.A[i + first].begin() + first, t.A[i + first].end());
  // Singular where what elimination at 130 digits leaves of a column is round-off.
  const auto pivot = [](const auto& a, std::size_t k) {
    const auto size = [](const wide& x) { return wide(abs(x)); };
    const std::size_t row = largest_pivot(size)(a, k);
    return size(a[row][k]) < wide("1e-90") ? a.size() : row;
  };
  std::vector<wide> unused(n);
  return solve_dense(inner, unused, pivot);
}

LeadingErrorTerm leading_error(const WideTableau& t) {
  constexpr double zero = 1e-9;  // relative; a smaller constant only makes the order look higher
  const int s = t.stages();
  std::vector<double> powers(s, 1.0), chain(s, 1.0), next(s);
  double factorial = 1;  // of j
  for (int j = 1; j <= 2 * s + 1; ++j) {
    factorial *= j;
    double quadrature = 0, linear = 0;  // j Σ b c^(j−1) and j! bᵀA^(j−1)1, over j! each
    for (int i = 0; i < s; ++i)
      quadrature += to_double(t.b[i]) * powers[i], linear += to_double(t.b[i]) * chain[i];
    const double missed = std::max(std::abs(j * quadrature - 1), std::abs(factorial * linear - 1));
    if (missed > zero) return {j - 1, missed / factorial};
    for (int i = 0; i < s; ++i) {
      powers[i] *= to_double(t.c[i]);
      next[i] = 0;
      for (int k = 0; k < s; ++k) next[i] += to_double(t.A[i][k]) * chain[k];
    }
    std::swap(chain, next);
  }
  return {2 * s + 1, 0};
}

namespace {

template <class T>
Tableau<T> block_tableau(const Block<T>& block) {
  const int r = block.size();
  Tableau<T> t;
  t.A.assign(r + 1, std::vector<T>(r + 1, T(0)));
  t.c.push_back(T(0));
  for (int i = 0; i < r; ++i) {
    t.c.push_back(block.nodes[i]);
    t.A[i + 1][0] = block.d[i];
    for (int j = 0; j < r; ++j) t.A[i + 1][j + 1] = block.B[i][j];
  }
  t.b = t.A[r];
  return t;
}

}  // namespace

WideTableau as_tableau(const WideBlock& block) { return block_tableau(block); }
Tableau<rational> as_tableau(const Block<rational>& block) { return block_tableau(block); }

namespace {

/// The highest q, up to the number of stages, with Σ_j a_ij c_j^(q−1) = c_i^q/q on every stage.
int stage_order(const WideTableau& t) {
  for (int q = 1; q <= t.stages(); ++q)
    for (int i = 0; i < t.stages(); ++i) {
      wide sum = -pow(t.c[i], q) / q;
      for (int j = 0; j < t.stages(); ++j)
        sum += t.A[i][j] * (q == 1 ? wide(1) : wide(pow(t.c[j], q - 1)));
      if (abs(sum) > wide(1e-12)) return q - 1;
    }
  return t.stages();
}

class RungeKuttaMethod final : public MethodOf<RungeKuttaMethod> {
 public:
  RungeKuttaMethod(RungeKuttaForm form, Family family)
      : MethodOf(with_interpolant(std::move(form)), std::move(family)),
        form_(*as<RungeKuttaForm>()),
        explicit_(daemark::is_explicit(form_.tableau)),
        regular_(is_implicit_part_regular(form_.tableau)),
        estimate_order_(order_of_difference(form_.tableau)) {}

  int cost_stages() const override {
    const int s = form_.tableau.stages();
    return !explicit_ && has_explicit_first_stage(form_.tableau) ? s - 1 : s;
  }
  bool is_explicit() const override { return explicit_; }
  int estimate_order() const override { return estimate_order_; }
  /// Of quadrature and linear equations, where that is less than the estimate's (tr_bdf2).
  int error_order() const override {
    return std::min(estimate_order_, leading_error(form_.tableau).order);
  }
  /// Stage order c: errors h^(c+1) on index 2 (Hairer, Lubich & Roche 1989), of v h^c on index 3
  /// (Jay 1995); multipliers of order c + 2 − index enter the estimate times h^(index − 1).
  ControlOrders control_orders(int index) const override {
    const ControlOrders plain{estimate_order(), error_order()};
    if (index < 2) return plain;
    const int c = stage_order(form_.tableau);
    return {std::min(plain.estimate, c + 1), std::min(plain.error, c + 3 - index)};
  }

  std::string control_refusal(const SystemTraits& system) const override {
    // What two formulas of the same stages differ by then falls with h alone: 30 times the steps of
    // index 1 (sdirk_4, two_link to 1 s at 1e-6).
    if (system.index >= 2 && estimate_order_ > 0 && stage_order(form_.tableau) < 2)
      return "its stages have order 1, by which its step-size control takes tiny steps on index 2 "
             "and 3; accepted: index 1, or a method of stage order 2 such as esdirk_4_3_6l, "
             "radau_iia(3)";
    return Method::control_refusal(system);
  }

  std::string refusal(const SystemTraits& system) const override {
    if (system.index > 0 && !system.full_rank && !explicit_) return refusals::redundant;
    if (system.index <= 1) return "";
    const std::string accepted =
        formulation_ids([](const FormulationInfo& info) { return info.index <= 1; });
    if (explicit_) return "an explicit method determines no constraint; accepted: " + accepted;
    if (has_inner_explicit_stage(form_.tableau))
      return "it has an explicit stage after the first, which no constraint determines; "
             "accepted: " +
             accepted;
    if (!regular_)
      return std::string(form_.block ? "its matrix B" : "the implicit part of its matrix A") +
             " is singular, so the constraints do not determine the stages; accepted: " + accepted;
    return "";
  }

  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if (is_exact<S> && !form_.exact) return nullptr;
    return std::make_unique<RungeKuttaStepper<S>>(form_, target, settings);
  }

  bool solves_end_rates() const override {
    if (!is_stiffly_accurate(form_.tableau)) return true;
    return has_explicit_first_stage(form_.tableau) && !form_.first_same_as_last;
  }

 private:
  static RungeKuttaForm with_interpolant(RungeKuttaForm form) {
    form.interpolant_order = order_of_interpolant(form.tableau);
    return form;
  }
  const RungeKuttaForm& form_;
  bool explicit_, regular_;
  int estimate_order_;
};

}  // namespace

RungeKuttaForm runge_kutta_form(const Coefficients& tableau) {
  return {tableau_of<wide>(tableau), true, rational_tableau(tableau), tableau};
}

std::shared_ptr<const Method> runge_kutta_method(RungeKuttaForm form, Family family) {
  return std::make_shared<RungeKuttaMethod>(std::move(form), std::move(family));
}

}  // namespace daemark
