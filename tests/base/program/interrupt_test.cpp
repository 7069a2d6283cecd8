// Signals, each in a process of its own: they end it.
#include "base/program/interrupt.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/program/write_file.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::ExitedWithCode;

[[noreturn]] void never_asks() {
  volatile long i = 0;
  while (true) i = i + 1;
}

/// What a program does with work that looks at its token.
[[noreturn]] void asks() {
  const InterruptGuard guard("asking");
  std::raise(SIGINT);
  try {
    while (true) checkpoint();
  } catch (const Stopped& stopped) {
    say_interrupted("asking", "all of it");
    std::exit(stopped.cause == StopCause::interrupted ? interrupted_status() : 1);
  }
}

TEST(Interrupt, WorkThatAsksEndsByItself) {
  EXPECT_EXIT(asks(), ExitedWithCode(130), "asking: interrupted; all of it");
}

TEST(Interrupt, WorkThatDoesNotAskIsEndedAndItsDraftsAreGone) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "result.txt";
  const auto work = [&] {
    const InterruptGuard guard("deaf");
    FileDraft whole(file);
    whole.write("whole");
    whole.commit();
    FileDraft half(folder.path() / "other.txt");
    half.write(std::string(2 * write_block, 'x'));
    const ScratchFolder scratch;
    std::ofstream(folder.path() / "scratch") << scratch.path().string();
    std::raise(SIGTERM);
    never_asks();
  };
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EXIT(work(), ExitedWithCode(143), "deaf: interrupted\n");
  EXPECT_GE(std::chrono::steady_clock::now() - begin, InterruptGuard::patience);
  EXPECT_EQ(read_text(file), "whole");
  const std::string scratch = read_text(folder.path() / "scratch").value_or("");
  EXPECT_FALSE(scratch.empty());
  EXPECT_FALSE(fs::exists(scratch));
  for (const auto& entry : fs::directory_iterator(folder.path()))
    EXPECT_NE(entry.path().extension(), ".part") << entry.path();
}

TEST(Interrupt, WhatIsKeptIsSaidBeforeTheEnd) {
  const auto work = [] {
    const InterruptGuard guard("deaf");
    const OnInterrupt outer([] { return "not this"; });
    const OnInterrupt on_interrupt([] { return "three cells"; });
    std::raise(SIGINT);
    never_asks();
  };
  EXPECT_EXIT(work(), ExitedWithCode(130), "deaf: interrupted; three cells\n");
}

TEST(Interrupt, TheSecondSignalDoesNotWait) {
  const auto work = [] {
    const InterruptGuard guard("deaf");
    const OnInterrupt on_interrupt([]() -> std::string { never_asks(); });
    std::raise(SIGTERM);
    std::raise(SIGTERM);
    never_asks();
  };
  EXPECT_EXIT(work(), ExitedWithCode(143), "deaf: interrupted\n");
}

TEST(Interrupt, AGuardThatIsOverLeavesSignalsAlone) {
  { const InterruptGuard guard; }
  EXPECT_EXIT(std::raise(SIGTERM), testing::KilledBySignal(SIGTERM), "");
}

TEST(Watch, EndsWorkThatCannotBeAskedToStop) {
  const auto work = [] {
    const Watch watch(0.01, [] { std::fputs("not decided\n", stderr); });
    never_asks();
  };
  EXPECT_EXIT(work(), ExitedWithCode(1), "not decided");
}

}  // namespace
}  // namespace daemark
