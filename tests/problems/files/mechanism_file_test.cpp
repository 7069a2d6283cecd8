// Mechanisms of files are the ones the builders declare.
#include "problems/files/mechanism_file.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <thread>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "problems/planar/planar_mechanism.hpp"
#include "problems/spatial/beam.hpp"
#include "problems/spatial/spatial_mechanism.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

using test::everything_planar, test::everything_spatial, test::expect_same, test::MechanismFile;
namespace fs = std::filesystem;

Problem built_planar() {
  constexpr int ground = PlanarMechanism::ground;
  const wide &pi = boost::math::constants::pi<wide>(), L = wide(3) / 2, m_of = 2, w = pi / 3;
  const wide I = m_of * L * L / 12, half = L / 2;
  PlanarMechanism m;
  m.gravity("9.81");
  const int crank = m.body("crank", m_of, I, wide(pi / 3), w);
  const int rod = m.body("rod", "1/3", wide(I / 2), "-1/5");
  const int block = m.body("block", 1, "1/100", wide(pi / 6));
  m.revolute(ground, {0, "1/10"}, crank, {wide(-half), 0});
  m.revolute(crank, {half, 0}, rod, {wide(-half), 0}, Rows::absolute);
  m.prismatic(rod, {0, 0}, wide(pi / 8), block, {0, 0});
  m.drive(ground, crank, [start = wide(pi / 3 + tan(wide(1))), w = w](const Var& t) {
    const Var c = cos(Var(2) * t);
    return Var(start) + Var(w) * t + sqrt(Var(1) + t * t) - c * c * c + sin(t) / (Var(2) + t) +
           exp(-t) * abs(t - Var(3));
  });
  m.spring(ground, {3, 0}, block, {"1/20", 0}, 40, "1/2");
  m.damper(crank, {0, 0}, block, {0, "1/9"}, "2/3");
  m.torsion_spring(crank, rod, 7, pi);
  m.torsion_damper(ground, rod, "1/8");
  m.torque(rod, "1/4");
  m.torque(block, 3, [w = w](const Var& t) { return sin(Var(w) * t) * t * t; });
  m.force(rod, 1, -2);
  m.output("reach", "", "m",
           [](const Var&, const Var* q, const Var*) { return sqrt(q[6] * q[6] + q[7] * q[7]); });
  m.output("odd", "", "1", [](const Var& t, const Var* q, const Var* v) {
    return exp(-t) * atan2(v[4], v[3] + Var(3)) + abs(v[2]) * log(Var(2) + q[5] * q[5]);
  });
  return m.problem("built");
}

TEST_F(MechanismFile, IsWhatTheBuilderOfThePlaneDeclares) {
  const Problem file = read(everything_planar), built = built_planar();
  expect_same<double>(file, built);
  expect_same<real50>(file, built);
}

TEST_F(MechanismFile, AChainHasItsMinimalForm) {
  const Problem file = read(R"({'id': 'mine', 'kind': 'planar', 'source': 'test', 'gravity': 10,
    'bodies': [{'name': 'bar', 'mass': 1, 'inertia': '1/12', 'theta': 0}],
    'elements': [{'type': 'revolute', 'bodies': ['ground', 'bar'],
                  'points': [[0, 0], ['-1/2', 0]]}]})");
  EXPECT_TRUE(file.has_minimal());
  EXPECT_EQ(file.make<double>(true)->coordinates(), 1);
}

