// A row of N square four-bar loops that share their bars (IFToMM library of multibody benchmarks,
// A02 for N = 2): cranks of 1 m turn about A_i = (i, 0), i = 0 … N, couplers of 1 m join their tips
// B_i. Uniform bars of 1 kg; released upright with tips moving at +1 m/s in x, gravity down.
//
// Every loop is a parallelogram: all cranks share one angle θ, n − m = 1. Where the cranks are
// horizontal all bars lie on one line and the constraints lose rank: index-3 Newton may fail there.
//
// Minimal (the branch without buckling): J θ̈ = −W cos θ with J = (N + 1)/3 + N and
// W = ((N + 1)/2 + N) g, all for m = L = 1. It passes the singular configurations unharmed.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>

#include "base/numbers/sin_cos.hpp"
#include "problems/elements/assembly.hpp"
#include "problems/elements/element_laws.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

const char* const gravity = "981/100";

template <class S>
S gravity_in() {
  return from_wide<S>(Exact(gravity).value);
}

enum class Coordinates { absolute, natural };

/// Uniform bar of 1 kg between two points: constant consistent mass, half its weight on each.
template <class S>
struct NaturalBar {
  static constexpr int size = 4;
  S g;
  bool uses_velocity() const { return false; }
  template <class T>
  void mass(const T*, T* M) const {
    for (int i = 0; i < 16; ++i) M[i] = T(0);
    for (int i = 0; i < 4; ++i) {
      M[5 * i] = T(1) / T(3);
      M[4 * i + (i + 2) % 4] = T(1) / T(6);
    }
  }
  template <class T>
  void force(const T&, const T*, const T*, T* f) const {
    f[0] = f[2] = T(0);
    f[1] = f[3] = T(S(-g / 2));
  }
  S potential(const S&, const S* q) const { return g * (q[1] + q[3]) / S(2); }
  bool fills(ElementBlock block, int i, int j) const {
    return block == ElementBlock::mass && (i - j) % 2 == 0;
  }
};

/// |P − Q|² = 1; a point held by the ground is at (ground_x, 0).
template <class S>
struct BarLength {
  static constexpr int size = 4, rows = 1;
  S ground_x;
  template <class T>
  void constraint(const T&, const T* q, T* phi) const {
    const T dx = q[2] - q[0] - T(ground_x), dy = q[3] - q[1];
    phi[0] = (dx * dx + dy * dy - T(1)) / T(2);
  }
};

/// Points B_0 … B_N, (x, y) each; cranks' rows first, then the couplers'.
template <class S>
MechanicalPtr<S> natural_system(int loops) {
  std::vector<std::string> names;
  std::vector<S> q0, v0;
  std::vector<std::unique_ptr<Element<S>>> elements;
  for (int i = 0; i <= loops; ++i) {
    names.push_back(fmt::format("x{}", i)), names.push_back(fmt::format("y{}", i));
    q0.push_back(S(i)), q0.push_back(S(1));
    v0.push_back(S(1)), v0.push_back(S(0));
  }
  const auto point = [](int i) { return ElementNode{i < 0 ? -1 : 2 * i, 2}; };
  const auto bar = [&](int from, int to, const std::string& row, int ground_x) {
    const auto at = node_coordinates({point(from), point(to)});
    elements.push_back(
        std::make_unique<ForceElement<S, NaturalBar<S>>>(at, NaturalBar<S>{gravity_in<S>()}));
    elements.push_back(std::make_unique<ConstraintElement<S, BarLength<S>>>(
        at, std::vector<std::string>{row}, BarLength<S>{S(ground_x)}));
  };
  for (int i = 0; i <= loops; ++i) bar(-1, i, fmt::format("lambda_crank{}", i), i);
  for (int i = 1; i <= loops; ++i) bar(i - 1, i, fmt::format("lambda_coupler{}", i), 0);
  return std::make_shared<ElementSystem<S>>(names, q0, v0, std::move(elements));
}

/// The common angle of the cranks as only coordinate.
template <class S>
class FourBarAngle final : public MechanicalSystem<S> {
 public:
  FourBarAngle(int loops, Coordinates shown)
      : loops_(loops),
        shown_(shown),
        inertia_(S(loops + 1) / S(3) + S(loops)),
        weight_((S(loops + 1) / S(2) + S(loops)) * gravity_in<S>()) {
    this->coordinate_names_ = {"theta"};
    this->mass_pattern_ = this->residual_q_pattern_ = {1, 1, {{0, 0}}};
    this->residual_v_pattern_ = {1, 1, {}};
    this->gradient_pattern_ = this->curvature_pattern_ = {0, 1, {}};
  }

