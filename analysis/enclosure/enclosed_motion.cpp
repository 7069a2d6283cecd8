#include "analysis/enclosure/enclosed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {

namespace {

constexpr int transport_order = 20;  // of the series that move the error
constexpr long coarse_bits = 64;
constexpr double step_share = 0.25;  // of the radius of convergence, as it seems
constexpr int step_bits = 4;         // so that many steps in a row are of one length

RealBall symmetric(double radius) {
  RealBall x(0);
  add_error(x, radius);
  return x;
}

double shortened(double x, int bits) {
  int e = 0;
  const double mantissa = std::frexp(x, &e);
  return std::ldexp(std::floor(std::ldexp(mantissa, bits)), e - bits);
}

}  // namespace

EnclosedMotion::EnclosedMotion(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                               const rational& t0, const std::vector<wide>& q0,
                               const std::vector<wide>& v0, int digits)
    : n_(system.coordinates()),
      multipliers_(static_cast<int>(rows.size())),
      size_(2 * n_),
      order_(
          std::max(transport_order, static_cast<int>(std::ceil(digits / -std::log10(step_share))))),
      bits_(static_cast<long>(digits * 3.33) + 24),
      t_(t0),
      thin_(system, rows, order_),
      starts_(system, rows, transport_order),
      disc_(system, rows, order_, false),
      starts_disc_(system, rows, transport_order, true),
      share_(step_share),
      reach_(size_, 1),
      unit_(size_, 1),
      constraints_(system, rows) {
  rows_ = constraints_.size();
  free_ = size_ - rows_;
  Doubles data;
  for (const auto* part : {&q0, &v0})
    for (const wide& x : *part) {
      const RealBall stated = from_wide<RealBall>(x);
      centre_.push_back(exact_middle(stated));
      data.push_back(radius_bound(stated));
    }
  z_.assign(free_, 0), w_.assign(rows_, 0);
  choose_basis({});
  propagate({}, data);  // only z is kept: the start is the root next to the data
  contract_normal(true);
}

// |T| z + |U| w.
EnclosedMotion::Doubles EnclosedMotion::error() const {
  Doubles e(size_, 0);
  for (int j = 0; j < free_; ++j)
    for (int i = 0; i < size_; ++i) e[i] += std::abs(tangent_[j * size_ + i]) * z_[j];
  for (int j = 0; j < rows_; ++j)
    for (int i = 0; i < size_; ++i) e[i] += std::abs(normal_[j * size_ + i]) * w_[j];
  for (double& x : e) x = outward(x);
  return e;
}

std::vector<RealBall> EnclosedMotion::box() const {
  std::vector<RealBall> x = centre_;
  const Doubles e = error();
  for (int i = 0; i < size_; ++i) add_error(x[i], e[i]);
  return x;
}

double EnclosedMotion::width() const {
  const Doubles e = error();
  double width = 0;
  for (int i = 0; i < size_; ++i) width = larger(width, e[i] / reach_[i]);
  return width;
}

// From 0 = c(centre) + C (T z + U w), C over the box: w = −(C U)⁻¹ (c + C T z). With `prove` that
// there is one w for each z: the image of a candidate lies inside it.
void EnclosedMotion::contract_normal(bool prove) {
  if (rows_ == 0) return;
  std::vector<RealBall> values;
  {
    const EnclosureBits all(bits_);
    constraints_.evaluate(ball_of(t_), centre_);
    for (int i = 0; i < rows_; ++i) values.push_back(constraints_.value(i));
  }
  const EnclosureBits coarse(coarse_bits);
  Doubles candidate = w_;
  for (int pass = 0; pass < (prove ? 4 : 2); ++pass) {
    w_ = candidate;
    constraints_.evaluate(ball_of(t_), box());
    const std::vector<RealBall> c = constraints_.jacobian();
    const auto times = [&](int row, const double* column) {
      RealBall sum(0);
      for (int i = 0; i < size_; ++i)
        if (column[i] != 0) add_product(sum, c[row * size_ + i], ball_of(column[i]));
      return sum;
    };
    std::vector<RealBall> matrix, right, w;
    for (int i = 0; i < rows_; ++i)
      for (int j = 0; j < rows_; ++j) matrix.push_back(times(i, &normal_[j * size_]));
    for (int i = 0; i < rows_; ++i) {
      RealBall sum = values[i];
      for (int j = 0; j < free_; ++j)
        add_product(sum, times(i, &tangent_[j * size_]), symmetric(z_[j]));
      right.push_back(-sum);
    }
    RegularMatrix<RealBall>(matrix, rows_).solve(right, w);
    bool inside = true;
    for (int i = 0; i < rows_; ++i) {
      const double image = outward(magnitude(w[i]));
      inside = inside && image < w_[i];
      candidate[i] = prove ? 2 * image : std::min(candidate[i], image);
    }
    if (prove && inside) return;
  }
  if (prove) throw EnclosureFailure("the start does not satisfy the constraints");
  w_ = candidate;
}

