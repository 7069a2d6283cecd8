// daemark figure: panels of a study's figure as files of a journal's size.
#include "analysis/report/figure.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/study_items.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/render.hpp"

namespace daemark {
namespace {

struct FigureOptions {
  std::string item, folder = ".";
  int panel = 0;
  PrintedSize size;
};

void check(const PrintedSize& size) {
  const auto refuse = [](const char* option, double value, const char* accepted) {
    throw BadInput(fmt::format("{} {:g}; accepted: {}", option, value, accepted));
  };
  if (!(size.width >= 50 && size.width <= 300)) refuse("--width", size.width, "50 to 300 mm");
  if (size.height != 0 && !(size.height >= 30 && size.height <= 300))
    refuse("--height", size.height, "30 to 300 mm");
  if (!(size.letters >= 5 && size.letters <= 14)) refuse("--letters", size.letters, "5 to 14 pt");
}

Report figure_verb(const FigureOptions& options, std::ostream&, std::ostream&) {
  check(options.size);
  const StudyItems study(options.item);
  if (study.items.size() != 1)
    throw BadInput(in_quotes(options.item) + "; accepted: PAPER/ITEM, an item with a figure");
  const ItemSpec& item = *study.items.front();
  const FigureSpec figure =
      standing_figure(study.book.paper, item, study.book.judge(), study.results);
  const int count = static_cast<int>(figure.panels.size());
  if (options.panel > count)
    throw BadInput(
        fmt::format("--panel {}; accepted: 1 to {}, of {}", options.panel, count, options.item));
  Report report;
  ReportRows rows({{"panel", "panel"}, {"title", "title"}, {"file", "file"}});
  for (int p = 1; p <= count; ++p) {
    if (options.panel != 0 && options.panel != p) continue;
    for (const char* format : {"svg", "pdf"}) {
      const std::string name = count == 1 ? fmt::format("{}.{}", item.id, format)
                                          : fmt::format("{}-{}.{}", item.id, p, format);
      const std::filesystem::path file = std::filesystem::path(options.folder) / name;
      write_printed(figure.panels[p - 1], options.size, file);
      rows.add({p, figure.panels[p - 1].title, file.string()});
    }
  }
  return report.rows("files", "", rows);
}

void declare(OptionSet& app, FigureOptions& options) {
  app.add_option("item", options.item, "PAPER/ITEM", "an item with a figure")->required();
  app.add_option("--panel", options.panel, "K", "only this panel, counted from 1; default: all")
      ->range(1, 1000);
  app.add_option("--width", options.size.width, "MM",
                 "width [mm], default 84: a column of most journals; 174: both columns");
  app.add_option("--height", options.size.height, "MM",
                 "height [mm]; default: three quarters of the width, and the legend's where it "
                 "stands below");
  app.add_option("--letters", options.size.letters, "PT", "size of letters [pt], default 8");
  app.add_option("--to", options.folder, "FOLDER", "where to write, default: here");
}

}  // namespace

void register_figure(Verbs& verbs) {
  verbs.add<FigureOptions>({"figure", VerbGroup::papers,
                            "the panels of a committed figure as SVG and PDF of a journal's width",
                            "daemark figure work_precision/pendulum --panel 1 --width 84"},
                           declare, figure_verb);
}

}  // namespace daemark
