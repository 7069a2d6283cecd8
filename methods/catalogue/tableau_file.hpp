// Methods as data: Runge–Kutta tableaus and multistep formulas in JSON files.
//
//   {"id": "...", "kind": "runge_kutta", "A": [[...], ...], "b": [...], "c": [...],
//    "b_hat": [...] (embedded weights), "summary": "...", "claims": {...}, "decimal": true,
//    "source": {"key": "...", "where": "..."}}          optional: b_hat and all after it
//   "alpha" and "beta" of Shu and Osher in place of A, b: rows of stages, the last of the step
//   {"id": "...", "kind": "multistep", "alpha": [...], "beta": [...], ...}   ascending, α_k last
//   {"id": "...", "kind": "half_explicit", "A", "b", "c", ...}   as runge_kutta; optional: "A_hat",
//    where the constraints hold, and "b_low", a formula of lower order than "b_hat"
//   {"id": "...", "kind": "rosenbrock", "gamma": γ, "alpha": [[...], ...], "gamma_ij": [[...],
//   ...],
//    "b": [...], ...}   optional: "b_hat"; "A" and "C" for the latter two: b, b_hat are of Γ k then
//
// Two sets of coefficients on the same stages; what ends in _velocity is of velocities:
//   "nystrom"      A, b, b_velocity, c; optional A_velocity, b_hat, b_hat_velocity
//   "partitioned"  A, b, c, A_velocity, b_velocity; optional b_hat, b_hat_velocity
//   "additive"     A_explicit, A_implicit, b, c; optional b_hat; or b_explicit, b_implicit with
//                  b_hat_explicit, b_hat_implicit
//
// An entry is a JSON integer or a string with an exact expression (base/numbers/expression.hpp).
// Decimals are accepted only as strings and under "decimal": true; JSON numbers with a point are
// refused, because reading rounds them. Claims, each optional: order, stage_order, embedded_order,
// interpolant_order; A_stable, L_stable, stiffly_accurate, algebraically_stable, symplectic.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "methods/core/tableau.hpp"

namespace daemark {

/// Throws BadInput, naming the file and the entry, for anything that cannot be read as a method: no
/// such file, not JSON, unknown, missing or doubled keys, wrong sizes or types, an id that is not
/// [a-z][a-z0-9_]*, an entry that is not a real number, an undeclared decimal. A well-formed method
/// that is wrong (row sums, Σb) is read: see tableau_defects (coefficients.hpp).
Coefficients load_method_file(const std::filesystem::path& path);

/// The *.json of a folder, sorted. Throws BadInput for a folder that cannot be read.
std::vector<std::filesystem::path> method_files(const std::filesystem::path& folder);

/// The folder of the catalogue's files, and in it that of the library: published tableaus that are
/// run where they are named, and are no part of what enumerates the catalogue.
std::filesystem::path tableau_folder();
std::filesystem::path library_folder();

/// Whether a method file is neither of the catalogue nor of the library: what it defines has no
/// place in results.
bool from_outside(const std::filesystem::path& file);

/// As load_method_file, `where` in place of the file's name.
Coefficients read_method(const nlohmann::json& content, const std::string& where);

}  // namespace daemark
