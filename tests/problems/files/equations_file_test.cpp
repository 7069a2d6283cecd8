// Problems stated by formulas: what is derived from energies is what one would write by hand.
#include <gmock/gmock.h>

#include "base/program/paths.hpp"
#include "problems/mechanism/recorded_model.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"

namespace daemark {
namespace {

using test::expect_same, test::MechanismFile;
namespace fs = std::filesystem;

/// A cart on a spring and a damper that follows a law, with a pendulum that a torque turns and a
/// gear that ties to the cart.
const char* const cart = R"({
  'id': 'mine', 'kind': 'equations', 'source': 'test',
  'data': [{'name': 'M', 'value': 3, 'unit': 'kg'}, {'name': 'm', 'value': '1/2', 'unit': 'kg'},
           {'name': 'l', 'value': '0.7', 'unit': 'm'}, {'name': 'k', 'value': 20, 'unit': 'N/m'},
           {'name': 'd', 'value': '3/10', 'unit': 'N s/m'},
           {'name': 'g', 'value': '9.81', 'unit': 'm/s^2'}],
  'define': [{'name': 'speed', 'value': '1/5'}, {'name': 'reach', 'value': 'speed*sin(t)'},
             {'name': 'height', 'value': '-l*cos(phi)'}, {'name': 'vx', 'value': 's` + l*cos(phi)*phi`'},
             {'name': 'vy', 'value': 'l*sin(phi)*phi`'}],
  'coordinates': [{'name': 's', 'unit': 'm', 'velocity': 'speed'},
                  {'name': 'phi', 'unit': 'rad', 'start': 'pi/5', 'velocity': 'speed/l'}],
  'kinetic': 'M*s`^2/2 + m*(vx^2 + vy^2)/2',
  'potential': 'm*g*height + k*s^2/2',
  'dissipation': 'd*s`^2/2',
  'forces': {'phi': '4*sin(t)*phi`^2'},
  'constraints': [{'name': 'lambda', 'unit': 'm', 'position': 's - reach'},
                  {'name': 'gear', 'unit': 'm', 'velocity': 'l*cos(s)*phi` - s`'}],
  'outputs': [{'id': 'load', 'meaning': 'of the cart', 'unit': 'N', 'value': 'M*s`` + lambda'}]})";

struct Cart {
  static constexpr int n = 2, m = 2, velocity_rows = 1;
  wide M, mass_of, l, k, d, g;
  static std::vector<Quantity> coordinates() { return {{"s", "m"}, {"phi", "rad"}}; }
  static std::vector<Quantity> rows() { return {{"lambda", "m"}, {"gear", "m"}}; }
  static std::vector<OutputInfo> outputs() { return {{"load", "of the cart", "N"}}; }
  void mass(const Var* q, Var* A) const {
    A[0] = M + mass_of, A[1] = A[2] = mass_of * l * cos(q[1]), A[3] = mass_of * l * l;
  }
  void force(const Var& t, const Var* q, const Var* v, Var* f) const {
    f[0] = mass_of * l * sin(q[1]) * v[1] * v[1] - k * q[0] - d * v[0];
    f[1] = 4 * sin(t) * v[1] * v[1] - mass_of * g * l * sin(q[1]);
  }
  void constraint(const Var& t, const Var* q, Var* phi) const { phi[0] = q[0] - sin(t) / 5; }
  void velocity_constraint(const Var&, const Var* q, const Var* v, Var* rate) const {
    rate[0] = l * cos(q[0]) * v[1] - v[0];
  }
  Var potential(const Var&, const Var* q) const {
    return k * q[0] * q[0] / 2 - mass_of * g * l * cos(q[1]);
  }
  void output_values(const MotionPoint<Var>& p, Var* value) const {
    value[0] = M * p.a[0] + p.lambda[0];
  }
  void initial(Var* q, Var* v) const {
    q[0] = 0, q[1] = boost::math::constants::pi<wide>() / 5;
    v[0] = wide(1) / 5, v[1] = v[0] / l;
  }
};

TEST_F(MechanismFile, EnergiesGiveTheEquationsOfMotion) {
  const Problem file = read(cart);
  Problem built;
  built.absolute = model_makers(Cart{3, wide(1) / 2, wide("0.7"), 20, wide("0.3"), wide("9.81")});
  expect_same<double>(file, built);
  expect_same<real50>(file, built);
  const auto mechanism = file.make<double>();
  const double t = 0.3, q[] = {0.2, 0.4}, v[] = {0.5, -0.6}, a[] = {0, 0}, none[] = {0, 0};
  EXPECT_NEAR(mechanism->power({t, q, v, a, none, nullptr}),
              -0.3 * 0.5 * 0.5 + 4 * std::sin(t) * std::pow(-0.6, 3), 1e-15);
  EXPECT_EQ(mechanism->coordinate_units(), (std::vector<std::string>{"m", "rad"}));
}

