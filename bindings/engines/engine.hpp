// What the adaptors of physics engines share: MECHANISM.json, both calls of the protocol
// (bindings/PROGRAMS.md), joints as freedoms, and the loads that an engine has no element for.
#pragma once
#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <iostream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "law.hpp"

namespace engine {

using Vec = Eigen::Vector3d;
using Quat = Eigen::Quaterniond;
using Json = nlohmann::json;

/// What an engine cannot express: exit status 3.
struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of a body's frame in its mass centre, in space.
struct State {
  Vec x = Vec::Zero();
  Quat q = Quat::Identity();
  Vec v = Vec::Zero(), w = Vec::Zero();
  Vec at(const Vec& point) const { return x + q * point; }
  Vec velocity(const Vec& point) const { return v + w.cross(q * point); }
};

/// The frame has the principal axes of inertia; `turn` goes from it to the frame of the file.
struct Body {
  std::string name, kind;
  double mass;
  Vec inertia;
  Quat turn;
  State start;
};

/// Points and axes in the frames of the two bodies, -1 the ground.
struct Joint {
  std::string name, type;
  int body[2];
  Vec point[2], axis[2];
};

/// One of the motions that make up a joint, in this order. The axis is in space at the start.
struct Freedom {
  enum Kind { slide, turn, ball } kind;
  Vec axis;
};

/// Spring and damper between points, or about an axis; `joint`: the tree joint it acts in, or -1.
struct Spring {
  bool torsion;
  int body[2];
  Vec point[2], axis[2], mark[2];  // marks are at right angles to the axis and agree at the start
  double stiffness = 0, free = 0, damping = 0, start = 0, turned = 0;
  int joint = -1;
};

/// A prescribed angle or way of the last freedom of a tree joint.
struct Drive {
  int body, law;
};

struct Load {
  bool moment;
  int body, law;
  Vec point, value;
};

inline Vec vec(const Json& j) { return Vec(j[0], j[1], j[2]); }
inline Vec across(const Vec& axis) { return axis.unitOrthogonal(); }

struct Mechanism {
  bool planar;
  Vec gravity;
  std::vector<Body> bodies;
  std::vector<Joint> tree, loops;  // body 1 of tree[i] is body i
  std::vector<Spring> springs;
  std::vector<Law> laws;
  std::vector<Load> loads;
  std::vector<Drive> drives;
  double begin, spacing;
  long count;

  State start(int body) const { return body < 0 ? State{} : bodies[body].start; }
  /// Of the joint at the start in space: its place (the point of the second body) and its axes.
  Vec place(const Joint& j) const { return start(j.body[1]).at(j.point[1]); }
  Vec axis(const Joint& j, int side) const { return start(j.body[side]).q * j.axis[side]; }
  /// A point or direction of space at the start, in the frame of a body.
  Vec point_in(int body, const Vec& p) const {
    return start(body).q.conjugate() * (p - start(body).x);
  }
  Vec direction_in(int body, const Vec& d) const { return start(body).q.conjugate() * d; }

