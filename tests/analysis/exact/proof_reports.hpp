// What tests of proofs read of a report and of exact numbers, and the file a tableau might have
// come from.
#pragma once

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/import.hpp"
#include "methods/core/tableau.hpp"
#include "tests/support/checker.hpp"
#include "tests/support/tableaus.hpp"

namespace daemark::exact {

/// The certificate, from its text.
inline nlohmann::json plain(const VerifyReport& report) {
  return nlohmann::json::parse(report.certificate_data.dump());
}

/// daemark_checker takes the certificate; `tableau` as in refusal_of().
inline void expect_accepted(const VerifyReport& report, const nlohmann::json& tableau = nullptr) {
  const auto refusal = refusal_of(plain(report), tableau);
  EXPECT_FALSE(refusal) << report.id << ": " << *refusal;
}

/// Failures or notes, a line each.
inline std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}
inline std::string failures_of(const VerifyReport& report) { return joined(report.failures); }

/// Exact numbers, in one field.
inline Vector numbers_of_texts(const std::vector<std::string>& texts) {
  const std::vector<Expression> parsed = expressions(texts);
  std::vector<const Expression*> all;
  for (const Expression& e : parsed) all.push_back(&e);
  return import_numbers(all, "test");
}

inline nlohmann::json texts(const std::vector<Expression>& all) {
  nlohmann::json out = nlohmann::json::array();
  for (const Expression& e : all) out.push_back(e.text());
  return out;
}

/// Of a tableau or a multistep formula.
inline nlohmann::json file_of(const Coefficients& method) {
  nlohmann::json out = {{"id", method.id}, {"kind", schema_of(method).name}};
  for (const ArraySchema& array : schema_of(method).arrays) {
    if (!method.has(array.name)) continue;
    if (array.shape == ArraySchema::Shape::list) out[array.name] = texts(method.list(array.name));
    if (array.shape != ArraySchema::Shape::matrix) continue;
    for (const auto& row : method.rows(array.name)) out[array.name].push_back(texts(row));
  }
  if (!method.has("dense.weights")) return out;
  out["dense"] = {{"A", nlohmann::json::array()}, {"c", texts(method.list("dense.c"))}};
  for (const auto& row : method.rows("dense.A")) out["dense"]["A"].push_back(texts(row));
  for (const auto& row : method.rows("dense.weights"))
    out["dense"]["weights"].push_back(texts(row));
  return out;
}

}  // namespace daemark::exact
