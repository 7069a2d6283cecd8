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

/// "lms_n_2_rho_3_5" for "lms(n=2,rho=3/5)".
std::string row_id(const std::string& call);

/// Every method of the registry. A method with parameters named in `values` ("rho", or "lms.rho"
/// for one method) appears in every combination of these values that it accepts, the other
/// parameters at their defaults; a method without such parameters appears in its examples. Sorted
/// by kind, then by id and the order of the values.
std::vector<CatalogueMethod> catalogue_methods(
    const std::map<std::string, std::vector<std::string>>& values);

}  // namespace daemark
