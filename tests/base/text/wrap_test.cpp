#include "base/text/wrap.hpp"

#include <gtest/gtest.h>

namespace daemark {
namespace {

TEST(Wrap, BreaksAtBlanksAndNeverInsideAWord) {
  EXPECT_EQ(wrapped("one two three", 7), "one two\nthree");
  EXPECT_EQ(wrapped("incomprehensible it is", 6, 1), " incomprehensible\n it is");
  EXPECT_EQ(wrapped("λλ λλ", 5), "λλ λλ") << "characters, not bytes";
  EXPECT_EQ(wrapped_lines("", 5), std::vector<std::string>{""});
}

}  // namespace
}  // namespace daemark
