// A field as a diagram that answers: its methods by families, the front that nobody beats.
#pragma once

#include <string>
#include <vector>

#include "experiments/compare/compare_lines.hpp"
#include "experiments/report/explore.hpp"

namespace daemark {

/// Families of methods, as tables and legends show them; derived from what a method is.
extern const std::vector<std::string> family_names;
/// Index of the family of a method, as a sweep names it; the last one for what is unknown.
int family_of(const std::string& sweep);
/// Names of the families of these fields' methods, empty ones in between.
std::vector<std::string> families_in(const std::vector<const Compared*>& fields);

/// Lines of a field no other line of which is cheaper and more accurate in that part (0, 1, 2: q,
/// v, λ): each of these has a run that nobody beats. Errors beyond 1 say nothing and count not.
std::vector<const CompareLine*> front_of(const Compared& field, std::size_t part);

/// Error over work in each part; the front in full strength, new methods too.
ExplorePlot explore_plot(const Compared& field);

/// {id, label} of the parts that there are.
std::vector<std::pair<std::string, std::string>> explore_parts(const CompareMotion& motion);

}  // namespace daemark
