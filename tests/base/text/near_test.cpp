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

TEST(Near, AcceptedAreFewNamesOrWhereTheyStand) {
  EXPECT_EQ(accepted_names("abb", {"ab", "cd"}, "daemark list x"),
            " (did you mean 'ab'?); accepted: ab, cd");
  std::vector<std::string> many;
  for (int i = 10; i < 90; ++i) many.push_back("name_" + std::to_string(i));
  EXPECT_EQ(accepted_names("nome_41", many, "daemark list x"),
            " (did you mean 'name_41'?); accepted: one of 80, daemark list x names them");
  EXPECT_EQ(did_you_mean("name_1", {"name_10", "name_12", "name_2", "other"}),
            " (did you mean 'name_10' or 'name_12' or 'name_2'?)");
}

}  // namespace
}  // namespace daemark
