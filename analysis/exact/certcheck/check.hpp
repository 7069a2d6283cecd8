// Independent check of a certificate of results/certificates: every stored proof is re-verified.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark::certcheck {

/// Every statement that does not hold, one line each; empty when the certificate is accepted.
/// A malformed certificate is one refusal, never an exception.
std::vector<std::string> check_certificate(const nlohmann::json& certificate);

}  // namespace daemark::certcheck
