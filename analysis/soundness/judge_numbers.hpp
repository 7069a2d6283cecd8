// Numbers of a mechanism that no body has, that look like other units than m, kg, s and rad, or
// that leave few digits next to others. Every threshold is half way (in factors) between what is
// usual and what the mistake makes of it, or a bound of nature.
#pragma once

#include "analysis/soundness/mechanism_facts.hpp"
#include "analysis/soundness/soundness.hpp"

namespace daemark {

/// Masses and principal moments that are negative, or larger than the sum of the two others.
void judge_inertias(const MechanismFacts& facts, std::vector<Finding>& findings);
/// Units of data, gravity, angles, free lengths, levers of joints; `mechanism` at `start`.
void judge_units(const Problem& problem, const MechanismFacts& facts,
                 MechanicalSystem<double>& mechanism, std::vector<Finding>& findings);
/// Numbers of one kind that differ so much that double keeps less than half its digits.
void judge_scales(const MechanismFacts& facts, std::vector<Finding>& findings);

}  // namespace daemark
