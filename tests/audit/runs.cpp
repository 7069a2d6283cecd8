#include <fmt/format.h>

#include <set>

#include "analysis/setup/bound_run.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/engine/write/book.hpp"
#include "methods/catalogue/registry.hpp"
#include "tests/audit/audit.hpp"
#include "tests/support/plain_dae.hpp"

namespace daemark::audit {
namespace {

constexpr int most_steps = 20, most_unknowns = 160;
constexpr const char* formulations[] = {"index1", "index2", "index3"};

/// The catalogue's equations of motion; none of its solvers.
class CatalogueModel : public test::PlainModel {
 public:
  explicit CatalogueModel(MechanicalSystem<real50>& mechanism)
      : PlainModel(mechanism.coordinates(), mechanism.constraints()), mechanism_(mechanism) {}
  void evaluate(const real50& t, const real50* q, const real50* v, const real50* a,
                const real50* lambda, int level, real50* residual, real50* constraint) override {
    MotionPoint<real50> point{t, q, v, a, lambda};
    MotionValues<real50> values;
    values.residual = residual;
    (level == 0   ? values.position
     : level == 1 ? values.velocity
                  : values.acceleration) = constraint;
    mechanism_.evaluate(point, {}, values);
  }

 private:
  MechanicalSystem<real50>& mechanism_;
};

/// What decides a step of a cell.
struct Steps {
  std::string problem, formulation, method, h;
  auto operator<=>(const Steps&) const = default;  // NOLINT(modernize-use-nullptr)
  std::string text() const {
    return fmt::format("{} on {}, {}, h = {}", method, problem, formulation, h);
  }
};

std::vector<Steps> steps_of_papers() {
  std::set<Steps> out;
  const auto folder = source_root() / "experiments";
  for (const std::string& paper : paper_ids(folder)) {
    const Book book = read_book(folder, paper);
    for (const ItemSpec& item : book.items)
      for (const Cell& cell : cells_of(item))
        for (const std::string& h : cell.h) {
          std::vector<std::string> on = {cell.formulation};
          if (cell.more.contains("formulations")) on = cell.texts("formulations");
          for (const std::string& formulation : on)
            if (!cell.problem.empty() && !cell.method.empty())
              out.insert({cell.problem, formulation, cell.method, h});
        }
  }
  return {out.begin(), out.end()};
}

std::vector<real50> numbers(const real50* from, int count) { return {from, from + count}; }

double distance(const std::vector<real50>& a, const real50* b) {
  real50 out = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    out = std::max(out, real50(abs(a[i] - b[i]) / (1 + abs(a[i]))));
  return to_double(out);
}

/// Empty where the integrator of the tests does not go.
std::optional<double> compare(const Steps& steps) {
  const auto known = std::find(std::begin(formulations), std::end(formulations), steps.formulation);
  if (known == std::end(formulations)) return std::nullopt;
  const int index = static_cast<int>(known - std::begin(formulations)) + 1;
  const auto method = method_registry().make(steps.method);
  const auto tableau = method->tableau();
  if (!tableau) return std::nullopt;
  RunRequest request;
  request.problem = steps.problem, request.formulation = steps.formulation;
  request.method = steps.method, request.h = Expression::parse(steps.h, "h");
  request.t_end = Expression::parse(fmt::format("{}*({})", most_steps, steps.h), "t-end");
  request.precision = Precision::in_real50;
  const BoundRun setup(request);
  BoundSystem<real50> cell(setup);
  MechanicalSystem<real50>& mechanism = *cell.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints();
  if (mechanism.chart_size() > 0 || mechanism.rank() < m) return std::nullopt;
  if (tableau->stages() * (2 * n + m) > most_unknowns) return std::nullopt;
  const State<real50> initial = initial_state(setup, cell);
  const auto stepper = method->stepper(cell.target(), setup.settings);
  const real50 h = from_wide<real50>(setup.h);
  stepper->start(initial, h);
  CatalogueModel model(mechanism);
  const auto begin = cell.motion(initial);
  test::PlainState own{begin.t, numbers(begin.q, n), numbers(begin.v, n), {}, {}};
  for (int i = 0; i < most_steps; ++i)
    if (stepper->step().status != Status::ok) return std::nullopt;
  own = test::plain_integration(model, own, *tableau, index, !method->solves_end_rates(),
                                most_steps, h);
  const auto theirs = cell.motion(stepper->state());
  return std::max(
      {distance(own.q, theirs.q), distance(own.v, theirs.v), distance(own.lambda, theirs.lambda)});
}

}  // namespace

Outcome runs(Day& day, int sample) {
  // Newton stops at increments of 1e-35 of accelerations; index 3 divides what that leaves of the
  // positions by h², 1e4 and more, and stiff springs magnify it once more.
  constexpr double close[] = {1e-20, 1e-20, 1e-16};
  Outcome out;
  double worst = 0;
  for (const Steps& steps : drawn(steps_of_papers(), 12 * sample, day)) {
    if (out.compared == sample) break;
    try {
      const std::optional<double> distance = compare(steps);
      if (!distance) {
        ++out.skipped;
        continue;
      }
      ++out.compared;
      worst = std::max(worst, *distance);
      const int index = steps.formulation.back() - '0';
      if (!(*distance <= close[index - 1]))
        out.differences.push_back(fmt::format("{}: by {:.1e}", steps.text(), *distance));
    } catch (const BadInput&) {  // a pair that does not go together: a refusal in its table, too
      ++out.skipped;
    } catch (const test::PlainFailure& failure) {
      ++out.compared;
      out.differences.push_back(steps.text() + ": " + failure.what());
    }
  }
  out.notes.push_back(
      fmt::format("{} steps each in 50 digits, apart by {:.1e} at most", most_steps, worst));
  return out;
}

}  // namespace daemark::audit
