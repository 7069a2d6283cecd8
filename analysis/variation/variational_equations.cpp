#include "analysis/variation/variational_equations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/variation/numbers_of_data.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using Eigen::MatrixXd;

/// to −= A x, with values in the order of the pattern.
template <class To, class From>
void subtract_product(const Pattern& pattern, const std::vector<double>& values, const From& x,
                      To&& to) {
  for (int k = 0; k < pattern.size(); ++k)
    to.row(pattern.entries[k].first) -= values[k] * x.row(pattern.entries[k].second);
}

MatrixXd dense(const Pattern& pattern, const std::vector<double>& values) {
  MatrixXd matrix = MatrixXd::Zero(pattern.rows, pattern.cols);
  for (int k = 0; k < pattern.size(); ++k)
    matrix(pattern.entries[k].first, pattern.entries[k].second) += values[k];
  return matrix;
}

struct StartState {
  std::vector<double> y, chart;
};

StartState start_of(const MechanicalSystem<double>& system) {
  const int n = system.coordinates();
  StartState start{std::vector<double>(2 * n), std::vector<double>(system.chart_size())};
  system.initial_chart(start.chart.data());
  system.initial(start.y.data(), start.y.data() + n);
  return start;
}

/// Whether the start satisfies the constraints.
bool consistent(MechanicalSystem<double>& system, double t) {
  constexpr double most = 1e-9;  // far above round-off, far below a change of width 1e-5
  const StartState start = start_of(system);
  const int n = system.coordinates();
  std::vector<double> a(n), lambda(system.constraints()), position(lambda), velocity(lambda);
  MotionValues<double> out;
  out.position = position.data(), out.velocity = velocity.data();
  system.evaluate(
      {t, start.y.data(), start.y.data() + n, a.data(), lambda.data(), start.chart.data()}, {},
      out);
  const auto small = [](double x) { return std::abs(x) < most; };
  return std::all_of(position.begin(), position.end(), small) &&
         std::all_of(velocity.begin(), velocity.end(), small);
}

}  // namespace

std::vector<ChangedDatum> changed_data(const Problem& problem, std::vector<std::string>& left_out) {
  const StartState own = start_of(*problem.make<double>());
  const double t = problem.start.eval<double>();
  const auto changed = [&](const NumberOfData& number, const char* factor) {
    const StatedNumber value(fmt::format("({})*({})", number.exact().text(), factor));
    auto system = problem_registry()
                      .make(problem.name, DatumChange{number.datum->name, number.place, value})
                      .make<double>();
    const StartState start = start_of(*system);
    if (start.y.size() != own.y.size() || start.chart != own.chart || !consistent(*system, t))
      throw BadInput("another mechanism");
    return system;
  };
  std::vector<ChangedDatum> data;
  for (const NumberOfData& number : numbers_of_data(problem)) {
    if (number.exact().eval<wide>() == 0) continue;
    try {
      data.push_back({changed(number, "1-1/100000"), changed(number, "1+1/100000")});
    } catch (const BadInput&) {  // of numbers that cannot be changed alone
      left_out.push_back(number.name);
    }
  }
  return data;
}

VariationalEquations::VariationalEquations(MechanicalPtr<double> system,
                                           std::vector<ChangedDatum> data)
    : system_(std::move(system)),
      data_(std::move(data)),
      n_(system_->coordinates()),
      m_(system_->constraints()),
      index_one_(*system_),
      a_(n_),
      lambda_(m_),
      mass_(system_->mass_pattern().size()),
      gradient_(system_->gradient_pattern().size()),
      residual_q_(system_->residual_q_pattern().size()),
      residual_v_(system_->residual_v_pattern().size()),
      curvature_q_(system_->curvature_pattern().size()),
      curvature_v_(curvature_q_.size()) {
  if (system_->rank() < m_)
    redundant_ = std::make_unique<RedundantSolve>(system_->mass_pattern(),
                                                  system_->gradient_pattern(), system_->rank());
}

MotionPoint<double> VariationalEquations::motion(const VariedPoint& at) const {
  return {at.t,      at.y.data(),    at.y.data() + n_,
          a_.data(), lambda_.data(), at.chart.empty() ? nullptr : at.chart.data()};
}

VariedPoint VariationalEquations::start(double t) {
  const StartState own = start_of(*system_);
  VariedPoint at{t, own.y, own.chart, MatrixXd(2 * n_, data_.size())};
  for (std::size_t j = 0; j < data_.size(); ++j) {
    const StartState above = start_of(*data_[j].above), below = start_of(*data_[j].below);
    for (int i = 0; i < 2 * n_; ++i)
      at.tangents(i, static_cast<long>(j)) = (above.y[i] - below.y[i]) / ChangedDatum::width;
  }
  return at;
}

