#include "experiments/atlas/card_html.hpp"

#include "experiments/atlas/atlas_book.hpp"
#include "experiments/atlas/card_names.hpp"

namespace daemark {

std::string card_page(const PageFrame& page, const std::string& skeleton, const PageData& data) {
  ReportModel bar;
  bar.rooms = atlas_rooms();
  bar.rooms.insert(bar.rooms.begin(), {"problems", "problems/index.html", ""});
  return html_page(bar, {page.path, page.title, true}, fill_template(skeleton, data));
}

PageData sweep_cell(const std::string& sweep, const PageFrame& page, bool head) {
  std::string name = sweep;
  constexpr std::string_view earlier = " †";
  if (name.ends_with(earlier)) name.resize(name.size() - earlier.size());
  const std::string path = method_card(method_of(name));
  return {{"head", head}, {"text", sweep}, {"link", path.empty() ? "" : page.link(path)}};
}

}  // namespace daemark
