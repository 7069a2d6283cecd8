// Simbody as a method: joints are mobilizers, a massless body between two freedoms; loops are
// constraints.
#include <Simbody.h>

#include <memory>

#include "engine.hpp"

/// Named: GCC would compare Eigen's enumerators by SimTK's operators of an unnamed one.
namespace adaptor {

namespace E = engine;
using namespace SimTK;

E::Engine describe() {
  int major, minor, patch;
  SimTK_version_simbody(&major, &minor, &patch);
  E::Engine e{"Simbody", std::to_string(major) + "." + std::to_string(minor), {}, {}, 0};
  const std::string common = "; loads are a Force::Custom, at each evaluation";
  for (const char* name : {"ExplicitEuler", "SemiExplicitEuler", "Verlet", "RungeKutta2",
                           "RungeKutta3", "RungeKuttaMerson"})
    e.add(name,
          std::string(name) +
              "Integrator, setFixedStepSize(STEP), accuracy 0.1 (it judges no step)" + common,
          "constraint tolerance 1e-4", "constraint tolerance 1e-10");
  for (const std::string name : {"RungeKuttaMerson", "CPodes"})
    e.add(name + "_accuracy",
          name + "Integrator" + (name == "CPodes" ? " (BDF)" : "") + ", setAccuracy(STEP)" + common,
          "constraint tolerance STEP/10", "constraint tolerance 1e-10 or STEP/10, the smaller",
          false);
  e.accept_all_but({});
  return e;
}

Vec3 vec(const E::Vec& v) { return Vec3(v[0], v[1], v[2]); }
E::Vec vec(const Vec3& v) { return {v[0], v[1], v[2]}; }
/// A frame of a body, turned by q from space, with its x or z axis along an axis of space.
Rotation frame(const E::Quat& q, const E::Vec& axis, CoordinateAxis which) {
  const E::Quat turn(q.conjugate() * E::Quat::FromTwoVectors(
                                         which == XAxis ? E::Vec::UnitX() : E::Vec::UnitZ(), axis));
  return Rotation(Quaternion(turn.w(), turn.x(), turn.y(), turn.z()));
}

struct Bodies {
  SimbodyMatterSubsystem& matter;
  const E::Mechanism& m;
  std::vector<MobilizedBody> all;
  std::vector<std::pair<MobilizedBody, E::Vec>> rates;  // at the start

  MobilizedBody& operator()(int i) { return i < 0 ? matter.updGround() : all[i]; }

  void add(int i) {
    const E::Joint& j = m.tree[i];
    const E::Body& b = m.bodies[i];
    const Vec3 inertia = vec(b.inertia);
    Body info = b.kind == "massless"
                    ? Body(Body::Massless())
                    : Body(Body::Rigid(MassProperties(
                          b.mass, Vec3(0), Inertia(inertia[0], inertia[1], inertia[2]))));
    MobilizedBody at = (*this)(j.body[0]);
    E::Quat q = m.start(j.body[0]).q;
    Vec3 p = vec(m.point_in(j.body[0], m.place(j)));
    const auto free = m.freedoms(j);
    for (size_t f = 0; f < std::max<size_t>(free.size(), 1); ++f) {
      const bool last = f + 1 >= free.size(),
                 slides = !free.empty() && free[f].kind == E::Freedom::slide;
      const E::Vec axis = free.empty() ? E::Vec::UnitZ() : free[f].axis;
      const CoordinateAxis which = slides ? CoordinateAxis(XAxis) : CoordinateAxis(ZAxis);
      const Transform F(frame(q, axis, which), p);
      q = last ? b.start.q : E::Quat::Identity(), p = last ? vec(j.point[1]) : Vec3(0);
      const Transform M(frame(q, axis, which), p);
      const Body body = last ? info : Body(Body::Massless());
      if (free.empty())
        at = MobilizedBody::Weld(at, F, body, M);
      else if (slides)
        at = MobilizedBody::Slider(at, F, body, M);
      else if (free[f].kind == E::Freedom::turn)
        at = MobilizedBody::Pin(at, F, body, M);
      else
        at = MobilizedBody::Ball(at, F, body, M);
      if (!free.empty()) rates.emplace_back(at, m.rate(j, free[f]));
    }
    all.push_back(at);
  }
  void close(const E::Joint& j) {
    MobilizedBody &a = (*this)(j.body[0]), &b = (*this)(j.body[1]);
    const Vec3 pa = vec(j.point[0]), pb = vec(j.point[1]);
    const UnitVec3 axis(vec(j.axis[0])), other(vec(j.axis[1])), across(vec(E::across(j.axis[0])));
    const auto plane = [&](const E::Vec& normal) {  // of space
      const UnitVec3 n(vec(m.direction_in(j.body[0], normal)));
      Constraint::PointInPlane(a, n, dot(n, pa), b, pb);
    };
    const auto meet = [&] { Constraint::Ball(a, pa, b, pb); };
    const auto line = [&] { Constraint::PointOnLine(a, axis, pa, b, pb); };
    const auto agree = [&] {
      Constraint::ConstantAngle(a, across, b, other);
      Constraint::ConstantAngle(a, UnitVec3(cross(axis, across)), b, other);
    };
    if (j.type == "inline" && m.planar)
      plane(E::Vec::UnitX()), plane(E::Vec::UnitY());
    else if (j.type == "slot")
      plane(E::Vec::UnitZ().cross(m.axis(j, 0)));
    else if (j.type == "spherical")
      meet();
    else if (j.type == "revolute")
      meet(), agree();
    else if (j.type == "universal")
      meet(), Constraint::ConstantAngle(a, axis, b, other);
    else if (j.type == "cylindrical")
      line(), agree();
    else if (j.type == "prismatic")
      line(), Constraint::ConstantOrientation(a, turn(j.body[0]), b, turn(j.body[1]));
    else if (j.type == "inline")
      line();
    else if (j.type == "parallel")
      agree();
    else if (j.type == "fixed")
      Constraint::Weld(a, Transform(turn(j.body[0]), pa), b, Transform(turn(j.body[1]), pb));
    else
      throw E::Refused("Simbody has no loop joint of type " + j.type);
  }
  /// The axes of space at the start, in a body.
  Rotation turn(int body) { return frame(m.start(body).q, E::Vec::UnitZ(), ZAxis); }

