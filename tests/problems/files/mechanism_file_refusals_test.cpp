// What is no mechanism is refused with its place.
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

using test::everything_planar, test::everything_spatial, test::MechanismFile;

/// Each file differs from a good one in one piece.
TEST_F(MechanismFile, RefusesWithThePlace) {
  const auto planar = [](const std::string& from, const std::string& to) {
    std::string text = everything_planar;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto spatial = [](const std::string& from, const std::string& to) {
    std::string text = everything_spatial;
    EXPECT_NE(text.find(from), std::string::npos) << from;
    return text.replace(text.find(from), from.size(), to);
  };
  expect_refused("", "");
  expect_refused("[]", "");
  expect_refused("{'id': 'mine'}", "missing");
  expect_refused(planar("'mine'", "'Mi ne'"), "id");
  expect_refused(planar("'planar'", "'plane'"), "planar, spatial, equations");
  expect_refused(planar("'gravity'", "'gravty'"), "gravty");
  expect_refused(planar("'unit': 'm', 'source'", "'unit': '', 'source'"), "data[1]");
  expect_refused(planar("'unit': 'kg'", "'kind': 'kg'"), "data[2]");
  expect_refused(planar("'value': 2,", "'value': 2.5,"), "data[2]");
  expect_refused(planar("'name': 'm'", "'name': 'L'"), "data[2]");
  expect_refused(planar("'name': 'm'", "'name': 'pi'"), "data[2]");
  expect_refused(planar("'name': 'm'", "'name': 't'"), "data[2]");
  expect_refused(planar("m*L^2/12", "m*l^2/12"), "define[1]: value: unknown name 'l'");
  expect_refused(planar("m*L^2/12", "m*L^(1/2)"), "power");
  expect_refused(planar("m*L^2/12", "sqrt(-m)"), "no real number");
  expect_refused(planar("m*L^2/12", "m/(L-L)"), "no real number");
  expect_refused(planar("m*L^2/12", "asin(m)"), "no real number");
  expect_refused(planar("m*L^2/12", "sinh(m)"), "unknown function 'sinh'");
  expect_refused(planar("m*L^2/12", "m*(L"), "ends too early");
  expect_refused(planar("m*L^2/12", "1.2.3"), "malformed");
  expect_refused(planar("m*L^2/12", std::string(300, '(') + "1"), "nesting");
  expect_refused(planar("m*L^2/12", std::string(20000, '1')), "10000");
  expect_refused(planar("m*L^2/12", "2*t"), "unknown name 't'");
  expect_refused(planar("'mass': 'm'", "'mass': '-m'"), "bodies[1]");
  expect_refused(planar("'mass': 'm'", "'mass': null"), "bodies[1]: mass");
  expect_refused(planar("'name': 'rod'", "'name': 'crank'"), "bodies[2]");
  expect_refused(planar("'name': 'rod'", "'name': 'ground'"), "bodies[2]");
  expect_refused(planar("'torsion_spring'", "'torsion_sprang'"), "torsion_spring");
  expect_refused(planar("['ground', 'crank'], 'points'", "['ground', 'cranck'], 'points'"),
                 "elements[1] (revolute): bodies[2]");
  expect_refused(planar("['ground', 'crank'], 'points'", "['ground'], 'points'"), "two names");
  expect_refused(planar("['crank', 'rod'], 'points'", "['rod', 'rod'], 'points'"), "elements[2]");
  expect_refused(planar("[[0, '1/10'], ['-half', 0]]", "[[0, '1/10']]"), "points");
  expect_refused(planar("[[0, '1/10'], ['-half', 0]]", "[[0], ['-half', 0]]"), "points[1]");
  expect_refused(planar("'absolute'", "'relative'"), "chain, absolute");
  expect_refused(planar("sqrt(1 + t^2)", "crank.x"), "unknown name 'crank.x'");
  expect_refused(planar("block.x^2", "blok.x^2"), "did you mean 'block.x'");
  expect_refused(planar("'id': 'odd'", "'id': 'reach'"), "outputs[2]");
  expect_refused(planar("'trace': {'body': 'rod'", "'trace': {'body': 'ground'"), "trace");
  expect_refused(planar("'define': [", "'define': [5, "), "define[1]");
  expect_refused(planar("'define': [", "'redundant': 1, 'define': ["), "redundant");
  expect_refused(spatial("'1/3000']", "'1/3000', 3]"), "bodies[2]: inertia");
  expect_refused(spatial("'turn': {'axis'", "'axes': [[1,0,0],[0,1,0]], 'turn': {'axis'"),
                 "not both");
  expect_refused(spatial("'at': [12, '1/2', 0]", "'at': [12, '1/2']"), "(clamp): at");
  expect_refused(spatial("'velocity': ['s', 0, 0]", "'velocity': [1, 0, 0]"), "velocities");
  expect_refused(spatial("'start': '-1/4'", "'start': 'pi'"), "start");
  expect_refused(spatial("'axis': [1, 0, 0]},\n    {'type': 'slide'",
                         "'axis': [0, 0, 0]},\n    {'type': 'slide'"),
                 "elements[4]");
  expect_refused(spatial("'gravity': [0, '1/10', '-981/100']", "'gravity': 9"), "gravity");
}

/// Cut anywhere and with any byte changed: a mechanism or a refusal, never anything else.
TEST_F(MechanismFile, AnyDamageIsRefusedOrRead) {
  const std::string good = everything_planar;
  const auto try_one = [&](const std::string& text) {
    try {
      read(text);
    } catch (const BadInput& refusal) {
      EXPECT_EQ(std::string(refusal.what()).find('\n'), std::string::npos);
    }
  };
  for (std::size_t cut = 0; cut < good.size(); cut += 17) try_one(good.substr(0, cut));
  unsigned state = 20261125;
  for (int i = 0; i < 300; ++i) {
    std::string text = good;
    state = state * 1664525u + 1013904223u;
    text[(state >> 8) % text.size()] = static_cast<char>(state >> 24);
    try_one(text);
  }
}

}  // namespace
}  // namespace daemark
