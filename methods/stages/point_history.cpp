#include "methods/stages/point_history.hpp"

#include <algorithm>

namespace daemark {

HermiteWeights hermite_rate(const std::vector<wide>& times, const wide& at) {
  HermiteWeights weights;
  for (std::size_t j = 0; j < times.size(); ++j) {
    // Lagrange polynomial l of point j: value and slope at `at`, slope at its own point.
    wide value = 1, log_slope = 0, own_slope = 0;
    for (std::size_t k = 0; k < times.size(); ++k) {
      if (k == j) continue;
      value *= (at - times[k]) / (times[j] - times[k]);
      log_slope += 1 / (at - times[k]);
      own_slope += 1 / (times[j] - times[k]);
    }
    const wide slope = value * log_slope, distance = at - times[j];
    // d/dt of (1 − 2 (t − t_j) l'(t_j)) l² and of (t − t_j) l².
    weights.m.push_back(-2 * own_slope * value * value +
                        (1 - 2 * distance * own_slope) * 2 * value * slope);
    weights.n.push_back(value * value + 2 * distance * value * slope);
  }
  return weights;
}

int predictor_depth(Predictor predictor) {
  switch (predictor) {
    case Predictor::constant:
      return 1;
    case Predictor::extrapolated:
    case Predictor::hermite2:
      return 2;
    case Predictor::hermite4:
      return 3;
  }
  return 1;
}

template <class S>
PointHistory<S>::PointHistory(const ImplicitSystem<S>& system, const ComponentLists& lists,
                              int depth, Predictor predictor)
    : lists_(lists),
      predictor_(predictor),
      size_(system.size()),
      depth_(std::max(depth, predictor_depth(predictor))),
      y_(depth_, std::vector<S>(size_, S(0))),
      rate_(y_) {
  set_weights();
}

template <class S>
void PointHistory<S>::set_weights() {
  const auto narrow = [](const std::vector<wide>& from, std::vector<S>& to) {
    to.clear();
    for (const wide& x : from) to.push_back(from_wide<S>(x));
  };
  for (int points = 1; points <= depth_; ++points) {
    Weights w;
    w.n = w.algebraic = {S(1)};
    std::vector<wide> times;
    for (int j = 1; j <= points; ++j) times.emplace_back(-j);
    if (predictor_ == Predictor::extrapolated) {
      std::vector<wide> lagrange;
      for (int j = 0; j < points; ++j) {
        wide weight = 1;
        for (int k = 0; k < points; ++k)
          if (k != j) weight *= -times[k] / (times[j] - times[k]);
        lagrange.push_back(weight);
      }
      narrow(lagrange, w.n);
      w.algebraic = w.n;
    } else if (predictor_ != Predictor::constant && points >= 2) {
      times.resize(std::min(points, predictor_depth(predictor_)));
      const HermiteWeights hermite = hermite_rate(times, 0);
      narrow(hermite.m, w.m);
      narrow(hermite.n, w.n);
    }
    weights_.push_back(w);
  }
}

template <class S>
void PointHistory<S>::restart(const State<S>& first) {
  for (int j = 0; j < depth_; ++j) {
    y_[j].assign(size_, S(0));
    rate_[j].assign(size_, S(0));
  }
  y_[0] = first.y;
  rate_[0] = first.rate;
  filled_ = 1;
}

template <class S>
void PointHistory<S>::push(const S* y, const S* rate) {
  std::rotate(y_.begin(), y_.end() - 1, y_.end());
  std::rotate(rate_.begin(), rate_.end() - 1, rate_.end());
  std::copy_n(y, size_, y_[0].begin());
  std::copy_n(rate, size_, rate_[0].begin());
  filled_ = std::min(filled_ + 1, depth_);
}

template <class S>
void PointHistory<S>::add_to(std::vector<S*>& points_y, std::vector<S*>& points_rate) {
  for (int j = 0; j < filled_; ++j) {
    points_y.push_back(y_[j].data());
    points_rate.push_back(rate_[j].data());
  }
}

template <class S>
void PointHistory<S>::guess(const S& h, S* y, S* rate) const {
  const Weights& w = weights_[filled_ - 1];
  for (int c : lists_.differential) {
    S sum(0);
    for (std::size_t j = 0; j < w.m.size(); ++j) sum += w.m[j] * y_[j][c];
    if (!w.m.empty()) sum /= h;
    for (std::size_t j = 0; j < w.n.size(); ++j) sum += w.n[j] * rate_[j][c];
    rate[c] = sum;
  }
  for (int c : lists_.algebraic) {
    S sum(0);
    for (std::size_t j = 0; j < w.algebraic.size(); ++j) sum += w.algebraic[j] * y_[j][c];
    y[c] = sum;
  }
}

template <class S>
void PointHistory<S>::append_to(std::vector<S>& memory) const {
  memory.push_back(S(filled_));
  for (int j = 0; j < depth_; ++j) {
    for (int c : lists_.differential) memory.push_back(y_[j][c]);
    for (const auto& [c, source] : lists_.integral) memory.push_back(y_[j][c]);
    for (int c : lists_.differential) memory.push_back(rate_[j][c]);
    if (j < algebraic_points())
      for (int c : lists_.algebraic) memory.push_back(y_[j][c]);
  }
}

template <class S>
void PointHistory<S>::take_from(typename std::vector<S>::const_iterator& from) {
  filled_ = static_cast<int>(to_double(*from++));
  for (int j = 0; j < depth_; ++j) {
    for (int c : lists_.differential) y_[j][c] = *from++;
    for (const auto& [c, source] : lists_.integral) y_[j][c] = *from++;
    for (int c : lists_.differential) rate_[j][c] = *from++;
    for (const auto& [c, source] : lists_.integral) rate_[j][c] = y_[j][source];
    if (j < algebraic_points())
      for (int c : lists_.algebraic) y_[j][c] = *from++;
  }
}

template class PointHistory<double>;
template class PointHistory<real50>;
template class PointHistory<rational>;

}  // namespace daemark
