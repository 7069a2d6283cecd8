// MuJoCo as a method: joints are freedoms of bodies, loops are `connect` and `weld`.
#include <mujoco/mujoco.h>

#include <functional>
#include <sstream>

#include "engine.hpp"

using namespace engine;

namespace {

Engine describe() {
  Engine e{"MuJoCo", mj_versionString(), {}, {}, 1e-12};
  for (const char* name : {"euler", "rk4", "implicit"})
    e.add(name,
          std::string("integrator ") + name +
              "; contacts off, no geoms: bodies have inertial alone; Newton solver, tolerance "
              "1e-8, 100 iterations; torsion springs in joints and springs between points "
              "(tendons) are MuJoCo's own, other loads come by mjcb_passive at each evaluation; "
              "points have the inertia 1e-12 m r^2",
          "loops with solref (0.02, 1), solimp (0.9, 0.95, 0.001, 0.5, 2)",
          "loops with solref (2 STEP, 1), solimp (0.9999, 0.9999, 0.001, 0.5, 2)");
  e.accept_all_but({"massless", "drives"});
  return e;
}

struct Xml {
  const Task& task;
  const Mechanism& m = task.mechanism;
  std::ostringstream out = {};

  static std::string text(const Vec& v) {
    std::ostringstream s;
    s.precision(17);
    s << v[0] << ' ' << v[1] << ' ' << v[2];
    return s.str();
  }
  void joints(int i) {
    const Joint& j = m.tree[i];
    const auto free = m.freedoms(j);
    for (size_t f = 0; f < free.size(); ++f) {
      const char* types[] = {"slide", "hinge", "ball"};
      out << "<joint name='j" << i << "_" << f << "' type='" << types[free[f].kind] << "' axis='"
          << text(m.direction_in(i, free[f].axis)) << "' pos='" << text(j.point[1]) << "'";
      double k = 0, kf = 0, c = 0;  // several springs are one
      for (const Spring& s : m.springs)
        if (s.joint == i && f + 1 == free.size())
          k += s.stiffness, kf += s.stiffness * (s.free - s.start), c += s.damping;
      out << " stiffness='" << k << "' springref='" << (k > 0 ? kf / k : 0) << "' damping='" << c
          << "'/>";
    }
  }
  void children(int parent) {
    for (size_t s = 0; s < m.springs.size(); ++s)
      for (int side : {0, 1})
        if (!m.springs[s].torsion && m.springs[s].body[side] == parent)
          out << "<site name='s" << s << "_" << side << "' pos='" << text(m.springs[s].point[side])
              << "'/>";
    for (int i = 0; i < int(m.bodies.size()); ++i) {
      if (m.tree[i].body[0] != parent) continue;
      const Body& b = m.bodies[i];
      const Quat turn = m.start(parent).q.conjugate() * b.start.q;
      out << "<body name='b" << i << "' pos='" << text(m.point_in(parent, b.start.x)) << "' quat='"
          << turn.w() << " " << text(turn.vec()) << "'><inertial pos='0 0 0' mass='" << b.mass
          << "' diaginertia='" << text(b.inertia) << "'/>";
      joints(i);
      children(i);
      out << "</body>";
    }
  }
  void loop(const Joint& j) {
    const auto name = [](int b) { return b < 0 ? "world" : "b" + std::to_string(b); };
    const std::string hard = task.tight ? "solref='" + Json(2 * task.step).dump() +
                                              " 1' solimp='0.9999 0.9999 0.001 0.5 2'"
                                        : "";
    const std::string bodies =
        "body1='" + name(j.body[1]) + "' body2='" + name(j.body[0]) + "' " + hard;
    const double length = std::max(j.point[0].norm(), j.point[1].norm());
    if (j.type == "fixed")
      out << "<weld " << bodies << "/>";
    else if (j.type == "spherical" || j.type == "revolute" || (m.planar && j.type == "inline"))
      out << "<connect " << bodies << " anchor='" << text(j.point[1]) << "'/>";
    else
      throw Refused("MuJoCo has no loop joint of type " + j.type);
    if (j.type == "revolute")  // a second point of the axis
      out << "<connect " << bodies << " anchor='"
          << text(j.point[1] + (length > 0 ? length : 1) * j.axis[1]) << "'/>";
  }
  std::string write() {
    const char* integrator = task.variant == "rk4"        ? "RK4"
                             : task.variant == "implicit" ? "implicit"
                                                          : "Euler";
    out.precision(17);
    out << "<mujoco><compiler angle='radian' balanceinertia='false' boundmass='0' "
           "boundinertia='0'/><option timestep='"
        << task.step << "' gravity='" << text(m.gravity) << "' solver='Newton' tolerance='1e-8' "
        << "iterations='100' integrator='" << integrator << "'><flag contact='disable'/></option>"
        << "<worldbody>";
    children(-1);
    out << "</worldbody><equality>";
    for (const Joint& j : m.loops) loop(j);
    out << "</equality><tendon>";
    for (size_t s = 0; s < m.springs.size(); ++s)
      if (const Spring& p = m.springs[s]; !p.torsion)
        out << "<spatial stiffness='" << p.stiffness << "' springlength='" << p.free
            << "' damping='" << p.damping << "'><site site='s" << s << "_0'/><site site='s" << s
            << "_1'/></spatial>";
    out << "</tendon></mujoco>";
    return out.str();
  }
};

mjModel* load(const Task& task) {
  const std::string name = task.out + ".xml";
  if (!(std::ofstream(name) << Xml{task}.write())) throw std::runtime_error("cannot write " + name);
  char error[1000] = "";
  mjModel* model = mj_loadXML(name.c_str(), nullptr, error, sizeof error);
  std::remove(name.c_str());
  if (!model) throw std::runtime_error(error);
  return model;
}

State state(const mjModel* model, const mjData* d, int b) {
  mjtNum v[6];
  mj_objectVelocity(model, d, mjOBJ_BODY, b, v, 0);
  const mjtNum *x = d->xipos + 3 * b, *q = d->xquat + 4 * b;
  return {{x[0], x[1], x[2]}, {q[0], q[1], q[2], q[3]}, {v[3], v[4], v[5]}, {v[0], v[1], v[2]}};
}

std::function<void(const mjModel*, mjData*)> passive;  // what mjcb_passive calls

void run(Task& task) {
  mju_user_warning = [](const char*) {};  // else a file MUJOCO_LOG.TXT
  Mechanism& m = task.mechanism;
  mjModel* model = load(task);
  mjData *d = mj_makeData(model), *look = mj_makeData(model);
  d->time = m.begin;
  std::vector<int> id;
  for (size_t i = 0; i < m.bodies.size(); ++i) {
    id.push_back(mj_name2id(model, mjOBJ_BODY, ("b" + std::to_string(i)).c_str()));
    mjtNum* v = d->qvel + model->body_dofadr[id[i]];
    for (const Freedom& f : m.freedoms(m.tree[i])) {
      Vec rate = m.rate(m.tree[i], f);
      if (f.kind == Freedom::ball) rate = m.direction_in(i, rate);  // in the child's frame
      for (int k = 0; k < (f.kind == Freedom::ball ? 3 : 1); ++k) *v++ = rate[k];
    }
  }
  const auto native = [](const Spring& s) { return !s.torsion || s.joint >= 0; };
  m.springs.erase(std::remove_if(m.springs.begin(), m.springs.end(), native), m.springs.end());
  passive = [&](const mjModel* model, mjData* d) {
    apply_loads(
        m, d->time, [&](int i) { return state(model, d, id[i]); },
        [&](int i, const Vec& f, const Vec& t) {
          mj_applyFT(model, d, f.data(), t.data(), d->xipos + 3 * id[i], id[i], d->qfrc_passive);
        });
  };
  mjcb_passive = [](const mjModel* model, mjData* d) { passive(model, d); };
  task.run_steps(
      task.variant == "rk4" ? 4 : 1, [&](double) { mj_step(model, d); },
      [&] {
        for (int w : {mjWARN_BADQPOS, mjWARN_BADQVEL, mjWARN_BADQACC})  // MuJoCo then starts again
          if (d->warning[w].number > 0)
            throw std::runtime_error("values not finite or above 1e10: MuJoCo started again");
        mj_copyData(look, model, d);  // positions of bodies belong to the beginning of a step
        mj_kinematics(model, look), mj_comPos(model, look), mj_comVel(model, look);
      },
      [&](int i) { return state(model, look, id[i]); });
}

}  // namespace

int main(int count, char** arguments) { return main_program(describe(), count, arguments, run); }
