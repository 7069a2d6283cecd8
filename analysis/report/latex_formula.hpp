// Exact expressions as LaTeX.
#pragma once

#include <string>

#include "base/numbers/expression.hpp"

namespace daemark {

/// To stand in mathematics: \frac{1}{2}-\frac{\sqrt{3}}{6}.
std::string latex_formula(const Expression& expression);

}  // namespace daemark
