// Couplers in space: a sum of angles and ways of relative motions stays as it is.
//
// An angle that counts all turns is a coordinate φ without inertia, which sin(turn of b − φ) = 0
// ties to the bodies; the last angle needs none, for the sum says what it is.
#include <fmt/format.h>

#include <algorithm>

#include "problems/spatial/spatial_mechanism.hpp"

namespace daemark {

using namespace rotation;

namespace {

/// The features of one coupler, of any number of bodies.
class CouplerFeatures {
 public:
  explicit CouplerFeatures(SpatialMechanism::Joint& joint) : joint_(joint) {}
  int add(int body, bool point, const Vec3<wide>& local) {
    int node = -1;
    if (body != SpatialMechanism::ground) {
      auto& nodes = joint_.nodes;
      const auto known = std::find(nodes.begin(), nodes.end(), body);
      node = static_cast<int>(known - nodes.begin());
      if (known == nodes.end()) nodes.push_back(body);
    }
    joint_.features.push_back({node, point && node >= 0, local});
    return static_cast<int>(joint_.features.size()) - 1;
  }

 private:
  SpatialMechanism::Joint& joint_;
};

}  // namespace

void SpatialMechanism::coupler(const std::string& kind, const std::vector<Share>& shares) {
  Joint joint;
  const auto same = std::count_if(joints_.begin(), joints_.end(),
                                  [&](const Joint& j) { return j.name.starts_with(kind); });
  joint.name = fmt::format("{}{}", kind, same + 1);
  CouplerFeatures features(joint);
  std::vector<JointTerm> ways;
  std::vector<std::pair<int, wide>> angles;
  std::vector<const Share*> turns;
  for (const Share& share : shares) {
    check_pair(share.a, share.b, joint.name);
    if (share.factor == 0) continue;
    if (!share.at) {
      turns.push_back(&share);
      continue;
    }
    const int axis =
        features.add(share.a, false, along(share.a, Orientation::triad(share.axis.value())[0]));
    for (const auto& [body, sign] : {std::pair(share.b, 1), std::pair(share.a, -1)})
      ways.push_back(
          {sign * share.factor, axis, features.add(body, true, on(body, share.at->value()))});
  }
  for (const Share* const turn : turns) {
    const std::array<Vec3<wide>, 3> e = Orientation::triad(turn->axis.value());
    const auto normal = [&](int body, int i) {
      return features.add(body, false, along(body, e[i]));
    };
    const int a1 = normal(turn->a, 1), a2 = normal(turn->a, 2), b2 = normal(turn->b, 2);
    JointRow row{{{wide(-1), a1, b2, JointFactor::cosine}, {wide(-1), a2, b2, JointFactor::sine}}};
    std::string name = "lambda_" + joint.name + "_angle";
    if (turn != turns.back()) {
      const std::string own = fmt::format(
          "{}{}", joint.name, turns.size() > 2 ? fmt::format("_{}", angles.size() + 1) : "");
      row.angles = {{static_cast<int>(angles.size()), wide(1)}};
      angles.emplace_back(static_cast<int>(angles.size()), turn->factor);
      joint.angles.push_back(static_cast<int>(angles_.size()));
      angles_.push_back({own, turn->a, turn->b, along(turn->a, e[0])});
      name += std::to_string(angles.size());
    } else {
      for (const auto& [angle, factor] : angles)
        row.angles.emplace_back(angle, wide(-factor / turn->factor));
      for (JointTerm way : ways) {
        way.coefficient /= -turn->factor;
        row.ways.push_back(way);
      }
    }
    joint.equations.push_back(row);
    joint.rows.push_back({name, "1"});
  }
  if (turns.empty()) {
    if (ways.empty())
      throw BadInput(joint.name + ": accepted: a term at least whose factor is not zero");
    joint.equations.push_back({ways});
    joint.rows.push_back({"lambda_" + joint.name + "_way", "m"});
  }
  joints_.push_back(std::move(joint));
  exportable_ = false;
}

wide SpatialMechanism::rate_at_start(const Angle& angle) const {
  const auto spin = [&](int body) {
    return body == ground ? Vec3<wide>{wide(0), wide(0), wide(0)} : nodes_[body].spin;
  };
  const Vec3<wide> axis =
      angle.a == ground ? angle.axis : rotate(nodes_[angle.a].orientation, angle.axis);
  return dot(axis, combine(wide(1), spin(angle.b), wide(-1), spin(angle.a)));
}

}  // namespace daemark
