#include "problems/files/file_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {

using nlohmann::json;

FileEntry::FileEntry(const json& object, std::string where, const FileNames& names,
                     const std::vector<std::string>& required,
                     const std::vector<std::string>& optional)
    : object_(object), where_(std::move(where)), names_(names) {
  require_keys(object, where_, required, optional);
}

void FileEntry::refuse(const std::string& place, const std::string& what) const {
  throw BadInput(fmt::format("{}: {}: {}", where_, place, what));
}

std::string FileEntry::text(const char* key) const {
  std::string value = get_string(object_, key, where_);
  if (std::any_of(value.begin(), value.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse(key, "one line without control characters is accepted");
  return value;
}

std::string FileEntry::word(const char* key, const std::vector<std::string>& accepted) const {
  if (!has(key)) return accepted.front();
  const std::string value = text(key);
  if (std::find(accepted.begin(), accepted.end(), value) == accepted.end())
    refuse(key, fmt::format("{}{}; accepted: {}", in_quotes(value), did_you_mean(value, accepted),
                            fmt::join(accepted, ", ")));
  return value;
}

long FileEntry::integer(const char* key, long lo, long hi) const {
  return get_int(object_, key, where_, lo, hi);
}

std::string FileEntry::formula_text(const json& value, const std::string& place) const {
  if (value.is_number_integer()) return value.dump();
  if (value.is_string()) return value.get<std::string>();
  refuse(place, value.is_number_float()
                    ? "a JSON number with a point has been rounded already; write it in quotes"
                    : "an integer or a formula in quotes is accepted");
}

wide FileEntry::number_from(const json& value, const std::string& place) const {
  return formula(value, place, {names_.numbers, {}, names_.used.get()}).constant();
}

wide FileEntry::number(const char* key) const { return number_from(object_.at(key), key); }
wide FileEntry::number(const char* key, const wide& fallback) const {
  return has(key) ? number(key) : fallback;
}

std::vector<wide> FileEntry::list(const json& values, const std::string& place,
                                  std::size_t count) const {
  if (!values.is_array() || values.size() != count)
    refuse(place, fmt::format("a list of {} numbers is accepted", count));
  std::vector<wide> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(number_from(values[i], fmt::format("{}[{}]", place, i + 1)));
  return numbers;
}
std::vector<wide> FileEntry::numbers(const char* key, std::size_t count) const {
  return list(object_.at(key), key, count);
}
std::size_t FileEntry::length(const char* key) const {
  return get_array(object_, key, where_).size();
}
FileEntry FileEntry::part(const char* key, const std::vector<std::string>& required,
                          const std::vector<std::string>& optional) const {
  return {object_.at(key), where_ + ": " + key, names_, required, optional};
}
std::vector<wide> FileEntry::numbers_of(const char* key, std::size_t lists, std::size_t which,
                                        std::size_t count) const {
  const json& all = object_.at(key);
  if (!all.is_array() || all.size() != lists)
    refuse(key, fmt::format("{} lists of {} numbers are accepted", lists, count));
  return list(all[which], fmt::format("{}[{}]", key, which + 1), count);
}

int FileEntry::body_named(const json& name, const std::string& place) const {
  if (!name.is_string()) refuse(place, "the name of a body in quotes is accepted");
  const auto known = names_.bodies.find(name.get<std::string>());
  if (known != names_.bodies.end()) return known->second;
  std::vector<std::string> names;
  for (const auto& [body, number] : names_.bodies) names.push_back(body);
  const std::string typed = name.get<std::string>();
  refuse(place, fmt::format("there is no body {}{}; accepted: {}", in_quotes(typed),
                            did_you_mean(typed, names), fmt::join(names, ", ")));
}
int FileEntry::body(const char* key) const { return body_named(object_.at(key), key); }
std::array<int, 2> FileEntry::bodies() const {
  const json& both = object_.at("bodies");
  if (!both.is_array() || both.size() != 2) refuse("bodies", "a list of two names is accepted");
  return {body_named(both[0], "bodies[1]"), body_named(both[1], "bodies[2]")};
}

FileFormula FileEntry::formula(const char* key, const FileFormula::Scope& scope) const {
  return formula(object_.at(key), key, scope);
}
FileFormula FileEntry::formula(const json& value, const std::string& place,
                               const FileFormula::Scope& scope) const {
  return FileFormula::parse(formula_text(value, place), where_ + ": " + place, scope);
}

MotionLaw FileEntry::law(const char* key) const {
  const FileFormula f = formula(key, {names_.numbers, {{"t", 0}}, names_.used.get()});
  return [f](const Var& t) { return f.value<Var>([&](int) { return t; }); };
}

void check_name(const std::string& name, const std::string& where, const FileNames& names) {
  constexpr std::size_t longest = 64;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto word = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > longest || !letter(name[0]) ||
      !std::all_of(name.begin(), name.end(), word))
    throw BadInput(
        fmt::format("{}: name {} is not accepted; a letter, then letters, digits and _, "
                    "at most {}",
                    where, in_quotes(name), longest));
  if (name == "pi" || name == "t" || names.numbers.contains(name) || names.bodies.contains(name))
    throw BadInput(fmt::format("{}: name {} is taken", where, in_quotes(name)));
}

}  // namespace daemark
