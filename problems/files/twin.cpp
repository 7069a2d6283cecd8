#include "problems/files/twin.hpp"

#include <cmath>

#include "problems/bodies/body_states.hpp"
#include "problems/files/planar_file.hpp"
#include "problems/planar/planar_system.hpp"

namespace daemark {
namespace {

void check_start(const RigidBodies& bodies, const MechanicalSystem<double>& mechanism,
                 const std::string& where) {
  constexpr double tolerance = 1e-12;
  const int n = mechanism.coordinates();
  std::vector<double> said(2 * n), stated(2 * n);
  ShownBodies(bodies).show(states_at_start(bodies), said.data(), said.data() + n);
  mechanism.initial(stated.data(), stated.data() + n);
  for (int i = 0; i < 2 * n; ++i)
    if (!(std::abs(said[i] - stated[i]) <= tolerance * (1 + std::abs(stated[i]))))
      throw BadInput(fmt::format("{}: {}{} is {:.6g} at the start, in the file {:.6g}", where,
                                 mechanism.coordinate_names()[i % n], i < n ? "" : "'", said[i],
                                 stated[i]));
}

}  // namespace

void read_twin(const nlohmann::json& file, const std::string& where, const FileNames& names,
               Problem& problem) {
  const nlohmann::json& object = get_object(file, "twin", where);
  const std::string place = where + ": twin";
  FileNames own{names.numbers, names.units, {{"ground", RigidBodies::ground}}, names.used};
  const FileEntry entry(object, place, own, {"bodies", "elements", "shown"}, {"gravity"});
  const auto bodies = rigid_bodies(planar_parts_of(object, entry, own));
  const auto mechanism = problem.make<double>();
  const nlohmann::json& shown = get_object(object, "shown", place);
  require_keys(shown, place + ": shown", mechanism->coordinate_names(), {});
  bodies->shown.clear();
  for (const std::string& name : mechanism->coordinate_names()) {
    const FileEntry point(shown[name], place + ": shown: " + name, own, {"body", "point", "axis"},
                          {});
    const std::vector<wide> xy = point.numbers("point", 2);
    const int axis = point.word("axis", {"x", "y"}) == "x" ? 0 : 1;
    bodies->shown.push_back(
        {point.body(), RigidBodies::Shown::Kind::point, axis, {xy[0], xy[1], wide(0)}});
  }
  bodies->finish();
  check_start(*bodies, *mechanism, place);
  problem.bodies = [twin = std::shared_ptr<const RigidBodies>(bodies)] { return twin; };
}

}  // namespace daemark