// --- one step ------------------------------------------------------------------------------------

void EnclosedMotion::step(const rational& end) {
  {
    const EnclosureBits all(bits_);
    thin_.start(ball_of(t_), centre_.data(), centre_.data() + n_);
    thin_.extend(order_);
  }
  std::vector<ComplexDisc> starts;
  for (const RealBall& x : box()) starts.push_back(disc_of(x));
  starts_.start(disc_of(ball_of(t_)), starts.data(), starts.data() + n_);
  starts_.extend(transport_order);
  DiscMatrix moved;
  const rational h = proved_length(end, moved);
  const std::vector<RealBall> next = moved_centre(h);
  unit_ = units();
  Doubles rest;
  for (int i = 0; i < size_; ++i) {
    rest.push_back(outward(radius_bound(next[i]) + magnitude(moved(i, free_))));
    centre_[i] = exact_middle(next[i]);
    reach_[i] = disc_.reach(i);
  }
  t_ += h;
  choose_basis(moved.middle.leftCols(free_));
  propagate(moved, rest);
  contract_normal(false);
  ++steps_;
}

// For which the last terms of the series are a small part of all; a guess.
double EnclosedMotion::likely_length() const {
  const auto largest = [&](int k) {
    double size = 0;
    for (int i = 0; i < n_; ++i) size = std::max(size, magnitude(thin_.v(i)[k]));
    return size;
  };
  constexpr int first_orders = 8;
  Doubles first;
  for (int k = 1; k <= std::min(first_orders, order_); ++k) first.push_back(largest(k));
  double radius = 1;
  for (int pass = 0; pass < 4; ++pass) {
    double size = 0, power = share_ * radius, inverse = 0;
    for (const double x : first) size += x * power, power *= share_ * radius;
    for (const int k : {order_ - 1, order_})
      inverse = std::max(inverse, std::pow(largest(k) / size, 1.0 / k));
    radius = inverse > 0 && std::isfinite(inverse) ? 1 / inverse : 1;
  }
  return share_ * radius;
}

rational EnclosedMotion::proved_length(const rational& end, DiscMatrix& moved) {
  const EnclosureBits coarse(coarse_bits);
  double length = likely_length();
  for (int trial = 0; trial < 40; ++trial, length *= 0.75, share_ *= 0.75) {
    rational h(shortened(length, step_bits));
    if (t_ + h > end) h = end - t_;
    const RealBall t = ball_of(t_), ball = ball_of(h);
    if (!disc_.holds(thin_, t, ball) || !starts_disc_.holds(starts_, t, ball)) continue;
    const auto found = starts_disc_.moved(columns());
    if (!found || !is_narrow(*found, units())) continue;
    moved = *found;
    if (trial == 0) share_ = std::min(step_share, 1.1 * share_);
    return h;
  }
  throw EnclosureFailure("no step is found on which the motion is proved to exist");
}

// Otherwise the error grows by what the derivatives leave open, step by step.
bool EnclosedMotion::is_narrow(const DiscMatrix& moved, const Doubles& unit) const {
  for (int j = 0; j < free_; ++j) {
    double size = 0, open = 0;
    for (int i = 0; i < size_; ++i) {
      size = std::max(size, std::abs(moved.middle(i, j)) / unit[i]);
      open = larger(open, moved.radius(i, j) / unit[i]);
    }
    if (!(open <= 1e-3 * size)) return false;
  }
  return true;
}

// How far each component moves, small ones as the largest of their kind.
EnclosedMotion::Doubles EnclosedMotion::units() const {
  Doubles unit(size_);
  for (const int from : {0, n_}) {
    double largest = 0;
    for (int i = from; i < from + n_; ++i) largest = std::max(largest, disc_.reach(i));
    for (int i = from; i < from + n_; ++i)
      unit[i] = std::max(disc_.reach(i), 0.02 * largest + 1e-12);
  }
  return unit;
}

