#include "base/program/file_lock.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <fstream>
#include <memory>
#include <thread>

namespace daemark {
namespace {

namespace fs = std::filesystem;

struct Folder {
  fs::path path = fs::path(testing::TempDir()) / ("daemark-lock-" + std::to_string(::getpid()));
  Folder() { fs::create_directories(path); }
  ~Folder() { fs::remove_all(path); }
};

TEST(FileLock, TheSecondWaitsAndIsToldWhoHoldsIt) {
  const Folder folder;
  const fs::path file = folder.path / "below" / ".lock";
  std::atomic<bool> free{false};
  std::string holder;
  std::atomic<bool> waits{false};
  auto first = std::make_unique<FileLock>(file, "the first");
  std::jthread second([&] {
    const FileLock lock(file, "the second", [&](const std::string& who) {
      holder = who;
      waits = true;
    });
    EXPECT_TRUE(free);
  });
  while (!waits) std::this_thread::yield();
  free = true;
  first.reset();
  second.join();
  EXPECT_EQ(holder.find("the first, process " + std::to_string(::getpid())), 0U) << holder;
}

TEST(FileLock, ARemovedFileIsNoLock) {
  const Folder folder;
  const fs::path file = folder.path / ".lock";
  const FileLock old(file);
  fs::remove(file);
  auto lock = std::make_unique<FileLock>(file);  // would wait for ever
  std::atomic<bool> waits{false};
  std::jthread third([&] { const FileLock last(file, "", [&](const auto&) { waits = true; }); });
  while (!waits) std::this_thread::yield();
  fs::remove(file);
  lock.reset();  // the third finds what it waited for gone, and makes it anew
  third.join();
  EXPECT_TRUE(fs::exists(file));
}

TEST(DeadDrafts, AreRemovedAndThoseOfTheLivingStay) {
  const Folder folder;
  const auto touch = [&](const std::string& name) {
    fs::create_directories((folder.path / name).parent_path());
    std::ofstream(folder.path / name) << "x";
    return folder.path / name;
  };
  // No process has the highest id a pid_t can hold: Linux stops at 2^22.
  const fs::path dead = touch("a/.daemark-2147483647-1.part");
  const fs::path own = touch(".daemark-" + std::to_string(::getpid()) + "-1.part");
  const fs::path other = touch("table.part");
  remove_dead_drafts(folder.path);
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(own));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace
}  // namespace daemark
