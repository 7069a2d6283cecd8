// A method as operators on stage functions, and what the checker derives of it by its own means.
#pragma once

#include <functional>
#include <unordered_map>

#include "analysis/certcheck/reader.hpp"

namespace daemark::certcheck {

/// Stage functions with A, b, the function 1, multiplication, and the abscissae as a function.
struct Method {
  Table a;
  Row b, one, c;
  Row nodes;  ///< empty: values at the stages; else polynomials modulo this monic one
  Row multiply(const Row& f, const Row& g) const;
};
Method read_method(const Reader& reader, const Json& certificate);

/// Level sequence of a tree: depth of each vertex in depth-first order, root 0.
using Levels = std::vector<int>;
/// Next canonical level sequence, or false after the last one.
bool advance(Levels& levels);
/// t, [t,t], [t,t,[t]], ... as levels; refuses another spelling and more than 200 vertices.
Levels levels_of(const std::string& text);
/// Refuses a failing tree that is not the one that FORMAT.md names among those of its order.
void require_named(const Levels& stated, const std::function<bool(const Levels&)>& fails);

/// Stage functions of trees on one method; those of subtrees are kept.
class Weights {
 public:
  explicit Weights(const Method& method) : method_(method) {}
  /// Every tree up to the order has weight 1/density.
  bool all_hold(const Row& b, int order);
  Number weight(const Row& b, const Levels& levels, rational& target);

 private:
  const Row& image_of(const Levels& levels, std::size_t from, std::size_t end);
  Row function_of(const Levels& levels, std::size_t from, std::size_t end);
  const Method& method_;
  std::unordered_map<std::string, Row> images_;
};

/// Largest k <= limit with B(k), C(k), D(k).
int quadrature_order(const Method& method, const Row& weights, int limit);
int stage_order_of(const Method& method, int limit);
int adjoint_order_of(const Method& method, const Row& weights, int limit);

/// Trees are tried to 10, and as far beyond as (trees) · (stages · degree)² stays below 3e7.
int tree_limit(const Method& method);

/// "order" with a failing tree of the next order, or "at_least" with one of a later order.
void check_order(const Reader& reader, const Json& order, const Method& method, const Row& weights);

/// num/den is the stability function of the method, of degrees up to the stages.
bool equals_stability_function(const Row& num, const Row& den, const Method& method,
                               const Row& weights);
/// Everything of a stability function but that it is the method's.
void check_stability(const Reader& reader, const Json& stability);
void check_stability(const Reader& reader, const Json& stability, const Method& method,
                     const Row& weights);

/// "dense" of kind runge_kutta.
void check_interpolant(const Reader& reader, const Json& dense, const Method& method);
/// kinds runge_kutta, collocation and pade_block without what binds them to an id.
void check_method(const Reader& reader, const Json& certificate, const Method& method);
void check_block(const Reader& reader, const Json& certificate, const Method& method);
void check_multistep(const Reader& reader, const Json& certificate);
void check_rosenbrock(const Reader& reader, const Json& certificate);

}  // namespace daemark::certcheck
