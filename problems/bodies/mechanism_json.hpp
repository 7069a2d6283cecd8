// Rigid bodies as the file of bindings/PROGRAMS.md.
#pragma once

#include <nlohmann/json.hpp>

#include "problems/bodies/rigid_bodies.hpp"

namespace daemark {

/// The output times of a motion.
struct MotionTimes {
  wide begin, spacing;
  long count;
};

/// The file: "form", "problem", "times" and, where the problem is rigid bodies, all the rest.
nlohmann::ordered_json mechanism_json(const std::string& problem, const RigidBodies* bodies,
                                      const MotionTimes& times);

}  // namespace daemark
