// What is no mechanism is refused with its place.
#include <fmt/format.h>

#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

using test::everything_planar, test::everything_spatial, test::MechanismFile;

const char* const good_equations = R"({
  'id': 'mine', 'kind': 'equations', 'source': 'test',
  'data': [{'name': 'm', 'value': 2, 'unit': 'kg'}, {'name': 'l', 'value': '3/2', 'unit': 'm'}],
  'choices': [{'name': 'pull', 'words': ['with', 'without'], 'accepted': 'with | without'}],
  'define': [{'name': 'g', 'value': '9.81*with'}, {'name': 'way', 'value': 'sqrt(x^2 + y^2)'}],
  'coordinates': [{'name': 'x', 'unit': 'm', 'start': 'l'}, {'name': 'y', 'unit': 'm'}],
  'kinetic': 'm*(x`^2 + y`^2)/2', 'potential': 'm*g*y', 'dissipation': 'x`^2/9',
  'forces': {'x': 'sin(t)', 'y': 'x`*lambda'},
  'constraints': [{'name': 'lambda', 'unit': 'm', 'position': 'way - l'}],
  'outputs': [{'id': 'angle', 'meaning': '', 'unit': 'rad', 'value': 'atan2(y, x) + x``'}],
  'minimal': {'coordinates': [{'name': 'phi', 'unit': 'rad'}], 'kinetic': 'm*l^2*phi`^2/2',
              'shown': {'x': 'l*cos(phi)', 'y': 'l*sin(phi)'}},
  'drawing': {'shapes': [{'kind': 'mass', 'points': [['x', 'y']]}]},
  'solution': [{'name': 'x', 'value': 'l'}, {'name': 'y', 'value': 0}, {'name': 'x`', 'value': 0},
               {'name': 'y`', 'value': 0}, {'name': 'lambda', 'value': 'integral(x)'}]})";

std::string changed(std::string text, const std::string& from, const std::string& to) {
  EXPECT_NE(text.find(from), std::string::npos) << from;
  return text.replace(text.find(from), from.size(), to);
}
std::string changed(const std::string& from, const std::string& to) {
  return changed(good_equations, from, to);
}

