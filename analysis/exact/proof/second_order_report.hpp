// What `verify` says of a structural method, and its certificate.
#pragma once

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/verify.hpp"
#include "analysis/exact/theory/second_order.hpp"

namespace daemark::exact {

/// The report of `verify`; the program's own step in rational numbers is compared with N x₊ = P x.
VerifyReport verify_second_order(const std::string& call, const ExactSecondOrder& step);

Json second_order_certificate(const ExactSecondOrder& step, const SecondOrderProof& proof);

}  // namespace daemark::exact