/// The same motion with M and f as they are, and its power with what the change of M takes.
TEST_F(MechanismFile, MassAndForcesMayBeStated) {
  std::string text = cart;
  const auto replace = [&text](const std::string& from, const std::string& to) {
    ASSERT_NE(text.find(from), std::string::npos) << from;
    text.replace(text.find(from), from.size(), to);
  };
  replace("'kinetic': 'M*s`^2/2 + m*(vx^2 + vy^2)/2'",
          "'mass': [['M + m', 'm*l*cos(phi)'], ['m*l*cos(phi)', 'm*l^2']]");
  replace("'phi': '4*sin(t)*phi`^2'", "'phi': '4*sin(t)*phi`^2', 's': 'm*l*sin(phi)*phi`^2'");
  replace(
      ", {'name': 'vx', 'value': 's` + l*cos(phi)*phi`'},\n             {'name': 'vy', 'value': "
      "'l*sin(phi)*phi`'}",
      "");
  const Problem stated = read(text), derived = read(cart);
  expect_same<double>(stated, derived);
  expect_same<real50>(stated, derived);
  const double q[] = {0.2, 0.4}, v[] = {0.5, -0.6}, none[] = {0, 0};
  const MotionPoint<double> at{0.3, q, v, none, none, nullptr};
  EXPECT_NEAR(stated.make<double>()->power(at), derived.make<double>()->power(at), 1e-15);
}

constexpr const char* ring = R"({
  'id': 'mine', 'kind': 'equations', 'source': 'test',
  'data': [{'name': 'l', 'value': 1, 'unit': 'm'}],
  'coordinates': [{'name': 'x', 'unit': 'm', @}, {'name': 'y', 'unit': 'm', @}],
  'kinetic': 'x`^2 + y`^2',
  'constraints': [{'name': 'lambda', 'unit': 'm^2', 'position': 'x^2 + y^2 - l^2'}]})";

std::string ring_with(const std::string& x, const std::string& y) {
  std::string text = ring;
  for (const std::string& start : {x, y}) text.replace(text.find('@'), 1, start);
  return text;
}

/// Given values stay, free ones follow; of several solutions the nearest.
TEST_F(MechanismFile, TheStartIsSolvedFor) {
  const auto start = [this](const std::string& x, const std::string& y) {
    const auto mechanism = read(ring_with(x, y)).make<real50>();
    std::vector<real50> values(4);
    mechanism->initial(values.data(), values.data() + 2);
    return values;
  };
  const auto expect_near = [](const std::vector<real50>& got,
                              const std::vector<const char*>& want) {
    for (int i = 0; i < 4; ++i)
      EXPECT_LT(abs(real50(got[i] - real50(want[i]))), real50("1e-48")) << i << ": " << got[i];
  };
  expect_near(start("'start': '3/5', 'velocity': 1", "'start_near': '-1/2', 'velocity_near': 0"),
              {"0.6", "-0.8", "1", "0.75"});
  expect_near(
      start("'start_near': 3, 'velocity_near': '3/5'", "'start_near': 4, 'velocity_near': '4/5'"),
      {"0.6", "0.8", "0", "0"});
}

/// In a turning frame not T + V is kept, but what is quadratic in the velocities less the rest.
TEST_F(MechanismFile, PartsWithoutVelocitiesCountAsPotential) {
  const auto bead = read(R"({
    'id': 'mine', 'kind': 'equations', 'source': 'test',
    'data': [{'name': 'w', 'value': 3, 'unit': 'rad/s'}],
    'coordinates': [{'name': 'r', 'unit': 'm', 'start': 1}],
    'kinetic': '(r`^2 + w*r*r` + w^2*r^2)/2'})")
                        .make<double>();
  const double q = 2, v = 5, a = 7;
  double residual = 0;
  MotionValues<double> out;
  out.residual = &residual;
  const MotionPoint<double> at{0, &q, &v, &a, nullptr, nullptr};
  bead->evaluate(at, {}, out);
  EXPECT_NEAR(residual, 7 - 9 * 2, 1e-14);
  EXPECT_NEAR(bead->kinetic_energy(at), 25 / 2. - 9 * 4 / 2., 1e-14);
  EXPECT_FALSE(bead->has_power());
}

