// Mechanism files as people bring them: loops drawn in space, starts that nearly close, rods,
// gears, slots, point masses, bodies without joints, friction. Right values come from independent
// scripts (mpmath, other coordinates) or are closed forms.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>

#include "problems/system/remarks.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"
#include "tests/problems/problem_runs.hpp"

namespace daemark {
namespace {

using CaseFile = test::MechanismFile;
using test::run_of;

/// Writes and adds the file, then runs it; gauss(3) at h = 1/100 errs by less than 1e-10 here, as
/// the values at 1/50 show, which differ by less than 64e-10.
class MechanismCase : public CaseFile {
 protected:
  std::string add(const std::string& text) const {
    return add_mechanism_file(write(text), problem_registry());
  }
  RunResult run_at_one(const std::string& id, const char* formulation = "index1",
                       const char* method = "gauss(3)") const {
    return run_of(id, formulation, method, "1/100", "1");
  }
  std::vector<std::string> remarks(const std::string& id) const {
    const auto system = problem_registry().make(id).make<double>();
    return dynamic_cast<const Remarked&>(*system).remarks();
  }
};

constexpr const char* loop_in_space = R"({'id': 'case_loop_in_space', 'kind': 'spatial',
  'source': 'test', 'gravity': ['0', '-9.81', '0'], 'bodies': [
  {'name': 'crank', 'mass': 1, 'inertia': [1, 1, 1], 'position': ['(4.1+1.244)/2', '(3.75+0.196)/2', 0]},
  {'name': 'coupler', 'mass': 1, 'inertia': [1, 1, 1],
   'position': ['(1.244-2.32-2.591)/3', '(0.196-2.293+1.657)/3', 0]},
  {'name': 'rocker', 'mass': 1, 'inertia': [1, 1, 1], 'position': ['(0.165-2.32)/2', '(1.322-2.293)/2', 0]}],
  'elements': [
  {'type': 'revolute', 'bodies': ['ground', 'crank'], 'at': ['4.1', '3.75', 0], 'axis': [0, 0, 1]},
  {'type': 'revolute', 'bodies': ['crank', 'coupler'], 'at': ['1.244', '0.196', 0], 'axis': [0, 0, 1]},
  {'type': 'revolute', 'bodies': ['coupler', 'rocker'], 'at': ['-2.32', '-2.293', 0], 'axis': [0, 0, 1]},
  {'type': 'revolute', 'bodies': ['ground', 'rocker'], 'at': ['0.165', '1.322', 0], 'axis': [0, 0, 1]}],
  'outputs': [{'id': 'y', 'meaning': 'of the coupler', 'unit': 'm', 'value': 'coupler.y'}]})";

TEST_F(MechanismCase, ALoopInSpaceRunsWithEveryKindOfMethod) {
  const std::string id = add(loop_in_space);
  constexpr double right = -0.99155541931783;
  for (const auto& [formulation, method] : {std::pair("index1", "gauss(3)"),
                                            {"ggl", "radau_iia(3)"},
                                            {"index3", "radau_iia(3)"},
                                            {"elimination", "dormand_prince_5"}})
    EXPECT_NEAR(run_at_one(id, formulation, method).outputs.at("y"), right, 2e-9)
        << formulation << " " << method;
  // Second order: the error is a small multiple of h² = 1e-4.
  EXPECT_NEAR(run_at_one(id, "index3", "generalized_alpha").outputs.at("y"), right, 1e-4);
}

TEST_F(MechanismCase, RowsThatAreLeftOutAreNamed) {
  const auto said = remarks(add(loop_in_space));
  ASSERT_EQ(said.size(), 3u);
  EXPECT_EQ(said[0], "degrees of freedom: 1 (18 coordinates, 20 constraint rows of rank 17)");
  EXPECT_NE(said[1].find("revolute4_z, revolute4_t1, revolute4_t2"), std::string::npos) << said[1];
  EXPECT_NE(said[2].find("revolute1_z"), std::string::npos) << said[2];
  EXPECT_EQ(said[2].find("revolute1_x"), std::string::npos) << said[2];
}

