// Randomly generated (seeded) mechanisms whose motion is prescribed in closed form: bars hinged to
// each other, whose angles are α + β sin(ωt + γ), and for every loop two more bars from the tip of
// one of these to the ground, whose hinge C follows from its distances to P on the bar and Q on the
// ground,
//   C = P + a e + h e⊥, e = (Q − P)/D, D = |Q − P|, a = (l1² − l2² + D²)/(2D), h² = l1² − a².
// Springs of one stiffness join the bars' tips to the ground. Multipliers are prescribed too, and
// the loads are what fits: M q̈ + Gᵀλ − f_springs, as functions of time. So λ, q and q̇ at any time
// are known to all digits, however stiff, looped or redundant the mechanism is.
//
// Redundant: hinges that are declared twice, closing ones first; both then carry the same, which is
// the solution of least norm. The frame may be turned, the unit of length changed, the bodies
// reordered: the motion stays the same.
#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>
#include <numeric>

#include "problems/generated_motion.hpp"

namespace daemark {
namespace {

using namespace generated;

/// Numbers from a seed, by splitmix64: the same on every machine.
class Draw {
 public:
  explicit Draw(long seed) : state_(static_cast<unsigned long long>(seed)) {}
  int below(int count) { return static_cast<int>(next() % static_cast<unsigned>(count)); }
  /// In thousandths, from `low` up to `high`.
  std::string between(int low, int high) {
    return fmt::format("{}/1000", low + below(high - low + 1));
  }

 private:
  unsigned long long next() {
    unsigned long long z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  unsigned long long state_;
};

struct Asked {
  int bodies, loops, redundancy;
  wide turn, unit;
};

class Generator {
 public:
  Generator(const Asked& asked, long seed, ProblemData& data)
      : asked_(asked), data_(data), draw_(seed) {}

  Generated make(const wide& stiffness, bool sprung) {
    out_.stiffness = stiffness, out_.sprung = sprung;
    for (int i = 0; i < asked_.bodies - 2 * asked_.loops; ++i) tree_bar(i);
    for (int i = 0; i < asked_.loops; ++i) loop(i);
    // The last hinge of every loop first, then all that are left.
    std::vector<std::size_t> order;
    for (const bool closing : {true, false})
      for (std::size_t h = out_.hinges.size(); h-- > 0;)
        if (out_.hinges[h].tip_of_b == closing) order.push_back(h);
    for (int k = 0; k < asked_.redundancy; ++k) out_.hinges[order[k]].times = 2;
    return std::move(out_);
  }

 private:
  static constexpr const char* source = "from the seed";

