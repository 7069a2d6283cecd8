// A comparison as text: lines for the screen, table.md, table.csv and table.tex, and what moved
// against sweeps of another machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "analysis/report/table.hpp"
#include "experiments/compare/compare_lines.hpp"

namespace daemark {

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