  std::vector<Freedom> freedoms(const Joint& j) const {
    using F = Freedom;
    const Vec a = axis(j, 0), x = Vec::UnitX(), y = Vec::UnitY(), z = Vec::UnitZ();
    if (j.type == "revolute") return {{F::turn, a}};
    if (j.type == "spherical") return {{F::ball, z}};
    if (j.type == "universal") return {{F::turn, a}, {F::turn, axis(j, 1)}};
    if (j.type == "cylindrical") return {{F::slide, a}, {F::turn, a}};
    if (j.type == "prismatic") return {{F::slide, a}};
    if (j.type == "inline") return {{F::slide, a}, {F::ball, z}};
    if (j.type == "slot") return {{F::slide, a}, {F::turn, z}};
    if (j.type == "parallel") return {{F::slide, x}, {F::slide, y}, {F::slide, z}, {F::turn, a}};
    if (j.type == "fixed") return {};
    if (j.type == "free" && planar) return {{F::slide, x}, {F::slide, y}, {F::turn, z}};
    if (j.type == "free") return {{F::slide, x}, {F::slide, y}, {F::slide, z}, {F::ball, z}};
    throw Refused("joint " + j.name + ": type " + j.type);
  }
  /// At the start; of a ball in all three components, of the others in the first.
  Vec rate(const Joint& j, const Freedom& f) const {
    const State a = start(j.body[0]), b = start(j.body[1]);
    const Vec p = place(j), w = b.w - a.w;
    if (f.kind == Freedom::ball) return w;
    const Vec v = b.v + b.w.cross(p - b.x) - a.v - a.w.cross(p - a.x);
    return {f.axis.dot(f.kind == Freedom::slide ? v : w), 0, 0};
  }
};

inline Body read_body(const Json& j) {
  const Json& i = j["inertia"];
  Body b{j["name"], j["kind"], j["mass"], vec(i), Quat::Identity(), {}};
  const Json& r = j["rotation"];
  b.start = {vec(j["position"]), Quat(r[0], r[1], r[2], r[3]).normalized(), vec(j["velocity"]),
             vec(j["angular_velocity"])};
  if (i[3] != 0 || i[4] != 0 || i[5] != 0) {
    Eigen::Matrix3d full;
    full << i[0], i[3], i[4], i[3], i[1], i[5], i[4], i[5], i[2];
    const Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d> principal(full);
    Eigen::Matrix3d P = principal.eigenvectors();
    P.col(2) *= P.determinant();  // a rotation
    b.inertia = principal.eigenvalues();
    b.turn = Quat(Eigen::Matrix3d(P.transpose())).normalized();
    b.start.q = b.start.q * b.turn.conjugate();
  }
  return b;
}

inline void read_links(Mechanism& m, const Json& file) {
  const auto into = [&](int body, const Json& v) -> Vec {
    return body < 0 ? vec(v) : Vec(m.bodies[body].turn * vec(v));
  };
  const auto pair = [&](auto& to, const Json& j) {
    for (int side : {0, 1}) {
      const int b = to.body[side] = j["bodies"][side];
      to.point[side] = j.contains("points") ? into(b, j["points"][side]) : Vec::Zero();
      to.axis[side] = j.contains("axes") ? into(b, j["axes"][side]).normalized() : Vec::UnitZ();
    }
  };
  m.tree.resize(m.bodies.size());
  for (const Json& j : file["joints"]) {
    Joint joint;
    pair(joint, j);
    joint.name = j["name"], joint.type = j.value("as", j["type"].get<std::string>());
    (j["tree"] ? m.tree[joint.body[1]] : m.loops.emplace_back()) = joint;
  }
  for (const char* key : {"springs", "dampers", "torsion_springs", "torsion_dampers"})
    for (const Json& j : file[key]) {
      if (j.contains("law")) throw Refused(std::string(key) + " that vary with time");
      Spring s;
      pair(s, j);
      s.torsion = key[0] == 't';
      s.stiffness = j.value("stiffness", 0.0), s.damping = j.value("coefficient", 0.0);
      s.free = j.value(s.torsion ? "free_angle" : "free_length", 0.0);
      s.start = s.turned = j.value("start_angle", 0.0);
      for (int side : {0, 1})
        s.mark[side] = m.direction_in(s.body[side], across(m.start(s.body[0]).q * s.axis[0]));
      for (size_t i = 0; i < m.tree.size() && s.torsion; ++i) {
        const auto free = m.freedoms(m.tree[i]);
        if (m.tree[i].body[0] == s.body[0] && m.tree[i].body[1] == s.body[1] && !free.empty() &&
            free.back().kind == Freedom::turn && m.tree[i].type != "universal" &&
            free.back().axis.dot(m.start(s.body[0]).q * s.axis[0]) > 1 - 1e-12)
          s.joint = i;
      }
      m.springs.push_back(s);
    }
  for (const Json& j : file["drives"]) {
    Joint along;
    pair(along, j);
    const int body = along.body[1];
    const Joint* joint = body < 0 ? nullptr : &m.tree[body];
    const auto kind = j["type"] == "turn" ? Freedom::turn : Freedom::slide;
    if (joint == nullptr || joint->body[0] != along.body[0] || m.freedoms(*joint).size() != 1 ||
        m.freedoms(*joint)[0].kind != kind ||
        m.freedoms(*joint)[0].axis.dot(m.axis(along, 0)) < 1 - 1e-12)
      throw Refused("a drive of more than the one freedom of a tree joint");
    m.drives.push_back({body, j["law"]});
  }
  for (const char* key : {"forces", "moments"})
    for (const Json& j : file[key]) {
      Load load{key[0] == 'm', j["body"], j.value("law", -1), Vec::Zero(), vec(j["value"])};
      if (j.contains("point")) load.point = into(load.body, j["point"]);
      m.loads.push_back(load);
    }
}

/// Points: of inertia `point_inertia` m r^2, r the distance of its joints, else 1 m.
inline Mechanism read(const Json& file, double point_inertia) {
  Mechanism m;
  if (file.contains("gravity_law")) throw Refused("gravity that varies with time");
  m.planar = file["planar"], m.gravity = vec(file["gravity"]);
  for (const Json& j : file["bodies"]) m.bodies.push_back(read_body(j));
  for (const Json& j : file["laws"]) m.laws.push_back({j["t"], j["value"], j["rate"], j["second"]});
  read_links(m, file);
  for (size_t i = 0; i < m.bodies.size(); ++i)
    if (Body& b = m.bodies[i]; b.kind == "point") {
      double r = m.tree[i].point[1].norm();
      for (const Joint& j : m.loops)
        for (int side : {0, 1})
          if (j.body[side] == int(i)) r = std::max(r, j.point[side].norm());
      b.inertia.setConstant(point_inertia * b.mass * (r > 0 ? r * r : 1));
    }
  const Json& times = file["times"];
  m.begin = times["begin"], m.spacing = times["spacing"], m.count = times["count"];
  return m;
}

/// Springs, forces and moments at a time: add(body, force in the mass centre, moment). Angles are
/// followed from call to call.
template <class Get, class Add>
void apply_loads(Mechanism& m, double t, const Get& get, const Add& add) {
  const auto state = [&](int body) { return body < 0 ? State{} : get(body); };
  for (Spring& s : m.springs) {
    const State a = state(s.body[0]), b = state(s.body[1]);
    if (s.torsion) {
      const Vec axis = a.q * s.axis[0], from = a.q * s.mark[0], to = b.q * s.mark[1];
      const double angle = s.start + std::atan2(axis.dot(from.cross(to)), from.dot(to));
      s.turned = angle + 2 * M_PI * std::round((s.turned - angle) / (2 * M_PI));
      const Vec moment =
          axis * (-s.stiffness * (s.turned - s.free) - s.damping * axis.dot(b.w - a.w));
      if (s.body[1] >= 0) add(s.body[1], Vec(Vec::Zero()), moment);
      if (s.body[0] >= 0) add(s.body[0], Vec(Vec::Zero()), Vec(-moment));
    } else {
      const Vec d = b.at(s.point[1]) - a.at(s.point[0]), n = d.normalized();
      const double rate = n.dot(b.velocity(s.point[1]) - a.velocity(s.point[0]));
      const Vec force = -n * (s.stiffness * (d.norm() - s.free) + s.damping * rate);
      if (s.body[1] >= 0) add(s.body[1], force, Vec((b.q * s.point[1]).cross(force)));
      if (s.body[0] >= 0) add(s.body[0], Vec(-force), Vec((a.q * s.point[0]).cross(-force)));
    }
  }
  for (const Load& l : m.loads) {
    const Vec value = l.value * (l.law < 0 ? 1 : m.laws[l.law].at(t));
    if (l.moment)
      add(l.body, Vec(Vec::Zero()), value);
    else
      add(l.body, value, Vec((get(l.body).q * l.point).cross(value)));
  }
}

/// One integration. Fixed steps are counted, `every` of them a row; a tolerance is `step` itself.
struct Task {
  Mechanism mechanism;
  std::string variant, out;
  bool fixed, tight;
  double step;
  long every = 1;
  double seconds = 0;

