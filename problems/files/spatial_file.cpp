// Spatial mechanisms of files: the keys of their bodies and elements.
#include "problems/files/spatial_file.hpp"

#include "problems/files/assemble_key.hpp"
#include "problems/files/body_file.hpp"
#include "problems/spatial/beam.hpp"
#include "problems/spatial/joint_law.hpp"
#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {
namespace {

using M = SpatialMechanism;

Vector vector_from(const std::vector<wide>& xyz) { return {xyz[0], xyz[1], xyz[2]}; }
Vector vector_of(const FileEntry& e, const char* key) { return vector_from(e.numbers(key, 3)); }
Vector vector_of(const FileEntry& e, const char* key, const Vector& fallback) {
  return e.has(key) ? vector_of(e, key) : fallback;
}
Vector one_of_two(const FileEntry& e, const char* key, std::size_t which) {
  return vector_from(e.numbers_of(key, 2, which, 3));
}

/// [xx, yy, zz] or [xx, yy, zz, xy, xz, yz].
Inertia inertia_of(const FileEntry& e) {
  if (!e.has("inertia")) return {0, 0, 0};  // a point mass
  const std::vector<wide> n = e.numbers("inertia", e.length("inertia") == 6 ? 6 : 3);
  if (n.size() == 3) return {n[0], n[1], n[2]};
  return {n[0], n[1], n[2], n[3], n[4], n[5]};
}

Placement placement_of(const FileEntry& e) {
  Placement at;
  at.position = vector_of(e, "position");
  at.velocity = vector_of(e, "velocity", {});
  at.spin = vector_of(e, "spin", {});
  if (e.has("turn") && e.has("axes")) throw BadInput("turn or axes, not both, are accepted");
  if (e.has("turn")) {
    const FileEntry turn = e.part("turn", {"axis", "angle[rad]"});
    at.orientation = Orientation::turn(vector_of(turn, "axis"), turn.number("angle"));
  } else if (e.has("axes")) {
    at.orientation = Orientation::axes(one_of_two(e, "axes", 0), one_of_two(e, "axes", 1));
  }
  return at;
}

using Joint = void (M::*)(int, int, const Vector&, const Vector&);
template <Joint joint>
void at_axis(const FileEntry& e, M& m, FileNames&) {
  (m.*joint)(e.a(), e.b(), vector_of(e, "at"), vector_of(e, "axis"));
}

/// About an axis, or along one through a point; `rest` is the key of its free angle or length.
template <JointLaw law>
void add_law(const FileEntry& e, M& m, FileNames&) {
  const bool slides = e.has("at");
  const char* const rest = slides ? "free_length" : "free_angle";
  add_joint_law(
      m, law,
      {e.a(), e.b(), slides ? std::optional(vector_of(e, "at")) : std::nullopt,
       vector_of(e, "axis"), e.has("across") ? std::optional(vector_of(e, "across")) : std::nullopt,
       e.has("to") ? std::optional(vector_of(e, "to")) : std::nullopt},
      e.number(law == JointLaw::spring   ? "stiffness"
               : law == JointLaw::damper ? "coefficient"
               : slides                  ? "mass"
                                         : "inertia"),
      e.number(rest, 0));
}

void add_friction(const FileEntry& e, M& m, FileNames&) {
  add_joint_friction(m,
                     {e.a(), e.b(), e.has("at") ? std::optional(vector_of(e, "at")) : std::nullopt,
                      vector_of(e, "axis")},
                     friction_of(e));
}

/// The angle of b less ratio times that of a is constant, both seen from the carrier; axes: of a,
/// of b.
void add_gear(const FileEntry& e, M& m, FileNames&) {
  const int carrier = e.has("carrier") ? e.body("carrier") : M::ground;
  const auto seen = [&](int body, std::size_t axis, const wide& factor) {
    return M::Share{carrier, body, std::nullopt, one_of_two(e, "axes", axis), factor};
  };
  m.coupler("gear", {seen(e.a(), 0, -e.number("ratio")), seen(e.b(), 1, 1)});
}

/// {"bodies": [...], "axis": [...], "factor": r}: of an angle, with "at" of a way.
void add_coupler(const FileEntry& e, M& m, FileNames&) {
  std::vector<M::Share> shares;
  for (const FileEntry& term : e.parts("terms", {"bodies", "axis", "factor"}, {"at[m]"}))
    shares.push_back({term.a(), term.b(),
                      term.has("at") ? std::optional(vector_of(term, "at")) : std::nullopt,
                      vector_of(term, "axis"), term.number("factor")});
  m.coupler("coupler", shares);
}

/// Beams are parts of a mechanism in double; nodes are called NAME_0, NAME_1, ... and the first,
/// middle and last one so.
void add_beam(const FileEntry& e, M& m, FileNames& names) {
  constexpr long most_elements = 1000;
  const std::string name = e.text("name");
  check_name(name, e.where(), names);
  const std::vector<wide> s = e.numbers("stiffness", 6), inertia = e.numbers("inertia", 2);
  const BeamSection section{
      {s[0], s[1], s[2], s[3], s[4], s[5]}, e.number("mass"), inertia[0], inertia[1]};
  const std::size_t before = m.nodes().size();
  const Beam beam(m, name, section, e.integer("elements", 1, most_elements), vector_of(e, "from"),
                  vector_of(e, "to"), vector_of(e, "second"),
                  e.word("element", {"volume", "two_node"}) == "volume" ? BeamKind::finite_volume
                                                                        : BeamKind::two_node,
                  vector_of(e, "velocity", {}), vector_of(e, "spin", {}));
  for (std::size_t i = before; i < m.nodes().size(); ++i)
    names.bodies[m.nodes()[i].name] = static_cast<int>(i);
  names.bodies[name + ".first"] = beam.first();
  names.bodies[name + ".middle"] = beam.middle();
  names.bodies[name + ".last"] = beam.last();
}

using E = FileEntry;
using Names = FileNames;
constexpr const char* joint_fields = "bodies at[m] axis";

/// Points and axes of joints, springs and dampers are those of space at the start. Laws of t:
/// prescribed motion, and factors.
constexpr PartKind<M> spatial_parts[] = {
    {"spherical", "bodies at[m]",
     [](const E& e, M& m, Names&) { m.spherical(e.a(), e.b(), vector_of(e, "at")); }},
    {"revolute", joint_fields, at_axis<static_cast<Joint>(&M::revolute)>},
    {"cylindrical", joint_fields, at_axis<&M::cylindrical>},
    {"prismatic", joint_fields, at_axis<&M::prismatic>},
    {"inline_point", joint_fields, at_axis<&M::inline_point>},
    {"universal", "bodies at[m] axes",  // on a, on b
     [](const E& e, M& m, Names&) {
       m.universal(e.a(), e.b(), vector_of(e, "at"), one_of_two(e, "axes", 0),
                   one_of_two(e, "axes", 1));
     }},
    {"parallel", "bodies axis",
     [](const E& e, M& m, Names&) { m.parallel(e.a(), e.b(), vector_of(e, "axis")); }},
    {"clamp", "bodies at[m]",
     [](const E& e, M& m, Names&) { m.clamp(e.a(), e.b(), vector_of(e, "at")); }},
    {"distance", "bodies points[m]; length[m]",  // length: as at the start
     [](const E& e, M& m, Names&) {
       m.distance(e.a(), one_of_two(e, "points", 0), e.b(), one_of_two(e, "points", 1),
                  e.has("length") ? std::optional<Exact>(e.number("length")) : std::nullopt);
     }},
    {"turn", "bodies axis angle[rad]",  // since the start
     [](const E& e, M& m, Names&) { m.turn(e.a(), e.b(), vector_of(e, "axis"), e.law("angle")); }},
    {"turn_rate", "bodies axis rate[rad/s]",
     [](const E& e, M& m, Names&) {
       m.turn_rate(e.a(), e.b(), vector_of(e, "axis"), e.law("rate"));
     }},
    {"slide", "bodies at[m] axis way[m]",
     [](const E& e, M& m, Names&) {
       m.slide(e.a(), e.b(), vector_of(e, "at"), vector_of(e, "axis"), e.law("way"));
     }},
    {"spring", "bodies points[m] stiffness[N/m] free_length[m]; stiff",
     [](const E& e, M& m, Names&) {
       m.spring(e.a(), one_of_two(e, "points", 0), e.b(), one_of_two(e, "points", 1),
                e.number("stiffness"), e.number("free_length"));
     }},
    {"damper", "bodies points[m] coefficient[N·s/m]; factor[1] stiff",
     [](const E& e, M& m, Names&) {
       m.damper(e.a(), one_of_two(e, "points", 0), e.b(), one_of_two(e, "points", 1),
                e.number("coefficient"), e.law("factor"));
     }},
    // Of a hinge or slide; across: a direction of b whose angle about the axis counts; to: one
    // whose angle with the axis counts.
    {"torsion_spring", "bodies axis stiffness[N·m/rad] free_angle[rad]; across to stiff",
     add_law<JointLaw::spring>},
    {"torsion_damper", "bodies axis coefficient[N·m·s/rad]; across to stiff",
     add_law<JointLaw::damper>},
    {"torsion_rotor", "bodies axis inertia[kg·m^2]; across to", add_law<JointLaw::rotor>},
    {"slide_spring", "bodies at[m] axis stiffness[N/m] free_length[m]; stiff",
     add_law<JointLaw::spring>},
    {"slide_damper", "bodies at[m] axis coefficient[N·s/m]; stiff", add_law<JointLaw::damper>},
    {"slide_rotor", "bodies at[m] axis mass[kg]", add_law<JointLaw::rotor>},
    {"torsion_friction",
     "bodies axis coulomb[N·m] smoothing[rad/s]; static[N·m] stribeck[rad/s] viscous[N·m·s/rad]",
     add_friction},
    {"friction",
     "bodies at[m] axis coulomb[N] smoothing[m/s]; static[N] stribeck[m/s] viscous[N·s/m]",
     add_friction},
    {"gear", "bodies axes ratio[1]; carrier", add_gear},
    {"coupler", "terms", add_coupler},
    {"force", "body value[N]; on_body[m] factor[1]",  // of fixed direction; on_body: in its frame
     [](const E& e, M& m, Names&) {
       m.force(e.body(), vector_of(e, "on_body", {}), vector_of(e, "value"), e.law("factor"));
     }},
    {"moment", "body value[N·m]; factor[1]",
     [](const E& e, M& m, Names&) { m.moment(e.body(), vector_of(e, "value"), e.law("factor")); }},
    {"inertia", "body mass[kg] inertia[kg·m^2]; offset[m]",  // a rigid piece, offset in its frame
     [](const E& e, M& m, Names&) {
       m.inertia(e.body(), e.number("mass"), inertia_of(e), vector_of(e, "offset", {}));
     }},
    {"beam",
     "name elements from[m] to[m] second stiffness[N,N·m^2] mass[kg/m] inertia[kg·m]; element "
     "velocity[m/s] spin[rad/s] stiff",
     add_beam},
};

/// Position, velocity, acceleration, spin, and the rotation matrix by rows.
constexpr const char* spatial_state[] = {"x",   "y",   "z",   "vx",  "vy",  "vz",  "ax",
                                         "ay",  "az",  "wx",  "wy",  "wz",  "r11", "r12",
                                         "r13", "r21", "r22", "r23", "r31", "r32", "r33"};
constexpr int spatial_states = 21;

Var state_of(const SpatialView& view, int node, int k) {
  if (k < 3) return view.position(node)[k];
  if (k < 6) return view.velocity(node)[k - 3];
  if (k < 9) return view.acceleration(node)[k - 6];
  if (k < 12) return view.spin(node)[k - 9];
  rotation::Vec3<Var> axis;
  axis[(k - 12) % 3] = 1;
  return rotation::rotate(view.orientation(node), axis)[(k - 12) / 3];
}

}  // namespace

