// What every kind of source ends in: lists of values as a tableau.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "methods/catalogue/source_values.hpp"
#include "methods/catalogue/tableau_source.hpp"

namespace daemark {

/// An id as tableau files have it, for a name of another program; none of `taken`, which it joins.
std::string id_of(std::string_view name, std::set<std::string>& taken);

/// Shu and Osher's form u_i = Σ_j alpha_ij u_j + h beta_ij f_j, i = 0..s, as A with b below it.
/// Throws Unreadable.
SourceValue butcher_form(const SourceValue& alpha, const SourceValue& beta);

/// b and c may be missing: the last row of A, the row sums. Throws Unreadable.
void fill(ExactTableau& tableau, SourceValue A, std::optional<SourceValue> b,
          std::optional<SourceValue> c, const std::optional<SourceValue>& b_hat);

/// What functions of Julia that return a struct of numbers have set by then, by their names; of two
/// of one name the last, which is that for any type of numbers.
using SourceStructs = std::map<std::string, NamedValues>;
void add_structs(std::string_view text, SourceStructs& structs);

/// The tableaus that the calls and blocks of a source state, in its order; in them `x.a21` after
/// `x = FUNCTION(...)` is what the function has set.
std::vector<SourceTableau> tableaus_in(std::string_view text, Dialect dialect,
                                       const SourceStructs& structs = {});

}  // namespace daemark