DiscMatrix EnclosedMotion::columns() const {
  DiscMatrix all(size_, free_ + 1);
  for (int i = 0; i < size_; ++i) {
    double normal = 0;
    for (int j = 0; j < rows_; ++j) normal += std::abs(normal_[j * size_ + i]) * w_[j];
    for (int j = 0; j < free_; ++j) all.middle(i, j) = tangent_[j * size_ + i];
    all.radius(i, free_) = outward(normal);
  }
  return all;
}

// x(h) from the centre: the polynomial and what is left out.
std::vector<RealBall> EnclosedMotion::moved_centre(const rational& length) {
  const EnclosureBits all(bits_);
  const RealBall h = ball_of(length);
  std::vector<RealBall> next;
  for (int i = 0; i < size_; ++i) {
    next.push_back(polynomial(thin_.state(i), order_ + (i < n_ ? 1 : 0), h));
    add_error(next.back(), disc_.rest(i));
  }
  return next;
}

// U: gradients of the constraints, T: what the step made of the former T, those of the largest
// errors first; orthonormal in units of the motion. Any basis is right, this one is good.
void EnclosedMotion::choose_basis(const Eigen::MatrixXd& moved) {
  std::vector<Doubles> basis;
  const auto add = [&](Doubles x, double least) {  // in scaled units
    const auto norm = [&] {
      return std::sqrt(std::inner_product(x.begin(), x.end(), x.begin(), 0.0));
    };
    const double before = norm();
    if (!(before > 0) || !std::isfinite(before)) return false;
    for (double& a : x) a /= before;
    for (int pass = 0; pass < 2; ++pass)
      for (const Doubles& b : basis) {
        const double along = std::inner_product(x.begin(), x.end(), b.begin(), 0.0);
        for (int i = 0; i < size_; ++i) x[i] -= along * b[i];
      }
    const double after = norm();
    if (!(after > least)) return false;
    for (double& a : x) a /= after;
    basis.push_back(std::move(x));
    return true;
  };
  const EnclosureBits coarse(coarse_bits);
  if (rows_ > 0) {
    constraints_.evaluate(ball_of(t_), centre_);
    const std::vector<RealBall> c = constraints_.jacobian();
    for (int row = 0; row < rows_; ++row) {
      Doubles x(size_);
      for (int i = 0; i < size_; ++i) x[i] = near_middle(c[row * size_ + i]) * unit_[i];
      if (!add(std::move(x), 1e-10))
        throw EnclosureFailure("constraints that depend on each other");
    }
  }
  std::vector<int> order(moved.cols());
  std::iota(order.begin(), order.end(), 0);
  Doubles weight(order.size(), 0);
  for (const int j : order)
    for (int i = 0; i < size_; ++i)
      weight[j] = std::max(weight[j], std::abs(moved(i, j)) * z_[j] / unit_[i]);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
  for (const int j : order) {
    Doubles x(size_);
    for (int i = 0; i < size_; ++i) x[i] = moved(i, j) / unit_[i];
    add(std::move(x), 1e-8);
  }
  for (int i = 0; i < size_ && static_cast<int>(basis.size()) < size_; ++i) {
    Doubles x(size_, 0);
    x[i] = 1;
    add(std::move(x), 1e-3);
  }
  if (static_cast<int>(basis.size()) < size_) throw EnclosureFailure("no basis of directions");
  normal_.clear(), tangent_.clear();
  for (int j = 0; j < size_; ++j)
    for (int i = 0; i < size_; ++i)
      (j < rows_ ? normal_ : tangent_).push_back(basis[j][i] * unit_[i]);
}

