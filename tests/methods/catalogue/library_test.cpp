// The library of published tableaus: read, described, apart from the catalogue and without doubles.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

TEST(Library, IsApartFromTheCatalogue) {
  const MethodRegistry& registry = method_registry();
  const std::vector<std::string> core = registry.ids(), library = registry.library_ids();
  EXPECT_GT(library.size(), 110u);
  for (const std::string& id : library) {
    EXPECT_FALSE(std::binary_search(core.begin(), core.end(), id)) << id;
    EXPECT_TRUE(registry.info(id).library);
  }
  for (const std::string& call : registry.examples())
    EXPECT_FALSE(registry.info(parse_call(call, "method").id).library) << call;
  EXPECT_EQ(registry.all_ids().size(), core.size() + library.size());
}

TEST(Library, EveryTableauIsDescribedAndClaimsItsOrder) {
  for (const std::string& id : method_registry().library_ids()) {
    const MethodInfo& info = method_registry().info(id);
    EXPECT_FALSE(info.summary.empty()) << id;
    EXPECT_FALSE(info.source.key.empty()) << id;
    EXPECT_TRUE(info.claims.order.has_value()) << id;
    EXPECT_FALSE(from_outside(info.file)) << id;
  }
}

/// A, b and the embedded weights to 9 digits, in the order of the stages.
std::vector<double> numbers(const WideTableau& t) {
  std::vector<double> out;
  const auto add = [&](const std::vector<wide>& list) {
    for (const wide& x : list) out.push_back(std::round(to_double(x) * 1e9) / 1e9 + 0.0);
  };
  for (const auto& row : t.A) add(row);
  add(t.b);
  return out;
}

TEST(Library, NoTableauStandsTwice) {
  std::map<std::vector<double>, std::string> known;
  std::vector<std::string> calls = method_registry().examples();
  for (const std::string& id : method_registry().library_ids()) calls.push_back(id);
  for (const std::string& call : calls) {
    const auto method = method_registry().make(call);
    const WideTableau* tableau = method->tableau();
    if (!tableau) continue;
    const auto [place, fresh] = known.emplace(numbers(*tableau), call);
    const bool library = method_registry().info(parse_call(call, "method").id).library;
    EXPECT_TRUE(fresh || !library) << call << " is " << place->second;
  }
}

}  // namespace
}  // namespace daemark
