#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "analysis/linear/natural_frequencies.hpp"
#include "analysis/run/run.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/integration.hpp"
#include "experiments/engine/write/book.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"
#include "tests/audit/audit.hpp"

namespace daemark::audit {
namespace {

constexpr double dearest = 2e7;  ///< CellKind::cost: some ten seconds

/// A measure found again, and what rounding may have made of it in double.
struct Found {
  double value = 0, doubt = 0;
};
using Again = std::map<std::string, Found>;

/// One row of an item whose run can be repeated.
struct Place {
  const Book* book;
  const ItemSpec* item;
  const RowSpec* row;
};

std::vector<double> column(const std::vector<std::vector<double>>& rows, std::size_t i) {
  std::vector<double> out;
  for (const std::vector<double>& row : rows) out.push_back(row.at(i));
  return out;
}

double most(const std::vector<double>& x) {
  double out = 0;
  for (const double value : x) out = std::fmax(out, std::fabs(value));
  return out;
}

/// Half the distance of x_k from the line through its neighbours: (−1)^k c leaves c.
double zigzag(const std::vector<double>& x) {
  long double out = 0;
  for (std::size_t k = 1; k + 1 < x.size(); ++k) {
    const long double line = (static_cast<long double>(x[k - 1]) + x[k + 1]) / 2;
    out = std::max(out, std::fabs(x[k] - line) / 2);
  }
  return static_cast<double>(out);
}

void add_series(const std::string& name, const std::vector<double>& x, const std::vector<double>& t,
                Again& out) {
  const double size = most(x), rounding = 4 * std::numeric_limits<double>::epsilon() * size;
  out["largest_" + name] = {size};
  out["alternation_" + name] = {zigzag(x), rounding};
  out["initial_" + name] = {x.front()}, out["final_" + name] = {x.back()};
  std::size_t peak = 0;
  while (std::fabs(x[peak]) < size) ++peak;
  out["peak_" + name] = {t[peak]};
}

/// Φ, Φ̇ and the energy anew in 50 digits, from the positions and velocities of the history. A part
/// in 1e13 of what they are differences of is rounding in double.
void add_levels(const Cell& cell, const History& history, Again& out) {
  const auto mechanism = problem_registry()
                             .make(cell.problem)
                             .make<real50>(Formulation::parse(cell.formulation).info.minimal);
  if (mechanism->chart_size() > 0) return;
  const int m = mechanism->constraints();
  const bool euclidean = cell.more.value("norm", "") == "euclidean";
  std::vector<real50> phi(m), rate(m);
  real50 largest[2] = {0, 0}, least_energy = 0, most_energy = 0, first = 0, size = 1;
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    const std::vector<real50> q(history.q[i].begin(), history.q[i].end()),
        v(history.v[i].begin(), history.v[i].end());
    for (const auto* list : {&q, &v})
      for (const real50& x : *list) size = std::max(size, real50(abs(x)));
    const MotionPoint<real50> point{real50(history.t[i]), q.data(), v.data(), nullptr, nullptr};
    MotionValues<real50> values;
    values.position = phi.data(), values.velocity = rate.data();
    if (m > 0) mechanism->evaluate(point, {}, values);
    for (int level = 0; level < 2; ++level) {
      real50 norm = 0;
      for (const real50& x : level == 0 ? phi : rate)
        norm = euclidean ? sqrt(real50(norm * norm + x * x)) : std::max(norm, real50(abs(x)));
      largest[level] = std::max(largest[level], norm);
    }
    const real50 energy = mechanism->kinetic_energy(point) + mechanism->potential_energy(point) -
                          mechanism->work(point);
    if (i == 0) first = energy;
    least_energy = std::min(least_energy, real50(energy - first));
    most_energy = std::max(most_energy, real50(energy - first));
    size = std::max(size, real50(abs(energy)));
  }
  const double doubt = 1e-13 * to_double(size);
  if (m > 0) {
    out["position_violation_max"] = {to_double(largest[0]), doubt};
    out["velocity_violation_max"] = {to_double(largest[1]), doubt};
  }
  if (mechanism->has_power()) return;
  out["energy_error_max"] = {to_double(std::max(most_energy, real50(-least_energy))), doubt};
  out["energy_error_upper"] = {to_double(most_energy), doubt};
  out["energy_error_lower"] = {to_double(least_energy), doubt};
}

/// The largest of what is sampled at every half step, on the parabola through its neighbours.
void add_frequencies(RunRequest request, const Cell& cell, Again& out) {
  request.h = Expression::parse(fmt::format("({})/2", request.h.text()), "h");
  const History history = run(request).history;
  FrequencyAnalysis analysis(problem_registry()
                                 .make(cell.problem)
                                 .make<double>(Formulation::parse(cell.formulation).info.minimal));
  std::vector<double> free, reduced;
  for (std::size_t i = 0; i < history.t.size(); ++i) {
    const NaturalFrequencies at =
        analysis.at(history.t[i], history.q[i].data(), history.v[i].data());
    free.push_back(at.free), reduced.push_back(at.reduced);
  }
  for (const auto& [name, x] : {std::pair{"free", &free}, {"reduced", &reduced}}) {
    const auto k = static_cast<std::size_t>(std::max_element(x->begin(), x->end()) - x->begin());
    double top = (*x)[k];
    if (k > 0 && k + 1 < x->size()) {
      const double below = top - (*x)[k - 1], above = top - (*x)[k + 1];
      if (below + above > 0) top += (below - above) * (below - above) / (8 * (below + above));
    }
    out[fmt::format("omega_{}_max", name)] = {top};
  }
}

/// Everything that a history of all step ends gives again.
Again measured_again(const Cell& cell) {
  Again out;
  RunRequest request = run_request(run_of(cell, {{"history_every", 1}}));
  const RunResult result = run(request);
  const History& history = result.history;
  if (result.status != "ok" || history.t.empty()) return out;
  const auto mechanism = problem_registry()
                             .make(cell.problem)
                             .make<double>(Formulation::parse(cell.formulation).info.minimal);
  const std::vector<std::string>& names = mechanism->coordinate_names();
  if (mechanism->chart_size() == 0)
    for (std::size_t i = 0; i < names.size(); ++i) {
      add_series(names[i], column(history.q, i), history.t, out);
      add_series("v_" + names[i], column(history.v, i), history.t, out);
    }
  for (std::size_t i = 0; i < history.lambda.front().size(); ++i)
    add_series(fmt::format("lambda_{}", i + 1), column(history.lambda, i), history.t, out);
  for (std::size_t i = 0; i < mechanism->outputs().size(); ++i)
    add_series(mechanism->outputs()[i].id, column(history.outputs, i), history.t, out);
  if (mechanism->constraints() > 0)
    out["acceleration_violation_max"] = {most(history.acceleration_violation)};
  out["energy_error_max"] = {most(history.energy_error)};
  add_levels(cell, history, out);
  if (cell.more.value("frequencies", false)) add_frequencies(request, cell, out);
  return out;
}

bool repeatable(const Place& place) {
  const Cell& cell = *place.row->cell;
  const CellResult* known = place.book->judge().result(*place.row->cell);
  return (cell.kind == "motion" || cell.kind == "trajectory" || cell.kind == "integration") &&
         cell.h.size() == 1 && cell.precision == "double" && known != nullptr && known->ok() &&
         !known->kept && cell.more.value("displacement", "").empty() &&
         cell.more.value("kick", "").empty() && kind_of(cell).cost(cell) <= dearest;
}

/// How many numbers of the row were found again; those that differ beyond their digits join `out`.
int compare(const Place& place, Outcome& out) {
  const ItemOutcome& outcome = place.book->outcome(*place.item);
  const auto row = std::find_if(outcome.rows.begin(), outcome.rows.end(),
                                [&](const RowOutcome& one) { return one.row == place.row; });
  std::optional<Again> again;
  int compared = 0;
  for (const ColumnSpec& column : place.item->columns) {
    const ValueOutcome& shown = row->values.at(column.id);
    if (shown.measured.find_first_of("0123456789") == std::string::npos) continue;
    if (!again) again = measured_again(*place.row->cell);
    double doubt = 0;
    const std::optional<double> value =
        column.measure.eval([&](const std::string& name) -> std::optional<double> {
          const auto found = again->find(name);
          if (found == again->end()) return std::nullopt;
          doubt = std::max(doubt, found->second.doubt);
          return found->second.value;
        });
    if (!value || std::fabs(*value) <= std::max(doubt, shown.floor.value_or(0))) continue;
    ++compared;
    const PrintedInterval printed = printed_interval(shown.measured, column.id);
    if (*value < to_double(printed.lower) - doubt || *value > to_double(printed.upper) + doubt)
      out.differences.push_back(fmt::format("{}/{}/{}, {}: {} is shown, {:.8g} found again",
                                            place.item->paper, place.item->id, place.row->id,
                                            column.id, shown.measured, *value));
  }
  return compared;
}

}  // namespace

Outcome maxima(Day& day, int sample) {
  Books books;
  std::vector<Place> places;
  const auto folder = source_root() / "experiments";
  for (const std::string& paper : paper_ids(folder)) {
    Book& book = books[paper] = read_book(folder, paper);
    read_known(book, source_root() / "results", {});
  }
  for (const auto& [paper, book] : books)
    for (const ItemSpec& item : book.items)
      for (const RowSpec& row : item.rows)
        if (row.cell) places.push_back({&book, &item, &row});
  Outcome out;
  int runs = 0;
  for (const Place& place : drawn(places, static_cast<int>(places.size()), day)) {
    if (runs == sample) break;
    try {
      const int compared = repeatable(place) ? compare(place, out) : 0;
      if (compared == 0) continue;
      out.compared += compared, ++runs;
    } catch (const BadInput&) {  // not among what this build can run
      ++out.skipped;
    }
  }
  out.notes.push_back(
      fmt::format("of {} runs, each again with the history of all step ends", runs));
  return out;
}

}  // namespace daemark::audit
