// Reading a certificate: numbers, polynomials, and the method as operators on stage functions.
#pragma once

#include <nlohmann/json.hpp>
#include <set>

#include "analysis/exact/certcheck/algebra.hpp"

namespace daemark::certcheck {

using Json = nlohmann::json;

class Reader {
 public:
  explicit Reader(const Json& certificate);
  Number number(const Json& from) const;
  Row row(const Json& from) const;
  Table table(const Json& from) const;
  static rational fraction(const Json& from);

 private:
  exact::FieldPtr field_;
};

/// Stage functions with A, b, the function 1, multiplication, and the abscissae as a function.
struct Method {
  Table a;
  Row b, one, c;
  Row nodes;  ///< empty: values at the stages; else polynomials modulo this monic one
  Row multiply(const Row& f, const Row& g) const;
};
Method read_method(const Reader& reader, const Json& certificate);

/// Collects refusals.
class Verdicts {
 public:
  void require(bool holds, const std::string& statement) {
    if (!holds) refused.push_back(statement);
  }
  std::vector<std::string> refused;
};

void check_stability(const Reader& reader, const Json& stability, const Method& method,
                     const Row& weights, Verdicts& out);
void check_order(const Reader& reader, const Json& order, const Method& method, const Row& weights,
                 Verdicts& out);
void check_method(const Reader& reader, const Json& certificate, Verdicts& out);
void check_block(const Reader& reader, const Json& certificate, Verdicts& out);
void check_multistep(const Reader& reader, const Json& certificate, Verdicts& out);

}  // namespace daemark::certcheck
