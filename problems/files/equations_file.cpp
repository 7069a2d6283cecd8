#include "problems/files/equations_file.hpp"

#include <algorithm>

#include "base/text/printable.hpp"
#include "problems/files/equations.hpp"

namespace daemark {
namespace {

using nlohmann::json;

/// Keys of the whole file and of its minimal form alike.
const std::vector<std::string> form_keys = {"kinetic", "mass",        "potential", "dissipation",
                                            "forces",  "constraints", "redundant"};

std::vector<std::string> with(std::vector<std::string> keys, const std::vector<std::string>& more) {
  keys.insert(keys.end(), more.begin(), more.end());
  return keys;
}

/// One form of the equations, read from the object that states it.
class FormReader {
 public:
  FormReader(const json& object, const FileEntry& entry, FileNames& names)
      : object_(object), entry_(entry), names_(names) {
    e_.where = entry.where();
  }

  Equations read() {
    name_unknowns();
    read_definitions();
    read_starts();
    read_motion();
    return std::move(e_);
  }
  PlacedFormula formula(const FileEntry& entry, const char* key) const {
    return {entry.formula(key, scope()), entry.where() + ": " + key};
  }
  PlacedFormula formula(const json& value, const FileEntry& entry, const std::string& place) const {
    return {entry.formula(value, place, scope()), entry.where() + ": " + place};
  }

 private:
  FileFormula::Scope scope() const { return {names_.numbers, variables_, names_.used.get()}; }
  void take(const std::string& name, const std::string& where) {
    check_name(name, where, names_);
    names_.bodies[name] = 0;
  }

  /// Before any formula is read.
  void name_unknowns() {
    for_each_entry(
        object_, "coordinates", entry_.where(), [&](const json& c, const std::string& at) {
          const FileEntry entry(c, at, names_, {"name", "unit"},
                                {"start", "start_near", "velocity", "velocity_near"});
          take(entry.text("name"), at);
          e_.coordinates.push_back({{entry.text("name"), unit_of(entry)}, 0, 0, false, false});
        });
    if (e_.n() == 0 || e_.n() > most_coordinates)
      throw BadInput(fmt::format("{}: coordinates: from 1 to {} are accepted", entry_.where(),
                                 most_coordinates));
    for_each_entry(
        object_, "constraints", entry_.where(), [&](const json& c, const std::string& at) {
          const FileEntry entry(c, at, names_, {"name", "unit"},
                                {"position", "velocity", "multiplier"});
          if (entry.has("position") == entry.has("velocity"))
            throw BadInput("a formula for position or one for velocity is accepted");
          if (entry.has("position") && e_.velocity_rows() > 0)
            throw BadInput("constraints of positions come before those of velocities");
          take(entry.text("name"), at);
          e_.rows.push_back({{entry.text("name"), unit_of(entry)},
                             entry.has("position") ? RowLevel::position : RowLevel::velocity,
                             {},
                             0});
        });
    int number = 0;
    variables_["t"] = number++;
    for (const char* rate : {"", "'", "''"})
      for (const auto& c : e_.coordinates) variables_[c.quantity.name + rate] = number++;
    for (const auto& row : e_.rows) variables_[row.quantity.name] = number++;
  }

  /// Numbers are known to what is read later, also to a minimal form.
  void read_definitions() {
    for_each_entry(object_, "define", entry_.where(), [&](const json& d, const std::string& at) {
      const FileEntry entry(d, at, names_, {"name", "value"}, {});
      const std::string name = entry.text("name");
      check_name(name, at, names_);
      PlacedFormula value = formula(entry, "value");
      if (value.formula.is_constant()) {
        names_.numbers[name] = value.formula.constant();
      } else {
        names_.bodies[name] = 0;
        variables_[name] = 1 + 3 * e_.n() + e_.m() + static_cast<int>(e_.definitions.size());
        e_.definitions.push_back(std::move(value));
      }
    });
  }

