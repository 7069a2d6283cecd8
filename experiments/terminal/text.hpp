// Text for readers: aligned columns, numbers, parameters, places of files.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "base/text/wrap.hpp"

namespace daemark {

/// What brief() shows as "-".
inline constexpr double missing = std::numeric_limits<double>::quiet_NaN();

/// Columns two spaces apart, each line behind `indent` spaces; trailing blanks are cut. Cells are
/// wrapped where lines would reach beyond 100 characters, but words are not broken.
std::string columns(const std::vector<std::vector<std::string>>& rows, int indent = 2);

/// "id(r=4, k=2, [j])": what a call accepts; defaults shown, optional ones in brackets.
std::string signature(const std::string& id, const std::vector<Parameter>& parameters);

/// "  r = 4: integer 2..40" lines.
std::string parameter_lines(const std::vector<Parameter>& parameters);

/// A source path as it stands in the tree ("methods/pade_block.cpp"), other paths as given.
std::string tree_path(const std::string& file);

/// Six significant digits; "-" for NaN.
std::string brief(double value);

}  // namespace daemark
