// mssth(n, rho) and mssth_min(n, rho): gamma and R exactly in Q(gamma), the order conditions for
// every value of the free nodes, the free nodes themselves in certified boxes.
#pragma once

#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/substeps.hpp"

namespace daemark::exact {

/// n = 3, 4, 5. n = 3: a tableau in Q(gamma). `code`: the tableau that the program runs.
VerifyReport verify_mssth(const std::string& id, int n, const rational& rho, bool published,
                          const WideTableau& code, Claims claims);

/// The root gamma of N_n = kappa rho gamma^n on the branch of family.hpp.
Number branch_gamma(int n, const rational& rho);
/// Nodes that are fixed: c_3 for n = 3 (from bc³ = 1/4), c_3 = 1/10 and c_5 (from bAAc² = 1/60) for
/// n = 5.
Number third_node(const Number& gamma);
Number fifth_node(const Number& gamma);

/// The trees to order n that Ac = c²/2 does not reduce to others; texts, sorted by order.
std::vector<std::string> irreducible_trees(int n);

/// A box around `near` with exactly one stationary point of the error, a minimum, by Krawczyk's
/// operator. Throws std::domain_error where none can be shown.
BallVector minimising_nodes(int n, const Ball& gamma, bool published, const BallVector& fixed,
                            const BallVector& near);

}  // namespace daemark::exact
