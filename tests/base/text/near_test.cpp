#include "base/text/near.hpp"

#include <gtest/gtest.h>

namespace daemark {
namespace {

TEST(Near, CountsInsertedLostReplacedAndSwappedLetters) {
  EXPECT_EQ(edit_distance("gauss", "gauss"), 0);
  EXPECT_EQ(edit_distance("guass", "gauss"), 1);
  EXPECT_EQ(edit_distance("gaus", "gauss"), 1);
  EXPECT_EQ(edit_distance("gausss", "gauss"), 1);
  EXPECT_EQ(edit_distance("", "abc"), 3);
  EXPECT_EQ(edit_distance("kitten", "sitting"), 3);
}

TEST(Near, NamesTheNearestOrNone) {
  const std::vector<std::string> known = {"converge", "compare", "run", "report"};
  EXPECT_EQ(did_you_mean("convrge", known), " (did you mean 'converge'?)");
  EXPECT_EQ(did_you_mean("COMPARE", known), " (did you mean 'compare'?)");
  EXPECT_EQ(did_you_mean("conv", known), " (did you mean 'converge'?)");
  EXPECT_EQ(did_you_mean("rn", known), " (did you mean 'run'?)");
  EXPECT_EQ(did_you_mean("banana", known), "");
  EXPECT_EQ(did_you_mean("", known), "");
  EXPECT_EQ(did_you_mean(std::string(100000, 'x'), known), "");
}

}  // namespace
}  // namespace daemark
