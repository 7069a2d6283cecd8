// What daemark_checker, a program of its own, says of a certificate.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace daemark {

/// Why it refuses the certificate; none where it accepts. `tableau`: the content of the tableau
/// file of the id; null for ids of families, or where the catalogue has the file.
std::optional<std::string> refusal_of(const nlohmann::json& certificate,
                                      const nlohmann::json& tableau = nullptr);

/// Of certificates of families and of the catalogue, in one process: the first that is refused.
std::optional<std::string> first_refusal(const std::vector<nlohmann::json>& certificates);

}  // namespace daemark
