// Prints that tell one model from another.
#include <gtest/gtest.h>

#include "experiments/cells/support/reference_curve.hpp"

namespace daemark {
namespace {

TEST(ModelPrint, TellsModelsApart) {
  const auto print = [](const char* problem) { return model_print(problem, -20); };
  const std::vector<double> bar = print("beam_four_bar(elements=1)");
  EXPECT_TRUE(same_model(bar, print("beam_four_bar(elements=1)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=1,mass=shipped)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=1,element=two_node)")));
  EXPECT_FALSE(same_model(bar, print("beam_four_bar(elements=2)")));
}

TEST(ModelPrint, SeesWhatDependsOnTime) {
  EXPECT_FALSE(same_model(model_print("beam_shaft(elements=2)", 2.5),
                          model_print("beam_shaft(elements=2,ramps=smooth)", 2.5)));
}

TEST(ModelPrint, OverlooksRounding) {
  const std::vector<double> print = model_print("beam_buckling(elements=1)", 1);
  std::vector<double> other = print;
  for (std::size_t i = 0; i < other.size(); ++i) other[i] *= 1 + (i % 2 == 0 ? 1e-12 : -1e-12);
  EXPECT_TRUE(same_model(print, other));
  other[2] += 1e-6 * print[3];
  EXPECT_FALSE(same_model(print, other));
}

}  // namespace
}  // namespace daemark