  void read_starts() {
    std::size_t i = 0;
    for_each_entry(
        object_, "coordinates", entry_.where(), [&](const json& c, const std::string& at) {
          const FileEntry entry(c, at, names_, {"name", "unit"},
                                {"start", "start_near", "velocity", "velocity_near"});
          Equations::Coordinate& coordinate = e_.coordinates[i++];
          const auto value = [&](const char* key, const char* near, bool& is_free) {
            if (entry.has(key) && entry.has(near))
              throw BadInput(fmt::format("{} or {}, not both, are accepted", key, near));
            is_free = entry.has(near);
            return entry.number(is_free ? near : key, 0);
          };
          coordinate.start = value("start", "start_near", coordinate.start_is_free);
          coordinate.velocity = value("velocity", "velocity_near", coordinate.velocity_is_free);
        });
    i = 0;
    for_each_entry(object_, "constraints", entry_.where(),
                   [&](const json& c, const std::string& at) {
                     const FileEntry entry(c, at, names_, {"name", "unit"},
                                           {"position", "velocity", "multiplier"});
                     Equations::Row& row = e_.rows[i++];
                     row.formula = formula(entry, entry.has("position") ? "position" : "velocity");
                     row.multiplier = entry.number("multiplier", 0);
                   });
    if (entry_.has("redundant"))
      e_.redundant = static_cast<int>(entry_.integer("redundant", 0, e_.m()));
  }

  void read_motion() {
    if (entry_.has("kinetic") == entry_.has("mass"))
      throw BadInput(entry_.where() + ": kinetic or mass is accepted, one of them");
    if (entry_.has("kinetic")) e_.kinetic = formula(entry_, "kinetic");
    if (entry_.has("mass")) read_mass(get_array(object_, "mass", entry_.where()));
    if (entry_.has("potential")) e_.potential = formula(entry_, "potential");
    if (entry_.has("dissipation")) e_.dissipation = formula(entry_, "dissipation");
    e_.forces.resize(e_.n());
    if (!entry_.has("forces")) return;
    std::vector<std::string> known;
    for (const auto& c : e_.coordinates) known.push_back(c.quantity.name);
    const json& forces = get_object(object_, "forces", entry_.where());
    require_keys(forces, entry_.where() + ": forces", {}, known);
    for (int i = 0; i < e_.n(); ++i)
      if (forces.contains(known[i]))
        e_.forces[i] = formula(forces[known[i]], entry_, "forces: " + known[i]);
  }

  /// The diagonal, or all rows.
  void read_mass(const json& list) {
    const std::size_t n = e_.coordinates.size();
    const auto refuse = [&] {
      throw BadInput(
          fmt::format("{}: mass: {} entries of the diagonal or {} lists of {} are accepted",
                      entry_.where(), n, n, n));
    };
    e_.mass.resize(n * n);
    if (list.size() != n) refuse();
    for (std::size_t i = 0; i < n; ++i) {
      if (!list[i].is_array()) {
        e_.mass[i * n + i] = formula(list[i], entry_, fmt::format("mass[{}]", i + 1));
        continue;
      }
      if (list[i].size() != n) refuse();
      for (std::size_t j = 0; j < n; ++j)
        e_.mass[i * n + j] = formula(list[i][j], entry_, fmt::format("mass[{}][{}]", i + 1, j + 1));
    }
  }