TEST_F(MechanismCase, ALoopOfRoundedPointsIsAssembled) {
  // The loop in space again, with a crank that turns, and once more turned by a matrix of thirds
  // and rounded: there the rows that depend on others do not vanish with them.
  const auto loop = [&](const char* id, const auto& at, const std::string& y) {
    const auto hinge = [&](const char* a, const char* b, double px, double py) {
      return fmt::format("{{'type': 'revolute', 'bodies': ['{}', '{}'], 'at': {}, 'axis': {}}}", a,
                         b, at(px, py, 0), at(0, 0, 1));
    };
    const auto body = [&](const char* name, double px, double py, double spin) {
      return fmt::format(
          "{{'name': '{}', 'mass': 1, 'inertia': [1, 1, 1], 'position': {}, 'spin': {}}}", name,
          at(px, py, 0), at(0, 0, spin));
    };
    return run_of(
        add(fmt::format(
            "{{'id': '{}', 'kind': 'spatial', 'source': 'test', 'gravity': {}, 'assemble': true, "
            "'bodies': [{}, {}, {}], 'elements': [{}, {}, {}, {}], 'outputs': [{{'id': 'y', "
            "'meaning': '', 'unit': 'm', 'value': '{}'}}]}}",
            id, at(0, -9.81, 0), body("crank", 2.672, 1.973, 1), body("coupler", -1.222, -0.147, 0),
            body("rocker", -1.0775, -0.4855, 0), hinge("ground", "crank", 4.1, 3.75),
            hinge("crank", "coupler", 1.244, 0.196), hinge("coupler", "rocker", -2.32, -2.293),
            hinge("ground", "rocker", 0.165, 1.322), y)),
        "index3", "radau_iia(3)", "1/100", "1");
  };
  const auto plain = [](double x, double y, double z) {
    return fmt::format("['{:.16f}', '{:.16f}', '{:.16f}']", x, y, z);
  };
  const auto turned = [&](double x, double y, double z) {
    return plain((x - 2 * y + 2 * z) / 3, (2 * x - y - 2 * z) / 3, (2 * x + 2 * y + z) / 3);
  };
  const RunResult flat = loop("case_flat_loop", plain, "coupler.y"),
                  space = loop("case_turned", turned, "(2*coupler.z - 2*coupler.x - coupler.y)/3");
  EXPECT_NEAR(space.outputs.at("y"), flat.outputs.at("y"), 1e-12);
}

TEST_F(MechanismCase, ADeadCentreIsNotTakenForRedundancy) {
  // A parallelogram, flat: its rows lose rank here and nowhere near.
  const auto said = remarks(add(R"({'id': 'case_flat', 'kind': 'planar', 'source': 'test',
    'bodies': [{'name': 'a', 'mass': 1, 'inertia': 1, 'theta': 0},
               {'name': 'b', 'mass': 1, 'inertia': 1, 'theta': 0},
               {'name': 'c', 'mass': 1, 'inertia': 1, 'theta': 0}],
    'elements': [
      {'type': 'revolute', 'bodies': ['ground', 'a'], 'points': [[0, 0], [-1, 0]]},
      {'type': 'revolute', 'bodies': ['a', 'b'], 'points': [[1, 0], [-2, 0]]},
      {'type': 'revolute', 'bodies': ['ground', 'c'], 'points': [[4, 0], [-1, 0]]},
      {'type': 'revolute', 'bodies': ['b', 'c'], 'points': [[2, 0], [1, 0]]}]})"));
  ASSERT_EQ(said.size(), 2u);
  EXPECT_NE(said[1].find("singular start"), std::string::npos) << said[1];
}

TEST_F(MechanismCase, ABodyWithoutAJointStandsOnSprings) {
  const RunResult run =
      run_at_one(add(R"({'id': 'case_car', 'kind': 'planar', 'source': 'test', 'gravity': '9.81',
    'bodies': [{'name': 'car', 'mass': 10, 'inertia': 2, 'theta': 0}],
    'elements': [{'type': 'spring', 'bodies': ['ground', 'car'], 'points': [[-1, -1], [-1, 0]],
                  'stiffness': 500, 'free_length': 1},
                 {'type': 'spring', 'bodies': ['ground', 'car'], 'points': [[1, -1], [1, 0]],
                  'stiffness': 700, 'free_length': 1}]})"));
  const std::vector<double> q = test::numbers(run.q);
  EXPECT_NEAR(q[0], 0.00020103, 6e-9);
  EXPECT_NEAR(q[1], -0.10322087, 6e-9);
  EXPECT_NEAR(q[2], 0.02079866, 6e-9);
}

