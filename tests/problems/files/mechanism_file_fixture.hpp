// Mechanism files of tests: a folder of their own, and a good file of each kind.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <string>

#include "problems/files/mechanism_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark::test {

namespace fs = std::filesystem;

class MechanismFile : public testing::Test {
 protected:
  /// ' stands for ", ` for '.
  fs::path write(std::string text) const {
    std::replace(text.begin(), text.end(), '\'', '"');
    std::replace(text.begin(), text.end(), '`', '\'');
    write_text(folder_ / "mine.json", text);
    return folder_ / "mine.json";
  }
  Problem read(const std::string& text, const std::string& call = "mine") const {
    ProblemRegistry registry;
    add_mechanism_file(write(text), registry);
    return registry.make(call);
  }
  void expect_refused(const std::string& text, const std::string& says) const {
    const std::string what = refusal([&] { read(text); });
    EXPECT_THAT(what, testing::AllOf(testing::HasSubstr("mine.json"), testing::HasSubstr(says)))
        << text.substr(0, 300);
    EXPECT_LT(what.size(), 1000u) << what;
  }

  const ScratchFolder scratch_;
  const fs::path& folder_ = scratch_.path;
};

/// Everything a model says at points away from its start.
template <class S>
std::vector<S> said(MechanicalSystem<S>& system, bool with_outputs = true) {
  const int n = system.coordinates(), m = system.constraints();
  std::vector<S> q(n), v(n), a(n), lambda(m), chart(system.chart_size()), all;
  system.initial(q.data(), v.data());
  system.initial_chart(chart.data());
  all.insert(all.end(), q.begin(), q.end());
  all.insert(all.end(), v.begin(), v.end());
  for (int point = 0; point < 3; ++point) {
    using std::sin;
    const S t = S(point) / S(3) + S(1) / S(7);
    for (int i = 0; i < n; ++i) {
      q[i] += sin(S(i + point)) / S(50);
      v[i] += sin(S(2 * i + point)), a[i] = sin(S(3 * i + 1));
    }
    for (int i = 0; i < m; ++i) lambda[i] = sin(S(i + 5 * point));
    std::vector<S> residual(n), mass(system.mass_pattern().size()), position(m), velocity(m),
        acceleration(m), outputs(system.outputs().size());
    MotionValues<S> out;
    out.residual = residual.data(), out.mass = mass.data(), out.position = position.data();
    out.velocity = velocity.data(), out.acceleration = acceleration.data();
    const MotionPoint<S> at{t, q.data(), v.data(), a.data(), lambda.data(), chart.data()};
    system.evaluate(at, {}, out);
    system.output_values(at, outputs.data());
    if (!with_outputs) outputs.clear();
    for (const auto* part : {&residual, &mass, &position, &velocity, &acceleration, &outputs})
      all.insert(all.end(), part->begin(), part->end());
    all.push_back(system.kinetic_energy(at));
    all.push_back(system.potential_energy(at));
  }
  return all;
}

template <class S>
void expect_same(const Problem& file, const Problem& built) {
  const auto a = file.make<S>(), b = built.make<S>();
  ASSERT_EQ(a->coordinates(), b->coordinates());
  ASSERT_EQ(a->constraints(), b->constraints());
  ASSERT_EQ(a->outputs().size(), b->outputs().size());
  const std::vector<S> left = said(*a), right = said(*b);
  ASSERT_EQ(left.size(), right.size());
  double size = 1;
  for (const S& x : right) size = std::max(size, std::abs(to_double(x)));
  const double tolerance = 1000 * size * unit_roundoff<S>();
  for (std::size_t i = 0; i < left.size(); ++i)
    ASSERT_LE(std::abs(to_double(S(left[i] - right[i]))), tolerance) << "number " << i;
}

/// With every element of the plane; ' for ".
inline const char* const everything_planar = R"({
  'id': 'mine', 'kind': 'planar', 'source': 'test',
  'data': [{'name': 'L', 'value': '3/2', 'unit': 'm', 'source': 'here'},
           {'name': 'm', 'value': 2, 'unit': 'kg'}, {'name': 'w', 'value': 'pi/3', 'unit': 'rad/s'}],
  'define': [{'name': 'I', 'value': 'm*L^2/12'}, {'name': 'half', 'value': 'L/2'}],
  'gravity': '9.81',
  'bodies': [{'name': 'crank', 'mass': 'm', 'inertia': 'I', 'theta': 'pi/3', 'omega': 'w'},
             {'name': 'rod', 'mass': '1/3', 'inertia': 'I/2', 'theta': '-1/5'},
             {'name': 'block', 'mass': 1, 'inertia': '1/100', 'theta': 'pi/6'}],
  'elements': [
    {'type': 'revolute', 'bodies': ['ground', 'crank'], 'points': [[0, '1/10'], ['-half', 0]]},
    {'type': 'revolute', 'bodies': ['crank', 'rod'], 'points': [['half', 0], ['-half', 0]],
     'rows': 'absolute'},
    {'type': 'prismatic', 'bodies': ['rod', 'block'], 'points': [[0, 0], [0, 0]], 'angle': 'pi/8'},
    {'type': 'drive', 'bodies': ['ground', 'crank'],
     'angle': 'pi/3 + w*t + sqrt(1 + t^2) - cos(2*t)^3 + sin(t)/(2 + t) + exp(-t)*abs(t - 3) + tan(1)'},
    {'type': 'spring', 'bodies': ['ground', 'block'], 'points': [[3, 0], ['1/20', 0]],
     'stiffness': 40, 'free_length': '1/2'},
    {'type': 'damper', 'bodies': ['crank', 'block'], 'points': [[0, 0], [0, '1/9']],
     'coefficient': '2/3'},
    {'type': 'torsion_spring', 'bodies': ['crank', 'rod'], 'stiffness': 7, 'free_angle': 'pi'},
    {'type': 'torsion_damper', 'bodies': ['ground', 'rod'], 'coefficient': '1/8'},
    {'type': 'torque', 'body': 'rod', 'value': '1/4'},
    {'type': 'torque', 'body': 'block', 'value': 3, 'factor': 'sin(w*t)*t^2'},
    {'type': 'force', 'body': 'rod', 'value': [1, -2]}],
  'outputs': [{'id': 'reach', 'meaning': 'of the block', 'unit': 'm',
               'value': 'sqrt(block.x^2 + block.y^2)'},
              {'id': 'odd', 'meaning': 'all states', 'unit': '1',
               'value': 'exp(-t)*atan2(rod.vy, rod.vx + 3) + abs(crank.omega)*log(2 + rod.theta^2)'}],
  'trace': {'body': 'rod', 'point': ['half', 0]}})";

