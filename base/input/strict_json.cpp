#include "base/input/strict_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include "base/input/fields.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using nlohmann::json;

constexpr std::size_t kMaxBytes = 16U << 20;
constexpr std::size_t kMaxDepth = 64;

/// Characters of a text that remember how far anyone has read, which dates the parser's events.
class TrackedIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = const char&;

  TrackedIterator(const char* at, const char** furthest) : at_(at), furthest_(furthest) {}
  reference operator*() const { return *at_; }
  TrackedIterator& operator++() {
    ++at_;
    *furthest_ = std::max(*furthest_, at_);
    return *this;
  }
  TrackedIterator operator++(int) {
    TrackedIterator before = *this;
    ++*this;
    return before;
  }
  bool operator==(const TrackedIterator& other) const { return at_ == other.at_; }
  bool operator!=(const TrackedIterator& other) const { return at_ != other.at_; }

 private:
  const char* at_;
  const char** furthest_;
};

class Reader {
 public:
  Reader(std::string_view text, std::string_view where)
      : text_(text), where_(where), furthest_(text.data()) {}

  json read() {
    if (text_.size() > kMaxBytes) fail("more than 16 MB", 0);
    if (const std::size_t nul = text_.find('\0'); nul != std::string_view::npos)
      fail("a zero byte", nul);
    const char* const begin = text_.data();
    const char* const end = begin + text_.size();
    try {
      return json::parse(
          TrackedIterator(begin, &furthest_), TrackedIterator(end, &furthest_),
          [this](int, json::parse_event_t event, json& parsed) { return on_event(event, parsed); });
    } catch (const json::exception& error) {
      fail(reason(error.what()), offset());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& what, std::size_t at) const {
    const auto line = 1 + std::count(text_.begin(), text_.begin() + static_cast<long>(at), '\n');
    throw BadInput(printable(where_, 200) + ", line " + std::to_string(line) + ": " + what +
                   "; accepted: one JSON value (UTF-8, distinct keys, finite numbers, nesting to " +
                   std::to_string(kMaxDepth) + ", 16 MB)");
  }

  std::size_t offset() const {
    const auto read = static_cast<std::size_t>(furthest_ - text_.data());
    return read == 0 ? 0 : read - 1;  // the last character read, not the one after it
  }

  /// The library's message without its prefixes "[json...] parse error at line 1, column 2: ".
  static std::string reason(const std::string& message) {
    const std::size_t at = message.find(": ");
    const std::size_t bracket = message.find("] ");
    std::size_t start = bracket == std::string::npos ? 0 : bracket + 2;
    if (message.compare(start, 11, "parse error") == 0 && at != std::string::npos) start = at + 2;
    return printable(std::string_view(message).substr(start), 200);
  }

  bool on_event(json::parse_event_t event, const json& parsed) {
    using Event = json::parse_event_t;
    if (event == Event::object_start || event == Event::array_start) {
      if (keys_.size() >= kMaxDepth) fail("nesting deeper than 64", offset());
      keys_.emplace_back();
    } else if (event == Event::object_end || event == Event::array_end) {
      keys_.pop_back();
    } else if (event == Event::key) {
      const auto& key = parsed.get_ref<const std::string&>();
      if (!keys_.back().insert(key).second) fail("duplicate key " + in_quotes(key), offset());
    } else if (parsed.is_number_float()) {
      refuse_lost_digits();
    }
    return true;
  }

  /// An integer beyond 64 bits has silently become a double.
  void refuse_lost_digits() const {
    const std::string_view number_char = "+-.eE0123456789";
    std::size_t end = offset() + 1;
    while (end > 0 && number_char.find(text_[end - 1]) == std::string_view::npos) --end;
    std::size_t start = end;
    while (start > 0 && number_char.find(text_[start - 1]) != std::string_view::npos) --start;
    const std::string_view number = text_.substr(start, end - start);
    if (number.find_first_of(".eE") == std::string_view::npos) {
      fail("the integer " + printable(number) + " does not fit 64 bits, write it as a string",
           start);
    }
  }

  std::string_view text_;
  std::string_view where_;
  const char* furthest_;
  std::vector<std::set<std::string>> keys_;  ///< of every open object (arrays: unused)
};

std::string kind_of(const json& value) {
  if (value.is_number_integer()) return "the integer " + printable(value.dump());
  if (value.is_number()) return "the number " + printable(value.dump());
  if (value.is_string()) return "the string " + in_quotes(value.get_ref<const std::string&>());
  if (value.is_boolean()) return value.dump();
  if (value.is_null()) return "null";
  return value.is_array() ? "an array" : "an object";
}

[[noreturn]] void refuse(std::string_view where, const std::string& what,
                         const std::string& accepted) {
  throw BadInput(printable(where, 200) + ": " + what + "; accepted: " + accepted);
}

[[noreturn]] void refuse_member(std::string_view where, const std::string& key, const json& value,
                                const std::string& accepted) {
  refuse(where, in_quotes(key) + " is " + kind_of(value), accepted);
}

std::string listed(const std::vector<std::string>& first, const std::vector<std::string>& second) {
  std::string out;
  for (const auto* names : {&first, &second})
    for (const std::string& name : *names) out += (out.empty() ? "" : ", ") + name;
  return out.empty() ? "no keys" : out;
}

}  // namespace

json parse_json_text(std::string_view text, std::string_view where) {
  return Reader(text, where).read();
}