Problem built_spatial() {
  constexpr int ground = SpatialMechanism::ground;
  const wide& pi = boost::math::constants::pi<wide>();
  const auto at = [](Vector position) {
    Placement place;
    place.position = position;
    return place;
  };
  const Var s(wide(wide(3) / 10)), quarter(wide(wide(1) / 4));
  SpatialMechanism m;
  m.gravity({0, "1/10", "-981/100"});
  const int arm = m.body("arm", 2, {"1/50", "1/6", "1/6"}, at({"1/2", 0, 0}));
  Placement place = at({1, "1/2", 0});
  place.orientation = Orientation::turn({0, 0, 1}, wide(pi / 7));
  const int rod = m.body("rod", 1, {"1/12", "1/100", "1/12", "1/1000", "1/2000", "1/3000"}, place);
  place = at({5, 0, 0});
  place.orientation = Orientation::axes({1, 1, 0}, {0, 0, 1});
  place.velocity = {"3/10", 0, 0};
  const int slide = m.body("slide", 1, {1, 1, 1}, place);
  place = at({8, 0, 0});
  place.spin = {0, 0, "3/10"};
  const int top = m.body("top", 3, {1, 1, 2}, place);
  const int pin = m.body("pin", 1, {1, 1, 1}, at({12, 0, 0}));
  const int pair = m.body("pair", 1, {1, 1, 1}, at({12, 1, 0}));
  const int loose = m.body("free", 1, {1, 1, 1}, at({20, 1, 0}));
  const int led = m.body("led", 1, {1, 1, 1}, at({25, 1, 0}));
  m.revolute(ground, arm, {0, 0, 0}, {0, 1, 0});
  m.turn(ground, arm, {0, 1, 0}, [quarter](const Var& t) { return (t + quarter) * (t + quarter); });
  m.universal(arm, rod, {1, 0, 0}, {0, 0, 1}, {1, 0, 0});
  m.prismatic(ground, slide, {5, 0, 0}, {1, 0, 0});
  m.slide(ground, slide, {5, 0, 0}, {1, 0, 0},
          [s, quarter](const Var& t) { return s * (t + quarter); });
  m.spherical(ground, top, {8, 0, 0});
  m.turn_rate(ground, top, {0, 0, 1}, [s](const Var&) { return s; });
  m.cylindrical(ground, pin, {12, 0, 0}, {0, 1, 0});
  m.clamp(pin, pair, {12, "1/2", 0});
  m.inline_point(ground, loose, {20, 1, 0}, {0, 0, 1});
  m.parallel(ground, led, {1, 0, 0});
  m.spring(arm, {1, 0, 0}, loose, {20, 1, 0}, 3, 18);
  m.damper(ground, {1, 0, 1}, rod, {1, 1, 0}, "1/10");
  m.damper(ground, {25, 0, 1}, led, {25, 1, 0}, "1/5", [](auto t) {
    using std::cos;
    return decltype(t)(2) + cos(t);
  });
  m.force(led, {0, "1/3", 0}, {1, 2, 3});
  m.force(loose, {}, {0, 2, 0}, [](auto t) {
    using std::sin;
    return t * sin(t);
  });
  m.moment(pin, {0, 1, 0});
  m.moment(led, {0, 1, 2}, [](auto t) { return decltype(t)(1) - t; });
  m.inertia(arm, "1/2", {1, 2, 2}, {0, 0, "1/4"});
  m.start(Expression(rational(-1, 4)));
  m.output("state", "", "1", [=](const auto& view) {
    return view.position(rod)[2] + view.velocity(slide)[0] + view.acceleration(pin)[1] +
           view.spin(top)[2] * view.point.t;
  });
  m.output("turned", "", "1", [=](const auto& view) {
    using S = std::remove_cvref_t<decltype(view.point.t)>;
    const auto entry = [&](int node, int i, int j) {
      rotation::Vec3<S> e{S(0), S(0), S(0)};
      e[j] = 1;
      return rotation::rotate(view.orientation(node), e)[i];
    };
    return S(entry(rod, 0, 1) - 2 * entry(slide, 1, 0) + entry(top, 2, 2));
  });
  return m.problem("built");
}

TEST_F(MechanismFile, IsWhatTheBuilderOfSpaceDeclares) {
  const Problem file = read(everything_spatial), built = built_spatial();
  EXPECT_EQ(file.start.as_rational(), rational(-1, 4));
  expect_same<double>(file, built);
  expect_same<real50>(file, built);
}