  const json& object_;
  const FileEntry& entry_;
  FileNames& names_;
  std::map<std::string, int> variables_;
  Equations e_;
};

void read_outputs(const json& file, const std::string& where, const FormReader& reader,
                  const FileNames& names, Equations& e) {
  for_each_entry(file, "outputs", where, [&](const json& o, const std::string& at) {
    const FileEntry entry(o, at, names, {"id", "meaning", "unit", "value"}, {});
    const std::string id = entry.text("id");
    check_name(id, at, {});
    for (const OutputInfo& known : e.outputs)
      if (known.id == id) throw BadInput("id " + in_quotes(id) + " is taken");
    e.outputs.push_back({id, entry.text("meaning"), unit_of(entry)});
    e.output_values.push_back(reader.formula(entry, "value"));
  });
}

/// Points of a shape; with "repeat" each is drawn for i = 0, 1, … below it.
void read_shape(const json& object, const FileEntry& entry, const FormReader& reader,
                FileNames& names, Equations::Shape& shape) {
  const std::string i = "i";
  const PlacedFormula zero{FileFormula::parse("0", entry.where(), {}), entry.where()};
  const long count = entry.has("repeat") ? entry.integer("repeat", 1, 1000) : 1;
  if (entry.has("repeat")) check_name(i, entry.where(), names);
  for (long k = 0; k < count; ++k) {
    if (entry.has("repeat")) names.numbers[i] = k;
    for (const json& point : get_array(object, "points", entry.where())) {
      if (!point.is_array() || point.size() < 2 || point.size() > 3)
        throw BadInput("points: lists of two or three formulas are accepted");
      std::array<PlacedFormula, 3> xyz{zero, zero, zero};
      for (std::size_t axis = 0; axis < point.size(); ++axis)
        xyz[axis] = reader.formula(point[axis], entry, "points");
      shape.points.push_back(std::move(xyz));
    }
  }
  if (entry.has("repeat")) names.numbers.erase(i);
  if (shape.points.empty()) throw BadInput("points: one or more are accepted");
}

void read_drawing(const FileEntry& drawing, const json& object, const FormReader& reader,
                  FileNames& names, Equations& e) {
  const std::vector<std::string> kinds = {"body",   "mass",   "joint", "spring",
                                          "damper", "ground", "traced"};  // as DrawnShape::Kind
  if (drawing.has("look_from")) {
    const std::vector<wide> angles = drawing.numbers("look_from", 2);
    e.view.look_from(static_cast<double>(angles[0]), static_cast<double>(angles[1]));
  }
  for_each_entry(object, "shapes", drawing.where(), [&](const json& s, const std::string& at) {
    const FileEntry entry(s, at, names, {"kind", "points"}, {"closed", "repeat"});
    const std::string kind = entry.word("kind", kinds);
    Equations::Shape shape;
    shape.kind =
        static_cast<DrawnShape::Kind>(std::find(kinds.begin(), kinds.end(), kind) - kinds.begin());
    shape.closed = entry.has("closed") && get_bool(s, "closed", at);
    read_shape(s, entry, reader, names, shape);
    e.shapes.push_back(std::move(shape));
  });
}

void refuse_unused(const json& object, const std::string& where, const FileNames& names) {
  for_each_unused(object, where, names, [](const std::string& name) {
    throw BadInput(
        fmt::format("no formula uses {}; accepted: what the motion needs", in_quotes(name)));
  });
}

/// The minimal form: coordinates of its own, and those of the file by them.
Equations read_minimal(const json& object, const FileEntry& entry, FileNames names,
                       const Equations& absolute) {
  names.bodies.clear();
  FormReader reader(object, entry, names);
  Equations e = reader.read();
  std::vector<std::string> known;
  for (const auto& c : absolute.coordinates) known.push_back(c.quantity.name);
  const json& shown = get_object(object, "shown", entry.where());
  require_keys(shown, entry.where() + ": shown", known, {});
  for (const std::string& name : known)
    e.shown.push_back(reader.formula(shown[name], entry, "shown: " + name));
  refuse_unused(object, entry.where(), names);
  return e;
}

using ClosedForm = decltype(Problem::closed_form);

/// Positions and velocities of the file's coordinates at its start, said in another way.
void check_start(const Equations& e, const Mechanism& start, const std::vector<wide>& said,
                 const std::string& where) {
  const int n = e.n();
  for (int i = 0; i < 2 * n; ++i) {
    const wide& stated = i < n ? start.q0[i] : start.v0[i - n];
    if (abs(wide(said[i] - stated)) <= wide("1e-40") * (1 + abs(stated))) continue;
    throw BadInput(fmt::format("{}: {}{} is {:.6g} at the start, in the file {:.6g}", where,
                               e.coordinates[i % n].quantity.name, i < n ? "" : "'",
                               static_cast<double>(said[i]), static_cast<double>(stated)));
  }
}

void give_drawing(const Equations& drawn, Mechanism& mechanism) {
  if (!drawn.shapes.empty())
    mechanism.drawing = [drawing = drawing_from(drawn)] { return drawing; };
}

MechanismMakers makers_of(const std::shared_ptr<const Equations>& e, const ClosedForm& solution) {
  return recorded_makers([e, solution]() -> std::shared_ptr<const Mechanism> {
    const auto mechanism = mechanism_of(*e);
    if (solution) {
      const int n = e->n();
      std::vector<real50> states(2 * n + e->m());
      solution(from_wide<real50>(e->time), states.data(), states.data() + n, states.data() + 2 * n);
      check_start(*e, *mechanism, {states.begin(), states.begin() + 2 * n},
                  e->where + ": solution");
    }
    give_drawing(*e, *mechanism);
    return mechanism;
  });
}

MechanismMakers minimal_makers(Equations minimal, const std::shared_ptr<const Equations>& file) {
  return recorded_makers(
      [minimal = std::move(minimal), file]() -> std::shared_ptr<const Mechanism> {
        const auto mechanism = mechanism_of(minimal);
        graph::Graph g;
        const std::size_t n = mechanism->q0.size();
        const std::vector<Var> inputs = g.inputs(static_cast<int>(2 * n));
        std::vector<Var> numbers(mechanism->q0.begin(), mechanism->q0.end());
        numbers.insert(numbers.end(), mechanism->v0.begin(), mechanism->v0.end());
        std::vector<wide> said;
        for (const Var& x : g.call(mechanism->shown(inputs.data(), inputs.data() + n), numbers))
          said.push_back(x.constant());
        check_start(*file, *mechanism_of(*file), said, minimal.where + ": shown");
        give_drawing(*file, *mechanism);
        return mechanism;
      });
}

}  // namespace

Problem equations_from_file(const json& file, const std::string& where, FileNames& names) {
  const FileEntry whole =
      whole_file(file, where, names, {"coordinates"},
                 with(form_keys, {"start", "minimal", "drawing", "solution", "twin"}));
  FormReader reader(file, whole, names);
  Equations e = reader.read();
  Problem problem;
  if (whole.has("start")) problem.start = get_expression(file, "start", where);
  e.time = problem.start.eval<wide>();
  read_outputs(file, where, reader, names, e);
  if (whole.has("drawing"))
    read_drawing(whole.part("drawing", {"shapes"}, {"look_from"}), file["drawing"], reader, names,
                 e);
  if (whole.has("solution")) {
    FileNames known = names;
    known.bodies.clear();
    std::vector<std::string> wanted;
    for (const char* rate : {"", "'"})
      for (const auto& c : e.coordinates) wanted.push_back(c.quantity.name + rate);
    for (const auto& row : e.rows) wanted.push_back(row.quantity.name);
    problem.closed_form = [values = known_solution(get_array(file, "solution", where),
                                                   where + ": solution", known, wanted),
                           n = e.n()](const real50& t, real50* q, real50* v, real50* lambda) {
      const std::vector<real50> all = values(t);
      std::copy(all.begin(), all.begin() + n, q), std::copy_n(all.begin() + n, n, v);
      std::copy(all.begin() + 2 * n, all.end(), lambda);
    };
  }
  const auto shared = std::make_shared<const Equations>(std::move(e));
  problem.absolute = makers_of(shared, problem.closed_form);
  if (whole.has("minimal")) {
    const FileEntry minimal =
        whole.part("minimal", {"coordinates", "shown"}, with(form_keys, {"define", "series"}));
    problem.minimal =
        minimal_makers(read_minimal(file["minimal"], minimal, names, *shared), shared);
    if (minimal.has("series") && get_bool(file["minimal"], "series", minimal.where()))
      problem.series = problem.minimal;
  } else if (shared->m() == 0) {
    problem.minimal = problem.absolute;
  }
  refuse_unused(file, where, names);
  return problem;
}

}  // namespace daemark
