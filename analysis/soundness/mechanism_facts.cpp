#include "analysis/soundness/mechanism_facts.hpp"

#include <algorithm>
#include <cmath>
#include <regex>

#include "base/linear/dense_eigenvalues.hpp"
#include "problems/files/planar_file.hpp"
#include "problems/files/spatial_file.hpp"
#include "problems/mechanism/dependent_rows.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {

namespace {

using nlohmann::json;

/// Of xx, yy, zz, xy, xz, yz; ascending.
std::vector<double> principal(const std::vector<wide>& n) {
  const auto at = [&](std::size_t i) { return i < n.size() ? to_double(n[i]) : 0.0; };
  Eigen::MatrixXd J(3, 3);
  J << at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2);
  const auto moments = pencil_eigenvalues(Eigen::MatrixXd::Identity(3, 3), J);
  return {moments->data(), moments->data() + 3};
}

FileEntry entry_of(const json& object, const std::string& where, const FileNames& names) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return {object, where, names, {}, keys};
}

FileNames names_of(const MechanismFile& file, const Arguments& arguments, ProblemData& data) {
  FileNames names;
  names.bodies["ground"] = -1;
  read_data(file, arguments, data, names);
  return names;
}

/// The name under "bodies"; "?" of what the builder will refuse.
std::string body_name(const json& element, std::size_t which) {
  const json* const bodies = element.contains("bodies") ? &element["bodies"] : nullptr;
  const bool known =
      bodies && bodies->is_array() && which < bodies->size() && (*bodies)[which].is_string();
  return known ? (*bodies)[which].get<std::string>() : "?";
}

/// As the builders call the joint in the names of its rows; "" of an element without rows.
std::string joint_name(const json& element, const std::string& type, bool planar,
                       const std::map<std::string, std::string>& known,
                       std::map<std::string, int>& count) {
  if (!planar) {
    const bool is_force = type == "spring" || type == "damper";
    if (is_force || !element.contains("bodies")) return "";
    const std::string kind = type == "inline_point" ? "inline" : type;
    int same = 1;
    for (const auto& [name, place] : known) same += name.starts_with(kind);
    return kind + std::to_string(same);
  }
  ++count[type];
  if (type == "revolute") return fmt::format("joint{}", count[type] + count["prismatic"]);
  if (type == "prismatic" || type == "slot")
    return fmt::format("prismatic{}", count["prismatic"] + count["slot"]);
  if (type == "distance") return fmt::format("distance{}", count[type]);
  if (type == "gear" || type == "coupler")
    return fmt::format("coupler{}", count["gear"] + count["coupler"]);
  return type == "drive" ? "drive_" + body_name(element, 1) : "";
}

void read_body(const FileEntry& body, bool planar, MechanismFacts& facts) {
  BodyFacts b{body.text("name"), body.where(), to_double(body.number("mass")), {}};
  if (planar)
    b.moments = {to_double(body.number("inertia", 0))};
  else if (body.has("inertia"))
    b.moments = principal(body.numbers("inertia", body.length("inertia") == 6 ? 6 : 3));
  if (body.has("theta"))
    facts.angles.push_back({"theta of " + b.name, to_double(body.number("theta"))});
  if (body.has("turn"))
    facts.angles.push_back(
        {"turn of " + b.name, to_double(body.part("turn", {"axis", "angle"}).number("angle"))});
  facts.bodies.push_back(std::move(b));
}

void read_element(const json& object, const FileEntry& e, bool planar, MechanismFacts& facts,
                  std::map<std::string, int>& count) {
  const std::string type = e.text("type");
  const std::string joint = joint_name(object, type, planar, facts.joints, count);
  const std::string place = e.where().substr(e.where().rfind(": ") + 2);
  if (!joint.empty()) {
    facts.joints[joint] = place + ", " + type;
    if (object.contains("bodies"))
      facts.joints[joint] +=
          fmt::format(" of {} and {}", body_name(object, 0), body_name(object, 1));
  }
  const std::string where = fmt::format("{} ({})", place, type);
  if (e.has("free_angle"))
    facts.angles.push_back({"free_angle of " + where, to_double(e.number("free_angle"))});
  if (planar && e.has("angle") && type != "drive")
    facts.angles.push_back({"angle of " + where, to_double(e.number("angle"))});
  if (e.has("stiffness") && type.ends_with("spring"))
    facts.groups[type == "spring" ? "N/m" : "N m/rad"].push_back(
        {where, to_double(e.number("stiffness"))});
}

}  // namespace

