// Errata of public collections of tableaus, experiments/field/collections.json.
//
// An entry of collections.json:
//   {"project", "version", "file", "name": as the project calls it,
//    "tableau": {"A", "b", "c", "b_hat", "claims", "decimal"}: as printed (tableau_file.hpp),
//    "right": {"/claims/order": 1, "/A/4/2": "3/4"}: the right values, by their place,
//    "note", "unread": true if the file does not state it in literals}
// The tableau as printed has to fail a check, the right one to pass all.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace daemark::exact {

/// An entry of collections.json: wrong coefficients, orders or flags.
struct FieldErratum {
  std::string project, version, file, name, note;
  std::string printed, right;  ///< "c[2] = 2", "c[2] = 1/5"
  std::string condition;       ///< what fails as printed, by how much
  std::string command;         ///< shows it, given the project's own file
  std::string refusal;         ///< why it is no erratum; empty: it is one
};

/// In the order of the file. Throws BadInput for what cannot be read.
std::vector<FieldErratum> run_field_errata(const std::filesystem::path& file);

/// results/errata-field.md and .csv.
void write_field_errata(const std::vector<FieldErratum>& errata,
                        const std::filesystem::path& folder);

}  // namespace daemark::exact
