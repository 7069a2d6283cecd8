// Exact verification by catalogue call: finds the exact form a method offers and proves it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/verify.hpp"

namespace daemark::exact {

/// `call`: a method as typed, "gauss(3)". A family without an exact form gets a report whose order
/// and stability are undecided, with a note. The code check (running stepper against R) is part of
/// the report: a difference is a failure. Throws BadInput for unknown methods.
VerifyReport verify_method(const std::string& call);

/// False for methods of which nothing can be decided without a run: solvers that choose their steps
/// and formulas, methods that take constrained equations only.
bool has_form(const std::string& call);

// What the whole catalogue was found to be: one record a method, for the pages made of it.

/// What the table shows of a method; no value: undecided.
struct CatalogueLine {
  std::string method;
  std::optional<int> order, stage_order;
  bool has_stages = true;  ///< false: a stage order has no meaning
  std::optional<bool> a_stable, l_stable;
  std::string verdict;
  std::string print = {};  ///< coefficient_digest of what it was decided of
  Json facts = {};         ///< Facts::to_json
  std::vector<std::string> notes = {}, failures = {};

  /// In the order of catalogue_columns; "?" for what is undecided, "-" for what has no meaning.
  std::vector<std::string> cells() const;
};

inline const std::vector<std::string> catalogue_columns = {"method",   "order",    "stage order",
                                                           "A-stable", "L-stable", "verdict"};

/// The time was up before anything was decided.
bool ran_out(const VerifyReport& report);

CatalogueLine catalogue_line(const VerifyReport& report);
/// With the print of the method, a call.
CatalogueLine printed_line(const VerifyReport& report);

Json json_of(const CatalogueLine& line);
/// Throws nlohmann's exceptions for what json_of() did not write; a line of before there were
/// prints has an empty one.
CatalogueLine read_line(const nlohmann::json& json);

/// <results>/catalogue.json and, for readers, <results>/certificates/catalogue.md. Methods of which
/// there is nothing to decide are no part of them. Certificates there of other methods are removed.
void write_catalogue(std::vector<VerifyReport> reports, const std::filesystem::path& results);

/// The same of the library: <results>/library.json, <results>/certificates/library.md with the
/// place each tableau is taken from. Its certificates are not kept; `daemark verify ID` makes them.
void write_library(const std::vector<VerifyReport>& reports, const std::filesystem::path& results);

/// What write_catalogue and write_library left; empty if there is none. Throw BadInput for a file
/// that is not of them.
std::vector<CatalogueLine> read_catalogue(const std::filesystem::path& results);
std::vector<CatalogueLine> read_library(const std::filesystem::path& results);

}  // namespace daemark::exact
