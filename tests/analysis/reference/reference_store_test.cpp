#include "analysis/reference/reference_store.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <latch>
#include <nlohmann/json.hpp>
#include <thread>

#include "analysis/reference/reference_shelf.hpp"
#include "base/program/paths.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

/// A point mass: two coordinates, one multiplier.
const char* const problem = "pendulum";
const char* const one_third = "1.3333333333333333333333333333333333333333";

ReferenceState state(const std::string& t, int agreed, int asked = standard_digits,
                     const char* q2 = one_third) {
  return {t,
          {real50(1), real50(q2)},
          {real50(-2), real50("3e-7")},
          {real50(5)},
          agreed,
          "one",
          "two",
          asked};
}

class Store : public testing::Test {
 protected:
  fs::path committed() const {
    return results_root() / "references" / reference_file_name(problem);
  }
  static void publish(const std::vector<std::string>& times) {
    ReferenceStore store(problem);
    std::set<rational> keys;
    for (const std::string& t : times) {
      keys.insert(rational(t));
      store.add(rational(t), state(t, 30));
    }
    store.publish(keys);
  }
  json content() const { return json::parse(read_text(committed()).value()); }
  void put(const json& file) const { std::ofstream(committed()) << file.dump(1); }

  test::TemporaryResults results_;
};

TEST(ReferenceFileName, IsAnotherForEveryCall) {
  std::set<std::string> names;
  for (const char* call :
       {"swing(k=sqrt(2)/3)", "swing(k=sqrt(2)*3)", "swing(k=sqrt(2)-3)", "swing(k=sqrt(2)+3)",
        "swing(k=-1)", "swing(k=1)", "swing", "swing(k=[1,2])", "swing(k=[12])"})
    names.insert(reference_file_name(call));
  EXPECT_EQ(names.size(), 9U);
  EXPECT_THAT(reference_file_name("heavy_top(coordinates=chart)"),
              testing::MatchesRegex("heavy_top-coordinates-chart-[0-9a-f]{12}\\.json"));
  EXPECT_LT(reference_file_name("p(" + std::string(5000, 'x') + ")").size(), 100U);
}

TEST_F(Store, KeepsLocallyAndPublishesWhatIsWanted) {
  ReferenceStore store(problem);
  EXPECT_EQ(store.find(1, 30), nullptr);
  store.add(1, state("1", 30));
  store.add(2, state("2", 40));
  store.save();
  EXPECT_FALSE(fs::exists(committed()));
  store.publish({1});
  ASSERT_TRUE(fs::exists(committed()));
  fs::remove_all(results_root() / ".local");
  const ReferenceStore again(problem);
  ASSERT_NE(again.find(1, 30), nullptr);
  EXPECT_EQ(again.find(1, 30)->state.agreed_digits, 30);
  EXPECT_EQ(again.find(2, 30), nullptr);
  EXPECT_TRUE(again.is_published(1));
  EXPECT_FALSE(again.is_published(2));
}

TEST_F(Store, WhatIsStoredDoesNotDependOnWhoAskedFirst) {
  const auto files_after = [&](const std::vector<int>& asked) {
    fs::remove_all(results_root());
    ReferenceStore store(problem);
    for (const int digits : asked) store.add(1, state("1", std::min(digits, 46), digits));
    store.publish({1});
    return read_text(committed()).value();
  };
  const std::string standard = files_after({standard_digits});
  EXPECT_EQ(files_after({47, standard_digits}), standard);
  EXPECT_EQ(files_after({standard_digits, 47}), standard);
  ReferenceStore store(problem);
  store.add(1, state("1", 46, 47));
  EXPECT_EQ(store.find(1, 36)->state.asked_digits, standard_digits);
  EXPECT_EQ(store.find(1, 46)->state.agreed_digits, 46);
  EXPECT_EQ(store.find(1, 48), nullptr);
}

TEST_F(Store, ReadBackIsWhatWasKnownBefore) {
  ReferenceStore store(problem);
  store.add(1, state("1", 12, standard_digits, "0.33333333333333333333333333333333333333"));
  store.save();
  const StoredState before = *store.find(1, 30);
  const ReferenceStore again(problem);
  EXPECT_EQ(again.find(1, 30)->state.q, before.state.q) << "14 digits, in memory too";
  EXPECT_EQ(again.find(1, 30)->checksum, before.checksum);
}

