#include <fmt/format.h>

#include "base/linear/dense_solve.hpp"
#include "problems/files/equations.hpp"

namespace daemark {
namespace {

using graph::Entry;
using Matrix = std::vector<std::vector<wide>>;

/// The functions at numbers for all inputs.
std::vector<wide> numbers_at(const graph::Graph& g, const std::vector<Var>& functions,
                             const std::vector<wide>& point) {
  std::vector<wide> numbers;
  for (const Var& x : g.call(functions, {point.begin(), point.end()}))
    numbers.push_back(x.constant());
  return numbers;
}

wide largest_of(const std::vector<wide>& numbers) {
  wide largest = 0;
  for (const wide& x : numbers)
    if (!(abs(x) <= largest)) largest = abs(x);
  return largest;
}

/// Gauss–Newton with the smallest change: the inputs `free` for which the rows vanish.
class StartSolver {
 public:
  StartSolver(graph::Graph& g, std::vector<Var> rows, std::vector<int> free)
      : g_(g), rows_(std::move(rows)), free_(std::move(free)) {
    std::vector<Var> by;
    for (const int i : free_) by.push_back(g.var(g.input_node(i)));
    for (const Entry& e : graph::jacobian(rows_, by))
      entries_.push_back(e), slopes_.push_back(e.value);
  }

  /// Whether it converged.
  bool solve(std::vector<wide>& point) const {
    constexpr int most_rounds = 100;
    const wide enough("1e-100");
    for (int round = 0; round < most_rounds; ++round) {
      const std::vector<wide> change = step(point);
      const wide size = largest_of(change);
      if (!isfinite(size)) return false;
      for (std::size_t i = 0; i < free_.size(); ++i) point[free_[i]] -= change[i];
      if (size <= enough * (1 + largest_of(point))) return true;
    }
    return false;
  }

 private:
  std::vector<wide> step(const std::vector<wide>& point) const {
    const std::size_t rows = rows_.size(), columns = free_.size();
    Matrix J(rows, std::vector<wide>(columns));
    const std::vector<wide> slopes = numbers_at(g_, slopes_, point);
    for (std::size_t k = 0; k < slopes.size(); ++k)
      J[entries_[k].row][entries_[k].column] = slopes[k];
    std::vector<wide> right = numbers_at(g_, rows_, point);
    const bool fewer_rows = rows <= columns;  // J Jᵀ y = r, change Jᵀ y; else Jᵀ J change = Jᵀ r
    const auto times_transposed = [&](const std::vector<wide>& y) {
      std::vector<wide> x(columns);
      for (std::size_t r = 0; r < rows; ++r)
        for (std::size_t c = 0; c < columns; ++c) x[c] += J[r][c] * y[r];
      return x;
    };
    const std::size_t size = fewer_rows ? rows : columns;
    Matrix normal(size, std::vector<wide>(size));
    for (std::size_t r = 0; r < rows; ++r)
      for (std::size_t c = 0; c < columns; ++c)
        for (std::size_t k = 0; k < size; ++k)
          (fewer_rows ? normal[r][k] : normal[c][k]) += J[r][c] * (fewer_rows ? J[k][c] : J[r][k]);
    if (!fewer_rows) right = times_transposed(right);
    solve_dense(normal, right, largest_pivot([](const wide& x) { return wide(abs(x)); }));
    return fewer_rows ? times_transposed(right) : right;
  }

  graph::Graph& g_;
  std::vector<Var> rows_, slopes_;
  std::vector<int> free_;
  std::vector<Entry> entries_;
};

/// The coordinate in whose direction a symmetric matrix, scaled to a unit diagonal, is not
/// positive; −1 where it is.
int singular_direction(Matrix A) {
  const wide least("1e-40");
  const int n = static_cast<int>(A.size());
  std::vector<wide> scale(n);
  for (int i = 0; i < n; ++i) {
    if (!(A[i][i] > 0)) return i;
    scale[i] = sqrt(A[i][i]);
  }
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) A[i][j] /= scale[i] * scale[j];
  for (int k = 0; k < n; ++k) {
    if (!(A[k][k] > least)) return k;
    for (int i = k + 1; i < n; ++i)
      for (int j = k + 1; j < n; ++j) A[i][j] -= A[i][k] * A[k][j] / A[k][k];
  }
  return -1;
}

/// M + GᵀG is positive exactly where M is so in the motions that the constraints leave.
void check_mass(const Equations& e, const std::vector<wide>& mass, const Matrix& G) {
  const int n = e.n();
  Matrix A(n, std::vector<wide>(n));
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      A[i][j] = mass[i * n + j];
      for (const std::vector<wide>& row : G) A[i][j] += row[i] * row[j];
    }
  if (const int i = singular_direction(A); i >= 0)
    throw BadInput(
        fmt::format("{}: the mass matrix is singular at the start: {} has no inertia; "
                    "accepted: positive in the motions that the constraints leave",
                    e.where, e.coordinates[i].quantity.name));
}

