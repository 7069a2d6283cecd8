// Reading a certificate: numbers, polynomials, and the method as operators on stage functions.
#pragma once

#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

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

/// Level sequence of a tree: depth of each vertex in depth-first order, root 0.
using Levels = std::vector<int>;
/// Next canonical level sequence, or false after the last one.
bool advance(Levels& levels);
/// t, [t,t], [t^3,[t]], ... as levels; throws std::invalid_argument for another text.
Levels levels_of(const std::string& text);
/// Every tree up to the order.
bool all_trees_hold(const Method& method, const Row& weights, int order);
/// Largest k <= limit with C(k).
int stage_order_of(const Method& method, int limit);
/// num/den is the stability function of the method.
bool equals_stability_function(const Row& num, const Row& den, const Method& method,
                               const Row& weights);

/// Everything of a stability function but that it is the method's.
void check_stability(const Reader& reader, const Json& stability, Verdicts& out);
void check_stability(const Reader& reader, const Json& stability, const Method& method,
                     const Row& weights, Verdicts& out);
void check_order(const Reader& reader, const Json& order, const Method& method, const Row& weights,
                 Verdicts& out);
void check_method(const Reader& reader, const Json& certificate, Verdicts& out);
void check_block(const Reader& reader, const Json& certificate, Verdicts& out);
void check_multistep(const Reader& reader, const Json& certificate, Verdicts& out);

}  // namespace daemark::certcheck