// Everything that can be wrong with one of three states: it is refused by name, the others stay.
TEST_F(Store, WhatIsOffIsNamedAndCostsNoOtherState) {
  const struct {
    const char* what;
    std::function<void(json&)> damage;
    const char* said;
  } cases[] = {
      {"a digit", [](json& s) { s["q"][1] = "1.3333333333333333333333333333334"; }, "checksum"},
      {"the digits claimed", [](json& s) { s["agreed_digits"] = 31; }, "checksum"},
      {"the route", [](json& s) { s["second_route"] = "none"; }, "checksum"},
      {"the model", [](json& s) { s["model"] = "0123456789abcdef"; }, "checksum"},
      {"a coordinate too many", [](json& s) { s["q"].push_back("1"); }, "3 values of q"},
      {"none", [](json& s) { s["v"] = json::array(); }, "0 values of v"},
      {"no multiplier", [](json& s) { s["lambda"] = json::array(); }, "0 values of lambda"},
      {"a list of lists", [](json& s) { s["q"][0] = json::array(); }, "q"},
      {"nan", [](json& s) { s["q"][0] = "nan"; }, "no decimal number"},
      {"a word", [](json& s) { s["q"][0] = "one"; }, "no decimal number"},
      {"a huge exponent", [](json& s) { s["q"][0] = "1e99999999999"; }, "no decimal number"},
      {"time", [](json& s) { s["t"] = "1/0"; }, "state 2"},
      {"too many digits", [](json& s) { s["agreed_digits"] = 480; }, "agreed_digits"},
      {"a key less", [](json& s) { s.erase("model"); }, "model"},
      {"a key more", [](json& s) { s["more"] = 1; }, "more"},
      {"a number", [](json& s) { s = 7; }, "state 2"},
      {"another state's time", [](json& s) { s["t"] = "1"; }, "checksum"},
  };
  for (const auto& [what, damage, said] : cases) {
    fs::remove_all(results_root());
    publish({"1", "2", "3"});
    json file = content();
    damage(file["states"][1]);
    put(file);
    SCOPED_TRACE(what);
    ReferenceStore store(problem);
    EXPECT_NE(store.find(1, 30), nullptr);
    EXPECT_EQ(store.find(2, 30), nullptr);
    EXPECT_NE(store.find(3, 30), nullptr);
    EXPECT_THAT(store.refused(), ElementsAre(testing::AllOf(HasSubstr(reference_file_name(problem)),
                                                            HasSubstr(said))));
    store.add(2, state("2", 30));
    store.publish({2});
    const ReferenceStore mended(problem);
    EXPECT_TRUE(mended.is_published(1) && mended.is_published(2) && mended.is_published(3));
    EXPECT_TRUE(mended.refused().empty());
  }
}

TEST_F(Store, AStateThatStandsTwiceIsNamed) {
  publish({"1", "2"});
  json file = content();
  file["states"].push_back(file["states"][0]);
  put(file);
  const ReferenceStore store(problem);
  EXPECT_NE(store.find(1, 30), nullptr);
  EXPECT_NE(store.find(2, 30), nullptr);
  EXPECT_THAT(store.refused(), ElementsAre(HasSubstr("state 3: t = 1 occurs twice")));
}

TEST_F(Store, AWholeFileIsRefusedByName) {
  publish({"1", "2"});
  const std::string text = read_text(committed()).value();
  const auto refused = [&](const std::string& content, const char* said) {
    std::ofstream(committed()) << content;
    const ReferenceStore store(problem);
    EXPECT_EQ(store.find(1, 30), nullptr);
    EXPECT_THAT(store.refused(), ElementsAre(HasSubstr(said)));
  };
  refused("", reference_file_name(problem).c_str());
  refused("{", reference_file_name(problem).c_str());
  refused(text.substr(0, text.size() / 2), reference_file_name(problem).c_str());
  refused(std::string(3, '\0'), reference_file_name(problem).c_str());
  json other = json::parse(text);
  other["problem"] = "two_link";
  refused(other.dump(), "of problem \"two_link\", not of pendulum");
  other = json::parse(text);
  other["parameters"] = {{"k", "1"}};
  refused(other.dump(), "parameters");
  other = json::parse(text);
  other.erase("states");
  refused(other.dump(), "states");
}

TEST_F(Store, StatesOfAnotherModelAreNamedAndReplaced) {
  StoredStates states;
  states[{1, standard_digits}] = stored_state(problem, "another", state("1", 30));
  states[{2, standard_digits}] = stored_state(problem, "another", state("2", 30));
  write_reference_file(committed(), problem, states);
  ReferenceStore store(problem);
  EXPECT_EQ(store.find(1, 30), nullptr);
  EXPECT_THAT(store.refused(), ElementsAre(HasSubstr("of another version of the model: t = 1, 2")));
  // An edited model may move otherwise: this is no contradiction.
  store.add(1, state("1", 30, standard_digits, "9"));
  store.publish({1});
  EXPECT_TRUE(ReferenceStore(problem).is_published(1));
  EXPECT_EQ(ReferenceStore(problem).published(), (std::set<rational>{1, 2})) << "2 stays, as old";
}