  /// A point or force of the plane, given before the frame is turned.
  Point turned(const wide& x, const wide& y) const {
    const wide c = asked_.unit * cos(asked_.turn), s = asked_.unit * sin(asked_.turn);
    return {wide(c * x - s * y), wide(s * x + c * y)};
  }
  void body(Bar& bar, const std::string& name, const wide& length) {
    const wide mass = data_("mass of " + name, draw_.between(200, 3000), "kg", source),
               share = data_("mass centre of " + name + ", share of its length",
                             draw_.between(300, 700), "1", source),
               inertia = data_("inertia of " + name + " per mass and length squared",
                               draw_.between(60, 150), "1", source);
    bar.mass = mass, bar.inertia = wide(mass * length * length * inertia);
    bar.back = wide(share * length), bar.front = wide((1 - share) * length);
  }
  void spring(Bar& bar, const std::string& name, const wide& reach) {
    if (!out_.sprung) return;
    const auto [away, around] =
        data_("spring of " + name + ": place per reach, free length per reach",
              {draw_.between(1500, 2500), draw_.between(1000, 2000)}, "1", source);
    const wide angle = data_("spring of " + name + ": direction of its place",
                             draw_.between(-3000, 3000), "rad", source);
    bar.spring = turned(wide(away * reach * cos(angle)), wide(away * reach * sin(angle)));
    bar.free_length = wide(asked_.unit * around * reach);
  }
  void hinge(int a, int b, const Point& on_ground, bool tip_of_b) {
    const std::string name = fmt::format("hinge {}", out_.hinges.size() + 1);
    const auto [x, y] = data_(
        name + ": force", {draw_.between(-5000, 5000), draw_.between(-5000, 5000)}, "N", source);
    const wide frequency = data_(name + ": frequency", draw_.between(500, 3000), "rad/s", source),
               phase = data_(name + ": phase", draw_.between(0, 3000), "rad", source);
    out_.hinges.push_back({a, b, on_ground, tip_of_b, turned(x, y), frequency, phase});
  }
  void tree_bar(int i) {
    const std::string name = fmt::format("_{}", i + 1);
    Bar bar;
    bar.parent = draw_.below(i + 1) - 1;
    const wide length = data_("length of " + name, draw_.between(500, 1000), "m", source);
    wide reach = length;
    if (bar.parent == PlanarMechanism::ground) {
      const auto [x, y] = data_("hinge of " + name + " on the ground",
                                {draw_.between(-400, 400), draw_.between(-400, 400)}, "m", source);
      bar.on_ground = turned(x, y);
      reach += sqrt(wide(x * x + y * y));
    } else {
      reach += reach_[bar.parent];
    }
    reach_.push_back(reach);
    body(bar, name, wide(asked_.unit * length));
    const auto [mean, swing, phase] =
        data_("angle of " + name + ": mean, swing, phase",
              {draw_.between(-3000, 3000), draw_.between(200, 1200), draw_.between(0, 3000)}, "rad",
              source);
    const wide frequency =
        data_("angle of " + name + ": frequency", draw_.between(500, 2500), "rad/s", source);
    bar.angle = {wide(mean + asked_.turn), swing, frequency, phase};
    spring(bar, name, reach);
    out_.bars.push_back(bar);
    hinge(bar.parent, i, bar.on_ground, false);
  }
  /// Q is three reaches R of P away, bars are some 5/2 R long: 2 R ≤ D ≤ 4 R < l1 + l2, and l1, l2
  /// differ by less, so that the triangle stays one.
  void loop(int number) {
    const int trees = static_cast<int>(reach_.size()), first = static_cast<int>(out_.bars.size());
    const std::string name = fmt::format("loop {}", number + 1);
    const int from = draw_.below(trees);
    const wide R = reach_[from];
    const wide direction = data_(name + ": direction of its hinge on the ground",
                                 draw_.between(-3000, 3000), "rad", source);
    const auto lengths = data_(name + ": bars per reach",
                               {draw_.between(2300, 2700), draw_.between(2300, 2700)}, "1", source);
    const Point ground = turned(wide(3 * R * cos(direction)), wide(3 * R * sin(direction)));
    out_.loops.push_back({from, ground, wide(direction + asked_.turn)});
    for (int side = 0; side < 2; ++side) {
      Bar bar;
      const std::string bar_name = fmt::format("_{}", first + side + 1);
      bar.loop = number, bar.side = side;
      bar.parent = side == 0 ? from : PlanarMechanism::ground, bar.on_ground = ground;
      body(bar, bar_name, wide(asked_.unit * lengths[side] * R));
      spring(bar, bar_name, wide(6 * R));
      out_.bars.push_back(bar);
      hinge(bar.parent, first + side, ground, false);
    }
    hinge(first, first + 1, ground, true);
  }

