// A folder for the files of a test, and how they are written.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include "base/program/write_file.hpp"

namespace daemark::test {

struct ScratchFolder {
  const daemark::ScratchFolder folder;
  const std::filesystem::path& path = folder.path();
};

inline void write_text(const std::filesystem::path& file, const std::string& text) {
  std::filesystem::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

}  // namespace daemark::test
