// A row of N square four-bar loops that share their bars (IFToMM library of multibody benchmarks,
// A02 for N = 2): cranks of length L turn about A_i = (i L, 0), i = 0 … N, couplers of length L
// join their tips B_i. Uniform bars; released upright with tips moving in x, gravity down.
//
// Every loop is a parallelogram: all cranks share one angle θ, n − m = 1. Where the cranks are
// horizontal all bars lie on one line and the constraints lose rank: index-3 Newton may fail there.
//
// Minimal (the branch without buckling): J θ̈ = −W cos θ with J = ((N + 1)/3 + N) m L² and
// W = ((N + 1)/2 + N) m g L. It passes the singular configurations unharmed.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "base/numbers/sin_cos.hpp"
#include "problems/elements/assembly.hpp"
#include "problems/elements/element_laws.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

template <class S>
struct Bars {
  S length, mass, gravity, tip_speed;
  template <class R>
  Bars<R> in() const {
    return {from_wide<R>(length), from_wide<R>(mass), from_wide<R>(gravity),
            from_wide<R>(tip_speed)};
  }
};

enum class Coordinates { absolute, natural };

/// Uniform bar between two points: constant consistent mass, half its weight on each.
template <class S>
struct NaturalBar {
  static constexpr int size = 4;
  S m, weight;
  bool uses_velocity() const { return false; }
  template <class T>
  void mass(const T*, T* M) const {
    for (int i = 0; i < 16; ++i) M[i] = T(0);
    for (int i = 0; i < 4; ++i) {
      M[5 * i] = T(m) / T(3);
      M[4 * i + (i + 2) % 4] = T(m) / T(6);
    }
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    f[0] = f[2] = T(0);
    f[1] = f[3] = T(S(-weight / 2));
  }
  S potential(const S&, const S* q) const { return weight * (q[1] + q[3]) / S(2); }
  bool fills(ElementBlock block, int i, int j) const {
    return block == ElementBlock::mass && (i - j) % 2 == 0;
  }
};

/// |P − Q|² = L²; a point held by the ground is at (ground_x, 0).
template <class S>
struct BarLength {
  static constexpr int size = 4, rows = 1;
  S ground_x, length;
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const T dx = q[2] - q[0] - T(ground_x), dy = q[3] - q[1];
    phi[0] = (dx * dx + dy * dy - T(S(length * length))) / T(2);
  }
};

/// Points B_0 … B_N, (x, y) each; cranks' rows first, then the couplers'.
template <class S>
MechanicalPtr<S> natural_system(int loops, const Bars<S>& bars) {
  std::vector<Quantity> points;
  std::vector<S> q0, v0;
  std::vector<std::unique_ptr<Element<S>>> elements;
  for (int i = 0; i <= loops; ++i) {
    points.push_back({fmt::format("x{}", i), "m"}), points.push_back({fmt::format("y{}", i), "m"});
    q0.push_back(S(i) * bars.length), q0.push_back(bars.length);
    v0.push_back(bars.tip_speed), v0.push_back(S(0));
  }
  const auto point = [](int i) { return ElementNode{i < 0 ? -1 : 2 * i, 2}; };
  const auto bar = [&](int from, int to, const std::string& row, int ground_x) {
    const auto at = node_coordinates({point(from), point(to)});
    elements.push_back(std::make_unique<ForceElement<S, NaturalBar<S>>>(
        at, NaturalBar<S>{bars.mass, S(bars.mass * bars.gravity)}));
    elements.push_back(std::make_unique<ConstraintElement<S, BarLength<S>>>(
        at, std::vector<Quantity>{{row, "m^2"}},
        BarLength<S>{S(S(ground_x) * bars.length), bars.length}));
  };
  for (int i = 0; i <= loops; ++i) bar(-1, i, fmt::format("lambda_crank{}", i), i);
  for (int i = 1; i <= loops; ++i) bar(i - 1, i, fmt::format("lambda_coupler{}", i), 0);
  return std::make_shared<ElementSystem<S>>(points, q0, v0, std::move(elements));
}

/// The common angle of the cranks as only coordinate.
template <class S>
class FourBarAngle final : public MechanicalSystem<S> {
 public:
  FourBarAngle(int loops, Coordinates shown, const Bars<S>& bars)
      : loops_(loops),
        shown_(shown),
        inertia_((S(loops + 1) / S(3) + S(loops)) * bars.mass * bars.length * bars.length),
        weight_((S(loops + 1) / S(2) + S(loops)) * bars.mass * bars.gravity * bars.length),
        bars_(bars) {
    this->add_coordinate({"theta", "rad"});
    this->mass_pattern_ = this->residual_q_pattern_ = {1, 1, {{0, 0}}};
    this->residual_v_pattern_ = {1, 1, {}};
    this->gradient_pattern_ = this->curvature_pattern_ = {0, 1, {}};
  }

