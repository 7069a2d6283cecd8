// What daemark_checker, a program of its own, says of a certificate.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace daemark {

/// Why it refuses the certificate; none where it accepts. `tableau`: the content of the tableau
/// file of the id; null for ids of families, or where the catalogue has the file.
std::optional<std::string> refusal_of(const nlohmann::json& certificate,
                                      const nlohmann::json& tableau = nullptr);

}  // namespace daemark
