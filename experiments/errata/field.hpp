// Errata of the field: wrong coefficients, orders, flags and reference values in public
// collections. experiments/field/collections.json is a list of
//
//   {"project", "version", "file", "name": as the project calls it,
//    "tableau": {"A", "b", "c", "b_hat", "claims", "decimal"}: as printed (tableau_file.hpp),
//    "right": {"/claims/order": 1, "/A/4/2": "3/4"}: what is right, by its place,
//    "note", "unread": true where the file does not state it in literals, which is transcribed}
//   {"project", "version", "file", "name", "problem": a call, "t", "values": {component: "as
//    printed"}, "note"}
//
// The tableau as printed has to fail a check, the right one to pass all: `daemark verify` runs
// both. Printed values are compared with the published reference: some have to differ beyond their
// digits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace daemark::exact {

struct FieldErratum {
  std::string project, version, file, name, note;
  std::string printed, right;  ///< "c[2] = 2", "c[2] = 1/5"
  std::string condition;       ///< what fails as printed, by how much
  std::string command;         ///< shows it, with the project's own file at hand
  std::string refusal;         ///< why it is no erratum; empty: it is one
};

/// In the order of the file. Throws BadInput for what cannot be read.
std::vector<FieldErratum> run_field_errata(const std::filesystem::path& file);

/// results/errata-field.md and .csv.
void write_field_errata(const std::vector<FieldErratum>& errata,
                        const std::filesystem::path& folder);

}  // namespace daemark::exact
