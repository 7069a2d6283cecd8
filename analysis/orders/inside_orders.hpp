// Values inside steps: which methods have them, in which formulations.
#pragma once

#include <map>
#include <string>

namespace daemark {

/// Powers of h with which positions inside steps err, by the formulations where there are such
/// values under step-size control; of the pendulum, which has no charts.
std::map<std::string, int> inside_orders(const std::string& method);

}  // namespace daemark
