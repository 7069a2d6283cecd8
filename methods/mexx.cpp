// mexx(columns, basis): extrapolation of half-explicit Euler or midpoint steps on index 2, after
// Lubich's code MEXX [lubich1991].
//
// Column j makes n_j substeps η = h/n_j. basis=euler, n_j = j, as the code:
//
//   q⁺ = q + ηv,  M(q⁺)(v⁺ − v)/η + Gᵀ(q⁺)λ⁺ = f(t, q, v),  Φ̇(t + η, q⁺, v⁺) = 0;
//
// basis=midpoint, n_j = 2j, the symmetric variant [hairer1996, VII.6 (6.18)]:
//
//   q_1 = q_0 + ηv_0, v_1 = v_0 + ηa_0;  q_{i+1} = q_{i−1} + 2ηv_i, v_{i+1} = v_{i−1} + 2ηa_i
//   M(q_i)a_i + Gᵀ(q_i)λ_i = f(t_i, q_i, v_i),  Φ̇(t_{i+1}, q_{i+1}, v_{i+1}) = 0,  i = 0..n_j
//   (q, v) = (y_{n−1} + 2y_n + y_{n+1})/4, λ = λ_n, v̇ = a_n.
//
// q, v, v̇ and λ are extrapolated in powers of η (euler) or η²: with k columns order k or 2k in q
// and v. Then (q, v) go onto Φ = 0 and Φ̇ = 0, nearest in Settings::project's metric. Estimate: the
// last difference of the table's last row. control.order=varied: k − 1, k or k + 1 columns by work
// a unit of time, as in ODEX [hairer1993, II.9].
//
// Departures: the sequence n_j, which the code's driver holds, could not be read; its further
// variables (forces with states of their own, λ in f) have no place in a mechanism here.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "methods/catalogue/registry.hpp"
#include "methods/half_explicit/half_explicit.hpp"
#include "methods/loop/error_size.hpp"
#include "methods/projection/least_change.hpp"
#include "methods/stages/state_stepper.hpp"

namespace daemark {
namespace {

constexpr int most_columns = 12, fewest_varied = 2;  // one has no estimate

struct Extrapolation {
  int columns;
  bool midpoint;
  int substeps(int column) const { return midpoint ? 2 * column : column; }
  int solves(int column) const { return midpoint ? 2 * column + 1 : column; }
  /// Linear systems of the first columns: what a step costs.
  int work(int columns_used) const {
    int sum = 0;
    for (int j = 1; j <= columns_used; ++j) sum += solves(j);
    return sum;
  }
  /// The power of h with which the difference in the last column falls; 0: there is none.
  int estimate_order(int columns_used) const {
    if (columns_used < fewest_varied) return 0;
    return midpoint ? 2 * columns_used - 1 : columns_used;
  }
};

template <class S>
class ExtrapolationStepper final : public OneStateStepper<S> {
  using OneStateStepper<S>::target_, OneStateStepper<S>::state_, OneStateStepper<S>::next_,
      OneStateStepper<S>::own_, OneStateStepper<S>::next_own_;

 public:
  ExtrapolationStepper(const Extrapolation& form, const Target<S>& target, const Settings& settings)
      : OneStateStepper<S>(target),
        form_(form),
        mechanism_(*target.mechanism),
        n_(mechanism_.coordinates()),
        m_(mechanism_.constraints()),
        varies_(settings.control.vary_order),
        size_(3 * n_ + m_),
        error_size_(target, settings.control),
        solve_(mechanism_),
        projection_(mechanism_, settings.project.mass_metric),
        table_(most_columns + 1, std::vector<S>(size_)),
        next_row_(size_),
        substep_(size_),
        before_(2 * n_),
        difference_(target.system->size(), S(0)) {}

  StepAdvice advice() const override { return advice_; }
  double first_step(double span) override {
    ++this->counts_.residual_evals, ++this->counts_.factorizations;
    return automatic_first_step(state_, target_, error_size_, form_.estimate_order(columns()),
                                span);
  }
  bool projects() const override { return true; }

  StepReport attempt(const S& h) override {
    this->set_time(h);
    const int last = columns();
    for (int j = 1; j <= last; ++j) {
      const StepReport report = form_.midpoint ? midpoint(j, h) : euler(j, h);
      if (report.status != Status::ok) return report;
      extrapolate(j);
      if (j > 1 && j >= last - 1) errors_[j] = last_difference(j);
    }
    estimate();
    return finish();
  }