const char* const turning = R"({
  'id': 'mine', 'kind': 'equations', 'source': 'test', 'start': 0,
  'choices': [{'name': 'side', 'words': ['right', 'left'], 'accepted': 'right | left'}],
  'data': [{'name': 'R', 'value': 2, 'unit': 'm'}],
  'define': [{'name': 'way', 'value': 'R*(right - left)'}],
  'coordinates': [{'name': 'x', 'unit': 'm', 'start': 'R'},
                  {'name': 'y', 'unit': 'm', 'velocity': 'way'}],
  'kinetic': '(x`^2 + y`^2)/2',
  'constraints': [{'name': 'lambda', 'unit': 'm', 'position': 'sqrt(x^2 + y^2) - R'}],
  'minimal': {'define': [{'name': 's', 'value': 'R*phi'}],
              'coordinates': [{'name': 'phi', 'unit': 'rad', 'velocity': 'way/R'}],
              'kinetic': 'R^2*phi`^2/2', 'shown': {'x': 'R*cos(s/R)', 'y': 'R*sin(phi)'}},
  'drawing': {'look_from': [0, 90], 'shapes': [
    {'kind': 'body', 'closed': true, 'points': [[0, 0], ['x', 'y + t', 1]]},
    {'kind': 'mass', 'repeat': 3, 'points': [['x + i', 'i^2']]}]},
  'solution': [{'name': 'rate', 'value': '2*cos(t)^2'}, {'name': 'turn', 'value': 'integral(rate)'},
               {'name': 'x', 'value': 'R*cos(turn)'}, {'name': 'y', 'value': 'turn'},
               {'name': 'x`', 'value': 'sn(t, 0)*cn(t, 0)'},
               {'name': 'y`', 'value': 'way*(dn(t, 1/2)^2 + sn(t, 1/2)^2/4)'},
               {'name': 'lambda', 'value': 'tanh(t)'}]})";

TEST_F(MechanismFile, AMinimalFormShowsTheCoordinatesOfTheFile) {
  const Problem problem = read(turning, "mine(side=left,R=3)");
  EXPECT_EQ(problem.name, "mine(R=3,side=left)");
  const auto minimal = problem.make<real50>(true);
  ASSERT_EQ(minimal->reference_coordinates(), 2);
  const real50 phi = 1, rate = -1;
  real50 q[2], v[2];
  minimal->to_reference({real50(0), &phi, &rate, nullptr, nullptr, nullptr}, q, v);
  EXPECT_LT(abs(real50(q[0] - 3 * cos(phi))), real50("1e-47"));
  EXPECT_LT(abs(real50(v[0] - 3 * sin(phi))), real50("1e-47"));
  EXPECT_LT(abs(real50(v[1] + 3 * cos(phi))), real50("1e-47"));
}

TEST_F(MechanismFile, ADrawingOfFormulas) {
  const auto mechanism = read(turning).make<real50>(true);
  const Drawing drawing = drawing_of(*mechanism);
  const double q[] = {3, 4};
  const std::vector<DrawnShape> shapes = drawing.shapes(0.5, q);
  ASSERT_EQ(shapes.size(), 2u);
  EXPECT_EQ(shapes[0].kind, DrawnShape::Kind::body);
  EXPECT_TRUE(shapes[0].closed);
  EXPECT_EQ(shapes[0].points, (std::vector<SpacePoint>{{0, 0, 0}, {3, 4.5, 1}}));
  EXPECT_EQ(shapes[1].points, (std::vector<SpacePoint>{{3, 0, 0}, {4, 1, 0}, {5, 4, 0}}));
  EXPECT_NEAR(drawing.right[1], 1, 1e-15);
}

TEST_F(MechanismFile, ASolutionOfFormulas) {
  const Problem problem = read(turning);
  const real50 t = 3, turn = t + sin(2 * t) / 2;
  std::vector<real50> q(2), v(2), lambda(1);
  problem.closed_form(t, q.data(), v.data(), lambda.data());
  const std::vector<std::pair<real50, real50>> pairs = {{q[0], 2 * cos(turn)},
                                                        {q[1], turn},
                                                        {v[0], sin(t) * cos(t)},
                                                        {v[1], real50(2)},
                                                        {lambda[0], tanh(t)}};
  for (const auto& [got, want] : pairs) EXPECT_LT(abs(real50(got - want)), real50("1e-45")) << got;
}

TEST_F(MechanismFile, AFileOfTheCatalogueIsCalledAsItsProblem) {
  ProblemRegistry registry;
  const auto refusal_of = [&](const fs::path& folder) {
    return test::refusal([&] { add_catalogue_files(folder, registry); });
  };
  EXPECT_THAT(refusal_of(folder_ / "none"), testing::HasSubstr("No such file"));
  write(cart);
  EXPECT_EQ(refusal_of(folder_), "accepted");
  EXPECT_EQ(registry.catalogue_ids(), std::vector<std::string>{"mine"});
  EXPECT_TRUE(registry.info("mine").parameters.empty());
  fs::rename(folder_ / "mine.json", folder_ / "other.json");
  EXPECT_THAT(refusal_of(folder_), testing::HasSubstr("id \"mine\" is not accepted"));
}

/// Without constraints a form is minimal already.
TEST_F(MechanismFile, ProblemsOfTheCatalogueAreFilesToo) {
  int count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(source_root() / "problems")) {
    if (entry.path().extension() != ".json") continue;
    const std::string id = entry.path().stem();
    EXPECT_FALSE(problem_registry().info(id).data_digest.empty()) << id;
    EXPECT_THAT(problem_registry().catalogue_ids(), testing::Contains(id));
    const Problem problem = problem_registry().make(id);
    EXPECT_TRUE(problem.make<real50>()->constraints() > 0 || problem.has_minimal()) << id;
    ++count;
  }
  EXPECT_GE(count, 12);
}

}  // namespace
}  // namespace daemark
