// msstc(n, rho): proofs in the field of N where its degree is at most 4 (n = 2, 3 and rho = 1), by
// the identities of family.hpp and certified enclosures of N otherwise.
#pragma once

#include "analysis/exact/numbers/ball.hpp"
#include "analysis/exact/proof/report_parts.hpp"

namespace daemark::exact {

/// `code`: the tableau that the program runs, compared with the derived one.
VerifyReport verify_msstc(int n, const rational& rho, const WideTableau& code,
                          const Claims& claims);

/// bathe(rho) is msstc(2, rho): the tableau in the report is compared with it, exactly.
void add_bathe_family(VerifyReport& report, const rational& rho);

/// N exactly where that is done, else empty.
Poly exact_spectral_factor(int n, const rational& rho);
/// Enclosures of N_0..N_n for every n.
BallVector enclosed_spectral_factor(int n, const rational& rho);

}  // namespace daemark::exact
