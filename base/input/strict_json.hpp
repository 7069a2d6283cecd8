// Strict reading of JSON: refuses what nlohmann-json silently accepts or changes (duplicate keys,
// NUL bytes as end of text, integers that lose digits).
#pragma once

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/numbers/expression.hpp"

namespace daemark {

/// Throws BadInput, naming the file and the line: unreadable, a directory, over 16 MB, not UTF-8,
/// not JSON, duplicate keys, NaN or numbers out of range, nesting deeper than 64, trailing text.
nlohmann::json parse_json_file(const std::string& path);

/// The same for a text; `where` takes the place of the file name.
nlohmann::json parse_json_text(std::string_view text, std::string_view where);

/// Throws BadInput unless `object` is an object with every required key and no key beyond both
/// lists. `where` names it in messages: "gauss_2.json, source".
void require_keys(const nlohmann::json& object, std::string_view where,
                  const std::vector<std::string>& required,
                  const std::vector<std::string>& optional = {});

/// Member `key` of `object`, of the wanted type; BadInput names the place, the key, what stands
/// there and what is accepted.
const nlohmann::json& get_object(const nlohmann::json& object, const std::string& key,
                                 std::string_view where);
const nlohmann::json& get_array(const nlohmann::json& object, const std::string& key,
                                std::string_view where);
std::string get_string(const nlohmann::json& object, const std::string& key,
                       std::string_view where);
bool get_bool(const nlohmann::json& object, const std::string& key, std::string_view where);
/// An integer in [lo, hi]; 3.0 is none.
long get_int(const nlohmann::json& object, const std::string& key, std::string_view where,
             long lo = std::numeric_limits<long>::min(),
             long hi = std::numeric_limits<long>::max());
/// A JSON number of at least `least`.
double get_number(const nlohmann::json& object, const std::string& key, std::string_view where,
                  double least = std::numeric_limits<double>::lowest());
/// An object of strings.
std::map<std::string, std::string> get_texts(const nlohmann::json& object, const std::string& key,
                                             std::string_view where);
std::vector<std::string> get_strings(const nlohmann::json& object, const std::string& key,
                                     std::string_view where);

/// An exact number: a string holding an expression, or a JSON integer. JSON numbers with a point
/// have been rounded already and are refused.
Expression to_expression(const nlohmann::json& value, std::string_view where,
                         const std::vector<std::string>& variables = {});
Expression get_expression(const nlohmann::json& object, const std::string& key,
                          std::string_view where, const std::vector<std::string>& variables = {});

}  // namespace daemark
