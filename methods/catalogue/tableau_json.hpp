// A method file that is read already, or part of another file.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "methods/catalogue/tableau_file.hpp"

namespace daemark {

/// As load_method_file, `where` in place of the file's name.
MethodFile read_method(const nlohmann::json& content, const std::string& where);

}  // namespace daemark
