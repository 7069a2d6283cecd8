#include "analysis/run/trajectory_reader.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"

namespace daemark {
namespace {

constexpr std::size_t longest_line = 1 << 20;

std::string trimmed(const std::string& text) {
  const char* blanks = " \t\r";
  const std::size_t begin = text.find_first_not_of(blanks);
  if (begin == std::string::npos) return {};
  return text.substr(begin, text.find_last_not_of(blanks) - begin + 1);
}

/// "x1 [m]" or "x1", either between double quotes.
TrajectoryColumn column_of(std::string field) {
  if (field.size() > 1 && field.front() == '"' && field.back() == '"')
    field = trimmed(field.substr(1, field.size() - 2));
  const std::size_t open = field.find('[');
  if (open == std::string::npos || !field.ends_with(']')) return {field, ""};
  return {trimmed(field.substr(0, open)), trimmed(field.substr(open + 1, field.size() - open - 2))};
}

bool read_number(const std::string& text, double& value) {
  const std::optional<double> number = read_double(text);
  value = number.value_or(0);
  return number && std::isfinite(value);
}

}  // namespace

TrajectoryReader::TrajectoryReader(std::string file) : file_(std::move(file)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(file_, ignored))
    throw BadInput(fmt::format("{} is a folder; accepted: a CSV file", printable(file_, 200)));
  in_.open(file_);
  if (!in_) throw BadInput(fmt::format("cannot read {}", printable(file_, 200)));
  read_header();
}

std::string TrajectoryReader::place() const {
  return fmt::format("{}, line {}", printable(file_, 200), line_);
}

void TrajectoryReader::refuse(const std::string& what) const {
  throw BadInput(place() + ": " + what);
}

/// False at the end; empty lines are left out.
bool TrajectoryReader::read_fields(std::vector<std::string>& fields) {
  std::string line;
  do {
    if (!std::getline(in_, line)) return false;
    ++line_;
    if (line.size() > longest_line) refuse("longer than a million characters; accepted: CSV");
  } while (trimmed(line).empty());
  fields.clear();
  for (std::size_t from = 0; from <= line.size();) {
    const std::size_t to = std::min(line.find(',', from), line.size());
    fields.push_back(trimmed(line.substr(from, to - from)));
    from = to + 1;
  }
  return true;
}

void TrajectoryReader::read_header() {
  std::vector<std::string> fields;
  bool is_there = read_fields(fields);
  for (; is_there && fields.front().starts_with('#'); is_there = read_fields(fields)) {
    const std::string comment = trimmed(fields.front().substr(1));
    const std::size_t equals = comment.find('=');
    if (equals != std::string::npos && trimmed(comment.substr(0, equals)) == "h")
      h_ = Expression::parse(trimmed(comment.substr(equals + 1)), place() + ": h").eval<double>();
  }
  if (!is_there)
    refuse("the file is empty; accepted: a header of names, \"t [s],x1 [m],...\", and rows");
  if (fields.front().starts_with("\xef\xbb\xbf")) fields.front().erase(0, 3);
  const TrajectoryColumn time = column_of(fields.front());
  if (time.name != "t" && time.name != "time")
    refuse(
        fmt::format("the first column is {}; accepted: a header, separated by commas, whose "
                    "first column is t or t [s]",
                    in_quotes(time.name)));
  if (!time.unit.empty() && time.unit != "s" && time.unit != "1")
    refuse(fmt::format("the time is in {}; accepted: s, or 1 without units", in_quotes(time.unit)));
  std::set<std::string> names;
  for (std::size_t i = 1; i < fields.size(); ++i) {
    columns_.push_back(column_of(fields[i]));
    if (!names.insert(columns_.back().name).second)
      refuse(fmt::format("column {} stands there twice; accepted: each once",
                         in_quotes(columns_.back().name)));
  }
  if (columns_.empty()) refuse("the time is the only column; accepted: more");
}

bool TrajectoryReader::next(TrajectoryRow& row) {
  if (!read_fields(row.texts)) {
    if (in_.bad()) throw BadInput(fmt::format("cannot read {} to its end", printable(file_, 200)));
    if (rows_ == 0) refuse("no rows after the header; accepted: one or more");
    return false;
  }
  row.line = line_;
  if (row.texts.size() != columns_.size() + 1)
    refuse(fmt::format("{} fields; accepted: {}, as many as names", row.texts.size(),
                       columns_.size() + 1));
  row.values.resize(columns_.size());
  for (std::size_t i = 0; i < row.texts.size(); ++i)
    if (!read_number(row.texts[i], i == 0 ? row.t : row.values[i - 1]))
      refuse(fmt::format("{} of column {} is not accepted: a finite decimal number",
                         in_quotes(row.texts[i]), i == 0 ? "t" : columns_[i - 1].name));
  if (rows_ > 0 && row.t < last_t_)
    refuse(fmt::format("t = {} after {}; accepted: times that do not decrease", row.t, last_t_));
  last_t_ = row.t;
  ++rows_;
  return true;
}

}  // namespace daemark