TEST_F(MechanismCase, APointMassOnAMasslessRodIsASphericalPendulum) {
  const RunResult run = run_at_one(
      add(R"({'id': 'case_bob', 'kind': 'spatial', 'source': 'test', 'gravity': [0, 0, '-9.81'],
    'bodies': [{'name': 'bob', 'mass': 1, 'position': [1, 0, 0], 'velocity': [0, 1, 0],
                'spin': [0, 0, 1]}],
    'elements': [{'type': 'spherical', 'bodies': ['ground', 'bob'], 'at': [0, 0, 0]}]})"));
  const RunResult rod = run_at_one(
      add(R"({'id': 'case_rod', 'kind': 'spatial', 'source': 'test', 'gravity': [0, 0, '-9.81'],
    'bodies': [{'name': 'bob', 'mass': 1, 'position': [1, 0, 0], 'velocity': [0, 1, 0]}],
    'elements': [{'type': 'distance', 'bodies': ['ground', 'bob'],
                  'points': [[0, 0, 0], [1, 0, 0]]}]})"));
  for (const RunResult& each : {run, rod}) {
    const std::vector<double> q = test::numbers(each.q);
    EXPECT_NEAR(q[0], -0.90612889, 1e-8);
    EXPECT_NEAR(q[1], -0.39458147, 1e-8);
    EXPECT_NEAR(q[2], -0.15243326, 1e-8);
  }
}

/// A crank, a rod and a block of pins rounded to four digits, whose spin alone is stated.
constexpr const char* nearly_closed = R"({'id': 'case_nearly', 'kind': 'planar', 'source': 'test',
  'assemble': {'hold': ['crank.theta']},
  'bodies': [{'name': 'crank', 'mass': 1, 'inertia': '1/12', 'theta': 'pi/3', 'omega': 2},
             {'name': 'rod', 'mass': 1, 'inertia': '1/3', 'theta': '-0.4478'},
             {'name': 'block', 'mass': 1, 'inertia': 1, 'theta': 0}],
  'elements': [
    {'type': 'revolute', 'bodies': ['ground', 'crank'], 'points': [[0, 0], ['-1/2', 0]]},
    {'type': 'revolute', 'bodies': ['crank', 'rod'], 'points': [['1/2', 0], [-1, 0]]},
    {'type': 'revolute', 'bodies': ['rod', 'block'], 'points': [[1, 0], [0, 0]]},
    {'type': 'prismatic', 'bodies': ['ground', 'block'], 'points': [[0, 0], [0, 0]], 'angle': 0}]})";

TEST_F(MechanismCase, AStartThatNearlyClosesIsClosed) {
  const auto system = problem_registry().make(add(nearly_closed)).make<real50>();
  std::vector<real50> q(9), v(9);
  system->initial(q.data(), v.data());
  // sin φ = −sin θ / 2 of the rod; x = cos θ + 2 cos φ.
  const real50 theta = boost::math::constants::pi<real50>() / 3,
               phi = asin(real50(-sin(theta) / 2));
  const real50 rate = -2 * cos(theta) / (2 * cos(phi));
  EXPECT_LT(abs(real50(q[2] - theta)), 1e-44);
  EXPECT_LT(abs(real50(q[5] - phi)), 1e-44);
  EXPECT_LT(abs(real50(q[6] - (cos(theta) + 2 * cos(phi)))), 1e-44);
  EXPECT_LT(abs(real50(v[2] - 2)), 1e-44);
  EXPECT_LT(abs(real50(v[5] - rate)), 1e-44);
  EXPECT_LT(abs(real50(v[6] + 2 * sin(theta) + 2 * rate * sin(phi))), 1e-44);
}

TEST_F(MechanismCase, APinInASlotAndARodOfFixedLengthAreAScotchYokeAndAPendulum) {
  const RunResult run =
      run_at_one(add(R"({'id': 'case_slot', 'kind': 'planar', 'source': 'test', 'gravity': 10,
    'bodies': [{'name': 'crank', 'mass': 1, 'inertia': 1, 'theta': 0, 'omega': 1},
               {'name': 'yoke', 'mass': 1, 'inertia': 1, 'theta': 0, 'position': [1, 0]},
               {'name': 'bob', 'mass': 2, 'position': [5, 0]}],
    'elements': [{'type': 'revolute', 'bodies': ['ground', 'crank'], 'points': [[0, 0], [0, 0]]},
                 {'type': 'prismatic', 'bodies': ['ground', 'yoke'], 'points': [[0, 0], [0, 0]],
                  'angle': 0},
                 {'type': 'slot', 'bodies': ['yoke', 'crank'], 'points': [[0, 0], [1, 0]],
                  'angle': 'pi/2'},
                 {'type': 'drive', 'bodies': ['ground', 'crank'], 'angle': 't'},
                 {'type': 'distance', 'bodies': ['ground', 'bob'], 'points': [[4, 0], [0, 0]],
                  'length': 1}]})"));
  const std::vector<double> q = test::numbers(run.q), v = test::numbers(run.v);
  EXPECT_NEAR(q[3], std::cos(1.0), 1e-12);
  EXPECT_NEAR(v[3], -std::sin(1.0), 1e-12);
  EXPECT_NEAR(std::hypot(q[6] - 4, q[7]), 1, 1e-9);
  EXPECT_NEAR(v[6] * v[6] + v[7] * v[7] + 20 * q[7], 0, 1e-8) << "energy";
}