json parse_json_file(const std::string& path) {
  const std::string accepted = "a readable JSON file";
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) refuse(path, "no such file", accepted);
  if (std::filesystem::is_directory(status)) refuse(path, "is a directory", accepted);
  std::ifstream file(path, std::ios::binary);
  if (!file) refuse(path, "cannot be read", accepted);
  std::string text;
  std::string chunk(1U << 16, '\0');
  do {
    file.read(chunk.data(), static_cast<std::streamsize>(chunk.size()));
    text.append(chunk, 0, static_cast<std::size_t>(file.gcount()));
  } while (file && text.size() <= kMaxBytes);
  if (file.bad()) refuse(path, "cannot be read", accepted);
  return parse_json_text(text, path);
}

void require_keys(const json& object, std::string_view where,
                  const std::vector<std::string>& required,
                  const std::vector<std::string>& optional) {
  const std::string accepted = listed(required, optional);
  if (!object.is_object()) refuse(where, "is " + kind_of(object), "an object with " + accepted);
  for (const auto& item : object.items()) {
    const auto has = [&](const std::vector<std::string>& names) {
      return std::find(names.begin(), names.end(), item.key()) != names.end();
    };
    if (!has(required) && !has(optional))
      refuse(where, "unknown key " + in_quotes(item.key()), accepted);
  }
  for (const std::string& key : required)
    if (!object.contains(key)) refuse(where, in_quotes(key) + " is missing", accepted);
}

namespace {

const json& get_member(const json& object, const std::string& key, std::string_view where) {
  if (!object.is_object())
    refuse(where, "is " + kind_of(object), "an object with " + in_quotes(key));
  const auto found = object.find(key);
  if (found == object.end()) refuse(where, in_quotes(key) + " is missing", "an object with it");
  return *found;
}

const json& typed_member(const json& object, const std::string& key, std::string_view where,
                         json::value_t type, const char* accepted) {
  const json& value = get_member(object, key, where);
  if (value.type() != type) refuse_member(where, key, value, accepted);
  return value;
}

}  // namespace

const json& get_object(const json& object, const std::string& key, std::string_view where) {
  return typed_member(object, key, where, json::value_t::object, "an object");
}

const json& get_array(const json& object, const std::string& key, std::string_view where) {
  return typed_member(object, key, where, json::value_t::array, "an array");
}

std::string get_string(const json& object, const std::string& key, std::string_view where) {
  return typed_member(object, key, where, json::value_t::string, "a string");
}

bool get_bool(const json& object, const std::string& key, std::string_view where) {
  return typed_member(object, key, where, json::value_t::boolean, "true or false");
}

long get_int(const json& object, const std::string& key, std::string_view where, long lo, long hi) {
  const json& value = get_member(object, key, where);
  const bool above_long =
      value.is_number_unsigned() && value.get<unsigned long>() > std::numeric_limits<long>::max();
  if (!value.is_number_integer() || above_long || value.get<long>() < lo ||
      value.get<long>() > hi) {
    refuse_member(where, key, value,
                  "an integer from " + std::to_string(lo) + " to " + std::to_string(hi));
  }
  return value.get<long>();
}

double get_number(const json& object, const std::string& key, std::string_view where,
                  double least) {
  const json& value = get_member(object, key, where);
  const double lowest = std::numeric_limits<double>::lowest();
  if (!value.is_number() || value.get<double>() < least)
    refuse_member(where, key, value,
                  least == lowest ? "a number" : fmt::format("a number >= {:g}", least));
  return value.get<double>();
}

std::map<std::string, std::string> get_texts(const json& object, const std::string& key,
                                             std::string_view where) {
  std::map<std::string, std::string> out;
  const json& entries = get_object(object, key, where);
  for (const auto& [name, value] : entries.items()) out[name] = get_string(entries, name, where);
  return out;
}

std::vector<std::string> get_strings(const json& object, const std::string& key,
                                     std::string_view where) {
  std::vector<std::string> out;
  for (const json& entry : get_array(object, key, where)) {
    if (!entry.is_string())
      refuse(where, in_quotes(key) + " holds " + kind_of(entry), "an array of strings");
    out.push_back(entry.get<std::string>());
  }
  return out;
}

Expression to_expression(const json& value, std::string_view where,
                         const std::vector<std::string>& variables) {
  if (value.is_number_integer()) return Expression::parse(value.dump(), where, variables);
  if (!value.is_string())
    refuse(where, "is " + kind_of(value), "an integer or an expression as a string, \"1/3\"");
  return Expression::parse(value.get_ref<const std::string&>(), where, variables);
}

Expression get_expression(const json& object, const std::string& key, std::string_view where,
                          const std::vector<std::string>& variables) {
  return to_expression(get_member(object, key, where), std::string(where) + ", " + key, variables);
}

void read_member(const json& in, const std::string& key, std::string_view where, std::string& out) {
  out = get_string(in, key, where);
}
void read_member(const json& in, const std::string& key, std::string_view where, bool& out) {
  out = get_bool(in, key, where);
}
void read_member(const json& in, const std::string& key, std::string_view where, double& out) {
  out = get_number(in, key, where);
}
void read_member(const json& in, const std::string& key, std::string_view where,
                 std::vector<std::string>& out) {
  out = get_strings(in, key, where);
}
void read_member(const json& in, const std::string& key, std::string_view where,
                 std::map<std::string, std::string>& out) {
  out = get_texts(in, key, where);
}
void read_member(const json& in, const std::string& key, std::string_view where, json& out) {
  out = get_object(in, key, where);
}

}  // namespace daemark