  double time(long row) const { return mechanism.begin + row * mechanism.spacing; }

  /// advance(k) goes from row k - 1 to row k; get(i) is the state of body i.
  template <class Advance, class Get>
  void run(const Advance& advance, const Get& get) {
    std::ofstream file(out);
    if (!file) throw std::runtime_error("cannot write " + out);
    file.precision(17);
    file << "t";
    const auto seen = [](const Body& b) { return b.kind != "massless"; };
    for (const Body& b : mechanism.bodies)
      for (const char* c :
           {"x", "y", "z", "e0", "e1", "e2", "e3", "vx", "vy", "vz", "wx", "wy", "wz"})
        if (seen(b)) file << ',' << b.name << '.' << c;
    for (long k = 0; k <= mechanism.count; ++k) {
      const double begin = cpu();
      if (k > 0) advance(k);
      seconds += cpu() - begin;
      file << '\n' << time(k);
      for (size_t i = 0; i < mechanism.bodies.size(); ++i) {
        if (!seen(mechanism.bodies[i])) continue;
        const State s = get(int(i));
        const Quat q = s.q * mechanism.bodies[i].turn;
        for (double c : {s.x[0], s.x[1], s.x[2], q.w(), q.x(), q.y(), q.z(), s.v[0], s.v[1], s.v[2],
                         s.w[0], s.w[1], s.w[2]})
          file << ',' << c;
      }
    }
    file << '\n';
    if (!file.flush()) throw std::runtime_error("cannot write " + out);
  }
  void report(long steps, long evaluations) const {
    std::printf("{\"cpu_seconds\": %.6g, \"steps\": %ld, \"evaluations\": %ld}\n", seconds, steps,
                evaluations);
  }
  /// Fixed steps: step(t) goes one on from t; look() stands before the states of a row.
  template <class Step, class Look, class Get>
  void run_steps(int evaluations, const Step& step_from, const Look& look, const Get& get) {
    long seen = -1, row = 0;
    run(
        [&](long k) {
          for (long i = 0; i < every; ++i) step_from(time(k - 1) + i * step);
          row = k;
        },
        [&](int i) {
          if (seen != row) look();
          seen = row;
          return get(i);
        });
    report(every * mechanism.count, every * mechanism.count * evaluations);
  }
  static double cpu() {
    timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
  }
};

struct Variant {
  std::string name, settings;
  bool fixed = true;
};

struct Engine {
  std::string name, version;
  std::vector<Variant> variants;
  std::vector<std::string> accepts;
  double point_inertia;  // [m r^2]