  E::State state(const State& s, int i) {
    const MobilizedBody& b = all[i];
    const Quaternion q = b.getBodyRotation(s).convertRotationToQuaternion();
    return {vec(b.getBodyOriginLocation(s)),
            {q[0], q[1], q[2], q[3]},
            vec(b.getBodyOriginVelocity(s)),
            vec(b.getBodyAngularVelocity(s))};
  }
};

/// From the start, where coordinates are zero.
struct DriveLaw : Function {
  const E::Law& law;
  double begin;
  DriveLaw(const E::Law& law, double begin) : law(law), begin(begin) {}
  Real calcValue(const Vector& t) const override { return law.at(t[0]) - law.at(begin); }
  Real calcDerivative(const Array_<int>& components, const Vector& t) const override {
    return components.size() == 1 ? law.rate_at(t[0]) : law.second_at(t[0]);
  }
  int getArgumentSize() const override { return 1; }
  int getMaxDerivativeOrder() const override { return 3; }
};

struct Loads : Force::Custom::Implementation {
  E::Mechanism& m;
  Bodies& bodies;
  Loads(E::Mechanism& m, Bodies& bodies) : m(m), bodies(bodies) {}
  void calcForce(const State& s, Vector_<SpatialVec>& out, Vector_<Vec3>&, Vector&) const override {
    E::apply_loads(
        m, s.getTime(), [&](int i) { return bodies.state(s, i); },
        [&](int i, const E::Vec& f, const E::Vec& t) {
          out[bodies.all[i].getMobilizedBodyIndex()] += SpatialVec(vec(t), vec(f));
        });
  }
  Real calcPotentialEnergy(const State&) const override { return 0; }
};

std::unique_ptr<Integrator> integrator(const MultibodySystem& system, const std::string& name,
                                       double h) {
  if (name == "ExplicitEuler") return std::make_unique<ExplicitEulerIntegrator>(system);
  if (name == "SemiExplicitEuler") return std::make_unique<SemiExplicitEulerIntegrator>(system, h);
  if (name == "Verlet") return std::make_unique<VerletIntegrator>(system);
  if (name == "RungeKutta2") return std::make_unique<RungeKutta2Integrator>(system);
  if (name == "RungeKutta3") return std::make_unique<RungeKutta3Integrator>(system);
  if (name.rfind("RungeKuttaMerson", 0) == 0)
    return std::make_unique<RungeKuttaMersonIntegrator>(system);
  return std::make_unique<CPodesIntegrator>(system, CPodes::BDF);
}

void run(E::Task& task) {
  E::Mechanism& m = task.mechanism;
  MultibodySystem system;
  SimbodyMatterSubsystem matter(system);
  GeneralForceSubsystem forces(system);
  Force::UniformGravity gravity(forces, matter, vec(m.gravity));
  Bodies bodies{matter, m, {}, {}};
  for (size_t i = 0; i < m.bodies.size(); ++i) bodies.add(int(i));
  for (const E::Joint& j : m.loops) bodies.close(j);
  for (const E::Drive& d : m.drives)
    Constraint::PrescribedMotion(matter, new DriveLaw(m.laws[d.law], m.begin), bodies(d.body),
                                 MobilizerQIndex(0));
  if (!m.springs.empty() || !m.loads.empty()) Force::Custom(forces, new Loads(m, bodies));
  State state = system.realizeTopology();
  state.setTime(m.begin);
  for (auto& [body, rate] : bodies.rates)
    for (int k = 0; k < body.getNumU(state); ++k) body.setOneU(state, k, rate[k]);
  const auto g = integrator(system, task.variant, task.step);
  const double accuracy = task.fixed ? 0.1 : task.step, usual = task.fixed ? 1e-4 : accuracy / 10;
  if (task.fixed) g->setFixedStepSize(task.step);
  g->setAccuracy(accuracy);
  g->setConstraintTolerance(task.tight ? std::min(1e-10, usual) : usual);
  g->initialize(state);
  task.run(
      [&](long k) {  // a return of stepTo costs a step: once a row
        while (g->getTime() < task.time(k) - 1e-9 * m.spacing) g->stepTo(task.time(k));
        system.realize(g->getState(), Stage::Velocity);
      },
      [&](int i) { return bodies.state(g->getState(), i); });
  task.report(g->getNumStepsTaken(), system.getNumRealizationsOfThisStage(Stage::Acceleration));
}

}  // namespace adaptor

int main(int count, char** arguments) {
  return engine::main_program(adaptor::describe(), count, arguments, adaptor::run);
}