  Asked asked_;
  ProblemData& data_;
  Draw draw_;
  Generated out_;
  std::vector<wide> reach_;  ///< how far the tip of each bar of the tree can be from the origin
};

Problem assembled(const std::shared_ptr<const Generated>& g, const std::vector<int>& order) {
  const int n = static_cast<int>(g->bars.size());
  const auto motion = std::make_shared<const Prescribed>(*g, order);
  const std::vector<wide> start = motion->at(0);
  PlanarMechanism m;
  std::vector<int> number(n);  // of each bar in the mechanism
  for (int k = 0; k < n; ++k) {
    const int i = order[k];
    number[i] = m.body(fmt::format("_{}", i + 1), g->bars[i].mass, g->bars[i].inertia,
                       start[3 * k + 2], start[3 * (n + k) + 2]);
  }
  const auto at = [&](int i, bool tip) {
    const Bar& bar = g->bars[i];
    return BodyPoint{tip ? bar.front : wide(-bar.back), 0};
  };
  int redundant = 0;
  for (const bool again : {false, true})
    for (const Hinge& hinge : g->hinges) {
      if (again && hinge.times == 1) continue;
      redundant += again ? 2 : 0;
      const bool on_ground = hinge.a == PlanarMechanism::ground;
      m.revolute(on_ground ? hinge.a : number[hinge.a],
                 on_ground ? BodyPoint{hinge.on_ground[0], hinge.on_ground[1]} : at(hinge.a, true),
                 number[hinge.b], at(hinge.b, hinge.tip_of_b));
    }
  m.redundant(redundant);
  for (int i = 0; i < n; ++i) {
    const auto law = [g, i](int axis) {
      return [g, i, axis](const Var& t) { return g->load(i, t)[axis]; };
    };
    m.force(number[i], 1, 0, law(0)), m.force(number[i], 0, 1, law(1)),
        m.torque(number[i], 1, law(2));
    if (!g->sprung) continue;
    const Bar& bar = g->bars[i];
    m.spring(PlanarMechanism::ground, {bar.spring[0], bar.spring[1]}, number[i], at(i, true),
             g->stiffness, bar.free_length);
  }
  Problem problem = m.problem("generated");
  problem.closed_form = [motion, n](const real50& t, real50* q, real50* v, real50* lambda) {
    const std::vector<wide> states = motion->at(wide(t));
    for (std::size_t k = 0; k < states.size(); ++k) {
      const int i = static_cast<int>(k);
      (i < 3 * n ? q[i] : i < 6 * n ? v[i - 3 * n] : lambda[i - 6 * n]) = real50(states[k]);
    }
  };
  return problem;
}

ProblemInfo description() {
  ProblemInfo info;
  info.id = "generated";
  info.summary =
      "randomly generated (seeded) mechanism with its motion and multipliers in closed form";
  info.source = "manufactured";
  info.equations =
      "bars hinged to each other, angles alpha + beta sin(omega t + gamma); each loop: two bars "
      "from a tip to the ground; springs from tips to the ground; loads M q'' + G^T lambda - "
      "f_springs along the prescribed motion; redundancy: hinges declared twice";
  using Type = Parameter::Type;
  info.parameters = {
      {"seed", Type::integer, "1", "integer 1..1000000"},
      {"bodies", Type::integer, "4", "integer 1..1000, at least 1 + 2 loops"},
      {"loops", Type::integer, "1", "integer 0..100"},
      {"stiffness", Type::real, "100", "real >= 0, of the springs [N/m]; 0: none"},
      {"redundancy", Type::integer, "0", "integer 0..100, hinges declared twice"},
      {"turn", Type::real, "0", "real, of the frame, in turns"},
      {"unit", Type::real, "1", "real > 0, lengths are multiplied by it"},
      {"order", Type::integer, "0", "integer 0..1000000, of the bodies; 0: as they are made"}};
  return info;
}

}  // namespace

void register_generated(ProblemRegistry& registry) {
  registry.add(description(), [](const Arguments& arguments, ProblemData& data) {
    const auto integer = [&](const char* key, long least, long most) {
      return static_cast<int>(arguments.integer(key, least, most));
    };
    Asked asked{integer("bodies", 1, 1000), integer("loops", 0, 100), integer("redundancy", 0, 100),
                0, 1};
    if (asked.bodies < 1 + 2 * asked.loops)
      throw BadInput(
          fmt::format("generated: {} bodies do not make {} loops, accepted: bodies at least {}",
                      asked.bodies, asked.loops, 1 + 2 * asked.loops));
    const int hinges = asked.bodies + asked.loops;
    if (asked.redundancy > hinges)
      throw BadInput(
          fmt::format("generated: redundancy = {} is out of range, accepted: 0..{}, the "
                      "number of hinges",
                      asked.redundancy, hinges));
    const wide& circle = boost::math::constants::two_pi<wide>();
    asked.turn = circle * data("turn of the frame", arguments.real("turn"), "1", "parameter turn");
    asked.unit = data("unit of length", arguments.real("unit"), "1", "parameter unit");
    const bool sprung = arguments.real("stiffness").eval<wide>() != 0;
    const wide stiffness = sprung ? data("k, of the springs", arguments.real("stiffness"), "N/m",
                                         "parameter stiffness")
                                  : wide(0);
    if (!(asked.unit > 0) || stiffness < 0)
      throw BadInput(
          "generated: unit or stiffness is out of range, accepted: unit > 0, stiffness >= 0");
    const auto mechanism = std::make_shared<const Generated>(
        Generator(asked, integer("seed", 1, 1000000), data).make(stiffness, sprung));
    std::vector<int> order(asked.bodies);
    std::iota(order.begin(), order.end(), 0);
    const int shuffle = integer("order", 0, 1000000);
    Draw draw(shuffle);
    for (int i = asked.bodies - 1; shuffle > 0 && i > 0; --i)
      std::swap(order[i], order[draw.below(i + 1)]);
    return assembled(mechanism, order);
  });
}

}  // namespace daemark
