// What a verb found: sections of text and the JSON value that says the same, made from one
// declaration of columns and keys.
#pragma once

#include <functional>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace daemark {

struct Column {
  std::string key = {};      ///< in JSON; "": text only
  std::string heading = {};  ///< in text; "-": JSON only. A table without headings has no head line
  const char* number = "{:.6g}";  ///< how text shows a number that is not whole; NaN and null: "-"
};

/// A table; cells are JSON values, one for each column. Those missing at the end of a row are
/// empty.
class ReportRows {
 public:
  using Json = nlohmann::ordered_json;
  explicit ReportRows(std::vector<Column> columns) : columns_(std::move(columns)) {}
  void add(std::vector<Json> cells) {
    cells.resize(columns_.size(), "");
    cells_.push_back(std::move(cells));
  }
  /// A last row of the text alone.
  void note(std::vector<std::string> texts) { notes_.push_back(std::move(texts)); }
  bool empty() const { return cells_.empty(); }
  std::size_t size() const { return cells_.size(); }

  Json objects() const;          ///< [{key: cell, ...}, ...]
  void lists(Json& into) const;  ///< key: [cell, ...]
  std::string text(int indent = 2) const;

 private:
  std::vector<Column> columns_;
  std::vector<std::vector<Json>> cells_;
  std::vector<std::vector<std::string>> notes_;
};

struct Report {
  using Json = nlohmann::ordered_json;
  Json json = Json::object();
  std::string text = {};
  int status = 0;                   ///< exit status of the verb
  bool text_to_err = false;         ///< standard output is taken
  std::function<void()> then = {};  ///< what is left to do once the result is shown; may throw

  /// The keys of the JSON value in their order, where that is not the order of the text.
  Report& keys(const std::vector<std::string>& names);
  Report& say(const std::string& more);  ///< text only; a line unless it ends with a line break
  Report& set(const std::string& key, Json value);  ///< JSON only
  /// A list of objects under `key`; in text a table under its title, nothing where it is empty.
  Report& rows(const std::string& key, const std::string& title, const ReportRows& rows);
  /// Each column a list under its key; in text a table.
  Report& lists(const std::string& title, const ReportRows& rows);
  /// The whole JSON value is a list of objects.
  Report& array(const ReportRows& rows, int indent = 2);
  /// An object under `key`; in text a line for each member.
  Report& pairs(const std::string& key, const std::string& title, const Json& object);
  /// One of several results, whose text is shown as soon as it is known; the JSON value is a list.
  Report& add(const Report& one, std::ostream& out);

  /// Nothing but an exit status.
  static Report ended(int status) { return {.status = status}; }
  /// Nothing was found; standard error has the reason.
  bool failed() const { return status != 0 && json.is_object() && json.empty(); }
  /// As one JSON value, or as text.
  void print(bool as_json, std::ostream& out) const;
};

}  // namespace daemark
