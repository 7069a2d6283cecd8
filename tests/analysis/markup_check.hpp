// A small check that a text is well-formed XML as far as tags, attributes and entities go.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <regex>
#include <set>
#include <string>
#include <vector>

namespace daemark {

/// "" when tags nest, attributes are quoted and unique, and & and < appear only as markup; else
/// what is wrong. With `html`, void elements need no end and style and script hold raw text.
inline std::string markup_error(const std::string& text, bool html = false) {
  static const std::set<std::string> kVoid{"meta", "input", "img", "br", "link"};
  static const std::regex entity(R"(&(amp|lt|gt|quot|#\d+);)");
  static const std::regex attribute(R"re(^\s+([\w:-]+)(\s*=\s*("[^"<]*"|'[^'<]*'))?)re");
  std::vector<std::string> open;
  std::size_t i = 0;
  while (i < text.size()) {
    if (text[i] == '&') {
      if (!std::regex_search(text.substr(i, 10), entity, std::regex_constants::match_continuous)) {
        return "bare & at ..." + text.substr(i, 30);
      }
      ++i;
      continue;
    }
    if (text[i] != '<') {
      ++i;
      continue;
    }
    const std::size_t close = text.find('>', i);
    if (close == std::string::npos) return "open tag at the end";
    std::string tag = text.substr(i + 1, close - i - 1);
    i = close + 1;
    if (tag[0] == '?' || tag[0] == '!') continue;
    if (tag[0] == '/') {
      if (open.empty() || open.back() != tag.substr(1)) return "unexpected <" + tag + ">";
      open.pop_back();
      continue;
    }
    const bool closed = tag.back() == '/';
    if (closed) tag.pop_back();
    const std::size_t end = tag.find_first_of(" \n\t");
    const std::string name = tag.substr(0, end);
    if (!std::regex_match(name, std::regex(R"([A-Za-z][\w:-]*)"))) return "bad tag <" + tag + ">";
    std::string rest = end == std::string::npos ? "" : tag.substr(end);
    std::set<std::string> names;
    for (std::smatch found; std::regex_search(rest, found, attribute);) {
      if (!names.insert(found[1]).second) return "attribute twice in <" + tag + ">";
      if (!html && !found[2].matched) return "attribute without value in <" + tag + ">";
      rest = found.suffix();
    }
    if (rest.find_first_not_of(" \n\t") != std::string::npos) return "bad attributes <" + tag + ">";
    if (closed || (html && kVoid.count(name))) continue;
    if (html && (name == "style" || name == "script")) {
      i = text.find("</" + name + ">", i);
      if (i == std::string::npos) return "endless " + name;
    }
    open.push_back(name);
  }
  return open.empty() ? "" : "<" + open.back() + "> is never closed";
}

/// `text` holds all of `parts`.
inline void expect_shown(const std::string& text, const std::vector<std::string>& parts) {
  for (const std::string& part : parts) EXPECT_THAT(text, testing::HasSubstr(part));
}

}  // namespace daemark
