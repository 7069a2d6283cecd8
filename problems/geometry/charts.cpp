#include "problems/geometry/charts.hpp"

#include <algorithm>

#include "base/graph/derivative.hpp"

namespace daemark {

using namespace rotation;

namespace {

using Vars = std::vector<Var>;

void append(Vars& to, const Vec3<Var>& x) { to.insert(to.end(), x.begin(), x.end()); }

/// g from the orientation at o: the quaternion (1, g/2)(1, −o/2), read off as increments again.
Vec3<Var> turned_from(const Vec3<Var>& o, const Vec3<Var>& g) {
  const Var scalar = Var(1) + dot(g, o) / Var(4), within = select(scalar, scalar, Var(0));
  const Vec3<Var> turn = cross(g, o);
  Vec3<Var> moved;
  for (int i = 0; i < 3; ++i) moved[i] = (g[i] - o[i] - turn[i] / Var(2)) / within;
  return moved;
}

/// x of a screw.
Vec3<Var> screw_place(const Var* chart, const Var* q) {
  const Vec3<Var> w = vector(q), g = vector(q + 3), n = cross(g, w);
  const Var c = cayley_scale(g), along = dot(g, w) / Var(4);
  Vec3<Var> x;
  for (int i = 0; i < 3; ++i) x[i] = chart[4 + i] + c * (w[i] + n[i] / Var(2) + along * g[i]);
  return x;
}

/// q in the chart around `origin`.
Vars re_expressed(Chart::Kind kind, const Var* chart, const Var* origin, const Var* q) {
  Vars moved;
  if (kind == Chart::Kind::rotation) {
    append(moved, turned_from(vector(origin), vector(q)));
  } else {  // V(g)⁻¹ = I − ½ g×
    const Vec3<Var> g = turned_from(vector(origin + 3), vector(q + 3));
    const Vec3<Var> way =
        combine(Var(1), screw_place(chart, q), Var(-1), screw_place(chart, origin));
    append(moved, combine(Var(1), way, Var(-0.5), cross(g, way)));
    append(moved, g);
  }
  return moved;
}

/// What the chart around `origin` holds.
Vars moved_numbers(Chart::Kind kind, const Var* chart, const Var* origin) {
  const Var* const g = kind == Chart::Kind::screw ? origin + 3 : origin;
  const auto p = normalised(product(cayley_quaternion(g), quaternion(chart)));
  Vars numbers(p.begin(), p.end());
  if (kind == Chart::Kind::screw) append(numbers, screw_place(chart, origin));
  return numbers;
}

/// Reference positions, then velocities.
Vars shown(Chart::Kind kind, const Var* chart, const Vars& q, const Vars& v) {
  Vars at, rate;
  if (kind == Chart::Kind::screw) {
    const Vec3<Var> x = screw_place(chart, q.data());
    append(at, x);
    rate = graph::directional(at, q, v);
  }
  const std::size_t turn = q.size() - 3;
  const Quaternion<Var> from = quaternion(chart);
  append(at, logarithm(product(cayley_quaternion(q.data() + turn), from)));
  append(rate, rotate(conjugate(from),
                      cayley_spin_transposed(vector(q.data() + turn), vector(v.data() + turn))));
  at.insert(at.end(), rate.begin(), rate.end());
  return at;
}

/// q, v and the numbers of the chart at reference positions and velocities.
std::vector<Vars> taken(Chart::Kind kind, const Vars& at, const Vars& rate) {
  const std::size_t turn = at.size() - 3;
  const Quaternion<Var> p = exponential(vector(at.data() + turn));
  Vars q(at.size()), v(rate.begin(), rate.begin() + turn), numbers(p.begin(), p.end());
  append(v, rotate(p, vector(rate.data() + turn)));
  if (kind == Chart::Kind::screw) append(numbers, vector(at.data()));
  return {q, v, numbers};
}

struct Recorded {
  std::shared_ptr<const graph::Code> rebase, move, show, take;
};

Recorded record(Chart::Kind kind) {
  const auto compiled = [](const graph::Graph& g, const std::vector<Vars>& groups) {
    return std::make_shared<const graph::Code>(graph::compile(g, groups));
  };
  const int width = kind == Chart::Kind::screw ? 6 : 3, held = width == 6 ? 7 : 4;
  graph::Graph changed, seen, made;
  Recorded recorded;
  {
    const Vars numbers = changed.inputs(held), origin = changed.inputs(width),
               q = changed.inputs(width), q_rate = changed.inputs(width), v = changed.inputs(width),
               v_rate = changed.inputs(width);
    const Vars moved = re_expressed(kind, numbers.data(), origin.data(), q.data());
    const Vars along_v = graph::directional(moved, q, v);
    Vars both = q, rates = q_rate;
    both.insert(both.end(), v.begin(), v.end());
    rates.insert(rates.end(), v_rate.begin(), v_rate.end());
    recorded.rebase = compiled(changed, {moved, graph::directional(moved, q, q_rate), along_v,
                                         graph::directional(along_v, both, rates)});
    recorded.move = compiled(changed, {moved_numbers(kind, numbers.data(), origin.data())});
  }
  const Vars numbers = seen.inputs(held), q = seen.inputs(width), v = seen.inputs(width);
  recorded.show = compiled(seen, {shown(kind, numbers.data(), q, v)});
  const Vars at = made.inputs(width), rate = made.inputs(width);
  recorded.take = compiled(made, taken(kind, at, rate));
  return recorded;
}

const Recorded& recorded(Chart::Kind kind) {
  static const Recorded rotation = record(Chart::Kind::rotation),
                        screw = record(Chart::Kind::screw);
  return kind == Chart::Kind::screw ? screw : rotation;
}

}  // namespace

template <class S>
Charts<S>::Charts(const std::vector<Chart>& charts) {
  for (const Chart& chart : charts) {
    charts_.push_back({chart, size_});
    size_ += charts_.back().held();
    Functions& f = of(charts_.back());
    if (f.rebase) continue;
    const Recorded& all = recorded(chart.kind);
    f = {graph::Evaluator<S>(all.rebase), graph::Evaluator<S>(all.move),
         graph::Evaluator<S>(all.show), graph::Evaluator<S>(all.take)};
  }
}

template <class S>
void Charts<S>::initial(S* numbers) const {
  for (const Placed& placed : charts_)
    for (const wide& x : placed.chart.numbers) *numbers++ = from_wide<S>(x);
}

template <class S>
std::vector<int> Charts<S>::rotations() const {
  std::vector<int> first;
  for (const Placed& placed : charts_)
    if (placed.chart.kind == Chart::Kind::rotation) first.push_back(placed.chart.first);
  return first;
}

template <class S>
bool Charts<S>::hold(const S* q) const {
  const S limit(25);
  return std::all_of(charts_.begin(), charts_.end(), [&](const Placed& placed) {
    const Vec3<S> g = vector(q + placed.turn());
    return dot(g, g) < limit * limit;
  });
}

template <class S>
void Charts<S>::rebase(S* numbers, const std::vector<ChartPoint<S>>& points) {
  for (const Placed& placed : charts_) {
    Functions& f = of(placed);
    const int at = placed.chart.first, width = placed.width();
    S *const held = numbers + placed.offset, *const origin = points.front().q + at;
    for (graph::Evaluator<S>* each : {&f.rebase, &f.move})
      std::copy_n(origin, width, std::copy_n(held, placed.held(), each->inputs()));
    for (const ChartPoint<S>& p : points) {
      S* x = f.rebase.inputs() + placed.held() + width;
      S* const moved[] = {p.q + at, p.q_rate + at, p.v + at, p.v_rate + at};
      for (const S* from : moved) x = std::copy_n(from, width, x);
      f.rebase.run(moved);
    }
    f.move.run(held);
  }
}

template <class S>
void Charts<S>::to_reference(const MotionPoint<S>& p, S* q_ref, S* v_ref) const {
  for (const Placed& placed : charts_) {
    Functions& f = of(placed);
    const int at = placed.chart.first, width = placed.width();
    std::array<S, 12> both;
    S* x = std::copy_n(p.chart + placed.offset, placed.held(), f.show.inputs());
    std::copy_n(p.v + at, width, std::copy_n(p.q + at, width, x));
    f.show.run(both.data());
    std::copy_n(both.data(), width, q_ref + at);
    std::copy_n(both.data() + width, width, v_ref + at);
  }
}

template <class S>
void Charts<S>::from_reference(const S* q_ref, const S* v_ref, S* q, S* v, S* numbers) const {
  for (const Placed& placed : charts_) {
    Functions& f = of(placed);
    const int at = placed.chart.first, width = placed.width();
    std::copy_n(v_ref + at, width, std::copy_n(q_ref + at, width, f.take.inputs()));
    S* const taken[] = {q + at, v + at, numbers + placed.offset};
    f.take.run(taken);
  }
}

template <class S>
void Charts<S>::reference_difference(const real50* a, const real50* b, real50* difference) const {
  for (const Placed& placed : charts_) {
    const int at = placed.turn();
    const auto turn =
        logarithm(product(conjugate(exponential(vector(a + at))), exponential(vector(b + at))));
    std::copy(turn.begin(), turn.end(), difference + at);
  }
}

template class Charts<double>;
template class Charts<real50>;

}  // namespace daemark