  void initial(S* q, S* v) const override {
    q[0] = from_wide<S>(boost::math::constants::half_pi<wide>());
    v[0] = S(-1);
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
  void record(Tape<S>&, const TapeVar<S>* q, const TapeVar<S>*, const TapeVar<S>* a,
              const TapeVar<S>*, const TapeVar<S>&, TapeVar<S>* R, TapeVar<S>*) override {
    R[0] = TapeVar<S>(inertia_) * a[0] + TapeVar<S>(weight_) * cos(q[0]);
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
    const S& w = p.v[0];
    const auto write = [&](const S& x, const S& y, const S& vx, const S& vy) {
      *q++ = x, *q++ = y, *v++ = vx, *v++ = vy;
    };
    for (int i = 0; i <= loops_; ++i) {
      if (shown_ == Coordinates::natural) {
        write(S(i) + c, s, -s * w, c * w);
        continue;
      }
      if (i > 0) {
        write(S(i) - S(1) / S(2) + c, s, -s * w, c * w);
        *q++ = S(0), *v++ = S(0);
      }
      write(S(i) + c / S(2), s / S(2), -s * w / S(2), c * w / S(2));
      *q++ = p.q[0], *v++ = w;
    }
  }

 private:
  int loops_;
  Coordinates shown_;
  S inertia_, weight_;
};

PlanarMechanism absolute_mechanism(int loops) {
  constexpr int ground = PlanarMechanism::ground;
  PlanarMechanism m;
  m.gravity(gravity);
  const wide up = boost::math::constants::half_pi<wide>();
  int crank = m.body("_crank0", 1, "1/12", up, -1);
  m.revolute(ground, {0, 0}, crank, {"-1/2", 0});
  for (int i = 1; i <= loops; ++i) {
    const int coupler = m.body(fmt::format("_coupler{}", i), 1, "1/12", 0);
    m.revolute(crank, {"1/2", 0}, coupler, {"-1/2", 0});
    crank = m.body(fmt::format("_crank{}", i), 1, "1/12", up, -1);
    m.revolute(ground, {i, 0}, crank, {"-1/2", 0});
    m.revolute(crank, {"1/2", 0}, coupler, {"1/2", 0});
  }
  return m;
}

template <class S>
MechanicalPtr<S> angle_system(int loops, Coordinates shown) {
  return std::make_shared<FourBarAngle<S>>(loops, shown);
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
      "one length a bar; minimal: J theta'' = -W cos(theta), J = (N+1)/3 + N, W = ((N+1)/2 + N) g";
  using Type = Parameter::Type;
  info.parameters = {{"loops", Type::integer, "2", "integer 1..100000"},
                     {"coordinates", Type::word, "absolute", "absolute | natural"}};
  const char* source = "IFToMM benchmark A02";
  info.data = {{"bars", "1, uniform", "m", source},
               {"mass of a bar", "1", "kg", source},
               {"g", "9.81", "m/s^2", source},
               {"A_i, B_i", "(i, 0), (i, 1), i = 0..loops", "m", source},
               {"velocity of B_0", "1, in x", "m/s", source}};
  return info;
}

}  // namespace

void register_four_bar(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments) {
    const int loops = static_cast<int>(arguments.integer("loops", 1, 100000));
    const bool natural = arguments.word("coordinates", {"absolute", "natural"}) == "natural";
    const Coordinates shown = natural ? Coordinates::natural : Coordinates::absolute;
    Problem problem;
    if (natural)
      problem.absolute = {[loops] { return natural_system<double>(loops); },
                          [loops] { return natural_system<quad>(loops); },
                          [loops] { return natural_system<real50>(loops); }};
    else
      problem = absolute_mechanism(loops).problem("four_bar");
    problem.minimal = {[=] { return angle_system<double>(loops, shown); },
                       [=] { return angle_system<quad>(loops, shown); },
                       [=] { return angle_system<real50>(loops, shown); }};
    return problem;
  });
}

}  // namespace daemark