Problem spatial_from_file(const nlohmann::json& file, const std::string& where, FileNames& names) {
  M m;
  read_definitions(file, where, names);
  const FileEntry whole =
      whole_file(file, where, names, {"bodies"},
                 {"gravity[m/s^2]", "elements", "start", "redundant", "assemble"});
  if (whole.has("gravity")) m.gravity(vector_of(whole, "gravity"));
  for_each_entry(file, "bodies", where, [&](const nlohmann::json& entry, const std::string& place) {
    const FileEntry body(entry, place, names, {"name", "mass[kg]", "position[m]"},
                         {"inertia[kg m^2]", "turn", "axes", "velocity[m/s]", "spin[rad/s]"});
    const std::string name = body.text("name");
    check_name(name, place, names);
    names.bodies[name] = m.body(name, body.number("mass"), inertia_of(body), placement_of(body));
  });
  add_parts(file, where, names, spatial_parts, m);
  add_outputs(
      file, where, names, state_variables(names, spatial_state), m, [](const FileFormula& f) {
        return [f](const SpatialView& view) {
          return f.value<Var>([&](int number) -> Var {
            if (number == 0) return view.point.t;
            return state_of(view, (number - 1) / spatial_states, (number - 1) % spatial_states);
          });
        };
      });
  if (whole.has("start")) m.start(get_expression(file, "start", where));
  if (whole.has("redundant")) m.redundant(static_cast<int>(whole.integer("redundant", 0, 100000)));
  if (whole.has("assemble"))
    m.assemble(assembly_of(file, whole, names, {"x", "y", "z", "gx", "gy", "gz"},
                           {{"velocity", {0, 1, 2}}, {"spin", {3, 4, 5}}}));
  finish_parts(file, where, names, m);
  return m.problem(whole.text("id"));
}

}  // namespace daemark