MechanismFacts facts_of(const MechanismFile& file, const Arguments& arguments) {
  MechanismFacts facts;
  const std::string kind = get_string(file.content, "kind", file.where);
  if (kind != "planar" && kind != "spatial") return facts;
  const bool planar = kind == "planar";
  ProblemData data("check");
  at_place(file.where, [&] {
    FileNames names = names_of(file, arguments, data);
    read_definitions(file.content, file.where, names);
    const FileEntry whole = entry_of(file.content, file.where, names);
    if (whole.has("gravity") && planar) facts.gravity = {to_double(whole.number("gravity"))};
    if (whole.has("gravity") && !planar)
      for (const wide& g : whole.numbers("gravity", 3)) facts.gravity.push_back(to_double(g));
    const auto each = [&](const char* key, auto read) {
      for_each_entry(file.content, key, file.where, [&](const json& o, const std::string& place) {
        if (!o.is_object()) throw BadInput("an object is accepted");
        read(o, entry_of(o, place, names));
      });
    };
    each("bodies", [&](const json&, const FileEntry& body) { read_body(body, planar, facts); });
    std::map<std::string, int> count;
    if (!planar)
      each("elements", [&](const json&, const FileEntry& e) {  // beams define names of bodies
        if (e.text("type") == "beam") names.bodies[e.text("name")] = 0;
      });
    each("elements",
         [&](const json& o, const FileEntry& e) { read_element(o, e, planar, facts, count); });
  });
  return facts;
}

void add_facts(const Problem& problem, MechanismFacts& facts) {
  const auto bodies = problem.bodies ? problem.bodies() : nullptr;
  if (bodies && facts.bodies.empty())
    for (const RigidBodies::Body& b : bodies->bodies) {
      const bool bare = b.is_massless() || b.is_point();
      std::vector<double> moments;
      if (!bare && bodies->planar) moments = {to_double(b.inertia[2])};
      if (!bare && !bodies->planar) moments = principal({b.inertia.begin(), b.inertia.end()});
      // A point mass about whose idle axis the builder has put its mass as an inertia.
      if (moments.size() == 3 && moments[1] <= 1e-9 * moments[2]) moments.clear();
      facts.bodies.push_back({b.name, "", to_double(b.mass), std::move(moments)});
    }
  for (const BodyFacts& body : facts.bodies) facts.groups["kg"].push_back({body.name, body.mass});
  for (const Datum& datum : problem.data)
    for (const StatedNumber& number : datum.numbers)
      if (datum.unit != "1")
        facts.groups[datum.unit].push_back({datum.name, to_double(number.value())});
  if (!bodies) return;
  const auto point = [&](const RigidBodies::Coupling& c, int side) {
    const int body = c.bodies[side];
    if (body < 0) return c.points[side];
    const RigidBodies::Body& b = bodies->bodies[body];
    return rotation::combine(wide(1), b.position, wide(1),
                             rotation::rotate(b.orientation, c.points[side]));
  };
  for (const RigidBodies::Coupling& c : bodies->couplings) {
    if (c.kind != "spring" || c.rest <= 0) continue;
    const auto apart = rotation::combine(wide(1), point(c, 1), wide(-1), point(c, 0));
    const double length = std::sqrt(to_double(rotation::dot(apart, apart)));
    const auto name = [&](int body) { return body < 0 ? "ground" : bodies->bodies[body].name; };
    if (length > 0)
      facts.springs.push_back(
          {fmt::format("the spring between {} and {}", name(c.bodies[0]), name(c.bodies[1])),
           to_double(c.rest) / length});
  }
}