 private:
  void begin_run(const S&) override { own_.assign(1, S(form_.columns)); }
  int columns() const { return static_cast<int>(to_double(own_[0])); }  ///< of the table
  MotionPoint<S> at(const S& t, const S* qv) const {
    return {t, qv, qv + n_, nullptr, nullptr, state_.chart.data()};
  }
  /// The time i substeps after the beginning; the last one is the step end.
  S time(int i, int substeps, const S& eta) const {
    return i == substeps ? next_.t : S(state_.t + S(i) * eta);
  }

  /// substep_ = (q, v, a, λ) at the step end.
  StepReport euler(int column, const S& h) {
    const int count = form_.substeps(column);
    const S eta = h / S(count);
    S *const q = substep_.data(), *const v = q + n_, *const a = v + n_, *const lambda = a + n_;
    std::copy_n(state_.y.begin(), 2 * n_, q);
    for (int i = 0; i < count; ++i) {
      solve_.force(at(time(i, count, eta), q), this->counts_);
      for (int k = 0; k < n_; ++k) q[k] += eta * v[k];
      solve_.motion(at(time(i + 1, count, eta), q), eta, this->counts_);
      const StepReport report = solve_.solve(a, lambda, this->counts_);
      if (report.status != Status::ok) return report;
      for (int k = 0; k < n_; ++k) v[k] += eta * a[k];
    }
    return {};
  }

  StepReport midpoint(int column, const S& h) {
    const int count = form_.substeps(column);
    const S eta = h / S(count);
    S *const now = substep_.data(), *const v = now + n_, *const a = v + n_, *const lambda = a + n_;
    std::copy_n(state_.y.begin(), 2 * n_, now);
    std::copy_n(now, 2 * n_, before_.begin());
    for (int i = 0; i <= count; ++i) {
      const S step = i == 0 ? eta : S(S(2) * eta);
      const MotionPoint<S> here = at(time(i, count, eta), now);
      if (i > 0 && m_ > 0)
        solve_.dynamics_there(here, this->counts_);
      else
        solve_.dynamics(here, this->counts_);
      for (int k = 0; k < n_; ++k) before_[k] += step * v[k];
      solve_.constraint(at(time(i + 1, count, eta), before_.data()), step, this->counts_);
      const StepReport report = solve_.solve(a, lambda, this->counts_);
      if (report.status != Status::ok) return report;
      for (int k = 0; k < n_; ++k) before_[n_ + k] += step * a[k];
      if (i == count) {
        for (int k = 0; k < 2 * n_; ++k)  // (y_{n−1} + 2y_n + y_{n+1})/4
          now[k] = (S(2) * now[k] + before_[k] + before_[k] - step * now[n_ + k]) / S(4);
        return {};
      }
      std::swap_ranges(before_.begin(), before_.end(), now);
    }
    return {};
  }

  /// Row `column` of the table, its last entry in table_[column]: Aitken and Neville.
  void extrapolate(int column) {
    std::swap(next_row_, substep_);
    for (int l = 1; l < column; ++l) {
      const S ratio = S(form_.substeps(column)) / S(form_.substeps(column - l));
      const S factor = S(1) / ((form_.midpoint ? S(ratio * ratio) : ratio) - S(1));
      std::vector<S>& before = table_[l];
      for (int k = 0; k < size_; ++k) {
        const S better = next_row_[k] + factor * (next_row_[k] - before[k]);
        before[k] = next_row_[k];
        next_row_[k] = better;
      }
    }
    std::copy(next_row_.begin(), next_row_.end(), table_[column].begin());
  }

  /// Of the row of the table that is complete.
  double last_difference(int column) {
    for (int k = 0; k < 2 * n_; ++k) difference_[k] = table_[column][k] - table_[column - 1][k];
    return error_size_(difference_, state_.y);
  }

  void estimate() {
    advice_.error = errors_[columns()];
    advice_.order = form_.estimate_order(columns());
    advice_.caution = 1;
    next_own_[0] = own_[0];
    // A step that is rejected is made again with the columns it had: what others would allow must
    // not keep it as large as it was.
    if (varies_ && advice_.error <= 1) choose_columns();
  }

