#include "problems/files/assemble_key.hpp"

#include <fmt/ranges.h>

#include <algorithm>

namespace daemark {

Assembly assembly_of(const nlohmann::json& file, const FileEntry& whole, const FileNames& names,
                     const std::vector<std::string>& coordinates,
                     const std::vector<StatedRates>& rates) {
  Assembly assembly;
  const int width = static_cast<int>(coordinates.size());
  for (const nlohmann::json& body : file.at("bodies"))
    for (const StatedRates& rate : rates)
      if (body.contains(rate.key))
        for (const int k : rate.which)
          assembly.held_velocities.push_back(
              width * names.bodies.at(body.at("name").get<std::string>()) + k);
  const nlohmann::json& value = file.at("assemble");
  if (value == true) return assembly;
  if (!value.is_object()) throw BadInput("assemble: true or {\"hold\": [...]} are accepted");
  const FileEntry entry = whole.part("assemble", {"hold"});
  for (std::size_t i = 0; i < entry.length("hold"); ++i) {
    const auto [body, coordinate] = entry.state_named("hold", i);
    const auto known = std::find(coordinates.begin(), coordinates.end(), coordinate);
    if (body < 0 || (!coordinate.empty() && known == coordinates.end()))
      throw BadInput(fmt::format("{}: hold[{}]: a body or BODY.COORDINATE is accepted; {}",
                                 entry.where(), i + 1, fmt::join(coordinates, ", ")));
    for (int k = 0; k < width; ++k)
      if (coordinate.empty() || k == known - coordinates.begin())
        assembly.held_positions.push_back(width * body + k);
  }
  return assembly;
}

}  // namespace daemark
