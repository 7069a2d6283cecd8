#include "base/program/write_file.hpp"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <fstream>
#include <memory>
#include <thread>

#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::size_t files_in(const fs::path& folder) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

/// Files of this process end at `bytes`: a disk that is full. Only write() to files is limited.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &old_);
    const rlimit less{bytes, old_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &less);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &old_);
    std::signal(SIGXFSZ, old_handler_);
  }

 private:
  rlimit old_{};
  void (*old_handler_)(int);
};

TEST(WriteFile, IsWholeOrNotThere) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "below" / "text";
  EXPECT_TRUE(write_if_changed(file, "one"));
  EXPECT_FALSE(write_if_changed(file, "one"));
  {
    FileDraft draft(file);  // into a folder that is there
    draft.write("two");
  }
  EXPECT_EQ(read_text(file), "one");
  FileDraft draft(file);
  draft.write("three");
  EXPECT_EQ(read_text(file), "one");
  draft.commit();
  EXPECT_EQ(read_text(file), "three");
  EXPECT_EQ(files_in(file.parent_path()), 1U);
}

TEST(WriteFile, FullDiskNamesTheCauseAndLeavesNothing) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "text";
  write_if_changed(file, "before");
  std::string said;
  {
    const FullDisk disk(10000);
    said = test::refusal([&] { write_if_changed(file, std::string(200000, 'x')); });
  }
  EXPECT_THAT(said, HasSubstr("cannot write " + file.string()));
  EXPECT_THAT(said, HasSubstr(std::generic_category().message(EFBIG)));
  EXPECT_EQ(read_text(file), "before");
  EXPECT_EQ(files_in(folder.path()), 1U);
}

TEST(WriteFile, FoldersAndMissingPlacesAreRefused) {
  const ScratchFolder folder;
  EXPECT_THAT(test::refusal([&] { write_if_changed(folder.path(), "x"); }),
              HasSubstr(std::generic_category().message(EISDIR)));
  write_if_changed(folder.path() / "text", "x");
  EXPECT_THAT(test::refusal([&] { write_if_changed(folder.path() / "text" / "below", "x"); }),
              HasSubstr(std::generic_category().message(ENOTDIR)));
}

TEST(WriteFile, DevicesStayDevicesAndLinksLinks) {
  EXPECT_THAT(test::refusal([] { write_if_changed("/dev/full", "x"); }),
              HasSubstr(std::generic_category().message(ENOSPC)));
  EXPECT_TRUE(fs::is_character_file("/dev/full"));
  const ScratchFolder folder;
  write_if_changed(folder.path() / "target", "before");
  fs::create_symlink(folder.path() / "target", folder.path() / "link");
  write_if_changed(folder.path() / "link", "after");
  EXPECT_TRUE(fs::is_symlink(folder.path() / "link"));
  EXPECT_EQ(read_text(folder.path() / "target"), "after");
}

TEST(WriteFile, ManyAtOnceDoNotCollide) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "text";
  {
    constexpr int many = 8;
    std::vector<std::jthread> threads;
    threads.reserve(many);
    for (int t = 0; t < many; ++t)
      threads.emplace_back([&file, t] {
        for (int i = 0; i < 50; ++i) write_if_changed(file, std::string(1000, char('a' + t)));
      });
  }
  EXPECT_EQ(files_in(folder.path()), 1U);
  const std::string text = read_text(file).value();
  EXPECT_EQ(text, std::string(1000, text[0]));
}

TEST(StandardOutput, KeepsTheCauseOfItsFirstFailure) {
  const int full = ::open("/dev/full", O_WRONLY);
  ASSERT_GE(full, 0);
  DescriptorBuffer buffer(full);
  std::ostream out(&buffer);
  out << "text";
  EXPECT_EQ(buffer.cause(), 0);  // not yet tried
  out.flush();
  EXPECT_EQ(buffer.cause(), ENOSPC);
  EXPECT_FALSE(out);
  ::close(full);
}

TEST(RequireWritable, MakesTheFolderAndLeavesNothingInIt) {
  const ScratchFolder scratch;
  const auto folder = scratch.path() / "results";
  require_writable(folder);
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  std::ofstream(scratch.path() / "file") << "x";
  EXPECT_THAT(test::refusal([&] { require_writable(scratch.path() / "file" / "results"); }),
              HasSubstr("cannot write"));
}

TEST(ScratchFolder, NamesWhatIsMissing) {
  const char* before = std::getenv("TMPDIR");
  const std::string old = before == nullptr ? "" : before;
  setenv("TMPDIR", "/nowhere/at/all", 1);
  EXPECT_THAT(test::refusal([] { ScratchFolder folder; }), HasSubstr("/nowhere/at/all"));
  before == nullptr ? unsetenv("TMPDIR") : setenv("TMPDIR", old.c_str(), 1);
}

TEST(FileLock, TheSecondWaitsAndIsToldWhoHoldsIt) {
  const ScratchFolder folder;
  const fs::path file = folder.path() / "below" / ".lock";
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
  const ScratchFolder folder;
  const fs::path file = folder.path() / ".lock";
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
  const ScratchFolder folder;
  const auto touch = [&](const std::string& name) {
    fs::create_directories((folder.path() / name).parent_path());
    std::ofstream(folder.path() / name) << "x";
    return folder.path() / name;
  };
  // No process has the highest id a pid_t can hold: Linux stops at 2^22.
  const fs::path dead = touch("a/.daemark-2147483647-1.part");
  const fs::path own = touch(".daemark-" + std::to_string(::getpid()) + "-1.part");
  const fs::path other = touch("table.part");
  remove_dead_drafts(folder.path());
  EXPECT_FALSE(fs::exists(dead));
  EXPECT_TRUE(fs::exists(own));
  EXPECT_TRUE(fs::exists(other));
}

}  // namespace

}  // namespace daemark
