// What tests of proofs read of a report, and the file a tableau might have come from.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/exact/proof/verify.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

/// The certificate, from its text.
inline nlohmann::json plain(const VerifyReport& report) {
  return nlohmann::json::parse(report.certificate_data.dump());
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
