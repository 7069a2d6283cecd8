#include "analysis/run/work_integral.hpp"

#include <algorithm>
#include <cmath>

#include "base/linear/lu_tally.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

constexpr std::size_t most_ends = 4;  ///< on charts

/// Over [a, b], of the polynomial through (t_i, p_i), i < n ≤ 4: two points of Gauss are exact.
template <class S>
S integral_of(const S* t, const S* p, std::size_t n, const S& a, const S& b) {
  using std::sqrt;
  const S half = (b - a) / S(2), middle = (a + b) / S(2), offset = half / sqrt(S(3));
  S sum(0);
  for (const S& x : {S(middle - offset), S(middle + offset)}) {
    for (std::size_t i = 0; i < n; ++i) {
      S weight(1);
      for (std::size_t j = 0; j < n; ++j)
        if (j != i) weight *= (x - t[j]) / (t[i] - t[j]);
      sum += weight * p[i];
    }
  }
  return half * sum;
}

}  // namespace

template <class S>
WorkIntegral<S>::WorkIntegral(MechanicalSystem<S>& mechanism)
    : mechanism_(mechanism), on_chart_(mechanism.chart_size() > 0) {
  if (!on_chart_) index_one_ = std::make_unique<IndexOneSolve<S>>(mechanism);
}

template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::end_of(const State<S>& s) {
  const int n = mechanism_.coordinates(), m = mechanism_.constraints();
  Node node;
  node.t = s.t;
  if (on_chart_) {
    node.power = mechanism_.power(motion_point(n, s.point()));
    return node;
  }
  const auto y = s.y.begin();
  node.q.assign(y, y + n), node.v.assign(y + n, y + 2 * n);
  node.lambda.assign(y + 2 * n, y + 2 * n + m);
  node.a.assign(s.rate.begin() + n, s.rate.begin() + 2 * n);
  complete(node);
  return node;
}

template <class S>
void WorkIntegral<S>::complete(Node& node) {
  const LuTally apart;  // the method is not charged for it
  std::vector<S> a = node.a, lambda = node.lambda;
  if (index_one_->solve(mechanism_, point(node), {S(0), S(0), S(1)}, a.data(), lambda.data()))
    node.a.swap(a), node.lambda.swap(lambda);
  node.power = mechanism_.power(point(node));
}

template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::between(const Node& from, const Node& to,
                                                        const S& t) const {
  const S h = to.t - from.t, x = (t - from.t) / h, z = S(1) - x;
  Node node = to;
  node.t = t;
  // q = q0 + h x v0 + h² x²/2 a0 + x³ (c0 − c1 z + c2 z²): what the end adds to the start's Taylor
  // polynomial, in powers of z.
  for (std::size_t i = 0; i < node.q.size(); ++i) {
    const S v0 = h * from.v[i], a0 = h * h * from.a[i];
    const S c0 = to.q[i] - from.q[i] - v0 - a0 / S(2), rate = h * to.v[i] - v0 - a0,
            bend = h * h * to.a[i] - a0;
    const S c1 = rate - S(3) * c0, c2 = bend / S(2) - S(3) * c1 - S(3) * c0;
    const S part = c0 - c1 * z + c2 * z * z, slope = c1 - S(2) * c2 * z;
    node.q[i] = from.q[i] + x * (v0 + x * (a0 / S(2) + x * part));
    node.v[i] = (v0 + x * (a0 + x * (S(3) * part + x * slope))) / h;
    node.a[i] = (a0 + x * (S(6) * part + x * (S(6) * slope + S(2) * x * c2))) / (h * h);
  }
  for (std::size_t i = 0; i < node.lambda.size(); ++i)
    node.lambda[i] = z * from.lambda[i] + x * to.lambda[i];
  return node;
}

/// The quintic is off by a multiple of x³ (1 − x)³, which its second derivative shows.
template <class S>
typename WorkIntegral<S>::Node WorkIntegral<S>::middle_of(const Node& from, const Node& to) {
  Node node = between(from, to, S((from.t + to.t) / S(2)));
  const S h = to.t - from.t;
  const std::vector<S> bent = node.a;
  complete(node);
  for (std::size_t i = 0; i < node.q.size(); ++i)
    node.q[i] -= h * h / S(24) * (node.a[i] - bent[i]);
  complete(node);
  return node;
}

template <class S>
S WorkIntegral<S>::lobatto(const Node& from, const Node& to, const S& a, const S& b) {
  using std::sqrt;
  const S half = (b - a) / S(2), middle = (a + b) / S(2), offset = half / sqrt(S(5));
  const auto power = [&](const S& t) {
    if (t == from.t || t == to.t) return t == from.t ? from.power : to.power;
    Node node = between(from, to, t);
    complete(node);
    return node.power;
  };
  return half / S(6) *
         (power(a) + S(5) * (power(S(middle - offset)) + power(S(middle + offset))) + power(b));
}

template <class S>
void WorkIntegral<S>::start(const State<S>& initial) {
  to_ = end_of(initial);
  done_ = to_.t;
  ends_ = {to_.t}, powers_ = {to_.power};
}

/// On the step and on its halves, whose errors are 64 times smaller.
template <class S>
void WorkIntegral<S>::add_step(const S& a, const S& b) {
  const S once = lobatto(from_, to_, a, b);
  const bool forth = to_.t > from_.t;  // back: to an event
  if (middle_.t == from_.t) middle_ = middle_of(from_, to_);
  const S split = forth ? std::clamp(middle_.t, a, b) : std::clamp(middle_.t, b, a);
  S twice(0);
  if (split != a) twice += lobatto(from_, middle_, a, split);
  if (split != b) twice += lobatto(middle_, to_, split, b);
  const S off = (twice - once) / S(63);
  integral_ += twice + off;
  off_ += off < S(0) ? -off : off;
}

/// Of the cubic and the parabola through the last step ends.
template <class S>
void WorkIntegral<S>::add_ends(const S& a, const S& b) {
  const std::size_t n = ends_.size(), left_out = n == most_ends ? 1 : 0;
  integral_ += integral_of(ends_.data(), powers_.data(), n, a, b);
  coarser_ += integral_of(ends_.data() + left_out, powers_.data() + left_out, n - left_out, a, b);
  off_ = integral_ - coarser_;
}

template <class S>
void WorkIntegral<S>::advance(const S& t) {
  if (t == done_) return;
  on_chart_ ? add_ends(done_, t) : add_step(done_, t);
  done_ = t;
  const double size = std::abs(to_double(off_));
  if (!std::isnan(doubt_) && !(size <= doubt_)) doubt_ = size;  // a NaN stays
}

template <class S>
void WorkIntegral<S>::step(const State<S>& end) {
  if (end.t == to_.t) return;
  advance(to_.t);
  from_ = std::move(to_);
  to_ = end_of(end);
  middle_.t = from_.t;  // not known yet
  if (ends_.size() == most_ends) ends_.erase(ends_.begin()), powers_.erase(powers_.begin());
  ends_.push_back(to_.t), powers_.push_back(to_.power);
}

template <class S>
const S& WorkIntegral<S>::up_to(const State<S>& at) {
  if (at.t < done_ || at.t > to_.t) step(at);
  advance(at.t);
  return integral_;
}

template class WorkIntegral<double>;
template class WorkIntegral<real50>;

}  // namespace daemark
