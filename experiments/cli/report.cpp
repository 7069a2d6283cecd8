#include "experiments/cli/report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

std::string cell_text(const ReportRows::Json& cell, const Column& column) {
  if (cell.is_string()) return cell.get<std::string>();
  if (cell.is_null()) return "-";
  if (!cell.is_number_float()) return cell.dump();
  const auto value = cell.get<double>();
  return std::isnan(value) ? "-" : fmt::format(fmt::runtime(column.number), value + 0.0);  // no -0
}

}  // namespace

ReportRows::Json ReportRows::objects() const {
  Json list = Json::array();
  for (const auto& cells : cells_) {
    Json object = Json::object();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (!columns_[i].key.empty()) object[columns_[i].key] = cells[i];
    list.push_back(std::move(object));
  }
  return list;
}

void ReportRows::lists(Json& into) const {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].key.empty()) continue;
    Json& list = into[columns_[i].key] = Json::array();
    for (const auto& cells : cells_) list.push_back(cells[i]);
  }
}

std::string ReportRows::text(int indent) const {
  std::vector<std::vector<std::string>> lines;
  const auto line = [&](const auto& cell) {
    lines.emplace_back();
    for (std::size_t i = 0; i < columns_.size(); ++i)
      if (columns_[i].heading != "-") lines.back().push_back(cell(i));
  };
  if (std::any_of(columns_.begin(), columns_.end(),
                  [](const Column& c) { return !c.heading.empty() && c.heading != "-"; }))
    line([&](std::size_t i) { return columns_[i].heading; });
  for (const auto& cells : cells_)
    line([&](std::size_t i) { return cell_text(cells[i], columns_[i]); });
  lines.insert(lines.end(), notes_.begin(), notes_.end());
  return columns(lines, indent);
}

Report& Report::keys(const std::vector<std::string>& names) {
  for (const std::string& name : names) json[name] = nullptr;
  return *this;
}

Report& Report::say(const std::string& more) {
  text += more;
  if (!more.empty() && more.back() != '\n') text += '\n';
  return *this;
}

Report& Report::set(const std::string& key, Json value) {
  json[key] = std::move(value);
  return *this;
}

Report& Report::rows(const std::string& key, const std::string& title, const ReportRows& rows) {
  if (!key.empty()) set(key, rows.objects());
  return rows.empty() ? *this : say(title).say(rows.text());
}

Report& Report::lists(const std::string& title, const ReportRows& rows) {
  rows.lists(json);
  return say(title).say(rows.text());
}

Report& Report::array(const ReportRows& rows, int indent) {
  json = rows.objects();
  return say(rows.text(indent));
}

Report& Report::pairs(const std::string& key, const std::string& title, const Json& object) {
  if (!key.empty()) set(key, object);
  ReportRows lines({{"", ""}, {"", "", "{}"}});
  for (const auto& [name, value] : object.items()) lines.add({name, value});
  return rows("", title, lines);
}

Report& Report::add(const Report& one, std::ostream& out) {
  if (!json.is_array()) json = Json::array();
  json.push_back(one.json);
  out << one.text << std::flush;
  return *this;
}

void Report::print(bool as_json, std::ostream& out) const {
  out << (as_json ? json.dump(2) + "\n" : text);
}

}  // namespace daemark
