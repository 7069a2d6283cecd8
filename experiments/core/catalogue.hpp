// The methods of the catalogue as rows of an experiment: read from the registry when the experiment is
// read, so that a family added later appears without an edit.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace daemark {

struct CatalogueMethod {
  std::string id;    ///< letters, digits and '_'
  std::string call;  ///< canonical: "lms(n=2,rho=3/5)"
  std::string kind;  ///< MethodInfo::kind
};

/// Without `values`, those of catalogue_calls(). Otherwise every method: where it has parameters named
/// in `values` ("rho", or "lms.rho" for one method), every combination of those it accepts, the others
/// at their defaults; else its examples. Sorted by kind, then by ids and the order of the values.
std::vector<CatalogueMethod> catalogue_methods(
    const std::map<std::string, std::vector<std::string>>& values);

}  // namespace daemark
