// Values computed once, and work that is stopped.
#include "base/program/once.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

#include "base/program/progress.hpp"

namespace daemark {
namespace {

TEST(OncePerKey, OneComputesTheOthersWaitForThatKeyOnly) {
  OncePerKey<int> values;
  std::atomic<int> computed{0};
  std::latch inside(1), finish(1);
  std::vector<std::jthread> threads;
  const auto slow = [&] {
    inside.count_down();
    finish.wait();
    return ++computed;
  };
  threads.emplace_back([&] { EXPECT_EQ(*values.get("a", slow), 1); });
  inside.wait();
  for (int i = 0; i < 3; ++i)
    threads.emplace_back([&] { EXPECT_EQ(*values.get("a", [&] { return ++computed; }), 1); });
  // Another key is computed while "a" is in work: with a lock held this would never return.
  EXPECT_EQ(*values.get("b", [] { return 7; }), 7);
  EXPECT_EQ(computed, 0);
  finish.count_down();
  threads.clear();
  EXPECT_EQ(computed, 1);
}

TEST(OncePerKey, AFailureIsNotKept) {
  OncePerKey<int> values;
  EXPECT_THROW(values.get("a", []() -> int { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(*values.get("a", [] { return 3; }), 3);
}

TEST(Stop, ACheckpointThrowsOnceTheTokenOfItsThreadIsStopped) {
  checkpoint();  // no token: nothing stops
  StopToken token;
  {
    const StopScope scope(token);
    checkpoint();
    token.stop(StopCause::timed_out);
    token.stop(StopCause::interrupted);  // the first cause stays
    EXPECT_FALSE(token.noticed());
    try {
      checkpoint();
      FAIL() << "not stopped";
    } catch (const Stopped& stopped) {
      EXPECT_EQ(stopped.cause, StopCause::timed_out);
    }
    EXPECT_TRUE(token.noticed());
  }
  checkpoint();
}

constexpr double pause = 0.02;  // [s]

void wait() { std::this_thread::sleep_for(std::chrono::duration<double>(pause)); }

TEST(SharedWork, CountsTheTimeOfItsThreadOnce) {
  SharedClock clock;
  {
    const SharedClockScope scope(clock);
    wait();
    EXPECT_EQ(clock.seconds(), 0) << "nothing shared so far";
    {
      const SharedWork outer;
      EXPECT_TRUE(clock.at_work());
      {
        const SharedWork inner;  // a reference that asks for another one
        wait();
      }
      EXPECT_TRUE(clock.at_work());
      EXPECT_GE(clock.seconds(), pause) << "what is going on counts";
    }
  }
  EXPECT_FALSE(clock.at_work());
  const double spent = clock.seconds();
  EXPECT_GE(spent, pause);
  const SharedWork without_clock;
  wait();
  EXPECT_EQ(clock.seconds(), spent);
}

TEST(SharedWork, TellsOfItselfNotOfThePartOfTheCellThatItIs) {
  double heard = -1;
  const ProgressScope scope([&](const char*, double part) { heard = part; });
  const ProgressShare last(0.9, 1);
  SharedClock clock;
  {
    const SharedClockScope in_a_cell(clock);
    const SharedWork reference;
    tell_progress("reference", 0.5);
    EXPECT_EQ(heard, 0.5);
  }
  tell_progress("cell", 0.5);
  EXPECT_DOUBLE_EQ(heard, 0.95);
}

TEST(SharedWork, ThreadsHaveClocksOfTheirOwn) {
  SharedClock mine, other;
  const SharedClockScope scope(mine);
  std::thread([&] {
    const SharedClockScope theirs(other);
    const SharedWork work;
    wait();
  }).join();
  EXPECT_EQ(mine.seconds(), 0);
  EXPECT_GE(other.seconds(), pause);
}

}  // namespace

}  // namespace daemark
