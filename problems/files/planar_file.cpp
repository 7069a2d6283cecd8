// Planar mechanisms of files: the keys of their bodies and elements.
#include "problems/files/planar_file.hpp"

#include <algorithm>

#include "problems/files/assemble_key.hpp"
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

/// θ_b − θ_c − ratio (θ_a − θ_c) stays.
void add_gear(const E& e, P& m) {
  const wide ratio = e.number("ratio");
  std::vector<P::Share> shares;
  const auto add = [&](int body, const wide& factor) {
    if (body >= 0 && factor != 0) shares.push_back({body, 2, factor});
  };
  add(e.b(), 1), add(e.a(), -ratio);
  if (e.has("carrier")) add(e.body("carrier"), ratio - 1);
  m.coupler(shares);
}

/// [["crank.theta", 1], ["rack.x", "-r"]].
std::vector<P::Share> shares_of(const E& e) {
  std::vector<P::Share> shares;
  for (std::size_t i = 0; i < e.length("terms"); ++i) {
    const auto [body, coordinate] = e.state_named("terms", i);
    constexpr const char* names[] = {"x", "y", "theta"};
    const auto* const axis = std::find(std::begin(names), std::end(names), coordinate);
    if (axis == std::end(names) || body < 0)
      throw BadInput(
          "terms: pairs of a coordinate and a factor are accepted, like "
          "[\"crank.theta\", 2]; coordinates: x, y, theta of a body");
    shares.push_back({body, static_cast<int>(axis - names), e.factor_of("terms", i)});
  }
  return shares;
}

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
    {"slot", "bodies points[m] angle[rad]",  // the pin is the point of b
     [](const E& e, P& m, Names&) {
       m.slot(e.a(), point(e, 0), e.number("angle"), e.b(), point(e, 1));
     }},
    {"distance", "bodies points[m] length[m]",
     [](const E& e, P& m, Names&) {
       m.distance(e.a(), point(e, 0), e.b(), point(e, 1), e.number("length"));
     }},
    {"gear", "bodies ratio[1]; carrier",  // turns of b for one of a, both seen from the carrier
     [](const E& e, P& m, Names&) { add_gear(e, m); }},
    {"coupler", "terms", [](const E& e, P& m, Names&) { m.coupler(shares_of(e)); }},
    {"torsion_friction",
     "bodies coulomb[N·m] smoothing[rad/s]; static[N·m] stribeck[rad/s] viscous[N·m·s/rad]",
     [](const E& e, P& m, Names&) { m.torsion_friction(e.a(), e.b(), friction_of(e)); }},
    {"friction",
     "bodies point[m] angle[rad] coulomb[N] smoothing[m/s]; static[N] stribeck[m/s] viscous[N·s/m]",
     [](const E& e, P& m, Names&) {
       const std::vector<wide> on_b = e.numbers("point", 2);
       m.friction(e.a(), e.number("angle"), e.b(), {on_b[0], on_b[1]}, friction_of(e));
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
        const FileEntry body(entry, place, names, {"name", "mass[kg]"},
                             {"inertia[kg m^2]", "theta[rad]", "omega[rad/s]", "label",
                              "position[m]", "velocity[m/s]"});
        const std::string name = body.text("name");
        check_name(name, place, names);
        names.bodies[name] =
            m.body(body.has("label") ? body.text("label") : name, body.number("mass"),
                   body.number("inertia", 0), body.number("theta", 0), body.number("omega", 0));
        if (!body.has("position") && body.has("velocity"))
          throw BadInput("velocity: only with a position is it accepted");
        if (!body.has("position")) return;
        const std::vector<wide> at = body.numbers("position", 2);
        const std::vector<wide> v =
            body.has("velocity") ? body.numbers("velocity", 2) : std::vector<wide>{0, 0};
        m.position(names.bodies[name], at[0], at[1], v[0], v[1]);
      });
  add_parts(object, where, names, planar_parts, m);
  for (const auto& [name, number] : names.bodies)
    if (number >= 0 && !m.is_placed(number)) m.position(number, 0, 0);
  return m;
}

Problem planar_from_file(const nlohmann::json& file, const std::string& where, FileNames& names) {
  read_definitions(file, where, names);
  const FileEntry whole = whole_file(file, where, names, {"bodies"},
                                     {"gravity[m/s^2]", "elements", "trace", "assemble"});
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
    const FileEntry trace = whole.part("trace", {"body", "point[m]"});
    const std::vector<wide> xy = trace.numbers("point", 2);
    m.trace(trace.body(), {xy[0], xy[1]});
  }
  if (whole.has("assemble"))
    m.assemble(assembly_of(file, whole, names, {"x", "y", "theta"}, {{"omega", {2}}}));
  finish_parts(file, where, names, m);
  Problem problem = m.problem(whole.text("id"));
  constexpr std::size_t most_in_angles = 200;  // its mass matrix is full
  if (m.bodies().size() > most_in_angles) problem.minimal = {};
  return problem;
}

}  // namespace daemark
