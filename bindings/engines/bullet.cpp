// Bullet as a method: reduced coordinates (btMultiBody) or maximal ones (btRigidBody).
#include <BulletDynamics/Featherstone/btMultiBody.h>
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletDynamics/Featherstone/btMultiBodyDynamicsWorld.h>
#include <BulletDynamics/Featherstone/btMultiBodyFixedConstraint.h>
#include <BulletDynamics/Featherstone/btMultiBodyJointMotor.h>
#include <BulletDynamics/Featherstone/btMultiBodyLinkCollider.h>
#include <BulletDynamics/Featherstone/btMultiBodyPoint2Point.h>
#include <BulletDynamics/MLCPSolvers/btDantzigSolver.h>
#include <BulletDynamics/MLCPSolvers/btMLCPSolver.h>
#include <btBulletDynamicsCommon.h>

#include "engine.hpp"

using namespace engine;

namespace {

Engine describe() {
  const int version = btGetVersion();
  Engine e{
      "Bullet", std::to_string(version / 100) + "." + std::to_string(version % 100), {}, {}, 1e-12};
  const std::string common =
      "; stepSimulation(STEP, 0), double precision, no contacts, damping 0, no sleeping, no "
      "residual threshold; drives are motors without a limit of impulse, whose velocity is that of "
      "the law at the end of the step and ERP times the error over STEP; loads are forces held "
      "over a step; points have the inertia 1e-12 m r^2";
  const std::string reduced =
      "; no limit of coordinate velocities or impulses, gyroscopic term; joints of several "
      "freedoms have links of 1e-9 kg, 1e-9 kg m^2 between them" +
      common;
  for (const auto& [name, settings] :
       {std::pair("multibody", "btMultiBody" + reduced),
        {"multibody_rk4", "btMultiBody, useRK4Integration(true)" + reduced},
        {"maximal", "btRigidBody, btSequentialImpulseConstraintSolver" + common},
        {"dantzig", "btRigidBody, btMLCPSolver with btDantzigSolver" + common}})
    e.add(name, settings, "ERP 0.2, 10 iterations", "ERP 0.8, 1000 iterations");
  e.accept_all_but({"massless"});
  return e;
}

btVector3 bt(const Vec& v) { return {v[0], v[1], v[2]}; }
btQuaternion bt(const Quat& q) { return {q.x(), q.y(), q.z(), q.w()}; }
Vec vec(const btVector3& v) { return {v.x(), v.y(), v.z()}; }
State state(const btTransform& T, const btVector3& v, const btVector3& w) {
  const btQuaternion q = T.getRotation();
  return {vec(T.getOrigin()), {q.w(), q.x(), q.y(), q.z()}, vec(v), vec(w)};
}

void set(const Task& task, btDynamicsWorld& world) {
  world.setGravity(bt(task.mechanism.gravity));
  btContactSolverInfo& info = world.getSolverInfo();
  info.m_numIterations = task.tight ? 1000 : 10;
  info.m_erp = info.m_erp2 = task.tight ? 0.8 : 0.2;
  info.m_leastSquaresResidualThreshold = 0;
}

// ---- Reduced coordinates ------------------------------------------------------------------------

struct Tree {
  const Mechanism& m;
  std::vector<int> link;  // of each body
  btMultiBody* body;
  btAlignedObjectArray<btQuaternion> turns;
  btAlignedObjectArray<btVector3> origins, w, v;