  void initial(S* q, S* v) const override {
    q[0] = from_wide<S>(boost::math::constants::half_pi<wide>());
    v[0] = -bars_.tip_speed / bars_.length;
  }
  void evaluate(const MotionPoint<S>& p, const ConstraintWeights<S>&,
                const MotionValues<S>& out) override {
    S s, c;
    sin_cos(p.q[0], s, c);
    const S force = -weight_ * c;
    if (out.residual) out.residual[0] = inertia_ * p.a[0] - force;
    if (out.inertia) out.inertia[0] = inertia_ * p.a[0];
    if (out.force) out.force[0] = force;
    if (out.mass) out.mass[0] = inertia_;
    if (out.residual_q) out.residual_q[0] = -weight_ * s;
  }
  void multiplier_stiffness(const MotionPoint<S>&, S* stiffness) override { stiffness[0] = S(0); }
  bool has_record() const override { return true; }
  void record(graph::Graph&, const Var* q, const Var*, const Var* a, const Var*, const Var&, Var* R,
              Var*) override {
    R[0] = Var(inertia_) * a[0] + Var(weight_) * cos(q[0]);
  }
  S kinetic_energy(const MotionPoint<S>& p) override { return inertia_ * p.v[0] * p.v[0] / S(2); }
  S potential_energy(const MotionPoint<S>& p) override {
    using std::sin;
    return weight_ * sin(p.q[0]);
  }

  int reference_coordinates() const override {
    return shown_ == Coordinates::natural ? 2 * (loops_ + 1) : 3 * (2 * loops_ + 1);
  }
  void to_reference(const MotionPoint<S>& p, S* q, S* v) const override {
    S s, c;
    sin_cos(p.q[0], s, c);
    const S &w = p.v[0], &L = bars_.length;
    const S span = c * L, rise = s * L;
    const auto write = [&](const S& x, const S& y, const S& vx, const S& vy) {
      *q++ = x, *q++ = y, *v++ = vx, *v++ = vy;
    };
    for (int i = 0; i <= loops_; ++i) {
      if (shown_ == Coordinates::natural) {
        write(S(i) * L + span, rise, -rise * w, span * w);
        continue;
      }
      if (i > 0) {
        write((S(i) - S(1) / S(2)) * L + span, rise, -rise * w, span * w);
        *q++ = S(0), *v++ = S(0);
      }
      write(S(i) * L + span / S(2), rise / S(2), -rise * w / S(2), span * w / S(2));
      *q++ = p.q[0], *v++ = w;
    }
  }

 private:
  int loops_;
  Coordinates shown_;
  S inertia_, weight_;  ///< J [kg m²], W [N m]
  Bars<S> bars_;
};

PlanarMechanism absolute_mechanism(int loops, const Bars<wide>& bars) {
  constexpr int ground = PlanarMechanism::ground;
  PlanarMechanism m;
  m.gravity(bars.gravity);
  const wide& up = boost::math::constants::half_pi<wide>();
  const wide mass = bars.mass, L = bars.length, inertia = mass * L * L / 12, half = L / 2,
             omega = -bars.tip_speed / L;
  int crank = m.body("_crank0", mass, inertia, up, omega);
  m.revolute(ground, {0, 0}, crank, {-half, 0});
  for (int i = 1; i <= loops; ++i) {
    const int coupler = m.body(fmt::format("_coupler{}", i), mass, inertia, 0);
    m.revolute(crank, {half, 0}, coupler, {-half, 0});
    crank = m.body(fmt::format("_crank{}", i), mass, inertia, up, omega);
    m.revolute(ground, {wide(i * L), 0}, crank, {-half, 0});
    m.revolute(crank, {half, 0}, coupler, {half, 0});
  }
  return m;
}

ProblemInfo description() {
  ProblemInfo info;
  info.id = "four_bar";
  info.summary = "row of square four-bar loops, one degree of freedom, singular when horizontal";
  info.source =
      "IFToMM library of multibody benchmarks ([gonzalez2006]), A02 (N four-bar mechanism); "
      "[fernandez2021], Table 3";
  info.equations =
      "absolute: x, y of each mass centre and angle, two rows a joint; natural: x, y of the tips, "
      "one length a bar; minimal: J theta'' = -W cos(theta), J = ((N+1)/3 + N) m L^2, "
      "W = ((N+1)/2 + N) m g L; A_i = (i L, 0), B_i = (i L, L), i = 0..loops, at the start";
  using Type = Parameter::Type;
  info.parameters = {{"loops", Type::integer, "2", "integer 1..100000"},
                     {"coordinates", Type::word, "absolute", "absolute | natural"}};
  return info;
}

}  // namespace

void register_four_bar(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    const char* source = "IFToMM benchmark A02";
    const Bars<wide> bars{data("L, of a uniform bar", 1, "m", source),
                          data("m, of a bar", 1, "kg", source), data("g", "9.81", "m/s^2", source),
                          data("velocity of B_0, in x", 1, "m/s", source)};
    const int loops = static_cast<int>(arguments.integer("loops", 1, 100000));
    const bool natural = arguments.word("coordinates", {"absolute", "natural"}) == "natural";
    const Coordinates shown = natural ? Coordinates::natural : Coordinates::absolute;
    const auto makers = [](auto make) -> MechanismMakers {
      return {[make] { return make.template operator()<double>(); },
              [make] { return make.template operator()<real50>(); }};
    };
    Problem problem;
    if (natural)
      problem.absolute = makers([=]<class S>() { return natural_system<S>(loops, bars.in<S>()); });
    else
      problem = absolute_mechanism(loops, bars).problem("four_bar");
    problem.minimal = makers(
        [=]<class S>() { return std::make_shared<FourBarAngle<S>>(loops, shown, bars.in<S>()); });
    return problem;
  });
}

}  // namespace daemark
