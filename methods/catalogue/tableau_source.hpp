// Tableaus as other programs state them in their sources: read where they stand, not converted.
//
//   .def .c .h       SUNDIALS' arkode_butcher_*.def, PETSc's rk.c and arkimex.c, OpenModelica's
//                    gbode_tableau.c; of C++, .cpp .hpp .cc .cxx .hh: tudat, odeint
//   .jl              OrdinaryDiffEq and DiffEqDevTools, RungeKutta.jl, Theseus; numbers that its
//                    functions take from a file beside it, *tableaus.jl, are looked for there
//   .py              nodepy, diffrax, daceypy
//   .txt             s rows of A, each "a_1 ... a_s" or "c | a_1 ... a_s", then b, then b_hat if
//   any;
//                    exact expressions without blanks, # begins a comment
//
// Fractions stay fractions, decimals are those written; nothing is executed. The source's own
// order, embedded order and flags of stability become claims. Functions that set numbers, but none
// of a kind that is read, are listed with the reason.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "methods/catalogue/tableau_file.hpp"

namespace daemark {

struct SourceTableau {
  std::string name;  ///< as the source has it, with _im and _ex for the parts of an additive pair
  int line = 0;      ///< where it is complete
  Coefficients tableau;
  std::string unreadable;  ///< why the tableau is not known; empty: it is
};

/// `target`: FILE, or FILE:NAME for one tableau of it, by its name or id.
bool is_tableau_source(const std::string& target);

/// In the order of the file. Throws BadInput for a file that cannot be read, is larger than 16 MB,
/// or states no tableau of that name that can be told.
std::vector<SourceTableau> read_tableau_source(const std::string& target);

struct OutsideMethod {
  std::filesystem::path file;
  Coefficients method;
};
/// What can be told of a source, or the method of a JSON file (load_method_file). Throws BadInput.
std::vector<OutsideMethod> load_outside(const std::string& target);

}  // namespace daemark
