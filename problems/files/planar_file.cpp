// Planar mechanisms of files: the keys of their bodies and elements.
#include "problems/files/planar_file.hpp"

#include "problems/files/file_elements.hpp"
#include "problems/planar/planar_mechanism.hpp"

namespace daemark {
namespace {

BodyPoint point(const FileEntry& e, std::size_t which) {
  const std::vector<wide> xy = e.numbers_of("points", 2, which, 2);
  return {xy[0], xy[1]};
}

/// Of two bodies a and b; points are in their frames, from the mass centres.
const std::vector<FileElement<PlanarMechanism>> planar_elements = {
    {"revolute",
     {"bodies", "points"},
     {"rows"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       const bool chain = e.word("rows", {"chain", "absolute"}) == "chain";
       m.revolute(a, point(e, 0), b, point(e, 1), chain ? Rows::chain : Rows::absolute);
     }},
    {"prismatic",
     {"bodies", "points", "angle"},
     {},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.prismatic(a, point(e, 0), e.number("angle"), b, point(e, 1));
     }},
    {"drive",  // angle: of b against a, a law of t
     {"bodies", "angle"},
     {},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.drive(a, b, e.law("angle"));
     }},
    {"spring",
     {"bodies", "points", "stiffness", "free_length"},
     {"stiff"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.spring(a, point(e, 0), b, point(e, 1), e.number("stiffness"), e.number("free_length"));
     }},
    {"damper",
     {"bodies", "points", "coefficient"},
     {"stiff"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.damper(a, point(e, 0), b, point(e, 1), e.number("coefficient"));
     }},
    {"torsion_spring",
     {"bodies", "stiffness", "free_angle"},
     {"stiff"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.torsion_spring(a, b, e.number("stiffness"), e.number("free_angle"));
     }},
    {"torsion_damper",
     {"bodies", "coefficient"},
     {"stiff"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const auto [a, b] = e.bodies();
       m.torsion_damper(a, b, e.number("coefficient"));
     }},
    {"torque",  // against the ground; value times factor, a law of t
     {"body", "value"},
     {"factor"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       if (e.has("factor"))
         m.torque(e.body("body"), e.number("value"), e.law("factor"));
       else
         m.torque(e.body("body"), e.number("value"));
     }},
    {"force",
     {"body", "value"},
     {"factor"},
     [](const FileEntry& e, PlanarMechanism& m, FileNames&) {
       const std::vector<wide> value = e.numbers("value", 2);
       if (e.has("factor"))
         m.force(e.body("body"), value[0], value[1], e.law("factor"));
       else
         m.force(e.body("body"), value[0], value[1]);
     }},
};

constexpr const char* planar_state[] = {"x", "y", "theta", "vx", "vy", "omega"};
constexpr int planar_states = 6;

}  // namespace

Problem planar_from_file(const nlohmann::json& file, const std::string& where, FileNames& names) {
  PlanarMechanism m;
  read_definitions(file, where, names);
  const FileEntry whole =
      whole_file(file, where, names, {"bodies"}, {"gravity", "elements", "trace"});
  m.gravity(whole.number("gravity", 0));
  for_each_entry(file, "bodies", where, [&](const nlohmann::json& entry, const std::string& place) {
    const FileEntry body(entry, place, names, {"name", "mass", "inertia", "theta"},
                         {"omega", "label"});
    const std::string name = body.text("name");
    check_name(name, place, names);
    names.bodies[name] =
        m.body(body.has("label") ? body.text("label") : name, body.number("mass"),
               body.number("inertia"), body.number("theta"), body.number("omega", 0));
  });
  add_elements(file, where, names, planar_elements, m);
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
    m.trace(trace.body("body"), {xy[0], xy[1]});
  }
  return m.problem(whole.text("id"));
}

}  // namespace daemark
