#include "problems/bodies/body_states.hpp"

#include <algorithm>
#include <cmath>

#include "base/text/bad_input.hpp"

namespace daemark {

using namespace rotation;
using Kind = RigidBodies::Shown::Kind;

std::vector<BodyState> states_at_start(const RigidBodies& bodies) {
  std::vector<BodyState> states;
  for (const RigidBodies::Body& body : bodies.bodies) {
    BodyState state;
    for (int k = 0; k < 3; ++k) {
      state.x[k] = to_double(body.position[k]), state.v[k] = to_double(body.velocity[k]);
      state.w[k] = to_double(body.spin[k]);
    }
    for (int k = 0; k < 4; ++k) state.p[k] = to_double(body.orientation[k]);
    states.push_back(state);
  }
  return states;
}

ShownBodies::ShownBodies(const RigidBodies& bodies) : shown_(bodies.shown) {
  for (const auto& shown : shown_) angles_.push_back(to_double(shown.at[0]));
}

void ShownBodies::show(const std::vector<BodyState>& states, double* q, double* v) {
  constexpr double turn = 2 * 3.14159265358979323846;
  for (std::size_t i = 0; i < shown_.size(); ++i) {
    const auto& shown = shown_[i];
    const BodyState& body = states[shown.body];
    if (shown.kind == Kind::point) {
      const Vec3<double> at{to_double(shown.at[0]), to_double(shown.at[1]), to_double(shown.at[2])};
      const Vec3<double> arm = rotate(body.p, at), moving = cross(body.w, arm);
      q[i] = body.x[shown.axis] + arm[shown.axis];
      v[i] = body.v[shown.axis] + moving[shown.axis];
    } else if (shown.kind == Kind::angle) {
      const double found = 2 * std::atan2(body.p[3], body.p[0]);
      angles_[i] = found + turn * std::round((angles_[i] - found) / turn);
      q[i] = angles_[i], v[i] = body.w[2];
    } else {
      q[i] = logarithm(body.p)[shown.axis];
      v[i] = rotate(conjugate(body.p), body.w)[shown.axis];
    }
  }
}

std::optional<BodyStateColumns> BodyStateColumns::find(const RigidBodies& bodies,
                                                       const std::vector<std::string>& columns) {
  static const char* const spatial[] = {"x",  "y",  "z",  "e0", "e1", "e2", "e3",
                                        "vx", "vy", "vz", "wx", "wy", "wz"};
  static const char* const planar[] = {"x", "y", "theta", "vx", "vy", "omega"};
  BodyStateColumns found;
  for (const RigidBodies::Body& body : bodies.bodies) {
    const auto places = [&](const char* const* names, int count, bool in_the_plane) {
      Place place{{}, in_the_plane};
      for (int k = 0; k < count; ++k) {
        const auto at = std::find(columns.begin(), columns.end(), body.name + "." + names[k]);
        if (at == columns.end()) return std::optional<Place>();
        place.first[k] = static_cast<int>(at - columns.begin());
      }
      return std::optional<Place>(place);
    };
    found.places_.push_back(places(spatial, in_space, false));
    if (!found.places_.back() && bodies.planar)
      found.places_.back() = places(planar, in_plane, true);
    if (!found.places_.back() && !body.is_massless()) return std::nullopt;
  }
  return found;
}

std::vector<BodyState> BodyStateColumns::states(const std::vector<double>& row) const {
  std::vector<BodyState> states(places_.size());
  for (std::size_t b = 0; b < places_.size(); ++b) {
    if (!places_[b]) continue;
    const auto at = [&](int k) { return row[places_[b]->first[k]]; };
    BodyState& s = states[b];
    if (places_[b]->planar) {
      s.x = {at(0), at(1), 0}, s.v = {at(3), at(4), 0}, s.w = {0, 0, at(5)};
      s.p = {std::cos(at(2) / 2), 0, 0, std::sin(at(2) / 2)};
      continue;
    }
    s.x = {at(0), at(1), at(2)}, s.p = {at(3), at(4), at(5), at(6)};
    s.v = {at(7), at(8), at(9)}, s.w = {at(10), at(11), at(12)};
    double square = 0;
    for (const double e : s.p) square += e * e;
    if (!(square > 0)) throw BadInput("a quaternion of length 0; accepted: 1");
    for (double& e : s.p) e /= std::sqrt(square);
  }
  return states;
}

}  // namespace daemark
