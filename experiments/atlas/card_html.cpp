#include "experiments/atlas/card_html.hpp"

#include <fmt/format.h>

#include "analysis/report/figure_svg.hpp"
#include "experiments/atlas/atlas_book.hpp"
#include "experiments/atlas/card_names.hpp"

namespace daemark {

const ReportModel& card_bar() {
  static const ReportModel model = [] {
    ReportModel bar;
    bar.rooms = atlas_rooms();
    bar.rooms.insert(bar.rooms.begin(), {"problems", "problems/index.html", ""});
    return bar;
  }();
  return model;
}

std::string card_section(const char* title, const std::string& inner) {
  if (inner.empty()) return "";
  return std::string("<section class=\"item\"><h2>") + title + "</h2>\n" + inner + "</section>\n";
}

std::string sweep_link(const std::string& sweep, const PageFrame& page) {
  std::string name = sweep;
  constexpr std::string_view earlier = " †";
  if (name.ends_with(earlier)) name.resize(name.size() - earlier.size());
  const std::string path = method_card(method_of(name));
  if (path.empty()) return escape_xml(sweep);
  return "<a href=\"" + page.link(path) + "\">" + escape_xml(sweep) + "</a>";
}

std::string tagged_filter(const std::string& table) {
  return fmt::format(
      "<p class=\"tagged\" data-for=\"{}\"><input type=\"search\" aria-label=\"Rows: a name or an "
      "expression of tags\" placeholder=\"name, or esdirk &amp; order&gt;=3\"> <span "
      "class=\"soft\" role=\"status\"></span></p>\n",
      table);
}

}  // namespace daemark