/// With every element of space but beams; ' for ".
inline const char* const everything_spatial = R"({
  'id': 'mine', 'kind': 'spatial', 'source': 'test', 'start': '-1/4',
  'data': [{'name': 'L', 'value': 1, 'unit': 'm'}, {'name': 's', 'value': '3/10', 'unit': 'rad/s'},
           {'name': 'u', 'value': '3/10', 'unit': 'm/s'}],
  'gravity': [0, '1/10', '-981/100'],
  'bodies': [
    {'name': 'arm', 'mass': 2, 'inertia': ['1/50', '1/6', '1/6'], 'position': ['L/2', 0, 0]},
    {'name': 'rod', 'mass': 1, 'inertia': ['1/12', '1/100', '1/12', '1/1000', '1/2000', '1/3000'],
     'position': ['L', '1/2', 0], 'turn': {'axis': [0, 0, 1], 'angle': 'pi/7'}},
    {'name': 'slide', 'mass': 1, 'inertia': [1, 1, 1], 'position': [5, 0, 0],
     'axes': [[1, 1, 0], [0, 0, 1]], 'velocity': ['u', 0, 0]},
    {'name': 'top', 'mass': 3, 'inertia': [1, 1, 2], 'position': [8, 0, 0], 'spin': [0, 0, 's']},
    {'name': 'pin', 'mass': 1, 'inertia': [1, 1, 1], 'position': [12, 0, 0]},
    {'name': 'pair', 'mass': 1, 'inertia': [1, 1, 1], 'position': [12, 1, 0]},
    {'name': 'free', 'mass': 1, 'inertia': [1, 1, 1], 'position': [20, 1, 0]},
    {'name': 'led', 'mass': 1, 'inertia': [1, 1, 1], 'position': [25, 1, 0]}],
  'elements': [
    {'type': 'revolute', 'bodies': ['ground', 'arm'], 'at': [0, 0, 0], 'axis': [0, 1, 0]},
    {'type': 'turn', 'bodies': ['ground', 'arm'], 'axis': [0, 1, 0], 'angle': '(t + 1/4)^2'},
    {'type': 'universal', 'bodies': ['arm', 'rod'], 'at': ['L', 0, 0],
     'axes': [[0, 0, 1], [1, 0, 0]]},
    {'type': 'prismatic', 'bodies': ['ground', 'slide'], 'at': [5, 0, 0], 'axis': [1, 0, 0]},
    {'type': 'slide', 'bodies': ['ground', 'slide'], 'at': [5, 0, 0], 'axis': [1, 0, 0],
     'way': 'u*(t + 1/4)'},
    {'type': 'spherical', 'bodies': ['ground', 'top'], 'at': [8, 0, 0]},
    {'type': 'turn_rate', 'bodies': ['ground', 'top'], 'axis': [0, 0, 1], 'rate': 's'},
    {'type': 'cylindrical', 'bodies': ['ground', 'pin'], 'at': [12, 0, 0], 'axis': [0, 1, 0]},
    {'type': 'clamp', 'bodies': ['pin', 'pair'], 'at': [12, '1/2', 0]},
    {'type': 'inline_point', 'bodies': ['ground', 'free'], 'at': [20, 1, 0], 'axis': [0, 0, 1]},
    {'type': 'parallel', 'bodies': ['ground', 'led'], 'axis': [1, 0, 0]},
    {'type': 'spring', 'bodies': ['arm', 'free'], 'points': [['L', 0, 0], [20, 1, 0]],
     'stiffness': 3, 'free_length': 18},
    {'type': 'damper', 'bodies': ['ground', 'rod'], 'points': [['L', 0, 1], ['L', 1, 0]],
     'coefficient': '1/10'},
    {'type': 'damper', 'bodies': ['ground', 'led'], 'points': [[25, 0, 1], [25, 1, 0]],
     'coefficient': '1/5', 'factor': '2 + cos(t)'},
    {'type': 'force', 'body': 'led', 'value': [1, 2, 3], 'on_body': [0, '1/3', 0]},
    {'type': 'force', 'body': 'free', 'value': [0, 2, 0], 'factor': 't*sin(t)'},
    {'type': 'moment', 'body': 'pin', 'value': [0, 1, 0]},
    {'type': 'moment', 'body': 'led', 'value': [0, 1, 2], 'factor': '1 - t'},
    {'type': 'inertia', 'body': 'arm', 'mass': '1/2', 'inertia': [1, 2, 2], 'offset': [0, 0, '1/4']}],
  'outputs': [
    {'id': 'state', 'meaning': '', 'unit': '1', 'value': 'rod.z + slide.vx + pin.ay + top.wz*t'},
    {'id': 'turned', 'meaning': '', 'unit': '1', 'value': 'rod.r12 - 2*slide.r21 + top.r33'}]})";

}  // namespace daemark::test