  explicit Tree(const Mechanism& m) : m(m) {
    int links = 0;
    for (const Joint& j : m.tree) {
      links += std::max<int>(1, m.freedoms(j).size());
      link.push_back(links - 1);
    }
    body = new btMultiBody(links, 0, btVector3(0, 0, 0), true, false);
    body->setBaseWorldTransform(btTransform::getIdentity());
    for (size_t i = 0; i < m.bodies.size(); ++i) add(int(i));
    body->finalizeMultiDof();
    body->setLinearDamping(0), body->setAngularDamping(0);  // 0.04 each
    body->setMaxCoordinateVelocity(1e30);                   // 100
    body->setUseGyroTerm(true), body->setCanSleep(false), body->setHasSelfCollision(false);
    w.resize(links + 1), v.resize(links + 1);
  }
  int parent(int i) const { return i < 0 ? -1 : link[i]; }
  void add(int i) {
    const Joint& j = m.tree[i];
    const Body& b = m.bodies[i];
    const auto free = m.freedoms(j);
    int at = parent(j.body[0]);
    Quat q = m.start(j.body[0]).q;
    btVector3 pivot = bt(m.point_in(j.body[0], m.place(j)));
    for (int k = link[i] - std::max<int>(1, free.size()) + 1, f = 0; k <= link[i]; at = k++, ++f) {
      const bool last = k == link[i];
      const double mass = last ? b.mass : 1e-9;
      const btVector3 inertia = last ? bt(b.inertia) : btVector3(1e-9, 1e-9, 1e-9);
      const btVector3 centre = last ? -bt(j.point[1]) : btVector3(0, 0, 0);
      const Quat own = last ? b.start.q : Quat::Identity();
      const btQuaternion turn = bt(Quat(own.conjugate() * q));  // from the parent's frame
      if (free.empty())
        body->setupFixed(k, mass, inertia, at, turn, pivot, centre, true);
      else if (free[f].kind == Freedom::ball)
        body->setupSpherical(k, mass, inertia, at, turn, pivot, centre, true);
      else if (free[f].kind == Freedom::slide)
        body->setupPrismatic(k, mass, inertia, at, turn, bt(Vec(own.conjugate() * free[f].axis)),
                             pivot, centre, true);
      else
        body->setupRevolute(k, mass, inertia, at, turn, bt(Vec(own.conjugate() * free[f].axis)),
                            pivot, centre, true);
      q = own, pivot = btVector3(0, 0, 0);
    }
  }
  void start() {
    for (size_t i = 0; i < m.bodies.size(); ++i) {
      const auto free = m.freedoms(m.tree[i]);
      for (size_t f = 0; f < free.size(); ++f) {
        Vec rate = m.rate(m.tree[i], free[f]);
        if (free[f].kind == Freedom::ball)
          rate = m.direction_in(int(i), rate);  // in the link's frame
        body->setJointVelMultiDof(link[i] + 1 - int(free.size()) + int(f), rate.data());
      }
    }
  }
  void close(btMultiBodyDynamicsWorld& world, const Joint& j) {
    const int a = parent(j.body[0]), b = parent(j.body[1]);
    const auto add = [&](btMultiBodyConstraint* c) {
      c->setMaxAppliedImpulse(1e30);  // 100
      world.addMultiBodyConstraint(c);
    };
    const auto meet = [&](double along) {
      add(new btMultiBodyPoint2Point(body, b, body, a, bt(j.point[1] + along * j.axis[1]),
                                     bt(j.point[0] + along * j.axis[0])));
    };
    const double length = std::max(j.point[0].norm(), j.point[1].norm());
    const auto turn = [&](int i) { return btMatrix3x3(bt(m.start(i).q.conjugate())); };
    if (j.type == "fixed")
      add(new btMultiBodyFixedConstraint(body, b, body, a, bt(j.point[1]), bt(j.point[0]),
                                         turn(j.body[1]), turn(j.body[0])));
    else if (j.type == "spherical" || j.type == "revolute" || (m.planar && j.type == "inline"))
      meet(0);
    else
      throw Refused("btMultiBody has no loop joint of type " + j.type);
    if (j.type == "revolute") meet(length > 0 ? length : 1);  // a second point of the axis
  }
  void look() {
    body->forwardKinematics(turns, origins);
    body->compTreeLinkVelocities(&w[0], &v[0]);
  }
  State get(int i) const {
    const btTransform& T = body->getLink(link[i]).m_cachedWorldTransform;
    return state(T, T.getBasis() * v[link[i] + 1], T.getBasis() * w[link[i] + 1]);
  }
};

void reduced(Task& task, btDispatcher& dispatcher, btBroadphaseInterface& broadphase,
             btCollisionConfiguration& configuration) {
  Mechanism& m = task.mechanism;
  btMultiBodyConstraintSolver solver;
  btMultiBodyDynamicsWorld world(&dispatcher, &broadphase, &solver, &configuration);
  set(task, world);
  Tree tree(m);
  tree.body->useRK4Integration(task.variant == "multibody_rk4");
  tree.start();
  for (int i = 0; i < tree.body->getNumLinks();
       ++i) {  // without them no islands, and no constraints
    auto* collider = new btMultiBodyLinkCollider(tree.body, i);
    collider->setCollisionShape(new btEmptyShape);
    world.addCollisionObject(collider, 0, 0);
    tree.body->getLink(i).m_collider = collider;
  }
  world.addMultiBody(tree.body);
  for (const Joint& j : m.loops) tree.close(world, j);
  std::vector<btMultiBodyJointMotor*> motors;
  for (const Drive& d : m.drives) {
    motors.push_back(new btMultiBodyJointMotor(tree.body, tree.link[d.body], 0, 0, 1e30));
    world.addMultiBodyConstraint(motors.back());
  }
  task.run_steps(
      task.variant == "multibody_rk4" ? 4 : 1,
      [&](double t) {
        if (!m.springs.empty() || !m.loads.empty()) tree.look();
        apply_loads(
            m, t, [&](int i) { return tree.get(i); },
            [&](int i, const Vec& f, const Vec& moment) {
              tree.body->addLinkForce(tree.link[i], bt(f));
              tree.body->addLinkTorque(tree.link[i], bt(moment));
            });
        for (size_t k = 0; k < motors.size(); ++k) {
          const Law& law = m.laws[m.drives[k].law];
          motors[k]->setVelocityTarget(law.rate_at(t + task.step), 1);
          motors[k]->setPositionTarget(law.at(t) - law.at(m.begin), world.getSolverInfo().m_erp);
        }
        world.stepSimulation(task.step, 0);
      },
      [&] { tree.look(); }, [&](int i) { return tree.get(i); });
}

// ---- Maximal coordinates ------------------------------------------------------------------------

/// With the ERP of the variant; no constraint of a free body.
btTypedConstraint* joint(const Mechanism& m, const Joint& j, bool loop, double erp, btRigidBody& a,
                         btRigidBody& b) {
  const btVector3 pa = bt(m.point_in(j.body[0], m.place(j))), pb = bt(j.point[1]);
  if (j.type == "free") return nullptr;
  if (j.type == "spherical" || (m.planar && j.type == "inline"))
    return new btPoint2PointConstraint(b, a, pb, pa);
  if (j.type == "revolute") {
    btVector3 ua = bt(j.axis[0]), ub = bt(j.axis[1]);
    return new btHingeConstraint(b, a, pb, pa, ub, ua);
  }
  const bool slides = j.type == "prismatic" || j.type == "cylindrical";
  if ((j.type == "slot" || j.type == "inline") && j.body[0] >= 0)
    throw Refused("btGeneric6DofSpring2Constraint forgets the way slid on a moving body: " +
                  j.type);
  // The x axis is the second body's, the z axis the first's where they are not the same frame.
  Eigen::Matrix3d axes;
  axes.col(0) = j.type == "universal" ? m.axis(j, 1) : m.axis(j, 0);
  axes.col(2) = j.type == "universal" ? m.axis(j, 0)
                : j.type == "slot"    ? Vec::UnitZ()
                                      : across(axes.col(0));
  axes.col(1) = axes.col(2).cross(axes.col(0));
  const auto frame = [&](int body, const btVector3& p) {
    return btTransform(bt(Quat(m.start(body).q.conjugate() * Quat(axes))), p);
  };
  const btTransform fa = frame(j.body[0], pa), fb = frame(j.body[1], pb);
  if (slides) {
    auto* c = new btSliderConstraint(a, b, fa, fb, true);
    c->setLowerLinLimit(1), c->setUpperLinLimit(-1);  // none
    c->setLowerAngLimit(j.type == "prismatic" ? 0 : 1),
        c->setUpperAngLimit(j.type == "prismatic" ? 0 : -1);
    return c;
  }
  const std::string rows = j.type == "universal"  ? "111010"  // three ways, three turns
                           : j.type == "inline"   ? "011000"
                           : j.type == "slot"     ? (loop ? "010000" : "011110")
                           : j.type == "parallel" ? "000011"
                                                  : "111111";
  auto* c = new btGeneric6DofSpring2Constraint(a, b, fa, fb);
  for (int k = 0; k < 6; ++k) {
    c->setLimit(k, rows[k] == '1' ? 0 : 1, rows[k] == '1' ? 0 : -1);
    c->setParam(BT_CONSTRAINT_STOP_ERP, erp, k);
  }
  return c;
}

/// Of a hinge or a slide, whose first body is the second of the joint, of a slide the first.
void drive(const Mechanism& m, const Drive& d, btTypedConstraint& constraint, double t, double h,
           double erp) {
  const Law& law = m.laws[d.law];
  const double way = law.at(t) - law.at(m.begin), rate = law.rate_at(t + h);
  if (m.tree[d.body].type == "revolute") {
    auto& c = static_cast<btHingeConstraint&>(constraint);
    const double error = std::remainder(way - c.getHingeAngle(), 2 * M_PI);
    c.enableAngularMotor(true, rate + erp * error / h, 1e30);
  } else {
    auto& c = static_cast<btSliderConstraint&>(constraint);
    c.setPoweredLinMotor(true), c.setMaxLinMotorForce(1e30);
    c.setTargetLinMotorVelocity(rate + erp * (way - c.getLinearPos()) / h);
  }
}

void maximal(Task& task, btDispatcher& dispatcher, btBroadphaseInterface& broadphase,
             btCollisionConfiguration& configuration) {
  Mechanism& m = task.mechanism;
  btSequentialImpulseConstraintSolver iterative;
  btDantzigSolver dantzig;
  btMLCPSolver direct(&dantzig);
  btConstraintSolver* solver = &iterative;
  if (task.variant == "dantzig") solver = &direct;
  btDiscreteDynamicsWorld world(&dispatcher, &broadphase, solver, &configuration);
  set(task, world);
  std::vector<btRigidBody*> bodies;
  for (const Body& b : m.bodies) {
    auto* r =
        bodies.emplace_back(new btRigidBody(b.mass, nullptr, new btEmptyShape, bt(b.inertia)));
    r->setWorldTransform(btTransform(bt(b.start.q), bt(b.start.x)));
    r->setLinearVelocity(bt(b.start.v)), r->setAngularVelocity(bt(b.start.w));
    r->setDamping(0, 0), r->setActivationState(DISABLE_DEACTIVATION), r->updateInertiaTensor();
    world.addRigidBody(r, 0, 0);
  }
  const auto body = [&](int i) -> btRigidBody& {
    return i < 0 ? btTypedConstraint::getFixedBody() : *bodies[i];
  };
  const double erp = world.getSolverInfo().m_erp;
  std::vector<btTypedConstraint*> constraints;
  for (const auto* joints : {&m.tree, &m.loops})
    for (const Joint& j : *joints) {
      constraints.push_back(joint(m, j, joints == &m.loops, erp, body(j.body[0]), body(j.body[1])));
      if (constraints.back()) world.addConstraint(constraints.back(), true);
    }
  const auto get = [&](int i) {
    return state(bodies[i]->getWorldTransform(), bodies[i]->getLinearVelocity(),
                 bodies[i]->getAngularVelocity());
  };
  task.run_steps(
      1,
      [&](double t) {
        apply_loads(m, t, get, [&](int i, const Vec& f, const Vec& moment) {
          bodies[i]->applyCentralForce(bt(f)), bodies[i]->applyTorque(bt(moment));
        });
        for (const Drive& d : m.drives) drive(m, d, *constraints[d.body], t, task.step, erp);
        world.stepSimulation(task.step, 0);
      },
      [] {}, get);
}

void run(Task& task) {
  btDefaultCollisionConfiguration configuration;
  btCollisionDispatcher dispatcher(&configuration);
  btDbvtBroadphase broadphase;
  (task.variant.rfind("multibody", 0) == 0 ? reduced : maximal)(task, dispatcher, broadphase,
                                                                configuration);
}

}  // namespace

int main(int count, char** arguments) { return main_program(describe(), count, arguments, run); }
