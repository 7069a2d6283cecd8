#include "problems/planar/planar_system.hpp"

#include "problems/planar/planar_drawing.hpp"
#include "problems/planar/planar_elements.hpp"

namespace daemark {

std::shared_ptr<const Mechanism> recorded(const PlanarMechanism& m) {
  auto made = std::make_shared<Mechanism>();
  for (const PlanarMechanism::Body& body : m.bodies()) {
    for (const auto& [axis, unit] :
         {std::pair("x", "m"), std::pair("y", "m"), std::pair("theta", "rad")})
      made->coordinates.push_back({axis + body.name, unit});
    for (const wide& q : {body.x, body.y, body.theta}) made->q0.push_back(q);
    for (const wide& v : {body.vx, body.vy, body.omega}) made->v0.push_back(v);
  }
  made->elements = PlanarElements(m).all();
  made->redundant = m.redundancy();
  made->outputs = m.outputs();
  if (!m.outputs().empty())
    made->output_values = [laws = m.output_laws()](const MotionPoint<Var>& at) {
      std::vector<Var> values;
      for (const OutputLaw& law : laws) values.push_back(law(at.t, at.q, at.v));
      return values;
    };
  const auto shared = std::make_shared<const PlanarMechanism>(m);
  made->drawing = [shared] { return planar_drawing(*shared); };
  made->stiff = [shared] {
    const auto part = shared->stiff_part();
    return part ? recorded(*part) : nullptr;
  };
  return made;
}

}  // namespace daemark
