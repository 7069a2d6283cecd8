#include "base/numbers/precision.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

TEST(PrecisionNames, ReadBackAndNameTheScalar) {
  for (const Precision p : {Precision::in_double, Precision::in_real50}) {
    EXPECT_EQ(parse_precision(name_of(p)), p);
    EXPECT_STREQ(with_scalar(p, []<class S>() { return scalar_name<S>(); }), name_of(p));
    EXPECT_EQ(with_scalar(p, []<class S>() { return precision_of<S>; }), p);
  }
}

TEST(PrecisionNames, AnotherIsRefused) {
  EXPECT_FALSE(is_precision("single"));
  try {
    parse_precision("single");
    FAIL() << "accepted";
  } catch (const BadInput& refusal) {
    EXPECT_STREQ(refusal.what(), "precision 'single' is unknown, accepted: double, quad, real50");
  }
}

TEST(PrecisionNames, QuadIsTheScalarOfAtLeast34Digits) {
  EXPECT_EQ(parse_precision("quad"), Precision::in_real50);
  for (const char* name : precision_names) EXPECT_TRUE(is_precision(name));
  EXPECT_LE(unit_roundoff(parse_precision("quad")), std::ldexp(1.0, -113));
}

}  // namespace
}  // namespace daemark
