// The page of a comparison, results/compare/NAME/index.html.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "experiments/compare/compare_lines.hpp"

namespace daemark {

struct ComparePage {
  std::string path;     ///< below the results folder
  std::string title;    ///< the methods
  std::string command;  ///< that makes it
  /// (canonical problem, file in the same folder), in the order drawn.
  std::vector<std::pair<std::string, std::string>> figures;
  std::string profiles;  ///< file of the performance profiles; empty: none
  bool tags = false;     ///< results/assets/tags.js is there to be loaded
};

std::string compare_page(const ComparePage& page, const std::vector<Compared>& compared,
                         const std::vector<Accuracy>& accuracies,
                         const std::vector<std::string>& left_out);

}  // namespace daemark
