// Elements of the planar builder besides hinges and springs: rods, slots, couplers, friction, and
// bodies that stand somewhere without a joint.
#include <fmt/format.h>

#include "problems/planar/planar_mechanism.hpp"

namespace daemark {

void PlanarMechanism::position(int body, Exact x, Exact y, Exact vx, Exact vy) {
  check_loaded(body, "position");
  Body& b = bodies_[body];
  b.x = x.value, b.y = y.value, b.vx = vx.value, b.vy = vy.value;
  b.placed = true;
}

void PlanarMechanism::slot(int a, BodyPoint on_a, Exact angle, int b, BodyPoint on_b) {
  check_pair(a, b, "slot");
  for (const int body : {a, b})
    if (body != ground && !bodies_[body].placed)
      throw BadInput(
          fmt::format("slot: body {} has no joint and no position yet", bodies_[body].name));
  prismatics_.push_back({a, b, on_a.value(), on_b.value(), angle.value, wide(0), true});
  exportable_ = false;
}

void PlanarMechanism::distance(int a, BodyPoint on_a, int b, BodyPoint on_b, Exact length) {
  check_pair(a, b, "distance");
  if (!(length.value > 0)) throw BadInput("distance: the length must be positive");
  rods_.push_back({a, b, on_a.value(), on_b.value(), length.value});
  exportable_ = false;
}

void PlanarMechanism::coupler(const std::vector<Share>& shares) {
  TrigRow row;
  int same = 1;
  for (const TrigRow& known : rows_) same += known.quantity.name.starts_with("coupler");
  row.quantity = {fmt::format("coupler{}", same), "rad"};
  for (const Share& share : shares) {
    check_loaded(share.body, "coupler");
    const Body& body = bodies_[share.body];
    if (share.axis != 2 && !body.placed)
      throw BadInput(fmt::format("coupler: body {} has no joint and no position yet", body.name));
    if (share.axis != 2) row.quantity.unit = "m";
    row.linear.emplace_back(3 * share.body + share.axis, share.factor);
    row.constant -= share.factor * (share.axis == 0   ? body.x
                                    : share.axis == 1 ? body.y
                                                      : body.theta);
  }
  rows_.push_back(row);
  exportable_ = false;
}

void PlanarMechanism::torsion_friction(int a, int b, const FrictionLaw& law) {
  check_pair(a, b, "torsion_friction"), check_friction(law);
  frictions_.push_back({a, b, true, 0, {}, law});
  exportable_ = false;
}

void PlanarMechanism::friction(int a, Exact angle, int b, BodyPoint on_b, const FrictionLaw& law) {
  check_pair(a, b, "friction"), check_friction(law);
  frictions_.push_back({a, b, false, angle.value, on_b.value(), law});
  exportable_ = false;
}

}  // namespace daemark
