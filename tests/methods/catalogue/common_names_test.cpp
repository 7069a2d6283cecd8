#include "methods/catalogue/common_names.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

TEST(CommonNames, LeadToMethodsOfTheCatalogue) {
  for (const CommonName& known : common_names()) {
    EXPECT_FALSE(method_registry().has(known.name)) << known.name << " is a method's own name";
    for (const std::string& call : known.calls)
      EXPECT_NO_THROW(method_registry().check(call)) << known.name;
  }
}

TEST(CommonNames, AreKnownHoweverTheyAreWritten) {
  for (const char* typed : {"radau5", "RADAU5", "Radau-5"}) {
    try {
      method_registry().make(typed == std::string("Radau-5") ? "radau_5" : typed);
      FAIL();
    } catch (const BadInput& why) {
      EXPECT_THAT(why.what(), testing::HasSubstr("did you mean 'radau_iia(3)'?"));
    }
  }
  EXPECT_EQ(known_as("dopri5"), std::vector<std::string>{"dormand_prince_5"});
  EXPECT_EQ(known_as("TRBDF2"), std::vector<std::string>{"tr_bdf2"});
  EXPECT_TRUE(known_as("no such method").empty());
}

}  // namespace
}  // namespace daemark