  /// By the steps that keep the errors, and the work a unit of time with them.
  void choose_columns() {
    const int k = columns();
    const auto step = [this](int columns) {
      return std::pow(std::max(errors_[columns], 1e-10), -1.0 / form_.estimate_order(columns));
    };
    const double here = step(k), work = form_.work(k) / here;
    if (k > fewest_varied) {
      const double lower = step(k - 1), lower_work = form_.work(k - 1) / lower;
      if (lower_work < 0.8 * work) {
        next_own_[0] = S(k - 1);
        advice_.caution = lower / here;
      }
      if (work > 0.9 * lower_work) return;
    }
    if (k == most_columns) return;
    next_own_[0] = S(k + 1);
    advice_.caution = static_cast<double>(form_.work(k + 1)) / form_.work(k);
  }

  StepReport finish() {
    const std::vector<S>& found = table_[columns()];
    S *const q = next_.y.data(), *const v = q + n_;
    double sum = 0;  // not finite if any entry is not
    for (const S& x : found) sum += std::fabs(to_double(x));
    if (!std::isfinite(sum)) return {Status::not_finite, "the state is not finite"};
    std::copy_n(found.begin(), 2 * n_, q);
    std::copy_n(&found[2 * n_], n_, &next_.rate[n_]);
    std::copy_n(found.begin() + 3 * n_, m_, v + n_);
    if (m_ > 0) {
      const S* const chart = state_.chart.data();
      const bool held = projection_.move_position(next_.t, q, v, chart, this->counts_) &&
                        projection_.move_velocity(next_.t, q, v, chart, this->counts_);
      if (!held)
        return {Status::newton_diverged, "the projection onto the constraints does not converge"};
    }
    std::copy_n(v, n_, next_.rate.begin());
    return {};
  }

  Extrapolation form_;
  MechanicalSystem<S>& mechanism_;
  int n_, m_;
  bool varies_;
  int size_;  ///< of (q, v, a, λ)
  ErrorSize<S> error_size_;
  ConstrainedSolve<S> solve_;
  LeastChange<S> projection_;
  std::vector<std::vector<S>> table_;
  std::vector<S> next_row_, substep_, before_, difference_;
  std::array<double, most_columns + 1> errors_{};  ///< by columns, in units of what is accepted
  StepAdvice advice_;
};

class ExtrapolationMethod final : public MethodOf<ExtrapolationMethod> {
 public:
  explicit ExtrapolationMethod(const Extrapolation& form) : form_(form) {}

  int cost_stages() const override { return form_.work(form_.columns); }
  bool is_explicit() const override { return true; }
  int estimate_order() const override { return form_.estimate_order(form_.columns); }
  bool varies_order() const override { return true; }
  std::optional<KnownOrders> known_orders(int index) const override {
    if (index != 2 && index != 0) return std::nullopt;
    const int p = form_.midpoint ? 2 * form_.columns : form_.columns;
    return KnownOrders{p, p, p, false, "extrapolation in powers of h (Lubich 1991)"};
  }

  std::string refusal(const SystemTraits& system) const override {
    if (!system.mechanism) return refusals::needs_mechanism;
    if ((system.index != 2 && system.index != 0) || !system.second_order)
      return "its substeps impose the constraints on velocities and integrate q' = v; accepted: " +
             formulation_ids([](const FormulationInfo& info) {
               return (info.index == 2 || info.index == 0) && info.second_order;
             });
    return system.index > 0 && !system.full_rank ? refusals::redundant : "";
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>& target, const Settings& settings) const {
    if constexpr (!is_exact<S>)
      if (target.mechanism)
        return std::make_unique<ExtrapolationStepper<S>>(form_, target, settings);
    return nullptr;
  }

 private:
  Extrapolation form_;
};

}  // namespace

void register_mexx(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "mexx";
  info.kind = "half-explicit extrapolation";
  info.summary = "extrapolated half-explicit Euler or midpoint steps on index 2";
  info.parameters = {{"columns", Type::integer, "5", fmt::format("integer 1..{}", most_columns)},
                     {"basis", Type::word, "euler", "euler | midpoint"}};
  info.examples = {"mexx", "mexx(4,midpoint)"};
  info.source = {"lubich1991", "[hairer1996], VII.6"};
  registry.add(info, [](const Arguments& arguments) {
    const int columns = static_cast<int>(arguments.integer("columns", 1, most_columns));
    const bool midpoint = arguments.word("basis", {"euler", "midpoint"}) == "midpoint";
    return std::make_shared<ExtrapolationMethod>(Extrapolation{columns, midpoint});
  });
}

}  // namespace daemark
