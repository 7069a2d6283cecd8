// A folder with sources of other programs, as a test writes them.
#pragma once

#include <gtest/gtest.h>

#include "methods/catalogue/tableau_source.hpp"
#include "tests/support/scratch_folder.hpp"

namespace daemark::test {

class SourceFolder : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& content) const {
    write_text(folder_ / name, content);
    return (folder_ / name).string();
  }
  std::vector<SourceTableau> read(const std::string& name, const std::string& content) const {
    return read_tableau_source(write(name, content));
  }
  static std::vector<std::string> texts(const std::vector<Expression>& values) {
    std::vector<std::string> out;
    for (const Expression& value : values) out.push_back(value.text());
    return out;
  }
  const ScratchFolder scratch_;
  const std::filesystem::path& folder_ = scratch_.path;
};

}  // namespace daemark::test