TEST_F(MechanismCase, FrictionBrakesAWheelAndASpringOfLengthZeroSwings) {
  // Far above the smoothing the moment is −1: ω = 3 − t.
  const RunResult run = run_at_one(add(R"({'id': 'case_brake', 'kind': 'planar', 'source': 'test',
    'bodies': [{'name': 'wheel', 'mass': 1, 'inertia': 1, 'theta': 0, 'omega': 3},
               {'name': 'puck', 'mass': 1, 'inertia': 1, 'theta': 0, 'position': [0, 9],
                'velocity': [1, 0]}],
    'elements': [{'type': 'revolute', 'bodies': ['ground', 'wheel'], 'points': [[0, 0], [0, 0]]},
                 {'type': 'torsion_friction', 'bodies': ['ground', 'wheel'], 'coulomb': 1,
                  'smoothing': '1/100'},
                 {'type': 'spring', 'bodies': ['ground', 'puck'], 'points': [[0, 9], [0, 0]],
                  'stiffness': 4, 'free_length': 0}]})"));
  const std::vector<double> q = test::numbers(run.q), v = test::numbers(run.v);
  EXPECT_NEAR(v[2], 2, 1e-12);
  EXPECT_NEAR(q[3], std::sin(2.0) / 2, 1e-10);
  EXPECT_NEAR(run.measures.at("energy_error_max"), 0, 1e-10);
}

/// A planar file and the same mechanism drawn in space, whose outputs are called alike.
constexpr const char* geared_in_plane = R"({'id': 'case_geared', 'kind': 'planar', 'source': 'test',
  'gravity': '9.81', 'bodies': [
    {'name': 'a', 'mass': 2, 'inertia': '1/2', 'theta': '1/2', 'omega': 1},
    {'name': 'b', 'mass': 1, 'inertia': '1/3', 'theta': 0, 'omega': -2},
    {'name': 'rack', 'mass': 3, 'inertia': 1, 'theta': 0, 'position': [0, 5], 'velocity': ['-1/5', 0]}],
  'elements': [
    {'type': 'revolute', 'bodies': ['ground', 'a'], 'points': [[0, 0], ['-1/4', 0]]},
    {'type': 'revolute', 'bodies': ['ground', 'b'], 'points': [[3, 0], ['1/5', 0]]},
    {'type': 'prismatic', 'bodies': ['ground', 'rack'], 'points': [[0, 5], [0, 0]], 'angle': 0},
    {'type': 'gear', 'bodies': ['a', 'b'], 'ratio': -2},
    {'type': 'coupler', 'terms': [['a.theta', '1/5'], ['rack.x', 1]]},
    {'type': 'torsion_friction', 'bodies': ['ground', 'b'], 'coulomb': '1/4', 'smoothing': '1/3',
     'static': '1/2', 'stribeck': '1/2', 'viscous': '1/10'},
    {'type': 'friction', 'bodies': ['ground', 'rack'], 'point': [0, 0], 'angle': 0, 'coulomb': 1,
     'smoothing': '1/10'}],
  'outputs': [{'id': 'ax', 'meaning': '', 'unit': 'm', 'value': 'a.x'},
              {'id': 'by', 'meaning': '', 'unit': 'm', 'value': 'b.y'},
              {'id': 'rackx', 'meaning': '', 'unit': 'm', 'value': 'rack.x'},
              {'id': 'bw', 'meaning': '', 'unit': 'rad/s', 'value': 'b.omega'}]})";
