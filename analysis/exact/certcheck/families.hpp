// Families with statements for all rho, and their members without a tableau of exact numbers.
#pragma once

#include "analysis/exact/certcheck/reader.hpp"

namespace daemark::certcheck {

/// N_k of the numerator of (1 - gamma z)^n e^z.
Number high_order_numerator(int n, int k, const Number& gamma);

/// The statement itself and that the certificate's method belongs to the family.
void check_family(const Reader& reader, const Json& certificate, Verdicts& out);

/// kind "spectral_factor": N in a box of intervals.
void check_spectral_enclosure(const Json& certificate, Verdicts& out);
/// kind "free_nodes": gamma exact, nodes in boxes.
void check_free_nodes(const Reader& reader, const Json& certificate, Verdicts& out);

}  // namespace daemark::certcheck
