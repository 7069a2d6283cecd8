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

#include <nlohmann/json.hpp>
#include <string>

namespace daemark {

/// The item with its sweeps written out. Throws BadInput for malformed ones.
nlohmann::json with_sweeps(nlohmann::json item, const std::string& where);

}  // namespace daemark
