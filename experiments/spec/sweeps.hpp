// Rows that stand for many: the methods of the catalogue, read from the registry when the
// experiment is read, so that a family added later appears without an edit, and sweeps.
//
// Sweeps: rows of work and precision said in one line each, methods times formulations.
//
//   "sweeps": {
//     "weights": {"index1": {"residual": "1", "rates": "1.4", "jacobian": "3",
//                            "factorization": "1", "pair": "1/80"}, ...},
//     "rows": [{"group": "explicit, control", "methods": ["verner_8"], "rates": true,
//               "formulations": ["minimal", "index1"], "cell": {"tols": ["1e-3"], "h": "10"}},
//               ...]}
//
// stands for a row of each method on each formulation, with the weights of that formulation; an
// evaluation is of the residual, or of the rates where "rates" says so. A method may be
// {"call": "cvode(formula=bdf)", "label": "cvode BDF"}. A row's id is made of method, formulation
// and "_control" where there are tolerances, and of "id" in front where it is given.
//
//   "curves": {"formulation": "index1", "x": "work", "y": "error_q"}
//
// in a panel stands for a curve of each of these rows.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
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

/// The item with its sweeps written out. Throws BadInput for malformed ones.
nlohmann::json with_sweeps(nlohmann::json item, const std::string& where);

}  // namespace daemark
