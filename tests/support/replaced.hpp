// A text with a part of it replaced.
#pragma once

#include <gtest/gtest.h>

#include <string>

namespace daemark::test {

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const std::size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

}  // namespace daemark::test
