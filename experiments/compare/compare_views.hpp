// The views of a comparison: lines for the screen, table.md, table.csv, table.tex, what moved
// against sweeps of another machine (compare_text.cpp); figures, diagrams and
// results/compare/NAME/index.html (compare_page.cpp).
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "analysis/report/figure.hpp"
#include "analysis/report/table.hpp"
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

/// What the numbers mean, a sentence or two; with what † says where it occurs.
std::string compare_explanation(const std::vector<Compared>& compared);

/// "rank 3 of 62 (≤ 120; h 0.025)" of each new method that reaches accuracy k, or that it does not.
std::string places_of_new(const Compared& one, std::size_t k);
/// "newmark 80, gauss(s=2) 96": the cheapest for accuracy k.
std::string cheapest(const Compared& one, std::size_t k, std::size_t count = 5);

/// A line for each formulation and accuracy of the problem of `from`, which are those behind it.
std::string screen_lines(const std::vector<Compared>& compared, std::size_t from,
                         const std::vector<Accuracy>& accuracies);

/// Over all problems, a row for each formulation and accuracy: on how many the new methods reach
/// it, their ranks, who leads. Without rows where a single problem was compared.
Table over_problems(const std::vector<Compared>& compared, const std::vector<Accuracy>& accuracies);

/// Below 200 lines.
std::string compare_markdown(const std::vector<Compared>& compared,
                             const std::vector<Accuracy>& accuracies,
                             const std::vector<std::string>& left_out);
/// Every method in every field; without times, which are of one machine. `with_steps`: also the
/// step size or tolerance to take for each accuracy.
std::string compare_csv(const std::vector<Compared>& compared,
                        const std::vector<Accuracy>& accuracies, bool with_steps);
/// A table for each field.
std::string compare_latex(const std::vector<Compared>& compared,
                          const std::vector<Accuracy>& accuracies);

/// A line for each field from the `shown`-th on whose problem has a shelf under `results`, named
/// `name`: how many sweeps agree in the four digits a shelf keeps (below 1e-10 errors are
/// round-off, counts may differ by two or a hundredth), and the worst of those that moved.
std::string beside_lines(const std::vector<Compared>& compared, std::size_t shown,
                         const std::filesystem::path& results, const std::string& name);

}  // namespace daemark