/// Rows as `position` (Φ) or as `velocity` (Φ̇ and stated rows) at the start.
void check_rows(const Equations& e, const char* key, const std::vector<wide>& rows, int first,
                const std::vector<wide>& point) {
  const wide accepted = wide("1e-30") * (1 + largest_of(point));
  for (std::size_t i = 0; i < rows.size(); ++i)
    if (!(abs(rows[i]) <= accepted))
      throw BadInput(
          fmt::format("{}: the start violates it by {:.3g} in its {}; accepted: a start "
                      "on it, or {}_near of a coordinate to be solved for",
                      e.rows[first + i].formula.where, static_cast<double>(rows[i]), key,
                      std::string(key) == "position" ? "start" : "velocity"));
}

}  // namespace

std::pair<std::vector<wide>, std::vector<wide>> start_of(const Equations& e, graph::Graph& g,
                                                         const PartArguments& at,
                                                         const PartFunctions& f) {
  const int n = e.n(), m = e.m(), positions = m - e.velocity_rows();
  std::vector<wide> point = {e.time};
  for (const auto& c : e.coordinates) point.push_back(c.start);
  for (const auto& c : e.coordinates) point.push_back(c.velocity);
  point.resize(1 + 3 * n);
  for (const auto& row : e.rows) point.push_back(row.multiplier);

  std::vector<Var> phi(f.rows.begin(), f.rows.begin() + positions);
  std::vector<Var> moving = at.q, along = at.v;
  moving.push_back(at.t), along.emplace_back(1);
  std::vector<Var> rates = graph::directional(phi, moving, along);
  rates.insert(rates.end(), f.rows.begin() + positions, f.rows.end());

  std::vector<int> free_positions, free_velocities;
  for (int i = 0; i < n; ++i) {
    if (e.coordinates[i].start_is_free) free_positions.push_back(1 + i);
    if (e.coordinates[i].velocity_is_free) free_velocities.push_back(1 + n + i);
  }
  for (const auto& [rows, free, what] : {std::tuple(&phi, &free_positions, "start"),
                                         std::tuple(&rates, &free_velocities, "velocity")})
    if (!free->empty() && !StartSolver(g, *rows, *free).solve(point))
      throw BadInput(
          fmt::format("{}: no {} is found that satisfies the constraints; accepted: as "
                      "many free coordinates as independent constraints, nearby",
                      e.where, what));

  std::vector<Var> values = f.mass;
  values.insert(values.end(), f.force.begin(), f.force.end());
  for (const wide& x : numbers_at(g, values, point))
    if (!isfinite(x)) throw BadInput(e.where + ": mass or forces are no real numbers at the start");
  check_rows(e, "position", numbers_at(g, phi, point), 0, point);
  check_rows(e, "velocity", numbers_at(g, rates, point), 0, point);
  Matrix G(m, std::vector<wide>(n));
  const std::vector<Entry> entries = graph::jacobian(rates, at.v);
  std::vector<Var> slopes;
  for (const Entry& entry : entries) slopes.push_back(entry.value);
  const std::vector<wide> numbers = numbers_at(g, slopes, point);
  for (std::size_t k = 0; k < entries.size(); ++k)
    G[entries[k].row][entries[k].column] = numbers[k];
  check_mass(e, numbers_at(g, f.mass, point), G);
  const auto q = point.begin() + 1, v = q + n;
  return {{q, v}, {v, v + n}};
}

}  // namespace daemark