TEST_F(MechanismFile, EquationsAreRefusedWithThePlace) {
  read(good_equations);
  const struct {
    const char *from, *to, *says;
  } cases[] = {
      // names
      {"'m*g*y'", "'m*g*z'", "potential: unknown name 'z'"},
      {"'m*g*y'", "'m*y'", "define[1]: no formula uses \"g\""},
      {"'name': 'm', 'value': 2", "'name': 'c', 'value': 5, 'unit': '1'}, {'name': 'm', 'value': 2",
       "data[1]: no formula uses \"c\""},
      {"'9.81*with'", "'9.81'", "choices[1]: no formula uses \"with\""},
      {"'name': 'y', 'unit'", "'name': 'x', 'unit'", "coordinates[2]: name \"x\" is taken"},
      {"'name': 'lambda', 'unit'", "'name': 'm', 'unit'", "constraints[1]: name \"m\" is taken"},
      {"'name': 'way'", "'name': 'lambda'", "define[2]: name \"lambda\" is taken"},
      {"{'x': 'sin(t)'", "{'z': 'sin(t)'", "forces"},
      {"'potential'", "'potental'", "potental"},
      {"'outputs': [", "'outputs': [{'id': 'angle', 'meaning': '', 'unit': '1', 'value': 1}, ",
       "outputs[2]: id \"angle\" is taken"},
      {"{'x': 'l*cos(phi)', ", "{", "minimal: shown"},
      {"'l*sin(phi)'", "'l*sin(y)'", "unknown name 'y'"},
      {"{'name': 'y`', 'value': 0}, ", "", "solution: y' is missing"},
      {"'value': 'integral(x)'", "'value': 'integral(z)'", "solution[5]: value: unknown name 'z'"},
      {"'m*g*y'", "'m*g*y*sn(t, 1)'", "unknown function 'sn'"},
      {"'name': 'l', 'value'", "'name': 'l', 'title': 'm', 'value'",
       "data[2]: title \"m\" is taken"},
      {"'name': 'pull'", "'name': 'm'", "choices[1]: name \"m\" is taken"},
      // units
      {"'unit': 'm', 'start'", "'unit': '', 'start'", "coordinates[1]: unit"},
      {"{'name': 'y', 'unit': 'm'}", "{'name': 'y'}", "unit"},
      {"'unit': 'm', 'position'", "'unit': '', 'position'", "constraints[1]: unit"},
      {"'unit': 'kg'", "'unit': ''", "data[1]: unit"},
      {"'meaning': '', 'unit': 'rad'", "'meaning': '', 'unit': ''", "outputs[1]: unit"},
      // what formulas may read
      {"y`^2)/2'", "y``^2)/2'", "kinetic depends on y''; accepted: coordinates, velocities"},
      {"y`^2)/2'", "y`^2)/2 + t*x`^2'", "kinetic depends on t"},
      {"y`^2)/2'", "y`^3)/2'", "kinetic: not quadratic in the velocities"},
      {"'m*g*y'", "'m*g*y*x`'", "potential depends on x'; accepted: the time, coordinates"},
      {"'x`^2/9'", "'x`^2/9*lambda'", "dissipation depends on lambda"},
      {"'sin(t)'", "'x``*sin(t)'", "forces: x depends on x''"},
      {"'way - l'", "'way - l + y`'", "constraints[1]: position depends on y'"},
      {"'position': 'way - l'", "'velocity': 'way*y`^2'", "not linear in the velocities"},
      {"'start': 'l'", "'start': 'x'", "coordinates[1]: start: unknown name 'x'"},
      {"[['x', 'y']]", "[['x', 'y`']]", "points depends on y'"},
      // what they are
      {"'kinetic': 'm*(x`^2 + y`^2)/2', ", "", "kinetic or mass"},
      {"'kinetic': 'm*(x`^2 + y`^2)/2'", "'mass': ['m']", "mass: 2 entries"},
      {"'kinetic': 'm*(x`^2 + y`^2)/2'", "'mass': ['m', ['m']]", "mass: 2 entries"},
      {"'position': 'way - l'", "'position': 'way - l', 'velocity': 'x`'", "one for velocity"},
      {"'constraints': [", "'constraints': [{'name': 'a', 'unit': 'm', 'velocity': 'x`'}, ",
       "constraints of positions come before"},
      {"'coordinates': [{'name': 'x', 'unit': 'm', 'start': 'l'}, {'name': 'y', 'unit': 'm'}]",
       "'coordinates': []", "from 1 to 200"},
      {"'start': 'l'", "'start': 'l', 'start_near': 1", "start or start_near"},
      {"[['x', 'y']]", "[['x']]", "two or three formulas"},
      {"[['x', 'y']]", "[]", "points: one or more"},
      {"'kind': 'mass'", "'kind': 'moss'", "did you mean 'mass'"},
      {"'words': ['with', 'without']", "'words': []", "choices[1]"},
      {"'sin(t)'", "'1/(l - l)'", "no real number"},
      {"'sin(t)'", "'1/(1.5 - l + 0*t)'", "forces: x: no real number"},
      {"'sin(t)'", "'sqrt(y - 1)'", "no real numbers at the start"},
      // the start
      {"{'name': 'x', 'value': 'l'}", "{'name': 'x', 'value': 'l + 1'}",
       "solution: x is 2.5 at the start, in the file 1.5"},
      {"{'name': 'y`', 'value': 0}", "{'name': 'y`', 'value': '1/t'}", "solution: y' is inf"},
      {"'x': 'l*cos(phi)'", "'x': '2*l*cos(phi)'", "minimal: shown: x is 3 at the start"},
      {"'x': 'l*cos(phi)'", "'x': 'l + phi`'", "minimal: shown: x depends on phi'"},
      {"y`^2)/2'", "0*y`^2)/2'", "the mass matrix is singular at the start: y has no inertia"},
      {"'start': 'l'", "'start': 'l/2'",
       "constraints[1]: position: the start violates it by -0.75"},
      {"'start': 'l'", "'start': 'l', 'velocity': 1", "the start violates it by 1 in its velocity"},
      {"'unit': 'm'}],\n  'kinetic'", "'unit': 'm', 'start': 2, 'start_near': 1}],\n  'kinetic'",
       "not both"},
  };
  for (const auto& [from, to, says] : cases) expect_refused(changed(from, to), says);
}

