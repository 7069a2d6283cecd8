// Which settings a run uses, for every method and every setting: what is not read changes nothing,
// what iterates nowhere reads nothing of Newton's, and no setting is without use.
#include <gtest/gtest.h>

#include <optional>

#include "analysis/run/run.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/text/bad_input.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark {
namespace {

using SettingTexts = std::map<std::string, std::string>;

struct Used {
  std::set<std::string> keys;
  RunResult result;
};

/// Empty where such a run is refused.
std::optional<Used> used_by(const std::string& method, const char* formulation,
                            const SettingTexts& settings) {
  RunRequest r = test::run_request("pendulum", formulation, method, "1/16", "1/2", settings);
  try {
    const BoundRun bound(std::move(r));
    const SettingReads reads;
    Used used{{}, run(bound)};
    for (const SettingInfo& info : setting_infos())
      if (reads.contains(info.key)) used.keys.insert(info.key);
    return used;
  } catch (const BadInput&) {
    return std::nullopt;
  }
}

/// A value that is accepted and not the default.
std::string other_value(const SettingInfo& info) {
  static const SettingTexts numbers = {{"control.tol", "1e-4"},
                                       {"control.grow", "3"},
                                       {"control.dead_zone", "3/2"},
                                       {"control.accept", "2"}};
  if (const auto found = numbers.find(info.key); found != numbers.end()) return found->second;
  if (info.accepted.starts_with("real")) return "1/2";
  if (info.accepted.starts_with("integer")) return "1";
  return info.accepted.substr(info.accepted.rfind(' ') + 1);
}

TEST(SettingsConformance, WhatIsNotReadChangesNothing) {
  std::set<std::string> of_some_run;
  for (const std::string& method : test::method_samples().calls)
    for (const char* formulation : {"index1", "index3"})
      for (const SettingTexts& base : {SettingTexts{}, SettingTexts{{"control.tol", "1e-3"}}}) {
        const auto plain = used_by(method, formulation, base);
        if (!plain) continue;
        of_some_run.insert(plain->keys.begin(), plain->keys.end());
        const bool iterates = plain->result.counts.at("newton_iterations") > 0 ||
                              plain->result.counts.contains("inner_sweeps");
        for (const SettingInfo& info : setting_infos()) {
          SCOPED_TRACE(method + " " + formulation + " " + info.key);
          if (!iterates && info.key.starts_with("newton.")) {
            EXPECT_FALSE(plain->keys.contains(info.key));
          }
          SettingTexts with = base;
          if (!with.emplace(info.key, other_value(info)).second) continue;
          const auto changed = used_by(method, formulation, with);
          if (!changed) continue;  // refused
          of_some_run.insert(changed->keys.begin(), changed->keys.end());
          if (changed->keys.contains(info.key)) continue;
          EXPECT_EQ(changed->result.status, plain->result.status);
          EXPECT_EQ(changed->result.q, plain->result.q);
          EXPECT_EQ(changed->result.lambda, plain->result.lambda);
          EXPECT_EQ(changed->result.counts, plain->result.counts);
        }
      }
  for (const SettingInfo& info : setting_infos())
    EXPECT_TRUE(of_some_run.contains(info.key) || info.key.ends_with("angle"))  // it has none
        << info.key << " is used by no method";
}

// Newton's iteration of controlled collocation stops by the steps, whatever is asked of others.
TEST(SettingsConformance, ControlledCollocationUsesItsOwnIteration) {
  const auto used = used_by("radau_iia(3)", "index2", {{"control.tol", "1e-3"}});
  ASSERT_TRUE(used);
  for (const SettingInfo& info : setting_infos())
    EXPECT_FALSE(info.key.starts_with("newton.") && used->keys.contains(info.key)) << info.key;
  for (const char* key : {"control.tol", "control.kind", "control.atol.position"})
    EXPECT_TRUE(used->keys.contains(key)) << key;
}

}  // namespace
}  // namespace daemark
