// The formulas of methods and problems as HTML with MathML.
#pragma once

#include <string>

namespace daemark {

/// What one step computes, and the coefficients: exact where they are expressions, fractions where
/// they are recognised, else 16 digits.
std::string method_formula(const std::string& call);

/// The equations of motion that all mechanisms share, in the formulation with this id; empty for
/// one without a formula here.
std::string formulation_formula(const std::string& id);

}  // namespace daemark
