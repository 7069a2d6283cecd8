// References shared by the threads of a run, with a fake computation.
#include "analysis/reference/reference_shelf.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>

#include "base/program/stop.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

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
