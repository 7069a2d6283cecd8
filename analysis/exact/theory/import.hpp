// Expressions into exact numbers: one field Q(theta) for all that is imported together.
#pragma once

#include <initializer_list>
#include <map>
#include <string>
#include <vector>

#include "analysis/exact/numbers/number.hpp"
#include "base/numbers/expression.hpp"
#include "methods/core/tableau.hpp"

namespace daemark::exact {

/// Evaluates the expressions exactly, all in one field. `variables` gives named rationals.
/// Throws BadInput naming `where` for what is no real algebraic number, a reducible polynomial in
/// root(...), division by an exact zero, sqrt of an exact negative, or a field of degree above
/// max_field_degree: a clear limit, never a hang. `radicals`, if given, receives the distinct
/// values of sqrt(...), cos(...), sin(...) and root(...) that are not 0.
std::vector<Number> import_numbers(const std::vector<const Expression*>& expressions,
                                   const std::string& where,
                                   const std::map<std::string, rational>& variables = {},
                                   std::vector<Number>* radicals = nullptr);

std::vector<const Expression*> pointers_to(const std::vector<std::vector<Expression>>& rows);
std::vector<const Expression*> pointers_to(
    std::initializer_list<const std::vector<Expression>*> lists);

/// A by rows, b, c, the embedded weights.
std::vector<const Expression*> entries_of(const Tableau<Expression>& tableau);
/// A by rows, c, the weights by stages.
std::vector<const Expression*> entries_of(const Dense<Expression>& dense);

struct TableauNumbers {
  std::vector<std::vector<Number>> a;
  std::vector<Number> b, c, embedded;  ///< embedded: empty if none
  std::vector<Number> radicals;        ///< values of those in the expressions
  Dense<Number> dense = {};            ///< empty where some entry of it is a decimal
};
/// Everything of a tableau, in one field. Sizes must fit.
TableauNumbers import_tableau(const Coefficients& method);
/// The same from the numbers of entries_of(tableau), which may have no A.
TableauNumbers as_tableau(const std::vector<Number>& flat, const Tableau<Expression>& tableau);

}  // namespace daemark::exact
