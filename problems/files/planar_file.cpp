// Planar mechanisms of files: the keys of their bodies and elements.
#include "problems/files/planar_file.hpp"

#include "problems/files/body_file.hpp"

namespace daemark {
namespace {

BodyPoint point(const FileEntry& e, std::size_t which) {
  const std::vector<wide> xy = e.numbers_of("points", 2, which, 2);
  return {xy[0], xy[1]};
}

using P = PlanarMechanism;
using E = FileEntry;
using Names = FileNames;

/// Of two bodies a and b; points are in their frames, from the mass centres. Laws of t: the angle
/// of a drive, of b against a, and factors.
constexpr PartKind<P> planar_parts[] = {
    {"revolute", "bodies points[m]; rows",
     [](const E& e, P& m, Names&) {
       const bool chain = e.word("rows", {"chain", "absolute"}) == "chain";
       m.revolute(e.a(), point(e, 0), e.b(), point(e, 1), chain ? Rows::chain : Rows::absolute);
     }},
    {"prismatic", "bodies points[m] angle[rad]",
     [](const E& e, P& m, Names&) {
       m.prismatic(e.a(), point(e, 0), e.number("angle"), e.b(), point(e, 1));
     }},
    {"drive", "bodies angle[rad]",
     [](const E& e, P& m, Names&) { m.drive(e.a(), e.b(), e.law("angle")); }},
    {"spring", "bodies points[m] stiffness[N/m] free_length[m]; stiff",
     [](const E& e, P& m, Names&) {
       m.spring(e.a(), point(e, 0), e.b(), point(e, 1), e.number("stiffness"),
                e.number("free_length"));
     }},
    {"damper", "bodies points[m] coefficient[N·s/m]; stiff",
     [](const E& e, P& m, Names&) {
       m.damper(e.a(), point(e, 0), e.b(), point(e, 1), e.number("coefficient"));
     }},
    {"torsion_spring", "bodies stiffness[N·m/rad] free_angle[rad]; stiff",
     [](const E& e, P& m, Names&) {
       m.torsion_spring(e.a(), e.b(), e.number("stiffness"), e.number("free_angle"));
     }},
    {"torsion_damper", "bodies coefficient[N·m·s/rad]; stiff",
     [](const E& e, P& m, Names&) { m.torsion_damper(e.a(), e.b(), e.number("coefficient")); }},
    {"torque", "body value[N·m]; factor[1]",  // against the ground
     [](const E& e, P& m, Names&) { m.torque(e.body(), e.number("value"), e.law("factor")); }},
    {"force", "body value[N]; factor[1]",
     [](const E& e, P& m, Names&) {
       const std::vector<wide> value = e.numbers("value", 2);
       m.force(e.body(), value[0], value[1], e.law("factor"));
     }},
};

constexpr const char* planar_state[] = {"x", "y", "theta", "vx", "vy", "omega"};
constexpr int planar_states = 6;

}  // namespace

PlanarMechanism planar_parts_of(const nlohmann::json& object, const FileEntry& whole,
                                FileNames& names) {
  const std::string& where = whole.where();
  P m;
  m.gravity(whole.number("gravity", 0));
  for_each_entry(
      object, "bodies", where, [&](const nlohmann::json& entry, const std::string& place) {
        const FileEntry body(entry, place, names, {"name", "mass", "inertia", "theta"},
                             {"omega", "label"});
        const std::string name = body.text("name");
        check_name(name, place, names);
        names.bodies[name] =
            m.body(body.has("label") ? body.text("label") : name, body.number("mass"),
                   body.number("inertia"), body.number("theta"), body.number("omega", 0));
      });
  add_parts(object, where, names, planar_parts, m);
  return m;
}

Problem planar_from_file(const nlohmann::json& file, const std::string& where, FileNames& names) {
  read_definitions(file, where, names);
  const FileEntry whole =
      whole_file(file, where, names, {"bodies"}, {"gravity", "elements", "trace"});
  PlanarMechanism m = planar_parts_of(file, whole, names);
  add_outputs(file, where, names, state_variables(names, planar_state), m,
              [](const FileFormula& f) {
                return [f](const Var& t, const Var* q, const Var* v) {
                  return f.value<Var>([&](int number) -> Var {
                    if (number == 0) return t;
                    const int body = (number - 1) / planar_states, k = (number - 1) % planar_states;
                    return k < 3 ? q[3 * body + k] : v[3 * body + k - 3];
                  });
                };
              });
  if (whole.has("trace")) {
    const FileEntry trace = whole.part("trace", {"body", "point"});
    const std::vector<wide> xy = trace.numbers("point", 2);
    m.trace(trace.body(), {xy[0], xy[1]});
  }
  return m.problem(whole.text("id"));
}

}  // namespace daemark