Problem assembled_problem(MechanismFile file, const Arguments& arguments) {
  file.content["assemble"] = true;
  const bool planar = get_string(file.content, "kind", file.where) == "planar";
  ProblemData data(get_string(file.content, "id", file.where));
  Problem problem;
  at_place(file.where, [&] {
    FileNames names = names_of(file, arguments, data);
    problem = (planar ? planar_from_file : spatial_from_file)(file.content, file.where, names);
  });
  problem.name = arguments.canonical(), problem.data = data.finished();
  return problem;
}

namespace {

/// Of "...: a, b, c (...)" or "...: a, b; ...".
std::vector<std::string> listed(const std::string& remark, std::size_t from) {
  std::vector<std::string> names;
  const std::string list = remark.substr(from, remark.find_first_of(";(", from) - from);
  static const std::regex name("[A-Za-z_][A-Za-z_0-9]*");
  for (std::sregex_iterator at(list.begin(), list.end(), name), end; at != end; ++at)
    if (at->str() != "and" && at->str() != "more") names.push_back(at->str());
  return names;
}

/// What a builder that leaves rows out has said.
bool read_remarks(const std::vector<std::string>& remarks, RowFacts& rows) {
  bool found = false;
  for (const std::string& remark : remarks) {
    const auto after = [&](const std::string& begin) {
      return remark.starts_with(begin) ? begin.size() : 0;
    };
    int freedom = 0;
    if (std::sscanf(remark.c_str(),
                    "degrees of freedom: %d (%d coordinates, %d constraint rows of rank %d)",
                    &freedom, &rows.coordinates, &rows.rows, &rows.rank) == 4)
      found = true;
    if (const auto at = after("redundant rows, left out: ")) rows.redundant = listed(remark, at);
    if (const auto at = after("multipliers that are not unique: "))
      rows.shared = listed(remark, at);
    if (after("singular start: rows ")) {
      rows.only_here = true;
      rows.redundant = listed(remark.substr(0, remark.find(" follow")), 21);
    }
  }
  return found;
}

}  // namespace

std::string row_name(const std::string& row) {
  return row.starts_with("lambda_") ? row.substr(7) : row;
}

std::string joint_of(const std::string& row) {
  static const std::regex pattern("([a-z_]*[0-9]+)_[a-z]+[0-9]*");
  std::smatch found;
  return std::regex_match(row, found, pattern) ? found[1].str() : row;
}
std::vector<std::string> joints_of(const std::vector<std::string>& rows) {
  std::vector<std::string> joints;
  for (const std::string& row : rows)
    if (const std::string joint = joint_of(row);
        std::find(joints.begin(), joints.end(), joint) == joints.end())
      joints.push_back(joint);
  return joints;
}

RowFacts row_facts(Problem& problem, const MechanicalSystem<double>& mechanism) {
  RowFacts rows;
  const auto* remarked = dynamic_cast<const Remarked*>(&mechanism);
  if (!remarked || !read_remarks(remarked->remarks(), rows)) {
    rows.coordinates = mechanism.coordinates(), rows.rows = mechanism.constraints();
    rows.rank = mechanism.rank();
    if (const auto* recorded = dynamic_cast<const RecordedSystem<double>*>(&mechanism)) {
      const auto made = std::make_shared<const Mechanism>(recorded->mechanism());
      const wide start = problem.start.eval<wide>();
      const RowRank found = row_rank(made, start);
      rows.rank = found.rank, rows.only_here = found.only_here;
      for (const int row : found.dependent)
        rows.redundant.push_back(row_name(mechanism.constraint_names()[row]));
      for (const int row : found.undetermined)
        rows.shared.push_back(row_name(mechanism.constraint_names()[row]));
      if (!found.dependent.empty() && !found.only_here)
        problem.absolute =
            recorded_makers([made, found] { return without_rows(made, found.dependent); });
    }
  }
  rows.joints = joints_of(rows.redundant);
  return rows;
}

}  // namespace daemark
