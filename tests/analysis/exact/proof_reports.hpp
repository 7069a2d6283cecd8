// What tests of proofs read of a report, and the file a tableau might have come from.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/exact/proof/verify.hpp"

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

inline nlohmann::json file_of(const ExactTableau& t) {
  nlohmann::json out = {
      {"id", t.id}, {"kind", "runge_kutta"}, {"b", texts(t.b)}, {"c", texts(t.c)}};
  for (const auto& row : t.A) out["A"].push_back(texts(row));
  if (!t.embedded.empty()) out["b_hat"] = texts(t.embedded);
  if (!t.dense.given()) return out;
  out["dense"] = {{"A", nlohmann::json::array()}, {"c", texts(t.dense.c)}};
  for (const auto& row : t.dense.A) out["dense"]["A"].push_back(texts(row));
  for (const auto& row : t.dense.weights) out["dense"]["weights"].push_back(texts(row));
  return out;
}
inline nlohmann::json file_of(const ExactMultistep& m) {
  return {{"id", m.id}, {"kind", "multistep"}, {"alpha", texts(m.alpha)}, {"beta", texts(m.beta)}};
}

}  // namespace daemark::exact
