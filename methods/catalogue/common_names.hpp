// What other programs and books call methods of the catalogue, for "did you mean".
#pragma once

#include <string>
#include <vector>

namespace daemark {

struct CommonName {
  std::string name;                ///< in lower case, without '_' and '-'
  std::vector<std::string> calls;  ///< of the catalogue
};
const std::vector<CommonName>& common_names();

/// The calls that are known under a typed name, whatever its case and dashes; else empty.
std::vector<std::string> known_as(const std::string& typed);

}  // namespace daemark