bool VariationalEquations::factor(const VariedPoint& at) {
  if (!index_one_.solve(*system_, motion(at), {0, 0, 1}, a_.data(), lambda_.data())) return false;
  MotionValues<double> out;
  out.mass = mass_.data(), out.gradient = gradient_.data();
  out.residual_q = residual_q_.data(), out.residual_v = residual_v_.data();
  out.curvature_q = curvature_q_.data(), out.curvature_v = curvature_v_.data();
  system_->evaluate(motion(at), {0, 0, 1}, out);
  return !redundant_ || redundant_->factor(mass_.data(), gradient_.data(), 1);
}

bool VariationalEquations::rates(const VariedPoint& at, std::vector<double>& y_rate,
                                 MatrixXd& tangent_rates) {
  if (!factor(at)) return false;
  y_rate.assign(at.y.begin() + n_, at.y.end());
  y_rate.insert(y_rate.end(), a_.begin(), a_.end());
  const auto dq = at.tangents.topRows(n_), dv = at.tangents.bottomRows(n_);
  MatrixXd right = MatrixXd::Zero(n_ + m_, at.tangents.cols());
  subtract_product(system_->residual_q_pattern(), residual_q_, dq, right.topRows(n_));
  subtract_product(system_->residual_v_pattern(), residual_v_, dv, right.topRows(n_));
  subtract_product(system_->curvature_pattern(), curvature_q_, dq, right.bottomRows(m_));
  subtract_product(system_->curvature_pattern(), curvature_v_, dv, right.bottomRows(m_));
  add_data(at, right);
  for (long j = 0; j < right.cols(); ++j) {
    if (redundant_)
      redundant_->solve(&right(0, j));
    else
      index_one_.apply_inverse(&right(0, j));
  }
  tangent_rates.resize(2 * n_, at.tangents.cols());
  tangent_rates << dv, right.topRows(n_);
  return std::all_of(a_.begin(), a_.end(), [](double x) { return std::isfinite(x); }) &&
         tangent_rates.allFinite();
}

void VariationalEquations::add_data(const VariedPoint& at, MatrixXd& right) {
  Eigen::VectorXd above(n_ + m_), below(n_ + m_);
  const long first = right.cols() - static_cast<long>(data_.size());
  for (std::size_t j = 0; j < data_.size(); ++j) {
    for (const auto& [system, values] :
         {std::pair(&data_[j].above, &above), {&data_[j].below, &below}})
      (*system)->evaluate(motion(at), {0, 0, 1},
                          MotionValues<double>::equations(values->data(), values->data() + n_));
    right.col(first + static_cast<long>(j)) -= (above - below) / ChangedDatum::width;
  }
}

// Positions first: δq −= G⁺ G δq with the rows of positions; then velocities, G δv + Φ̇_q δq = 0.
void VariationalEquations::project(const VariedPoint& at, MatrixXd& changes) {
  if (m_ == 0) return;
  MotionValues<double> out;
  out.gradient = gradient_.data(), out.curvature_q = curvature_q_.data();
  system_->evaluate(motion(at), {0, 1, 0}, out);
  const MatrixXd gradient = dense(system_->gradient_pattern(), gradient_);
  MatrixXd of_positions = gradient;
  for (int row = 0; row < m_; ++row)
    if (system_->row_level(row) == RowLevel::velocity) of_positions.row(row).setZero();
  constexpr double dependent = 1e-9;  // rows that follow from others do so up to round-off
  Eigen::CompleteOrthogonalDecomposition<MatrixXd> qr;
  qr.setThreshold(dependent);
  auto dq = changes.topRows(n_), dv = changes.bottomRows(n_);
  qr.compute(of_positions);
  dq -= qr.solve(of_positions * dq).eval();
  if (system_->velocity_rows() > 0) qr.compute(gradient);
  dv -= qr.solve(gradient * dv + dense(system_->curvature_pattern(), curvature_q_) * dq).eval();
}

void VariationalEquations::rebase(VariedPoint& at) {
  if (at.chart.empty()) return;
  const long count = at.tangents.cols();
  MatrixXd states(2 * n_, count);
  std::vector<double> rate(2 * n_, 0.0);
  for (long j = 0; j < count; ++j) std::copy(at.y.begin(), at.y.end(), &states(0, j));
  std::vector<ChartPoint<double>> points = {
      {at.y.data(), rate.data(), at.y.data() + n_, rate.data() + n_}};
  for (long j = 0; j < count; ++j)
    points.push_back({&states(0, j), &at.tangents(0, j), &states(n_, j), &at.tangents(n_, j)});
  system_->rebase(at.chart.data(), points);
}

}  // namespace daemark
