#include "analysis/enclosure/enclosed_motion.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {
namespace {

constexpr int transport_order = 10;  // of the series that move the error
constexpr long coarse_bits = 64;
constexpr double step_share = 0.25;  // of the disc's radius
constexpr int step_bits = 4;         // so that many steps in a row are of one length

RealBall symmetric(double radius) {
  RealBall x(0);
  add_error(x, radius);
  return x;
}

/// Above Σ θᵏ over k > order.
double tail(double theta, int order) { return outward(std::pow(theta, order + 1) / (1 - theta)); }

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
      column_(system, rows, transport_order, true),
      disc_(system, rows),
      constraints_(system, rows) {
  rows_ = constraints_.size();
  free_ = size_ - rows_;
  std::vector<RealBall> data;
  for (const auto* part : {&q0, &v0})
    for (const wide& x : *part) {
      const RealBall stated = from_wide<RealBall>(x);
      centre_.push_back(exact_middle(stated));
      data.push_back(symmetric(radius_bound(stated)));
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
  for (int i = 0; i < size_; ++i) width = larger(width, e[i] / disc_.reach()[i]);
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
  disc_.find(ball_of(t_), centre_);
  rational h(shortened(step_share * disc_.rho(), step_bits));
  if (t_ + h > end) h = end - t_;
  const double theta = outward(static_cast<double>(h) / disc_.rho());
  // Cauchy's bounds: along e a start is analytic for |s| < min start_radius/|e|.
  const Doubles e = error();
  double sigma = 0, sigma_w = 0;
  for (int i = 0; i < size_; ++i) {
    sigma = larger(sigma, e[i] / disc_.start_radius()[i]);
    double normal = 0;
    for (int j = 0; j < rows_; ++j) normal += std::abs(normal_[j * size_ + i]) * w_[j];
    sigma_w = larger(sigma_w, normal / disc_.start_radius()[i]);
  }
  sigma = outward(sigma);
  if (!(sigma < 0.1)) throw EnclosureFailure("the enclosure is too wide", true);
  const double spread = outward(outward(sigma_w) + sigma * sigma / (1 - sigma));
  const std::vector<RealBall> next = moved_centre(h, theta);
  std::vector<std::vector<RealBall>> moved;
  std::vector<RealBall> rest;
  const EnclosureBits coarse(coarse_bits);
  column_.start(ball_of(t_), centre_.data(), centre_.data() + n_);
  column_.extend(transport_order);
  for (int j = 0; j < free_; ++j) moved.push_back(transported(j, ball_of(h), theta));
  for (int i = 0; i < size_; ++i) {
    rest.push_back(symmetric(outward(radius_bound(next[i]) + disc_.reach()[i] * spread)));
    centre_[i] = exact_middle(next[i]);
  }
  t_ += h;
  choose_basis(moved);
  propagate(moved, rest);
  contract_normal(false);
  ++steps_;
}

// x(h) from the centre: the polynomial of degree order_ and what is left out.
std::vector<RealBall> EnclosedMotion::moved_centre(const rational& length, double theta) {
  const EnclosureBits all(bits_);
  const RealBall h = ball_of(length);
  thin_.start(ball_of(t_), centre_.data(), centre_.data() + n_);
  thin_.extend(order_);
  std::vector<RealBall> next;
  for (int i = 0; i < size_; ++i) {
    next.push_back(polynomial(thin_.state(i), order_, h));
    add_error(next.back(), outward(disc_.reach()[i] * tail(theta, order_)));
  }
  return next;
}

// ∂x(h)/∂x0 times column j of T: an analytic function of the start has derivatives below
// reach/s, and so have the coefficients that are left out.
std::vector<RealBall> EnclosedMotion::transported(int j, const RealBall& h, double theta) {
  std::vector<RealBall> change;
  double s = INFINITY;
  for (int i = 0; i < size_; ++i) {
    const double x = tangent_[j * size_ + i];
    change.push_back(ball_of(x));
    if (x != 0) s = std::min(s, disc_.start_radius()[i] / std::abs(x));
  }
  column_.follow(change.data(), change.data() + n_, transport_order);
  std::vector<RealBall> moved;
  for (int i = 0; i < size_; ++i) {
    moved.push_back(polynomial(column_.tangent(i), transport_order, h));
    add_error(moved.back(), outward(disc_.reach()[i] * tail(theta, transport_order) / s));
  }
  return moved;
}

// U: gradients of the constraints, T: what the step made of the former T, those of the largest
// errors first; orthonormal in units of start_radius. Any basis is right, this one is good.
void EnclosedMotion::choose_basis(const std::vector<std::vector<RealBall>>& moved) {
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
      for (int i = 0; i < size_; ++i)
        x[i] = near_middle(c[row * size_ + i]) * disc_.start_radius()[i];
      if (!add(std::move(x), 1e-10))
        throw EnclosureFailure("constraints that depend on each other");
    }
  }
  std::vector<int> order(moved.size());
  std::iota(order.begin(), order.end(), 0);
  Doubles weight(moved.size(), 0);
  for (std::size_t j = 0; j < moved.size(); ++j)
    for (int i = 0; i < size_; ++i)
      weight[j] =
          std::max(weight[j], std::abs(near_middle(moved[j][i])) * z_[j] / disc_.start_radius()[i]);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
  for (const int j : order) {
    Doubles x(size_);
    for (int i = 0; i < size_; ++i) x[i] = near_middle(moved[j][i]) / disc_.start_radius()[i];
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
      (j < rows_ ? normal_ : tangent_).push_back(basis[j][i] * disc_.start_radius()[i]);
}

// [T U]⁻¹ (S z + rest).
void EnclosedMotion::propagate(const std::vector<std::vector<RealBall>>& moved,
                               const std::vector<RealBall>& rest) {
  std::vector<RealBall> entries(static_cast<std::size_t>(size_) * size_);
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < free_; ++j) entries[i * size_ + j] = ball_of(tangent_[j * size_ + i]);
    for (int j = 0; j < rows_; ++j)
      entries[i * size_ + free_ + j] = ball_of(normal_[j * size_ + i]);
  }
  const RegularMatrix<RealBall> matrix(entries, size_);
  std::vector<RealBall> x;
  matrix.solve(rest, x);
  Doubles sum;
  for (const RealBall& y : x) sum.push_back(magnitude(y));
  for (std::size_t j = 0; j < moved.size(); ++j) {
    matrix.solve(moved[j], x);
    for (int i = 0; i < size_; ++i) sum[i] += magnitude(x[i]) * z_[j];
  }
  for (int i = 0; i < size_; ++i) (i < free_ ? z_[i] : w_[i - free_]) = outward(sum[i]);
}

nlohmann::json EnclosedMotion::saved() const {
  return {{"t", t_.str()},
          {"steps", steps_},
          {"disc", disc_.saved()},
          {"centre", dumped(centre_)},
          {"T", tangent_},
          {"U", normal_},
          {"z", z_},
          {"w", w_}};
}

void EnclosedMotion::restore(const nlohmann::json& from) {
  t_ = rational(from.at("t").get<std::string>());
  from.at("steps").get_to(steps_);
  disc_.restore(from.at("disc"));
  centre_ = loaded(from.at("centre"));
  from.at("T").get_to(tangent_), from.at("U").get_to(normal_);
  from.at("z").get_to(z_), from.at("w").get_to(w_);
}

EnclosedState EnclosedMotion::state() {
  const EnclosureBits all(bits_);
  std::vector<RealBall> x = box();
  column_.start(ball_of(t_), x.data(), x.data() + n_);
  EnclosedState s{t_, {}, {}, {}};
  for (int i = 0; i < n_; ++i) s.q.push_back(x[i]), s.v.push_back(x[n_ + i]);
  for (int i = 0; i < multipliers_; ++i) s.lambda.push_back(column_.lambda(i)[0]);
  return s;
}

}  // namespace daemark
