// Exact verification by catalogue call: finds the exact form a method offers and proves it.
#pragma once

#include <string>

#include "analysis/exact/proof/verify.hpp"

namespace daemark::exact {

/// `call`: a method as typed, "gauss(3)". A family without an exact form gets a report whose order
/// and stability are undecided, with a note. The code check (running stepper against R) is part of
/// the report: a difference is a failure. Throws BadInput for unknown methods.
VerifyReport verify_method(const std::string& call);

/// False for methods of which nothing can be decided without a run: solvers that choose their steps
/// and formulas, methods that take constrained equations only.
bool has_form(const std::string& call);

}  // namespace daemark::exact
