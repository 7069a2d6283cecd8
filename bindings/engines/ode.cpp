// ODE (Open Dynamics Engine) as a method: bodies and joints in maximal coordinates.
#include <ode/ode.h>
#include <ode/version.h>

#include "engine.hpp"

using namespace engine;

namespace {

Engine describe() {
  Engine e{"ODE", dODE_VERSION, {}, {}, 1e-12};
  const std::string common =
      "; CFM 1e-10, damping 0, no auto-disable, no limit of angular speed, gyroscopic term, "
      "infinitesimal rotation; drives are motors without a limit of force, whose velocity is that "
      "of the law at the end of the step and ERP times the error over STEP; loads are forces held "
      "over a step; points have the inertia 1e-12 m r^2";
  e.add("world", "dWorldStep" + common, "ERP 0.2", "ERP 0.8");
  e.add("quick", "dWorldQuickStep" + common, "ERP 0.2, 20 iterations", "ERP 0.8, 500 iterations");
  e.accept_all_but({"inline", "parallel", "massless"});
  return e;
}

/// Null of a free body.
dJointID join(dWorldID world, const Mechanism& m, const Joint& j, dBodyID a, dBodyID b) {
  const Vec p = m.place(j), u = m.axis(j, 0), v = m.axis(j, 1);
  dJointID c = nullptr;
  const auto make = [&](auto create) {
    c = create(world, nullptr);
    dJointAttach(c, a, b);
    return c;
  };
  if (j.type == "revolute") {
    make(dJointCreateHinge);
    dJointSetHingeAnchor(c, p[0], p[1], p[2]), dJointSetHingeAxis(c, u[0], u[1], u[2]);
  } else if (j.type == "spherical" || (j.type == "inline" && m.planar)) {
    dJointSetBallAnchor(make(dJointCreateBall), p[0], p[1], p[2]);
  } else if (j.type == "universal") {
    make(dJointCreateUniversal);
    dJointSetUniversalAnchor(c, p[0], p[1], p[2]);
    dJointSetUniversalAxis1(c, u[0], u[1], u[2]), dJointSetUniversalAxis2(c, v[0], v[1], v[2]);
  } else if (j.type == "cylindrical") {
    make(dJointCreatePiston);
    dJointSetPistonAnchor(c, p[0], p[1], p[2]), dJointSetPistonAxis(c, u[0], u[1], u[2]);
  } else if (j.type == "prismatic") {
    dJointSetSliderAxis(make(dJointCreateSlider), u[0], u[1], u[2]);
  } else if (j.type == "slot") {
    make(dJointCreatePR);
    dJointSetPRAnchor(c, p[0], p[1], p[2]);
    dJointSetPRAxis1(c, u[0], u[1], u[2]), dJointSetPRAxis2(c, 0, 0, 1);
  } else if (j.type == "fixed") {
    dJointSetFixed(make(dJointCreateFixed));
  } else if (j.type != "free") {
    throw Refused("ODE has no joint of type " + j.type);
  }
  return c;
}

/// ODE's angles and ways are the first body's against the second.
void drive(const Mechanism& m, const Drive& d, dJointID c, double t, double h, double erp) {
  const Law& law = m.laws[d.law];
  const bool turns = m.tree[d.body].type == "revolute";
  double error =
      law.at(t) - law.at(m.begin) + (turns ? dJointGetHingeAngle(c) : dJointGetSliderPosition(c));
  if (turns) error = std::remainder(error, 2 * M_PI);
  const auto set = turns ? dJointSetHingeParam : dJointSetSliderParam;
  set(c, dParamFMax, dInfinity);
  set(c, dParamVel, -(law.rate_at(t + h) + erp * error / h));
}

void run(Task& task) {
  Mechanism& m = task.mechanism;
  const bool quick = task.variant == "quick";
  for (const Body& b : m.bodies)
    if (quick && b.kind == "point") throw Refused("dWorldQuickStep drops bodies of tiny inertia");
  dInitODE2(0);
  const dWorldID world = dWorldCreate();
  dWorldSetGravity(world, m.gravity[0], m.gravity[1], m.gravity[2]);
  dWorldSetERP(world, task.tight ? 0.8 : 0.2), dWorldSetCFM(world, 1e-10);
  dWorldSetQuickStepNumIterations(world, task.tight ? 500 : 20);
  dWorldSetLinearDamping(world, 0), dWorldSetAngularDamping(world, 0);
  dWorldSetAutoDisableFlag(world, 0), dWorldSetMaxAngularSpeed(world, dInfinity);
  std::vector<dBodyID> bodies;
  for (const Body& b : m.bodies) {
    const dBodyID o = bodies.emplace_back(dBodyCreate(world));
    const State& s = b.start;
    dMass mass;
    dMassSetParameters(&mass, b.mass, 0, 0, 0, b.inertia[0], b.inertia[1], b.inertia[2], 0, 0, 0);
    dBodySetMass(o, &mass);
    const dQuaternion q{s.q.w(), s.q.x(), s.q.y(), s.q.z()};
    dBodySetPosition(o, s.x[0], s.x[1], s.x[2]), dBodySetQuaternion(o, q);
    dBodySetLinearVel(o, s.v[0], s.v[1], s.v[2]), dBodySetAngularVel(o, s.w[0], s.w[1], s.w[2]);
  }
  const dBodyID ground = dBodyCreate(world);  // joints without a first body are wrong (PR)
  dBodySetKinematic(ground);
  const auto body = [&](int i) { return i < 0 ? ground : bodies[i]; };
  std::vector<dJointID> joints;
  for (const auto* some : {&m.tree, &m.loops})
    for (const Joint& j : *some)
      joints.push_back(join(world, m, j, body(j.body[0]), body(j.body[1])));
  const auto state = [&](int i) -> State {
    const dReal *x = dBodyGetPosition(bodies[i]), *q = dBodyGetQuaternion(bodies[i]);
    const dReal *v = dBodyGetLinearVel(bodies[i]), *w = dBodyGetAngularVel(bodies[i]);
    return {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}, {v[0], v[1], v[2]}, {w[0], w[1], w[2]}};
  };
  task.run_steps(
      1,
      [&](double t) {
        apply_loads(m, t, state, [&](int b, const Vec& f, const Vec& moment) {
          dBodyAddForce(bodies[b], f[0], f[1], f[2]);
          dBodyAddTorque(bodies[b], moment[0], moment[1], moment[2]);
        });
        for (const Drive& d : m.drives)
          drive(m, d, joints[d.body], t, task.step, dWorldGetERP(world));
        (quick ? dWorldQuickStep : dWorldStep)(world, task.step);
      },
      [] {}, state);
}

}  // namespace

int main(int count, char** arguments) { return main_program(describe(), count, arguments, run); }
