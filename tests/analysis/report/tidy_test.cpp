// gnuplot's SVG made small: what is drawn stays where it was.
#include <gtest/gtest.h>

#include "analysis/report/figure_svg.hpp"

namespace daemark {
namespace {

std::string tidied(const std::string& path) {
  const std::string svg = tidy_svg(
      "<svg width=\"10\" height=\"10\" viewBox=\"0 0 10 10\"><g id=\"gnuplot_canvas\"><defs></defs>"
      "<path stroke='#000'  d='" +
          path + "'/></g></svg>",
      "t", "d");
  const std::size_t from = svg.find(" d='") + 4;
  return svg.substr(from, svg.find('\'', from) - from);
}

TEST(TidySvg, PathsAreStepsThatAddUpToTheRoundedPlaces) {
  EXPECT_EQ(tidied("M66.80,209.10 L66.30,209.15 L100.00,209.15 M1.04,2.06 L-3.00,2.06  "),
            "M66.8 209.1l-.5 .1 33.7 0M1 2.1l-4 0");
  std::string long_path = "M0.00,0.00";
  for (int i = 1; i <= 100; ++i) long_path += " L" + std::to_string(0.04 * i) + ",0.00";
  // 0.04 a step is below what is written, the sum is not.
  const std::string d = tidied(long_path);
  double x = 0;
  std::size_t at = d.find('l') + 1;
  while (at < d.size()) {
    x += std::stod(d.substr(at));
    at = d.find(' ', at);
    if (at == std::string::npos) break;
    at = d.find(' ', at + 1);
    if (at == std::string::npos) break;
    ++at;
  }
  EXPECT_NEAR(x, 4.0, 1e-9) << d;
}

TEST(TidySvg, Versions5And6OfGnuplotDrawTheSame) {
  const auto group = [](const std::string& attributes) {
    return tidy_svg(
        "<svg width=\"10\" height=\"10\" viewBox=\"0 0 10 10\"><g "
        "id=\"gnuplot_canvas\"><defs></defs>"
        "<g " +
            attributes + "><path stroke='#777777'  d='M0,0 L1,1'/></g></g></svg>",
        "t", "d");
  };
  EXPECT_EQ(group("transform=\"rotate(-90.00)\" color=\"black\" stroke=\"#555555\""),
            group("transform=\"rotate(-90)\" color=\"black\" stroke=\"currentColor\""));
}

TEST(TidySvg, OtherPathsStayAsTheyAre) {
  EXPECT_EQ(tidied("M1,1 C2,2 3,3 4,4"), "M1,1 C2,2 3,3 4,4");
  EXPECT_EQ(tidied("L1,1"), "L1,1");
}

}  // namespace
}  // namespace daemark
