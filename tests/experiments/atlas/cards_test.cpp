#include "experiments/atlas/cards.hpp"

#include <gtest/gtest.h>

#include "base/program/scratch_folder.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

TEST(Cards, PageOfARemovedMethodGoes) {
  const ScratchFolder folder;
  const std::string gone = "methods/removed_method.html", kept = method_card("erk4");
  for (const std::string& name : {gone, kept, std::string("methods/index.html")})
    write_if_changed(folder.path() / name, "a page");
  write_if_changed(folder.path() / "methods/notes.txt", "no page");
  drop_cards(folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / gone));
  for (const std::string& name :
       {kept, std::string("methods/index.html"), std::string("methods/notes.txt")})
    EXPECT_TRUE(std::filesystem::exists(folder.path() / name)) << name;
}

TEST(Cards, FolderWithoutPagesIsLeftAlone) {
  const ScratchFolder folder;
  EXPECT_NO_THROW(drop_cards(folder.path()));
}

}  // namespace
}  // namespace daemark