TEST_F(MechanismFile, HostileEquationsAreRefused) {
  expect_refused(changed("'sin(t)'", "'" + std::string(300, '(') + "t'"), "nesting");
  expect_refused(changed("'sin(t)'", "'" + std::string(20000, '1') + "'"), "10000");
  std::string terms, definitions, last = "0";
  for (int i = 0; i < 40; ++i) {
    terms.clear();
    for (int k = 1; k <= 400; ++k) terms += fmt::format("+sin({}*x)", 1000 * i + k);
    definitions += fmt::format("{{'name': 'd{}', 'value': '{}{}'}}, ", i, last, terms);
    last = fmt::format("d{}", i);
  }
  std::string long_one = changed("'define': [", "'define': [" + definitions);
  long_one.replace(long_one.find("'m*g*y'"), 7, "'m*g*y + " + last + "'");
  expect_refused(long_one, "more than 20000 operations");
  std::string sum = "0", dense = "0", unknowns;  // few operations, but many derivatives
  for (int i = 0; i < 100; ++i) {
    unknowns += fmt::format("{{'name': 'u{}', 'unit': 'm'}}, ", i);
    sum += fmt::format("+cos(u{})*u{}`", i, i), dense += fmt::format("+cos(2*u{})*u{}`", i, i);
  }
  std::string wide =
      changed("'coordinates': [{'name': 'x'", "'coordinates': [" + unknowns + "{'name': 'x'");
  wide.replace(wide.find("y`^2)/2'"), 8, "y`^2)/2 + (" + sum + ")^2 + (" + dense + ")^2'");
  wide = wide.substr(0, wide.find(",\n  'minimal'")) + "}";
  expect_refused(wide, "kinetic: the equations so far take more than 20000 operations");
  std::string coordinates;
  for (int i = 0; i < 201; ++i) coordinates += fmt::format("{{'name': 'u{}', 'unit': 'm'}}, ", i);
  expect_refused(
      changed("'coordinates': [{'name': 'x'", "'coordinates': [" + coordinates + "{'name': 'x'"),
      "from 1 to 200");
}