constexpr const char* geared_in_space = R"({'id': 'case_geared_3d', 'kind': 'spatial',
  'source': 'test', 'gravity': [0, '-9.81', 0], 'assemble': true, 'bodies': [
    {'name': 'a', 'mass': 2, 'inertia': [1, 1, '1/2'], 'position': ['cos(1/2)/4', 'sin(1/2)/4', 0],
     'turn': {'axis': [0, 0, 1], 'angle': '1/2'}, 'spin': [0, 0, 1]},
    {'name': 'b', 'mass': 1, 'inertia': [1, 1, '1/3'], 'position': ['3 - 1/5', 0, 0],
     'spin': [0, 0, -2]},
    {'name': 'rack', 'mass': 3, 'inertia': [1, 1, 1], 'position': [0, 5, 0]}],
  'elements': [
    {'type': 'revolute', 'bodies': ['ground', 'a'], 'at': [0, 0, 0], 'axis': [0, 0, 1]},
    {'type': 'revolute', 'bodies': ['ground', 'b'], 'at': [3, 0, 0], 'axis': [0, 0, 1]},
    {'type': 'prismatic', 'bodies': ['ground', 'rack'], 'at': [0, 5, 0], 'axis': [1, 0, 0]},
    {'type': 'gear', 'bodies': ['a', 'b'], 'axes': [[0, 0, 1], [0, 0, 1]], 'ratio': -2},
    {'type': 'coupler', 'terms': [
      {'bodies': ['ground', 'a'], 'axis': [0, 0, 1], 'factor': '1/5'},
      {'bodies': ['ground', 'rack'], 'axis': [1, 0, 0], 'at': [0, 5, 0], 'factor': 1}]},
    {'type': 'torsion_friction', 'bodies': ['ground', 'b'], 'axis': [0, 0, 1], 'coulomb': '1/4',
     'smoothing': '1/3', 'static': '1/2', 'stribeck': '1/2', 'viscous': '1/10'},
    {'type': 'friction', 'bodies': ['ground', 'rack'], 'at': [0, 5, 0], 'axis': [1, 0, 0],
     'coulomb': 1, 'smoothing': '1/10'}],
  'outputs': [{'id': 'ax', 'meaning': '', 'unit': 'm', 'value': 'a.x'},
              {'id': 'by', 'meaning': '', 'unit': 'm', 'value': 'b.y'},
              {'id': 'rackx', 'meaning': '', 'unit': 'm', 'value': 'rack.x'},
              {'id': 'bw', 'meaning': '', 'unit': 'rad/s', 'value': 'b.wz'}]})";

TEST_F(MechanismCase, GearsRacksAndFrictionInSpaceAreThoseOfThePlane) {
  const std::string plane = add(geared_in_plane), space = add(geared_in_space);
  const RunResult right = run_of(plane, "index1", "gauss(6)", "1/100", "1");
  for (const auto& [formulation, method] :
       {std::pair("index1", "gauss(6)"), {"ggl", "radau_iia(6)"}, {"index3", "radau_iia(6)"}}) {
    const RunResult run = run_of(space, formulation, method, "1/100", "1");
    for (const auto& [id, value] : right.outputs)
      EXPECT_NEAR(run.outputs.at(id), value, 1e-12 * (1 + std::abs(value))) << id << method;
  }
}

TEST_F(MechanismCase, ABevelGearCountsAllTurns) {
  // (J1 + r² J2) α = T with J1 = 2, J2 = 1, r = 3/2, T = 17: α = 4, from 6 rad/s: 8 rad at 1 s.
  const std::string bevel = add(R"({'id': 'case_bevel', 'kind': 'spatial', 'source': 'test',
    'bodies': [{'name': 'a', 'mass': 1, 'inertia': [1, 1, 2], 'position': [0, 0, 0],
                'spin': [0, 0, 6]},
               {'name': 'b', 'mass': 1, 'inertia': [1, 1, 1], 'position': [1, 0, 0],
                'spin': [9, 0, 0]}],
    'elements': [
      {'type': 'revolute', 'bodies': ['ground', 'a'], 'at': [0, 0, 0], 'axis': [0, 0, 1]},
      {'type': 'revolute', 'bodies': ['ground', 'b'], 'at': [1, 0, 0], 'axis': [1, 0, 0]},
      {'type': 'gear', 'bodies': ['a', 'b'], 'axes': [[0, 0, 1], [1, 0, 0]], 'ratio': '3/2'},
      {'type': 'moment', 'body': 'a', 'value': [0, 0, 17]}],
    'outputs': [{'id': 'wa', 'meaning': '', 'unit': 'rad/s', 'value': 'a.wz'},
                {'id': 'cos_b', 'meaning': '', 'unit': '1', 'value': 'b.r22'},
                {'id': 'sin_b', 'meaning': '', 'unit': '1', 'value': 'b.r32'}]})");
  const RunResult run = run_of(bevel, "index1", "gauss(6)", "1/100", "1");
  EXPECT_NEAR(run.outputs.at("wa"), 10, 1e-12);
  EXPECT_NEAR(run.outputs.at("cos_b"), std::cos(12.0), 1e-11);
  EXPECT_NEAR(run.outputs.at("sin_b"), std::sin(12.0), 1e-11);
  EXPECT_NEAR(test::numbers(run.q).back(), 8, 1e-12) << "the angle of a";
}

