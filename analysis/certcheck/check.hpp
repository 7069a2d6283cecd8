// Independent check of a certificate of results/certificates: every field is derived anew by the
// checker's own means and compared; the coefficients are those of the id.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace daemark::certcheck {

/// The first statement that does not hold, its field in front; none when the certificate is
/// accepted. `tableau`: the content of the tableau file the id belongs to; null for ids of
/// families, whose coefficients the checker derives. Never throws: a malformed certificate is
/// refused.
std::optional<std::string> refusal_of(const nlohmann::json& certificate,
                                      const nlohmann::json& tableau = nullptr);

/// What "digest" must be: SHA-256 of the id and the coefficients.
std::string digest_of(const nlohmann::json& certificate);

}  // namespace daemark::certcheck