  /// A variant as installed and one as tight as it goes.
  void add(const std::string& variant, const std::string& settings, const std::string& installed,
           const std::string& tight, bool fixed = true) {
    variants.push_back({variant, settings + "; " + installed + " (as installed)", fixed});
    variants.push_back({variant + ":tight", settings + "; " + tight, fixed});
  }
  void accept_all_but(const std::vector<std::string>& others) {
    for (const char* feature :
         {"free",     "revolute", "spherical", "universal",       "cylindrical",     "prismatic",
          "inline",   "slot",     "parallel",  "fixed",           "loops",           "point",
          "massless", "springs",  "dampers",   "torsion_springs", "torsion_dampers", "forces",
          "moments",  "laws",     "drives"})
      if (std::count(others.begin(), others.end(), feature) == 0) accepts.push_back(feature);
  }
};

inline int integrate(const Engine& engine, char** arguments, void (*run)(Task&)) {
  Task task;
  task.variant = arguments[2], task.out = arguments[4];
  const auto known = [&](const Variant& v) { return v.name == task.variant; };
  const auto variant = std::find_if(engine.variants.begin(), engine.variants.end(), known);
  if (variant == engine.variants.end())
    throw std::runtime_error("no variant " + task.variant + ": see --describe");
  task.fixed = variant->fixed;
  const size_t colon = task.variant.find(':');
  task.tight = colon != std::string::npos;
  task.variant.resize(std::min(colon, task.variant.size()));
  std::ifstream stream(arguments[1]);
  if (!stream) throw std::runtime_error(std::string("cannot read ") + arguments[1]);
  const Json file = Json::parse(stream);
  if (!file.contains("bodies")) throw Refused("the file has no rigid bodies");
  for (const std::string feature : file["features"])
    if (std::count(engine.accepts.begin(), engine.accepts.end(), feature) == 0)
      throw Refused(engine.name + " cannot express " + feature);
  task.mechanism = read(file, engine.point_inertia);
  task.step = std::stod(arguments[3]);
  if (task.fixed) {
    const double spacing = task.mechanism.spacing;
    task.every = std::lround(spacing / task.step);
    if (task.every < 1 || std::abs(task.every * task.step / spacing - 1) > 1e-9)
      throw Refused(std::string("step ") + arguments[3] +
                    " does not divide the spacing of output times, " +
                    file["times"]["spacing"].dump());
    task.step = spacing / task.every;
  }
  run(task);
  return 0;
}

inline int main_program(const Engine& engine, int count, char** arguments, void (*run)(Task&)) try {
  if (count == 2 && std::string(arguments[1]) == "--describe") {
    using Ordered = nlohmann::ordered_json;
    Ordered variants = Ordered::array();
    for (const Variant& v : engine.variants)
      variants.push_back(
          {{"name", v.name}, {"steps", v.fixed ? "fixed" : "tolerance"}, {"settings", v.settings}});
    const Ordered all{{"name", engine.name},
                      {"version", engine.version},
                      {"variants", variants},
                      {"accepts", engine.accepts}};
    std::cout << all.dump(1) << '\n';
    return 0;
  }
  if (count == 5) return integrate(engine, arguments, run);
  std::cerr << "usage: " << arguments[0] << " --describe | MECHANISM.json VARIANT STEP OUT.csv\n";
  return 2;
} catch (const Refused& e) {
  std::cerr << e.what() << '\n';
  return 3;
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 1;
}

}  // namespace engine