TEST_F(MechanismCase, APlanetTurnsByItsArm) {
  // Ring held, planet on the arm: seen from the arm the ring turns by −φ, the planet by −φ R/r,
  // so that it turns by φ (1 − R/r) in space.
  const RunResult run = run_at_one(add(R"({'id': 'case_planet', 'kind': 'spatial', 'source': 'test',
    'assemble': true, 'bodies': [
      {'name': 'arm', 'mass': 1, 'inertia': [1, 1, 1], 'position': [0, 0, 0], 'spin': [0, 0, 2]},
      {'name': 'planet', 'mass': 1, 'inertia': [1, 1, 1], 'position': [2, 0, 0]}],
    'elements': [
      {'type': 'revolute', 'bodies': ['ground', 'arm'], 'at': [0, 0, 0], 'axis': [0, 0, 1]},
      {'type': 'revolute', 'bodies': ['arm', 'planet'], 'at': [2, 0, 0], 'axis': [0, 0, 1]},
      {'type': 'gear', 'bodies': ['ground', 'planet'], 'carrier': 'arm', 'ratio': 3,
       'axes': [[0, 0, 1], [0, 0, 1]]}],
    'outputs': [{'id': 'w', 'meaning': '', 'unit': 'rad/s', 'value': 'planet.wz'},
                {'id': 'c', 'meaning': '', 'unit': '1', 'value': 'planet.r11'},
                {'id': 'x', 'meaning': '', 'unit': 'm', 'value': 'planet.x'}]})"));
  EXPECT_NEAR(run.outputs.at("w"), -4, 1e-12);
  EXPECT_NEAR(run.outputs.at("c"), std::cos(4.0), 1e-11);
  EXPECT_NEAR(run.outputs.at("x"), 2 * std::cos(2.0), 1e-11);
}

TEST_F(MechanismCase, DataThatNothingUsesAreNamed) {
  const auto said = remarks(add(R"({'id': 'case_unused', 'kind': 'planar', 'source': 'test',
    'data': [{'name': 'm', 'value': 1, 'unit': 'kg'}, {'name': 'k', 'value': 1, 'unit': 'N/m'},
             {'name': 'c', 'value': 1, 'unit': '1'}],
    'define': [{'name': 'd', 'value': '2*m'}],
    'bodies': [{'name': 'bob', 'mass': 'm'}],
    'outputs': [{'id': 'o', 'meaning': '', 'unit': 'm', 'value': 'c*bob.x'}]})"));
  EXPECT_EQ(said[0], "unused: k, d (no formula of the file uses them)");
}

TEST_F(MechanismCase, WhatCannotBeIsRefused) {
  expect_refused(R"({'id': 'mine', 'kind': 'planar', 'source': 'test', 'bodies': [
    {'name': 'bob', 'mass': 2, 'position': [5, 0]}], 'elements': [{'type': 'distance',
    'bodies': ['ground', 'bob'], 'points': [[4, 0], [0, 0]], 'length': 2}]})",
                 "2 m long");
  expect_refused(R"({'id': 'mine', 'kind': 'planar', 'source': 'test', 'bodies': [
    {'name': 'bob', 'mass': 2}], 'elements': [{'type': 'spring', 'bodies': ['ground', 'bob'],
    'points': [[0, 0], [0, 0]], 'stiffness': 1, 'free_length': 2}]})",
                 "length zero");
  expect_refused(
      R"({'id': 'mine', 'kind': 'planar', 'source': 'test', 'assemble': {'hold': ['bob.z']},
    'bodies': [{'name': 'bob', 'mass': 2}]})",
      "hold[1]");
  expect_refused(R"({'id': 'mine', 'kind': 'planar', 'source': 'test', 'bodies': [
    {'name': 'bob', 'mass': 2}], 'elements': [{'type': 'torsion_friction',
    'bodies': ['ground', 'bob'], 'coulomb': 1, 'smoothing': 0}]})",
                 "smoothing");
}

}  // namespace
}  // namespace daemark
