// The methods of the catalogue as rows of an experiment: read from the registry when the experiment
// is read, so that a family added later appears without an edit.
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

/// Every method of the registry in its examples and, where it has parameters named in `values`
/// ("rho", or "lms.rho" for one method), in every combination of those that it accepts instead, the
/// other parameters at their defaults. Sorted by kind, then by ids and the order of the values.
std::vector<CatalogueMethod> catalogue_methods(
    const std::map<std::string, std::vector<std::string>>& values);

}  // namespace daemark
