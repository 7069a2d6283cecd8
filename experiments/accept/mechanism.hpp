// The mechanisms of the acceptance kit: small, with known motion, and what each is there for.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace daemark {

struct AcceptMechanism {
  std::string problem, t_end;         ///< a call; absolute, the motion begins at 0 [s]
  std::vector<std::string> times;     ///< at which errors are taken, quarters of t_end
  std::vector<std::string> features;  ///< "plain", "time", "stiff", ...
  double growth;  ///< by what a small change of the start grows in q and v over the motion at most

  bool has(const std::string& feature) const {
    return std::find(features.begin(), features.end(), feature) != features.end();
  }
};

const std::vector<AcceptMechanism>& accept_mechanisms();

}  // namespace daemark
