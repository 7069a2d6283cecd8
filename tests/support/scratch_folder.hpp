// A folder for the files of a test, and how they are written.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace daemark::test {

/// An empty folder of its own, removed at the end.
struct ScratchFolder {
  std::filesystem::path path;
  ScratchFolder() {
    static int count = 0;
    path = std::filesystem::temp_directory_path() /
           ("daemark-test-" + std::to_string(::getpid()) + "-" + std::to_string(count++));
    std::filesystem::create_directories(path);
  }
  ~ScratchFolder() { std::filesystem::remove_all(path); }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
};

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace daemark::test