TEST_F(MechanismFile, BeamsAreThoseOfTheBuilder) {
  for (const bool volume : {true, false}) {
    const Problem file =
        read(std::string(R"({'id': 'mine', 'kind': 'spatial', 'source': 'test', 'bodies': [],
      'gravity': [0, 0, -10], 'elements': [
        {'type': 'beam', 'name': 'arm', 'elements': 2, 'from': [0, 0, 0], 'to': [1, 0, 0],
         'second': [0, 1, 0], 'stiffness': ['2e6', '7e5', '7e5', 15, 20, 30], 'mass': '3/10',
         'inertia': ['1/10000', '1/20000'], 'spin': [0, 0, 2], 'element': ')") +
             (volume ? "volume" : "two_node") + R"('},
        {'type': 'revolute', 'bodies': ['ground', 'arm.first'], 'at': [0, 0, 0],
         'axis': [0, 0, 1]}],
      'outputs': [{'id': 'end', 'meaning': '', 'unit': 'm',
                   'value': 'arm.last.y + 2*arm.middle.z + arm_1.x'}]})");
    SpatialMechanism m;
    m.gravity({0, 0, -10});
    const Beam arm(m, "arm", {{"2e6", "7e5", "7e5", 15, 20, 30}, "3/10", "1/10000", "1/20000"}, 2,
                   {0, 0, 0}, {1, 0, 0}, {0, 1, 0},
                   volume ? BeamKind::finite_volume : BeamKind::two_node, {}, {0, 0, 2});
    m.revolute(SpatialMechanism::ground, arm.first(), {0, 0, 0}, {0, 0, 1});
    m.output("end", "", "m", [=](const auto& view) {
      return view.position(arm.last())[1] + 2 * view.position(arm.middle())[2] +
             view.position(arm.first() + 1)[0];
    });
    const Problem built = m.problem("built");
    EXPECT_FALSE(file.absolute.in_real50);
    expect_same<double>(file, built);
  }
}

/// Every datum can be asked for in the call, and changes the model as its change in the file would.
TEST_F(MechanismFile, DataAreParameters) {
  const Problem asked = read(everything_planar, "mine(L=2,w=sqrt(2))");
  EXPECT_EQ(asked.name, "mine(L=2,w=sqrt(2))");
  std::string changed = everything_planar;
  changed.replace(changed.find("'3/2'"), 5, "2");
  changed.replace(changed.find("'pi/3', 'unit'"), 6, "'sqrt(2)'");
  expect_same<real50>(asked, read(changed));
  ASSERT_EQ(asked.data.size(), 3u);
  EXPECT_EQ(asked.data[0].source, "here");
  EXPECT_EQ(asked.data[1].source, "test");
  EXPECT_EQ(asked.data[2].unit, "rad/s");
  EXPECT_THROW(read(everything_planar, "mine(M=2)"), BadInput);
}

TEST_F(MechanismFile, IsReadOnceAndItsIdIsItsOwn) {
  ProblemRegistry registry;
  const fs::path file = write(everything_planar);
  EXPECT_EQ(add_mechanism_file(file, registry), "mine");
  std::vector<std::thread> several;
  for (int i = 0; i < 8; ++i)
    several.emplace_back([&] {
      add_mechanism_file(file, registry);
      registry.make("mine");
    });
  for (std::thread& thread : several) thread.join();
  EXPECT_EQ(registry.ids(), std::vector<std::string>{"mine"});
  EXPECT_TRUE(registry.catalogue_ids().empty());
  std::string other = everything_planar;
  other.replace(other.find("9.81"), 4, "9.80");
  EXPECT_THROW(add_mechanism_file(write(other), registry), BadInput);
  EXPECT_FALSE(registry.info("mine").data_digest.empty());
  EXPECT_THROW(add_mechanism_file(folder_ / "missing.json", registry), BadInput);
  EXPECT_THROW(add_mechanism_file(folder_, registry), BadInput);
}

TEST_F(MechanismFile, TheExamplesAreRead) {
  ProblemRegistry registry;
  const fs::path folder = source_root() / "problems" / "files" / "examples";
  int count = 0;
  for (const auto& entry : fs::directory_iterator(folder)) {
    const std::string id = add_mechanism_file(entry.path(), registry);
    EXPECT_EQ(id, entry.path().stem().string());
    registry.make(id).make<double>();
    ++count;
  }
  EXPECT_GE(count, 3);
}

}  // namespace
}  // namespace daemark
