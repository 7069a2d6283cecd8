// Values computed once, and work that is stopped.
#include "base/program/once.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <stdexcept>
#include <thread>
#include <vector>

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

}  // namespace
}  // namespace daemark
