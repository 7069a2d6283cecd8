// Formulas as MathML, which browsers typeset without any script or font of ours, and as LaTeX.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

/// The elements of an exact expression, to stand inside <math>.
std::string mathml(const Expression& expression);

/// The elements of a formula in plain text, "m L^2 theta'' + k_1 (x - x0) = 0": products by blanks,
/// names of one or two letters with digits or an index, Greek names, sin(...), sqrt(...), primes as
/// time derivatives (dots). Empty where it is not one.
std::optional<std::string> mathml_of(std::string_view formula);

/// HTML of a sentence whose clauses, apart by , ; and :, are formulas or words.
std::string mathml_sentence(const std::string& text);

/// <math> around elements; `block`: on a line of its own.
std::string math(const std::string& elements, bool block = false);

/// Rows of elements in brackets.
std::string mathml_matrix(const std::vector<std::vector<std::string>>& rows);

/// LaTeX, to stand in mathematics: \frac{1}{2}-\frac{\sqrt{3}}{6}.
std::string latex_formula(const Expression& expression);

}  // namespace daemark
