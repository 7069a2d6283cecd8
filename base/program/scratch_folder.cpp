#include "base/program/scratch_folder.hpp"

#include <cerrno>
#include <cstdlib>
#include <string>
#include <system_error>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

ScratchFolder::ScratchFolder() {
  const char* chosen = std::getenv("TMPDIR");
  const std::filesystem::path parent = chosen == nullptr || *chosen == '\0' ? "/tmp" : chosen;
  std::string name = (parent / "daemark-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr)
    throw BadInput(cannot_write("a temporary folder in " + parent.string(), errno) +
                   "; accepted: a TMPDIR that may be written to");
  path_ = name;
  leftover_.emplace(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace daemark
