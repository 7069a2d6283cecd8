// The animation of an item comes from the history of its row.
#include <gtest/gtest.h>

#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/engine/write/render.hpp"
#include "tests/experiments/fake_paper.hpp"
#include "tests/support/refusal.hpp"

namespace daemark {
namespace {

TEST(AnimationItem, IsTheMotionOfItsRow) {
  Book book = read_book(source_root() / "experiments", "problems", {"pendulum"});
  const ItemSpec& item = book.items.front();
  EXPECT_FALSE(animation_of(item, book.judge())) << "no history at hand";
  const Cell& cell = *item.rows.front().cell;
  book.results[canonical(cell)] = kind_of(cell).run(cell);
  const auto animation = animation_of(item, book.judge());
  ASSERT_TRUE(animation);
  EXPECT_EQ(animation->title, "pendulum");
  ASSERT_EQ(animation->q.size(), animation->t.size());
  ASSERT_EQ(animation->q.front().size(), 2U);
  EXPECT_EQ(animation->q.front()[0], 1.9812) << "released from the horizontal";
  EXPECT_LT(animation_svg(*animation, item_animation_bytes).size(), item_animation_bytes);
}

TEST(AnimationItem, NeedsTheCoordinatesOfTheDrawing) {
  Book book = read_book(source_root() / "experiments", "problems", {"two_link"});
  ItemSpec& item = book.items.front();
  Cell cell = *item.rows.front().cell;
  cell.formulation = "minimal";
  cell.t_end = "1/10";
  item.rows.front().cell = cell;
  book.results[canonical(cell)] = kind_of(cell).run(cell);
  EXPECT_THROW(animation_of(item, book.judge()), BadInput);
}

TEST(AnimationItem, AnItemNamesARowThatKeepsItsHistory) {
  const test::ScratchFolder scratch;
  const PaperSpec paper = read_paper(source_root() / "experiments" / "problems");
  const auto refused = [&](const std::string& animate, const std::string& cell) {
    test::write_text(scratch.path / "a.json",
                     R"({"kind":"figure","title":"T","animate":")" + animate +
                         R"(","rows":[{"id":"m","label":"M","cell":{"problem":"pendulum",)" +
                         R"x("formulation":"index1","method":"gauss(2)","h":"1/10","t_end":"1")x" +
                         cell + "}}]}");
    return test::refusal([&] { read_item(scratch.path / "a.json", paper); });
  };
  EXPECT_EQ(refused("m", R"(,"history_every":1)"), "accepted");
  EXPECT_NE(refused("n", R"(,"history_every":1)").find("animate: no row 'n'"), std::string::npos);
  EXPECT_NE(refused("m", "").find("keeps no history"), std::string::npos);
}

}  // namespace
}  // namespace daemark
