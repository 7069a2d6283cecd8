#include "base/program/shared_work.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>

#include "base/program/progress.hpp"

namespace daemark {
namespace {

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
