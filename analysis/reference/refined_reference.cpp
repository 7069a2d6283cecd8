#include "analysis/reference/refined_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "analysis/reference/taylor_reference.hpp"

namespace daemark {
namespace {

/// Digits that double can be hoped to give after some thousand steps.
constexpr int digits_of_double = 10;
/// Steps × unknowns of all sweeps of one route, some minutes: real50 costs sixty times more.
constexpr double most_work_double = 3e7, most_work_real50 = 1e6;
constexpr long first_steps = 16;
/// Sweeps without a digit more: round-off, or the asymptotic range is not reached.
constexpr int most_idle = 2;

int most_digits(Precision precision) { return precision == Precision::in_double ? 15 : 48; }

std::string described(const SweepRoute& route, long steps) {
  return fmt::format("{} on {} in {}, {} steps", route.method, route.formulation,
                     name_of(route.precision), steps);
}

bool full_rank(const MechanicalSystem<double>& mechanism) {
  return mechanism.rank() == mechanism.constraints();
}

/// Different order, different stability, different equations: nothing in common but the model.
/// Where constraints depend on each other the tangent space of flat coordinates is left.
std::array<SweepRoute, 2> routes_for(const MechanicalSystem<double>& mechanism,
                                     Precision precision) {
  if (full_rank(mechanism))
    return {
        SweepRoute{"gauss(6)", "index1", precision, {}},
        SweepRoute{"radau_iia(6)", mechanism.constraints() > 0 ? "ggl" : "index1", precision, {}}};
  if (mechanism.chart_size() > 0)
    throw TaylorFailure(
        "constraints depend on each other and rotations are on a chart, no two methods of high "
        "order take both");
  const auto tangent = [&](const char* inner) {
    return SweepRoute{
        fmt::format("tangent_space(inner={},form=null_space)", inner), "index3", precision, {}};
  };
  return {tangent("radau_iia(4)"), tangent("lobatto_iiic(4)")};
}

/// Sweeps that are foreseen, this one among them, where `missing` digits are not agreed on: both
/// methods gain three digits with twice the steps.
int rounds_for(int missing) { return std::max(1, (missing + 2) / 3); }

}  // namespace

Precision refined_precision(const Problem& problem, int digits) {
  const bool asked = problem.absolute.in_real50 && digits > digits_of_double;
  return asked && full_rank(*problem.make<double>()) ? Precision::in_real50 : Precision::in_double;
}

std::vector<ReferenceState> refined_reference(const Problem& problem,
                                              const std::vector<Expression>& times, int digits,
                                              const std::vector<Motion>& exact) {
  const auto mechanism = problem.make<double>();
  const Precision precision = refined_precision(problem, digits);
  const auto [one, other] = routes_for(*mechanism, precision);
  const BoundRun bound = bind_route(problem, one, times.back());
  std::optional<BoundRun> other_bound;
  if (exact.empty()) other_bound = bind_route(problem, other, times.back());
  const double unknowns = mechanism->coordinates() + mechanism->constraints();
  const double most_work = precision == Precision::in_double ? most_work_double : most_work_real50;
  std::vector<ReferenceState> states(times.size());
  const int reachable = std::min(digits, most_digits(precision) - 2);
  int idle = 0, rounds_left = rounds_for(reachable);
  double work = 0;
  SweepShares shares;
  const int routes = other_bound ? 2 : 1;
  for (long total = first_steps; idle < most_idle && work + total * unknowns <= most_work;
       total *= 2) {
    work += static_cast<double>(total) * unknowns;
    std::vector<long> steps, other_steps;
    const auto swept = [&](const BoundRun& route, std::vector<long>& taken, double later) {
      const ProgressShare share = shares.next(static_cast<double>(total), later);
      return sweep(route, times, total, taken);
    };
    const double later = static_cast<double>(total) * routes * (std::pow(2.0, rounds_left) - 2);
    const std::vector<Motion> first = swept(bound, steps, later + (routes - 1) * total);
    const std::vector<Motion> second =
        other_bound ? swept(*other_bound, other_steps, later) : exact;
    bool better = false, enough = true, telling = true;
    int least = digits;
    for (std::size_t i = 0; i < times.size(); ++i) {
      const bool both = i < first.size() && i < second.size();
      const int agreed =
          both ? agreement(first[i], second[i], unit_roundoff(precision), most_digits(precision))
               : -1;
      if (both && (states[i].t.empty() || agreed > states[i].agreed_digits)) {
        const Motion& best = exact.empty() ? first[i] : exact[i];
        states[i] = {times[i].text(),
                     best.q,
                     best.v,
                     best.lambda,
                     agreed,
                     exact.empty() ? described(one, steps[i]) : "closed form",
                     exact.empty() ? described(other, other_steps[i]) : described(one, steps[i]),
                     0};
        better = true;
      }
      enough = enough && !states[i].t.empty() && states[i].agreed_digits >= digits;
      telling = telling && agreed > 0;
      least = std::min(least, std::max(agreed, 0));
    }
    if (enough) break;
    rounds_left = rounds_for(reachable - least);
    if (better)
      idle = 0;
    else if (telling)
      ++idle;
  }
  for (std::size_t i = 0; i < times.size(); ++i)
    if (states[i].t.empty())
      throw TaylorFailure(
          fmt::format("reference: t = {} is not reached by two methods with up to "
                      "{:.0f} steps",
                      times[i].text(), most_work / unknowns / 2));
  return states;
}

ReferenceState refined_start(const Problem& problem, const Expression& t, int digits) {
  const Precision precision = refined_precision(problem, digits);
  const SweepRoute route = routes_for(*problem.make<double>(), precision).front();
  const Expression later =
      Expression::parse(fmt::format("({})+1", problem.start.text()), "reference");
  const BoundRun bound = bind_route(problem, route, later);
  const Motion start = start_of_motion(bound);
  // The multipliers come from one solve; moved by a rounding they show what it amplifies.
  const Motion moved = start_of_motion(bound, 1);
  return {t.text(),
          start.q,
          start.v,
          start.lambda,
          agreement(start, moved, unit_roundoff(precision), most_digits(precision)),
          fmt::format("initial values in {}", name_of(precision)),
          "the same, moved by a rounding",
          0};
}

}  // namespace daemark