// [T U]⁻¹ (S z + rest).
void EnclosedMotion::propagate(const DiscMatrix& moved, const Doubles& rest) {
  std::vector<ComplexDisc> entries(static_cast<std::size_t>(size_) * size_);
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < free_; ++j) entries[i * size_ + j].middle = tangent_[j * size_ + i];
    for (int j = 0; j < rows_; ++j) entries[i * size_ + free_ + j].middle = normal_[j * size_ + i];
  }
  const RegularMatrix<ComplexDisc> matrix(entries, size_);
  std::vector<ComplexDisc> right(size_), x;
  for (int i = 0; i < size_; ++i) right[i] = {0, rest[i]};
  matrix.solve(right, x);
  Doubles sum;
  for (const ComplexDisc& y : x) sum.push_back(magnitude(y));
  for (int j = 0; j < std::min<int>(free_, moved.middle.cols()); ++j) {
    for (int i = 0; i < size_; ++i) right[i] = moved(i, j);
    matrix.solve(right, x);
    for (int i = 0; i < size_; ++i) sum[i] += magnitude(x[i]) * z_[j];
  }
  for (int i = 0; i < size_; ++i) (i < free_ ? z_[i] : w_[i - free_]) = outward(sum[i]);
}

nlohmann::json EnclosedMotion::saved() const {
  return {{"t", t_.str()},   {"steps", steps_}, {"share", share_},
          {"reach", reach_}, {"unit", unit_},   {"centre", dumped(centre_)},
          {"T", tangent_},   {"U", normal_},    {"z", z_},
          {"w", w_}};
}

void EnclosedMotion::restore(const nlohmann::json& from) {
  t_ = rational(from.at("t").get<std::string>());
  from.at("steps").get_to(steps_);
  from.at("share").get_to(share_), from.at("reach").get_to(reach_);
  from.at("unit").get_to(unit_);
  centre_ = loaded(from.at("centre"));
  from.at("T").get_to(tangent_), from.at("U").get_to(normal_);
  from.at("z").get_to(z_), from.at("w").get_to(w_);
}

EnclosedState EnclosedMotion::state() {
  const EnclosureBits all(bits_);
  std::vector<RealBall> x = box();
  thin_.start(ball_of(t_), x.data(), x.data() + n_);
  EnclosedState s{t_, {}, {}, {}};
  for (int i = 0; i < n_; ++i) s.q.push_back(x[i]), s.v.push_back(x[n_ + i]);
  for (int i = 0; i < multipliers_; ++i) s.lambda.push_back(thin_.lambda(i)[0]);
  return s;
}

ConstraintSet::Recorded::Recorded(MechanicalSystem<real50>& system, const std::vector<int>& rows)
    : groups(2) {
  const int n = system.coordinates(), m = system.constraints();
  std::vector<Var> residual(n), all(m), positions;
  std::vector<Var> state = graph.inputs(2 * n);
  const auto a = graph.inputs(n), lambda = graph.inputs(m);
  const Var t = graph.input();
  const Var *const q = state.data(), *const v = q + n;
  system.record(graph, q, v, a.data(), lambda.data(), t, residual.data(), all.data());
  std::vector<Var>& values = groups[0];
  for (const int row : rows)
    (system.row_level(row) == RowLevel::velocity ? values : positions).push_back(all[row]);
  std::vector<Var> arguments(q, q + n), rates(v, v + n);
  arguments.push_back(t), rates.emplace_back(1);
  for (const Var& rate : graph::directional(positions, arguments, rates)) values.push_back(rate);
  values.insert(values.end(), positions.begin(), positions.end());
  for (const auto& [row, column, value] : graph::jacobian(values, state)) {
    places.emplace_back(row, column);
    groups[1].push_back(value);
  }
}

ConstraintSet::ConstraintSet(MechanicalSystem<real50>& system, const std::vector<int>& rows)
    : ConstraintSet(system.coordinates(), Recorded(system, rows)) {}

ConstraintSet::ConstraintSet(int coordinates, Recorded&& recorded)
    : n_(coordinates),
      size_(static_cast<int>(recorded.groups[0].size())),
      time_(recorded.graph.input_count() - 1),
      places_(std::move(recorded.places)),
      function_(recorded.graph, recorded.groups) {}

void ConstraintSet::evaluate(const RealBall& t, const std::vector<RealBall>& state) {
  for (int i = 0; i < 2 * n_; ++i) function_.input(i) = state[i];
  function_.input(time_) = t;
  function_.evaluate();
}

std::vector<RealBall> ConstraintSet::jacobian() const {
  std::vector<RealBall> entries(static_cast<std::size_t>(size_) * 2 * n_);
  for (std::size_t e = 0; e < places_.size(); ++e)
    entries[static_cast<std::size_t>(places_[e].first) * 2 * n_ + places_[e].second] =
        function_.output(1, static_cast<int>(e));
  return entries;
}

}  // namespace daemark
