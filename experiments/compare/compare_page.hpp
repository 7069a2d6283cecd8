// The pages of a comparison: figures, interactive diagrams, results/compare/NAME/index.html.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "analysis/report/figure.hpp"
#include "experiments/compare/compare_lines.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {

/// Families of methods, as tables and legends show them; derived from what a method is.
extern const std::vector<std::string> family_names;
/// Index of the family of a method, as a sweep names it; the last one for what is unknown.
int method_family(const std::string& sweep);
/// Names of the families of these fields' methods, empty ones in between.
std::vector<std::string> families_in(const std::vector<const Compared*>& fields);

/// Lines of a field no other line of which is cheaper and more accurate in that part (0, 1, 2: q,
/// v, λ): each of these has a run that nobody beats. Errors beyond 1 say nothing and count not.
std::vector<const CompareLine*> front_of(const Compared& field, std::size_t part);

/// Error over work in each part; the front in full strength, new methods too.
ExplorePlot explore_plot(const Compared& field);

/// {id, label} of the parts that there are.
std::vector<std::pair<std::string, std::string>> explore_parts(const CompareMotion& motion);

/// A panel a formulation: error over work, in what the first accuracy is asked of, of the new
/// methods and the six cheapest others. Without panels where no run ended.
FigureSpec compare_figure(const std::vector<const Compared*>& of_a_problem,
                          const Accuracy& accuracy);

/// A panel a formulation.
FigureSpec profile_figure(const std::vector<Profile>& profiles);

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
