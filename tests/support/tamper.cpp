#include "tests/support/tamper.hpp"

namespace daemark {

namespace {

using nlohmann::json;
using Pointer = json::json_pointer;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

std::vector<std::pair<std::string, std::string>> changed_texts(const std::string& text) {
  std::vector<std::pair<std::string, std::string>> out;
  const auto with = [&](const char* change, std::size_t at, char c) {
    std::string copy = text;
    copy[at] = c;
    out.emplace_back(change, copy);
  };
  const std::size_t first = text.find_first_of("0123456789");
  const std::size_t last = text.find_last_of("0123456789");
  const auto next = [](char c) { return c == '9' ? '1' : static_cast<char>(c + 1); };
  if (first != std::string::npos) with("first digit", first, next(text[first]));
  if (last != first) with("last digit", last, next(text[last]));
  if (!text.empty() && !is_digit(text.back())) with("last character", text.size() - 1, '#');
  if (first != std::string::npos && text != "0") {
    out.emplace_back("sign", text[0] == '-' ? text.substr(1) : "-" + text);
  }
  out.emplace_back("character more", text + "0");
  return out;
}

void collect(const json& root, const Pointer& at, std::vector<Tampered>& out) {
  const json& here = root.at(at);
  const auto put = [&](const std::string& change, const json& value) {
    json copy = root;
    copy[at] = value;
    out.push_back({at.to_string(), change, std::move(copy)});
  };
  if (here.is_boolean()) put("flipped", !here.get<bool>());
  if (here.is_null()) put("null to 0", 0);
  if (here.is_number_integer()) {
    put("+1", here.get<long>() + 1);
    put("-1", here.get<long>() - 1);
  }
  if (here.is_string()) {
    for (const auto& [change, text] : changed_texts(here.get<std::string>())) put(change, text);
  }
  if (here.is_object()) {
    for (const auto& [key, value] : here.items()) {
      json without = here;
      without.erase(key);
      put("removed " + key, without);
      collect(root, at / key, out);
    }
    json more = here;
    more["unheard_of"] = true;
    put("unknown key", more);
  }
  if (here.is_array()) {
    for (std::size_t i = 0; i < here.size(); ++i) collect(root, at / i, out);
    json more = here;
    more.push_back("0");
    put("padded", more);
    if (here.empty()) return;
    json twice = here, less = here;
    twice.insert(twice.begin(), here.front());
    put("first doubled", twice);
    less.erase(less.size() - 1);
    put("last dropped", less);
  }
}

}  // namespace

std::vector<Tampered> tampered(const json& value) {
  std::vector<Tampered> out;
  collect(value, Pointer(), out);
  return out;
}

}  // namespace daemark
