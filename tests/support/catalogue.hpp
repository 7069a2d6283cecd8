// Calls that exercise whatever a registry holds, derived from what each entry says it accepts: no
// list of ids, so that a method or problem added to the catalogue is tested without an edit.
#pragma once

#include <string>
#include <vector>

#include "base/input/call.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark::test {

/// Values to try for one parameter, from its type, fallback and `accepted` text: the lowest four of
/// an integer range, both ends and the middle of an interval, every word.
std::vector<std::string> parameter_samples(const Parameter& parameter);
/// One less than the least integer accepted.
std::string below_range(const Parameter& parameter);

struct CatalogueSamples {
  std::vector<std::string> calls;    ///< canonical, distinct, each id at least once
  std::vector<std::string> refused;  ///< "call: why", what the samples met of coupled limits
  std::vector<std::string> without;  ///< ids for which no sample was accepted: an error
};
const CatalogueSamples& method_samples();
const CatalogueSamples& problem_samples();

/// Not what another test has added.
inline bool is_of_the_tree(const MethodInfo& info) {
  return info.file.rfind("methods/", 0) == 0 && !info.outside;
}

/// What the catalogue's files of a kind hold.
inline std::vector<Coefficients> catalogue_files(MethodKind kind) {
  std::vector<Coefficients> out;
  for (const auto& path : method_files(tableau_folder()))
    if (Coefficients read = load_method_file(path); read.kind == kind)
      out.push_back(std::move(read));
  return out;
}

/// Every formulation, with 5 for parameters without default.
std::vector<Formulation> formulation_samples();

/// Whether the problem has what the formulation needs and the method takes both.
bool takes(const Method& method, const Formulation& formulation, const std::string& problem);

/// Letters, digits and _ only.
std::string test_name(const std::string& call);

}  // namespace daemark::test
