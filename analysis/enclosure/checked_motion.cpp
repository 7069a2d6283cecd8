#include "analysis/enclosure/checked_motion.hpp"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "analysis/enclosure/matrices.hpp"

namespace daemark {
namespace {

constexpr int low_order = 9;  // of the series that enclose a step and carry the errors
constexpr long low_bits = 64;
constexpr double most_work = 1e6;   // steps × (2n)², about 0.2 ms each
constexpr double most_open = 1e-3;  // of derivatives, or else errors grow by it step by step

RealBall around(const RealBall& centre, double radius) {
  RealBall x = exact_middle(centre);
  add_error(x, radius);
  return x;
}

/// Σ |c_k| h^k for 0 < k <= order: how far a series leads from its beginning on [0, h].
double way(const ComplexDisc* c, int order, double h) {
  double sum = 0;
  for (int k = order; k > 0; --k) sum = (sum + magnitude(c[k])) * h;
  return outward(sum);
}

double power_bound(double h, int k) { return outward(std::pow(h, k)); }

}  // namespace

CheckedMotion::CheckedMotion(MechanicalSystem<real50>& system, const std::vector<int>& rows,
                             const rational& t0, const std::vector<wide>& q0,
                             const std::vector<wide>& v0, int order, long bits)
    : n_(system.coordinates()),
      multipliers_(static_cast<int>(rows.size())),
      size_(2 * n_),
      order_(std::max(order, low_order)),
      bits_(bits),
      t_(t0),
      centre_series_(system, rows, order_),
      remainder_(system, rows, order_ + 1),
      starts_(system, rows, low_order, true),
      within_(system, rows, low_order, true) {
  const EnclosureBits all(bits_);
  for (const auto* part : {&q0, &v0})
    for (const wide& x : *part) centre_.push_back(from_wide<RealBall>(x));
  start(system, rows);
}

// The consistent state next to the data: with U the gradients of the constraints there, a w inside
// |w| <= ω with c + U w on them, since w -> w − (C U)⁻¹ c maps this box into itself.
void CheckedMotion::start(MechanicalSystem<real50>& system, const std::vector<int>& rows) {
  columns_.setIdentity(size_, size_), error_.setZero(size_);
  for (int i = 0; i < size_; ++i) {
    error_[i] = radius_bound(centre_[i]);
    centre_[i] = exact_middle(centre_[i]);
  }
  ConstraintSet constraints(system, rows);
  const int count = constraints.size();
  if (count == 0) return;
  const auto gradients = [&](const std::vector<RealBall>& at) {
    constraints.evaluate(ball_of(t_), at);
    return constraints.jacobian();
  };
  const std::vector<RealBall> at_centre = gradients(centre_);
  std::vector<RealBall> missed, w;
  for (int i = 0; i < count; ++i) missed.push_back(-constraints.value(i));
  const auto u = [&](int j, int i) { return near_middle(at_centre[j * size_ + i]); };
  Vector bound = Vector::Zero(count), moved = Vector::Zero(size_);
  for (int pass = 0; pass < 4; ++pass) {
    moved.setZero();
    for (int j = 0; j < count; ++j)
      for (int i = 0; i < size_; ++i) moved[i] += std::abs(u(j, i)) * bound[j];
    std::vector<RealBall> around_start = centre_;
    for (int i = 0; i < size_; ++i) add_error(around_start[i], outward(moved[i] + error_[i]));
    const std::vector<RealBall> c = gradients(around_start);
    std::vector<RealBall> matrix, right = missed;
    for (int row = 0; row < count; ++row) {
      for (int j = 0; j < count; ++j) {
        RealBall sum(0);
        for (int i = 0; i < size_; ++i) add_product(sum, c[row * size_ + i], ball_of(u(j, i)));
        matrix.push_back(sum);
      }
      for (int i = 0; i < size_; ++i)  // the data's rounding
        add_product(right[row], c[row * size_ + i], around(RealBall(0), error_[i]));
    }
    RegularMatrix<RealBall>(matrix, count).solve(right, w);
    bool inside = pass > 0;
    for (int j = 0; j < count; ++j) {
      const double image = outward(magnitude(w[j]));
      inside = inside && image < bound[j];
      bound[j] = 2 * image;
    }
    if (!inside) continue;
    for (int i = 0; i < size_; ++i) error_[i] = outward(error_[i] + moved[i]);
    return;
  }
  throw EnclosureFailure("the start does not satisfy the constraints");
}

std::vector<RealBall> CheckedMotion::box() const {
  std::vector<RealBall> x = centre_;
  const Vector e = columns_.cwiseAbs() * error_;
  for (int i = 0; i < size_; ++i) add_error(x[i], outward(e[i]));
  return x;
}

void CheckedMotion::step(const rational& h, int halvings) {
  try {
    whole_step(h);
  } catch (const EnclosureFailure&) {
    if (halvings == 0) throw;
    for (int half = 0; half < 2; ++half) step(h / 2, halvings - 1);
  }
}

// The solution from any start stays within c ± b on the step if
// r + Σ_{0<k<K} |x_k(X)| h^k + |x_K(B)| h^K < b, by Taylor's formula and continuation.
void CheckedMotion::enclose_step(const RealBall& h) {
  const EnclosureBits low(low_bits);
  std::vector<ComplexDisc> x;
  for (const RealBall& ball : box()) x.push_back(disc_of(ball));
  const ComplexDisc time = disc_of(ball_of(t_));
  starts_.start(time, x.data(), x.data() + n_);
  starts_.extend(low_order);
  const double length = outward(magnitude(h)), power = power_bound(length, low_order);
  Vector lower(size_), image(size_);
  const Vector radius = columns_.cwiseAbs() * error_;
  for (int i = 0; i < size_; ++i) {
    lower[i] = outward(radius[i]) + way(starts_.state(i), low_order - 1, length);
    image[i] = lower[i] + 2 * magnitude(starts_.state(i)[low_order]) * power;
  }
  const double largest[] = {image.head(n_).maxCoeff(), image.tail(n_).maxCoeff()};
  ComplexDisc times = time;  // t − h to t + h
  add_error(times, length);
  for (int pass = 0; pass < 6; ++pass) {
    reach_ = 1.1 * image;
    for (int i = 0; i < size_; ++i) reach_[i] += 1e-9 * largest[i / n_] + 1e-30;
    std::vector<ComplexDisc> on_step;
    for (int i = 0; i < size_; ++i) {
      on_step.push_back(disc_of(centre_[i]));
      add_error(on_step.back(), reach_[i]);
    }
    within_.start(times, on_step.data(), on_step.data() + n_);
    within_.extend(low_order);
    bool inside = true;
    for (int i = 0; i < size_; ++i) {
      image[i] = outward(lower[i] + magnitude(within_.state(i)[low_order]) * power);
      inside = inside && image[i] < reach_[i];
    }
    if (inside) return;
  }
  throw EnclosureFailure("no box is found that the motion does not leave");
}

std::vector<RealBall> CheckedMotion::end_of_centre(const RealBall& h) {
  std::vector<RealBall> on_step;
  for (int i = 0; i < size_; ++i) on_step.push_back(around(centre_[i], reach_[i]));
  {
    const EnclosureBits low(low_bits);
    remainder_.start(around(ball_of(t_), outward(magnitude(h))), on_step.data(),
                     on_step.data() + n_);
    remainder_.extend(order_ + 1);
  }
  const EnclosureBits all(bits_);
  centre_series_.start(ball_of(t_), centre_.data(), centre_.data() + n_);
  centre_series_.extend(order_);
  RealBall power = h;
  for (int k = 1; k <= order_; ++k) power = power * h;
  std::vector<RealBall> end;
  for (int i = 0; i < size_; ++i) {
    end.push_back(polynomial(centre_series_.state(i), order_, h));
    add_product(end.back(), remainder_.state(i)[order_ + 1], power);
  }
  return end;
}

// ∂x(h)/∂x0 times a direction, over all starts; the remainder over all derivatives on the step.
std::vector<ComplexDisc> CheckedMotion::derivative(const Vector& direction, const ComplexDisc& h) {
  std::vector<ComplexDisc> at_start;
  for (int i = 0; i < size_; ++i) at_start.emplace_back(direction[i], 0);
  starts_.follow(at_start.data(), at_start.data() + n_, low_order);
  const double length = outward(magnitude(h)), power = power_bound(length, low_order);
  Vector lower(size_), image(size_);
  for (int i = 0; i < size_; ++i) {
    lower[i] = way(starts_.tangent(i), low_order - 1, length);
    image[i] = lower[i] + 2 * magnitude(starts_.tangent(i)[low_order]) * power;
  }
  // Its equations are linear: to enclose it everywhere, in units of what is reached.
  double unit = 0;
  for (int i = 0; i < size_; ++i)
    unit = larger(unit, std::max(image[i], std::abs(direction[i])) / reach_[i]);
  for (int pass = 0; pass < 8; ++pass) {
    std::vector<ComplexDisc> on_step = at_start;
    Vector bound = 1.1 * image + 1e-3 * unit * reach_;
    for (int i = 0; i < size_; ++i) add_error(on_step[i], bound[i]);
    within_.follow(on_step.data(), on_step.data() + n_, low_order);
    bool inside = true;
    for (int i = 0; i < size_; ++i) {
      image[i] = outward(lower[i] + magnitude(within_.tangent(i)[low_order]) * power);
      inside = inside && image[i] < bound[i];
    }
    if (!inside) continue;
    std::vector<ComplexDisc> end;
    for (int i = 0; i < size_; ++i) {
      end.push_back(within_.tangent(i)[low_order]);
      for (int k = low_order - 1; k >= 0; --k) end[i] = end[i] * h + starts_.tangent(i)[k];
    }
    double size = 0, open = 0;
    for (int i = 0; i < size_; ++i) {
      size = std::max(size, std::abs(end[i].middle) / reach_[i]);
      open = larger(open, end[i].radius / reach_[i]);
    }
    if (!(open <= most_open * size)) break;
    return end;
  }
  throw EnclosureFailure("no narrow bound of the derivatives by the start is found");
}

void CheckedMotion::whole_step(const rational& length) {
  if (++steps_ > most_work / (size_ * size_)) throw TooManySteps();
  const RealBall h = [&] {
    const EnclosureBits all(bits_);
    return ball_of(length);
  }();
  enclose_step(h);
  const std::vector<RealBall> end = end_of_centre(h);
  const EnclosureBits low(low_bits);
  std::vector<std::vector<ComplexDisc>> moved;
  for (int j = 0; j < size_; ++j) moved.push_back(derivative(columns_.col(j), disc_of(h)));
  const Eigen::MatrixXd columns = basis_of(moved);
  std::vector<ComplexDisc> entries, local, parts;
  for (int i = 0; i < size_; ++i) {
    for (int j = 0; j < size_; ++j) entries.emplace_back(columns(i, j), 0);
    local.emplace_back(0, radius_bound(end[i]));
  }
  const RegularMatrix<ComplexDisc> basis(entries, size_);
  basis.solve(local, parts);
  Vector error(size_);
  for (int i = 0; i < size_; ++i) error[i] = magnitude(parts[i]);
  for (int j = 0; j < size_; ++j) {
    basis.solve(moved[j], parts);
    for (int i = 0; i < size_; ++i) error[i] += magnitude(parts[i]) * error_[j];
  }
  for (int i = 0; i < size_; ++i) error_[i] = outward(error[i]), centre_[i] = exact_middle(end[i]);
  columns_ = columns, t_ += length;
}

// Orthogonal in units of reach_, beginning with the direction of the largest error (Lohner); any
// regular basis is right.
Eigen::MatrixXd CheckedMotion::basis_of(const std::vector<std::vector<ComplexDisc>>& moved) const {
  Eigen::MatrixXd scaled(size_, size_), sorted(size_, size_);
  for (int j = 0; j < size_; ++j)
    for (int i = 0; i < size_; ++i) scaled(i, j) = moved[j][i].middle / reach_[i];
  std::vector<int> order(size_);
  std::iota(order.begin(), order.end(), 0);
  const Vector weight = (scaled.colwise().norm().transpose().array() * error_.array()).matrix();
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return weight[a] > weight[b]; });
  for (int j = 0; j < size_; ++j) sorted.col(j) = scaled.col(order[j]);
  const Eigen::MatrixXd q = Eigen::HouseholderQR<Eigen::MatrixXd>(sorted).householderQ();
  return reach_.asDiagonal() * q;
}

EnclosedState CheckedMotion::state() {
  const EnclosureBits all(bits_);
  const std::vector<RealBall> x = box();
  centre_series_.start(ball_of(t_), x.data(), x.data() + n_);
  EnclosedState s{t_, {x.begin(), x.begin() + n_}, {x.begin() + n_, x.end()}, {}};
  for (int i = 0; i < multipliers_; ++i) s.lambda.push_back(centre_series_.lambda(i)[0]);
  return s;
}

}  // namespace daemark