TEST_F(Store, AContradictionIsAnErrorWithItsNumbers) {
  publish({"1"});
  ReferenceStore store(problem);
  // The last digits that 30 claim are 1.33...3 (29 threes).
  store.add(1, state("1", 30, standard_digits, "1.333333333333333333333333333331"));
  const std::string error = test::refusal<Contradiction>(
      [&] { store.add(1, state("1", 25, standard_digits, "1.3333333334")); });
  for (const char* said : {"pendulum at t = 1", "30 and 25 digits and agree on 10", "1.3333333334",
                           "q_2 = 1.3333333333333333333333333333333 and"})
    EXPECT_THAT(error, HasSubstr(said));
}

TEST_F(Store, TwoProcessesKeepEachOthersStates) {
  ReferenceStore one(problem), other(problem);  // both have read before either writes
  one.add(1, state("1", 30));
  other.add(2, state("2", 30));
  one.save();
  other.save();
  const ReferenceStore both(problem);
  EXPECT_NE(both.find(1, 30), nullptr);
  EXPECT_NE(both.find(2, 30), nullptr);
}

// References shared by the threads of a run, with a fake computation.

Times at(const std::vector<int>& times) {
  Times out;
  for (const int t : times) out.emplace(t, Expression::parse(std::to_string(t), "t"));
  return out;
}

ReferenceState state(const Expression& t, int digits) {
  ReferenceState out;
  out.t = t.text();
  out.agreed_digits = digits;
  return out;
}

class Shelf : public testing::Test {
 protected:
  test::TemporaryResults results_;
};

TEST_F(Shelf, OneStateIsComputedOnceAndOthersDoNotWaitForIt) {
  std::atomic<int> runs{0};
  std::latch inside(1), finish(1);
  ReferenceShelf shelf("oscillator", [&](const Expression& t, int digits) {
    ++runs;
    if (t.as_rational() == 1) {
      inside.count_down();
      finish.wait();
    }
    return state(t, digits);
  });
  std::vector<std::jthread> threads;
  threads.emplace_back([&] { shelf.get(at({1}), 30, false, false); });
  inside.wait();
  threads.emplace_back([&] { shelf.get(at({1}), 30, false, false); });
  // While t = 1 is in work: under a lock this would never come back.
  EXPECT_EQ(shelf.get(at({2}), 30, false, false).front().t, "2");
  threads.emplace_back([&] { shelf.get(at({1, 2}), 30, false, false); });
  finish.count_down();
  threads.clear();
  EXPECT_EQ(runs, 2);
}

TEST_F(Shelf, MoreDigitsAreComputedAgainButNotWhereThereAreNone) {
  int runs = 0;
  ReferenceShelf shelf("oscillator", [&](const Expression& t, int) {
    ++runs;
    return state(t, 12);  // a chaotic motion: no more to have
  });
  EXPECT_EQ(shelf.get(at({1}), 30, false, false).front().agreed_digits, 12);
  shelf.get(at({1}), 30, false, false);
  shelf.get(at({1}), standard_digits, false, false);
  EXPECT_EQ(runs, 1) << "asked for the standard at once, so that one computation serves all";
  shelf.get(at({1}), 48, false, false);
  EXPECT_EQ(runs, 2);
}

TEST_F(Shelf, AFailureIsRememberedFromItsTimeOn) {
  int runs = 0;
  ReferenceShelf shelf("oscillator", [&](const Expression& t, int digits) {
    ++runs;
    if (t.as_rational() >= 5) throw NoReference("beyond t = 5");
    return state(t, digits);
  });
  EXPECT_THROW(shelf.get(at({1, 7}), 30, false, false), NoReference);
  EXPECT_THROW(shelf.get(at({7}), 30, false, false), NoReference);
  EXPECT_THROW(shelf.get(at({8}), 30, false, false), NoReference);
  EXPECT_EQ(runs, 2) << "each time by itself: 1 was within reach";
  EXPECT_EQ(shelf.get(at({1}), 30, false, false).size(), 1U);
  EXPECT_THROW(shelf.get(at({6}), 30, false, false), NoReference);
  EXPECT_EQ(runs, 3);
}

TEST_F(Shelf, WorkThatIsStoppedIsTakenOverByTheNext) {
  int runs = 0;
  ReferenceShelf shelf("oscillator", [&](const Expression& t, int digits) {
    ++runs;
    checkpoint();
    return state(t, digits);
  });
  StopToken token;
  token.stop(StopCause::interrupted);
  {
    const StopScope scope(token);
    EXPECT_THROW(shelf.get(at({1}), 30, false, false), Stopped);
  }
  EXPECT_EQ(shelf.get(at({1}), 30, false, false).front().t, "1");
  EXPECT_EQ(runs, 2);
}

}  // namespace
}  // namespace daemark
