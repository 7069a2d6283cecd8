#include "bindings/c/open_problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "analysis/reference/reference_store.hpp"
#include "analysis/variation/sensitivity.hpp"
#include "base/program/digest.hpp"
#include "base/text/bad_input.hpp"
#include "problems/files/mechanism_file.hpp"

namespace daemark {
namespace {

void write(const std::vector<real50>& from, double* to) {
  if (to != nullptr)
    std::transform(from.begin(), from.end(), to, [](const real50& x) { return to_double(x); });
}

constexpr ConstraintWeights<double> accelerations_only{0, 0, 1};

bool finite(const double* x, int count) {
  constexpr int lanes = 8;
  std::array<double, lanes> sums{};  // not finite if any entry is not; in lanes, or each would wait
  int i = 0;
  for (; i + lanes <= count; i += lanes)
    for (int k = 0; k < lanes; ++k) sums[k] += std::fabs(x[i + k]);
  for (; i < count; ++i) sums[0] += std::fabs(x[i]);
  double sum = 0;
  for (const double part : sums) sum += part;
  return std::isfinite(sum) || std::all_of(x, x + count, [](double y) { return std::isfinite(y); });
}

/// A formulation whose gains use h has no meaning without a step.
Formulation without_step(const std::string& text) {
  Formulation formulation = Formulation::parse(text);
  for (const Parameter& parameter : formulation.info.parameters) {
    if (parameter.type != Parameter::Type::real) continue;
    try {
      formulation.arguments.real(parameter.name).eval<double>();
    } catch (const BadInput&) {
      throw BadInput(
          fmt::format("formulation {}: {} is no number without a step; accepted: a real number",
                      formulation.name(), parameter.name));
    }
  }
  return formulation;
}

MechanicalPtr<double> mechanism_of(const Problem& problem, const Formulation& formulation) {
  if (formulation.info.minimal && !problem.has_minimal())
    throw BadInput(
        fmt::format("problem {} has no minimal form, accepted: {}", problem.name,
                    formulation_ids([](const FormulationInfo& i) { return !i.minimal; })));
  return problem.make<double>(formulation.info.minimal);
}

/// Of everything a handle's numbers depend on.
std::string digest_of(const Problem& problem, const Formulation& formulation) {
  constexpr std::size_t length = 32;
  return digest(problem.name + "\n" + formulation.name() + "\n" + model_digest(problem.name))
      .substr(0, length);
}

/// The call itself, or that of the mechanism which a file declares.
std::string call_of(const std::string& problem) {
  return problem.ends_with(".json") ? add_mechanism_file(problem, problem_registry()) : problem;
}

}  // namespace

OpenProblem::OpenProblem(const std::string& problem, const std::string& formulation)
    : problem_(problem_registry().make(call_of(problem))),
      formulation_(without_step(formulation)),
      mechanism_(mechanism_of(problem_, formulation_)),
      system_(formulate<double>(formulation_, mechanism_, wide(1))),
      index_one_(*mechanism_),
      n_(mechanism_->coordinates()),
      m_(mechanism_->constraints()),
      digest_(digest_of(problem_, formulation_)),
      chart_(mechanism_->chart_size()),
      zero_(std::max(n_, m_)),
      a_(n_),
      lambda_(m_),
      residual_(system_->unknowns()),
      mass_(mechanism_->mass_pattern().size()),
      gradient_(mechanism_->gradient_pattern().size()) {
  mechanism_->initial_chart(chart_.data());
  const auto& components = system_->components();
  for (int i = 0; i < system_->size(); ++i) {
    if (components[i].kind != Component::Kind::integral) continue;
    integral_.push_back(i), source_.push_back(components[i].source);
  }
  name_components();
  lay_out_jacobian();
}

void OpenProblem::name_components() {
  const auto add = [](std::vector<NamedUnit>& to, const std::vector<std::string>& ids,
                      const std::vector<std::string>& units) {
    for (std::size_t i = 0; i < ids.size(); ++i) to.push_back({ids[i], units[i]});
  };
  const auto add_state = [&](std::vector<NamedUnit>& to, const StateNames& names) {
    add(to, names.q, names.q_units);
    add(to, names.v, names.v_units);
    add(to, names.lambda, names.lambda_units);
  };
  add_state(components_, own_names(*mechanism_));
  for (int i = 2 * n_ + m_, row = 0; i < size(); ++i, ++row) {  // μ of q' = v − Gᵀμ
    const std::string& unit = mechanism_->constraint_units()[row];
    components_.push_back({system_->components()[i].name, unit == without_units ? "1"
                                                          : unit == "m"
                                                              ? "m/s"
                                                              : fmt::format("m^2/(s {})", unit)});
  }
  for (const OutputInfo& output : mechanism_->outputs())
    outputs_.push_back({output.id, output.unit});
  StateNames compared = state_names(problem_);
  const int n_ref = reference_coordinates();
  if (static_cast<int>(compared.q.size()) != n_ref) {  // a second model, compared as the first
    compared.q.clear(), compared.v.clear();
    for (int i = 1; i <= n_ref; ++i) {
      compared.q.push_back(fmt::format("reference_{}", i));
      compared.v.push_back(fmt::format("v_reference_{}", i));
    }
    compared.q_units.assign(n_ref, ""), compared.v_units.assign(n_ref, "");
  }
  add_state(reference_, compared);
}

/// Where every entry of ∂r/∂y and ∂r/∂ẏ, and of the rows q̇ − v, stands in columns.
void OpenProblem::lay_out_jacobian() {
  const int first = static_cast<int>(integral_.size());
  std::vector<std::pair<int, int>> wanted;  // column, row
  for (int k = 0; k < first; ++k) wanted.emplace_back(integral_[k], k);
  for (int k = 0; k < first; ++k) wanted.emplace_back(source_[k], k);
  for (const Pattern* pattern : {&system_->pattern_y(), &system_->pattern_rate()})
    for (const auto& [row, column] : pattern->entries) wanted.emplace_back(column, first + row);
  std::vector<std::pair<int, int>> places = wanted;
  std::sort(places.begin(), places.end());
  places.erase(std::unique(places.begin(), places.end()), places.end());
  column_starts_.assign(size() + 1, 0);
  for (const auto& [column, row] : places) {
    ++column_starts_[column + 1];
    row_indices_.push_back(row);
  }
  std::partial_sum(column_starts_.begin(), column_starts_.end(), column_starts_.begin());
  const auto* next = wanted.data();
  const auto take = [&](std::vector<int>& to, int count) {
    for (int i = 0; i < count; ++i, ++next) {
      const auto at = std::lower_bound(places.begin(), places.end(), *next);
      to.push_back(static_cast<int>(at - places.begin()));
    }
  };
  take(integral_places_, first);
  take(source_places_, first);
  take(y_places_, system_->pattern_y().size());
  take(rate_places_, system_->pattern_rate().size());
  jacobian_y_.resize(y_places_.size()), jacobian_rate_.resize(rate_places_.size());
}

void OpenProblem::kinds(int* differential, int* index) const {
  const int of_multipliers = std::max(1, formulation_.info.index);
  for (int i = 0; i < size(); ++i) {
    const bool algebraic = system_->components()[i].kind == Component::Kind::algebraic;
    if (differential != nullptr) differential[i] = algebraic ? 0 : 1;
    if (index == nullptr) continue;
    index[i] = algebraic ? of_multipliers : i < n_ ? 1 : std::max(1, of_multipliers - 1);
    const bool multiplier = algebraic && i < 2 * n_ + m_;
    if (multiplier && mechanism_->row_level(i - 2 * n_) == RowLevel::velocity)
      index[i] = std::min(2, of_multipliers);
  }
}

bool OpenProblem::initial(double* t, double* y, double* rate) {
  std::vector<double> own_y(size()), own_rate(size());
  const double start = problem_.start.eval<double>();
  mechanism_->initial(own_y.data(), own_y.data() + n_);
  const bool solved = system_->explicit_rates(own_y.data(), own_rate.data(), start, chart_.data());
  if (t != nullptr) *t = start;
  if (y != nullptr) std::copy(own_y.begin(), own_y.end(), y);
  if (rate != nullptr) std::copy(own_rate.begin(), own_rate.end(), rate);
  return solved;
}

bool OpenProblem::residual(double t, const double* y, const double* rate, double* r) {
  const int first = static_cast<int>(integral_.size());
  for (int k = 0; k < first; ++k) r[k] = rate[integral_[k]] - y[source_[k]];
  system_->evaluate({y, rate, t, chart_.data()}, r + first, nullptr, nullptr);
  return finite(r, size());
}

bool OpenProblem::jacobian(double t, double cj, const double* y, const double* rate, int* columns,
                           int* rows, double* values) {
  system_->evaluate({y, rate, t, chart_.data()}, residual_.data(), jacobian_y_.data(),
                    jacobian_rate_.data());
  if (columns != nullptr) std::copy(column_starts_.begin(), column_starts_.end(), columns);
  if (rows != nullptr) std::copy(row_indices_.begin(), row_indices_.end(), rows);
  std::fill_n(values, row_indices_.size(), 0.0);
  for (const int place : integral_places_) values[place] += cj;
  for (const int place : source_places_) values[place] -= 1;
  for (std::size_t i = 0; i < y_places_.size(); ++i) values[y_places_[i]] += jacobian_y_[i];
  for (std::size_t i = 0; i < rate_places_.size(); ++i)
    values[rate_places_[i]] += cj * jacobian_rate_[i];
  return finite(values, jacobian_entries());
}

bool OpenProblem::mechanics(double t, const double* q, const double* v, double* M, double* f,
                            double* Phi, double* G, double* curvature) {
  MotionValues<double> out;
  out.force = f, out.position = Phi, out.acceleration = curvature;
  out.mass = M != nullptr ? mass_.data() : nullptr;
  out.gradient = G != nullptr ? gradient_.data() : nullptr;
  MotionPoint<double> at = point(t, q, v);
  if (mechanism_->forces_of_multipliers()) {
    if (!accelerations(t, q, v, nullptr, nullptr)) return false;
    at.lambda = lambda_.data();
  }
  mechanism_->evaluate(at, accelerations_only, out);
  const auto spread = [this](const Pattern& pattern, const std::vector<double>& from, int rows,
                             double* to) {
    if (to == nullptr) return true;
    std::fill_n(to, rows * n_, 0.0);
    for (std::size_t i = 0; i < from.size(); ++i)
      to[pattern.entries[i].first * n_ + pattern.entries[i].second] += from[i];
    return finite(to, rows * n_);
  };
  const auto sound = [](const double* x, int count) { return x == nullptr || finite(x, count); };
  const bool matrices = spread(mechanism_->mass_pattern(), mass_, n_, M) &&
                        spread(mechanism_->gradient_pattern(), gradient_, m_, G);
  return matrices && sound(f, n_) && sound(Phi, m_) && sound(curvature, m_);
}

bool OpenProblem::levels(double t, const double* q, const double* v, const double* a,
                         double* position, double* velocity, double* acceleration) {
  MotionValues<double> out;
  out.position = position, out.velocity = velocity, out.acceleration = acceleration;
  MotionPoint<double> at = point(t, q, v);
  if (a != nullptr) at.a = a;
  if (m_ > 0 && out.constraints()) mechanism_->evaluate(at, accelerations_only, out);
  const auto sound = [this](const double* x) { return x == nullptr || finite(x, m_); };
  return sound(position) && sound(velocity) && sound(acceleration);
}

bool OpenProblem::accelerations(double t, const double* q, const double* v, double* a,
                                double* lambda) {
  if (!index_one_.solve(*mechanism_, point(t, q, v), accelerations_only, a_.data(), lambda_.data()))
    return false;
  if (a != nullptr) std::copy(a_.begin(), a_.end(), a);
  if (lambda != nullptr) std::copy(lambda_.begin(), lambda_.end(), lambda);
  return true;
}

bool OpenProblem::energy(double t, const double* q, const double* v, double* kinetic,
                         double* potential) {
  const MotionPoint<double> at = point(t, q, v);
  if (kinetic != nullptr) *kinetic = mechanism_->kinetic_energy(at);
  if (potential != nullptr) *potential = mechanism_->potential_energy(at);
  return (kinetic == nullptr || std::isfinite(*kinetic)) &&
         (potential == nullptr || std::isfinite(*potential));
}

bool OpenProblem::outputs(double t, const double* q, const double* v, double* out) {
  if (outputs_.empty()) return true;
  if (!accelerations(t, q, v, nullptr, nullptr)) return false;
  MotionPoint<double> at = point(t, q, v);
  at.a = a_.data(), at.lambda = lambda_.data();
  mechanism_->output_values(at, out);
  return finite(out, static_cast<int>(outputs_.size()));
}

bool OpenProblem::to_reference(const double* q, const double* v, double* q_ref, double* v_ref) {
  mechanism_->to_reference(point(0, q, v), q_ref, v_ref);
  return finite(q_ref, reference_coordinates()) && finite(v_ref, reference_coordinates());
}

int OpenProblem::sensitivity(const std::string& parameter, double t, double* q, double* v,
                             double* lambda) {
  const auto at = Expression::parse(fmt::format("{:.17g}", t), "t");
  const Sensitivity found = sensitivities(problem_, parameter, {at}).front();
  write(found.derivative.q, q), write(found.derivative.v, v);
  write(found.derivative.lambda, lambda);
  return found.agreed_digits;
}

int OpenProblem::reference(double t, double* q, double* v, double* lambda) {
  if (t < problem_.start.eval<double>()) return -1;
  if (problem_.closed_form) {
    constexpr int digits_of_real50 = 48;
    const int n = reference_coordinates(), m = problem_.make<double>()->constraints();
    std::vector<real50> at_q(n), at_v(n), at_lambda(m);
    problem_.closed_form(real50(t), at_q.data(), at_v.data(), at_lambda.data());
    write(at_q, q), write(at_v, v), write(at_lambda, lambda);
    return digits_of_real50;
  }
  const ReferenceStore store(problem_.name);
  for (const rational& time : store.published()) {
    if (static_cast<double>(time) != t || !store.is_published(time)) continue;
    const ReferenceState& state = store.find(time, standard_digits)->state;
    write(state.q, q), write(state.v, v), write(state.lambda, lambda);
    return state.agreed_digits;
  }
  return -1;
}

std::string OpenProblem::not_finite(const double* x, int from, int count, const char* what) const {
  for (int i = 0; i < count; ++i)
    if (!std::isfinite(x[i]))
      return fmt::format("{} of {} is {}; accepted: finite numbers", what,
                         components_[from + i].name,
                         std::isnan(x[i]) ? "not a number" : "infinite");
  return {};
}

}  // namespace daemark
