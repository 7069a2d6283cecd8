// Scores of several files next to each other: ratios of errors and slopes over the step sizes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <ostream>
#include <string>
#include <vector>

#include "analysis/run/score.hpp"

namespace daemark {

/// Files in the order given; `steps`: of --h, or empty, where the files' headers or the spacing of
/// their rows count. Throws BadInput where files end at different times or step sizes are not one a
/// file, all different.
class ScoreOrders {
 public:
  ScoreOrders(const std::vector<std::string>& files, const std::vector<Score>& scores,
              const std::string& steps);
  nlohmann::ordered_json json() const;
  void print(std::ostream& out) const;

 private:
  /// One error at the last time; ratios and slopes from each file to the next.
  struct Quantity {
    std::string name;
    std::vector<double> errors, ratios, slopes;
  };
  void add(const std::string& name, std::vector<double> errors);

  std::vector<std::string> files_;
  std::string t_, h_from_;
  std::vector<double> h_;
  std::vector<Quantity> quantities_;
};

}  // namespace daemark
