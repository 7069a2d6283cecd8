#include "problems/spatial/spatial_system.hpp"

#include <algorithm>

#include "problems/spatial/spatial_drawing.hpp"
#include "problems/spatial/spatial_elements.hpp"

namespace daemark {
namespace {

void add_nodes(const SpatialMechanism& m, Mechanism& made) {
  std::vector<std::string> shown, shown_rates;
  for (const auto& node : m.nodes()) {
    made.charts.push_back(
        Chart::rotation(static_cast<int>(made.coordinates.size()) + 3, node.orientation));
    constexpr const char* axes[] = {"x_", "y_", "z_", "gx_", "gy_", "gz_"};
    constexpr const char* turns[] = {"psix_", "psiy_", "psiz_"};
    constexpr const char* spins[] = {"Omega1_", "Omega2_", "Omega3_"};
    for (int i = 0; i < 6; ++i) {
      made.coordinates.push_back({axes[i] + node.name, i < 3 ? "m" : "rad"});
      made.q0.push_back(i < 3 ? node.position[i] : wide(0));
      made.v0.push_back(i < 3 ? node.velocity[i] : node.spin[i - 3]);
      made.reference_names.push_back((i < 3 ? axes[i] : turns[i - 3]) + node.name);
      made.reference_velocity_names.push_back(i < 3 ? std::string("d") + axes[i] + node.name
                                                    : spins[i - 3] + node.name);
    }
  }
}

}  // namespace

std::shared_ptr<const Mechanism> recorded(const SpatialMechanism& m) {
  auto made = std::make_shared<Mechanism>();
  add_nodes(m, *made);
  made->elements = SpatialElements(m).all();
  made->redundant = std::max(m.redundancy(), 0);
  made->outputs = m.outputs();
  if (!m.outputs().empty())
    made->output_values = [laws = m.output_laws()](const MotionPoint<Var>& at) {
      std::vector<Var> values;
      for (const SpatialOutput& law : laws) values.push_back(law(SpatialView{at}));
      return values;
    };
  made->drawing = [drawing = spatial_drawing(m)] { return drawing; };
  made->stiff = [shared = std::make_shared<const SpatialMechanism>(m)] {
    const auto part = shared->stiff_part();
    return part ? recorded(*part) : nullptr;
  };
  return made;
}

}  // namespace daemark