/// Each file differs from a good one in one piece.
TEST_F(MechanismFile, RefusesWithThePlace) {
  for (const char* nothing : {"", "[]"}) expect_refused(nothing, "");
  expect_refused("{'id': 'mine'}", "missing");
  const char *const planar = everything_planar, *const spatial = everything_spatial;
  const struct {
    const char* good;
    std::string from, to, says;
  } cases[] = {
      {planar, "'mine'", "'Mi ne'", "id"},
      {planar, "'planar'", "'plane'", "planar, spatial, equations"},
      {planar, "'gravity'", "'gravty'", "gravty"},
      {planar, "'unit': 'm', 'source'", "'unit': '', 'source'", "data[1]"},
      {planar, "'unit': 'kg'", "'kind': 'kg'", "data[2]"},
      {planar, "'value': 2,", "'value': 2.5,", "data[2]"},
      {planar, "'name': 'm'", "'name': 'L'", "data[2]"},
      {planar, "'name': 'm'", "'name': 'pi'", "data[2]"},
      {planar, "'name': 'm'", "'name': 't'", "data[2]"},
      {planar, "m*L^2/12", "m*l^2/12", "define[1]: value: unknown name 'l'"},
      {planar, "m*L^2/12", "m*L^(1/2)", "power"},
      {planar, "m*L^2/12", "asin(m)", "no real number"},
      {planar, "m*L^2/12", "sinh(m)", "unknown function 'sinh'"},
      {planar, "m*L^2/12", "m*(L", "ends too early"},
      {planar, "m*L^2/12", "1.2.3", "malformed"},
      {planar, "m*L^2/12", "2*t", "unknown name 't'"},
      {planar, "'mass': 'm'", "'mass': '-m'", "bodies[1]"},
      {planar, "'mass': 'm'", "'mass': 'L'", "bodies[1]: mass: \"L\" is in m; accepted: kg"},
      {planar, "'mass': 'm'", "'mass': '2*L^2/12'", "is in m^2; accepted: kg"},
      {planar, "'mass': 'm'", "'mass': 'm + L'", "kg and m are added"},
      {planar, "'mass': 'm'", "'mass': 'm*cos(L)'", "cos of a number in m"},
      {planar, "m*L^2/12", "m + L", "define[1]: value"},
      {planar, "'unit': 'kg'", "'unit': 'kgs'", "data[2]: unit: \"kgs\" is not known"},
      {planar, "'omega': 'w'", "'omega': 'L*w'", "bodies[1]: omega: \"L*w\" is in m/s"},
      {planar, "['-half', 0]]", "['-w', 0]]", "points[2][1]: \"-w\" is in 1/s; accepted: m"},
      {planar, "'factor': 'sin(w*t)*t^2'", "'factor': 'w'", "accepted: a number without a unit"},
      {planar, "'factor': 'sin(w*t)*t^2'", "'factor': {'table': [['L', 1], [9, 2]]}",
       "accepted: s"},
      {planar, "'gravity': '9.81'", "'gravity': 'L'", "gravity: \"L\" is in m"},
      {spatial, "'position': ['L/2', 0, 0]", "'position': ['s/2', 0, 0]", "accepted: m"},
      {planar, "'name': 'rod'", "'name': 'crank'", "bodies[2]"},
      {planar, "'name': 'rod'", "'name': 'ground'", "bodies[2]"},
      {planar, "'torsion_spring'", "'torsion_sprang'", "torsion_spring"},
      {planar, "['ground', 'crank'], 'points'", "['ground', 'cranck'], 'points'",
       "elements[1] (revolute): bodies[2]"},
      {planar, "['ground', 'crank'], 'points'", "['ground'], 'points'", "two names"},
      {planar, "['crank', 'rod'], 'points'", "['rod', 'rod'], 'points'", "elements[2]"},
      {planar, "[[0, '1/10'], ['-half', 0]]", "[[0, '1/10']]", "points"},
      {planar, "[[0, '1/10'], ['-half', 0]]", "[[0], ['-half', 0]]", "points[1]"},
      {planar, "'absolute'", "'relative'", "chain, absolute"},
      {planar, "sqrt(1 + t^2)", "crank.x", "unknown name 'crank.x'"},
      {planar, "block.x^2", "blok.x^2", "did you mean 'block.x'"},
      {planar, "'id': 'odd'", "'id': 'reach'", "outputs[2]"},
      {planar, "'trace': {'body': 'rod'", "'trace': {'body': 'ground'", "trace"},
      {planar, "'define': [", "'define': [5, ", "define[1]"},
      {planar, "'define': [", "'redundant': 1, 'define': [", "redundant"},
      {spatial, "'1/3000']", "'1/3000', 3]", "bodies[2]: inertia"},
      {spatial, "'turn': {'axis'", "'axes': [[1,0,0],[0,1,0]], 'turn': {'axis'", "not both"},
      {spatial, "'at': [12, '1/2', 0]", "'at': [12, '1/2']", "(clamp): at"},
      {spatial, "'velocity': ['u', 0, 0]", "'velocity': [1, 0, 0]", "velocities"},
      {spatial, "'start': '-1/4'", "'start': 'pi'", "start"},
      {spatial, "'axis': [1, 0, 0]},\n    {'type': 'slide'",
       "'axis': [0, 0, 0]},\n    {'type': 'slide'", "elements[4]"},
      {spatial, "'gravity': [0, '1/10', '-981/100']", "'gravity': 9", "gravity"},
  };
  for (const auto& [good, from, to, says] : cases) expect_refused(changed(good, from, to), says);
}

/// Cut anywhere and with any byte changed: a mechanism or a refusal, never anything else.
TEST_F(MechanismFile, AnyDamageIsRefusedOrRead) {
  const auto try_one = [&](const std::string& text) { test::refusal([&] { read(text); }); };
  unsigned state = 20261125;
  for (const std::string good : {everything_planar, good_equations}) {
    for (std::size_t cut = 0; cut < good.size(); cut += 19) try_one(good.substr(0, cut));
    for (int i = 0; i < 400; ++i) {
      std::string text = good;
      state = state * 1664525u + 1013904223u;
      const unsigned byte = state >> 24;  // of equations printable: more of it is read
      text[(state >> 8) % text.size()] =
          static_cast<char>(good == good_equations ? 32 + byte % 95 : byte);
      try_one(text);
    }
  }
}

}  // namespace
}  // namespace daemark
