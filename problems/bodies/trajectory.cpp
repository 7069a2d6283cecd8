#include "problems/bodies/trajectory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <optional>
#include <set>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/read_double.hpp"
#include "problems/geometry/rotation.hpp"

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

bool read_number(const std::string& text, bool finite_alone, double& value) {
  static const std::set<std::string> not_finite = {"nan", "-nan", "inf", "-inf", "NaN", "Infinity"};
  const std::optional<double> number = read_double(text);
  value = number.value_or(NAN);
  return finite_alone ? std::isfinite(value) : number || not_finite.contains(text);
}

}  // namespace

TrajectoryReader::TrajectoryReader(std::string file, bool finite_alone)
    : file_(std::move(file)), finite_alone_(finite_alone) {
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
      refuse(fmt::format("column {} occurs twice; accepted: each once",
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
    if (!read_number(row.texts[i], finite_alone_ || i == 0, i == 0 ? row.t : row.values[i - 1]))
      refuse(fmt::format("{} of column {} is not accepted: a finite decimal number",
                         in_quotes(row.texts[i]), i == 0 ? "t" : columns_[i - 1].name));
  if (rows_ > 0 && row.t < last_t_)
    refuse(fmt::format("t = {} after {}; accepted: times that do not decrease", row.t, last_t_));
  last_t_ = row.t;
  ++rows_;
  return true;
}

namespace {

std::optional<int> place_of(const std::vector<std::string>& names, const std::string& name) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) return {};
  return static_cast<int>(found - names.begin());
}

/// "crank.vx" as "crank" and "vx".
std::pair<std::string, std::string> parts_of(const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return {"", name};
  return {name.substr(0, dot), name.substr(dot + 1)};
}

/// The coordinate x of a body: "x_crank", "xcrank".
std::optional<int> coordinate(const StateNames& names, const std::string& body,
                              const std::string& letter) {
  if (const auto at = place_of(names.q, letter + "_" + body)) return at;
  return place_of(names.q, letter + body);
}

std::optional<int> rotation_of(const StateNames& names, const std::string& body) {
  return place_of(names.q, body.empty() ? "psi_x" : "psix_" + body);
}

/// The problem's own name of a column; the given one where there is none.
std::string own_name(const std::string& given, const StateNames& names) {
  if (given.starts_with("der(") && given.ends_with(')')) {
    const std::string of = given.substr(4, given.size() - 5);
    if (const auto i = place_of(names.q, of)) return names.v[*i];
    if (const auto i = place_of(names.v, of)) return "a_" + names.q[*i];
  }
  const auto [body, quantity] = parts_of(given);
  if (body.empty()) return given;
  if (quantity == "omega") {
    if (const auto i = coordinate(names, body, "theta")) return names.v[*i];
  } else if (quantity.size() == 2 && quantity[0] == 'v') {
    if (const auto i = coordinate(names, body, quantity.substr(1))) return names.v[*i];
  } else if (const auto i = coordinate(names, body, quantity)) {
    return names.q[*i];
  }
  return given;
}

real50 number(const std::string& text) {
  return real50(text.starts_with('+') ? text.substr(1) : text);
}

}  // namespace

BodyColumns::BodyColumns(const std::vector<TrajectoryColumn>& given, const StateNames& names,
                         const std::string& place, const RigidBodies* bodies) {
  if (bodies != nullptr) take_bodies(given, names, *bodies);
  if (states_) return;
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (take(given[i].name, static_cast<int>(i), names)) continue;
    kept_.push_back(static_cast<int>(i));
    columns_.push_back({own_name(given[i].name, names), given[i].unit});
  }
  for (const Turn& turn : turns_) {
    check(turn, place);
    for (int i = 0; i < 3; ++i) columns_.push_back({names.q[turn.first + i], ""});
    for (int i = 0; i < 3 && turn.has_spin(); ++i)
      columns_.push_back({names.v[turn.first + i], ""});
  }
  for (std::size_t i = 0; i < columns_.size(); ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (columns_[i].name == columns_[j].name)
        throw BadInput(
            fmt::format("{}: two columns are {}; accepted: each once", place, columns_[i].name));
}

void BodyColumns::take_bodies(const std::vector<TrajectoryColumn>& given, const StateNames& names,
                              const RigidBodies& bodies) {
  std::vector<std::string> all;
  // Planar angles and rotation vectors by the names of the problem, unless those are of other
  // points than the mass centres.
  bool own = std::all_of(bodies.shown.begin(), bodies.shown.end(), [](const auto& shown) {
    return shown.kind != RigidBodies::Shown::Kind::point ||
           (shown.at[0] == 0 && shown.at[1] == 0 && shown.at[2] == 0);
  });
  for (const TrajectoryColumn& column : given) {
    all.push_back(column.name);
    const std::string name = own_name(column.name, names);
    own = own && (place_of(names.q, name) || place_of(names.v, name) ||
                  (!bodies.planar && rotation_of(names, parts_of(column.name).first)));
  }
  if (own || !(states_ = BodyStateColumns::find(bodies, all))) return;
  shown_.emplace(bodies);
  for (const auto* part : {&names.q, &names.v})
    for (const std::string& name : *part) columns_.push_back({name, ""});
}

bool BodyColumns::take(const std::string& name, int column, const StateNames& names) {
  const auto [body, quantity] = parts_of(name);
  if (quantity.size() != 2) return false;
  const std::size_t e = std::string("0123").find(quantity[1]);
  const std::size_t w = std::string("xyz").find(quantity[1]);
  const bool is_quaternion = quantity[0] == 'e' && e < 4, is_spin = quantity[0] == 'w' && w < 3;
  const auto first = rotation_of(names, body);
  if ((!is_quaternion && !is_spin) || !first) return false;
  // An output of this name is the problem's.
  if (body.empty() && std::any_of(names.outputs.begin(), names.outputs.end(),
                                  [&](const OutputInfo& output) { return output.id == name; }))
    return false;
  auto turn = std::find_if(turns_.begin(), turns_.end(),
                           [&](const Turn& other) { return other.first == *first; });
  if (turn == turns_.end())
    turn = turns_.insert(turn, {body, *first, {-1, -1, -1, -1}, {-1, -1, -1}});
  (is_quaternion ? turn->quaternion[e] : turn->spin[w]) = column;
  return true;
}

void BodyColumns::check(const Turn& turn, const std::string& place) const {
  const std::string dot = turn.body.empty() ? "" : turn.body + ".";
  const auto lacks = [](const auto& columns) {
    return std::find(columns.begin(), columns.end(), -1) != columns.end();
  };
  if (lacks(turn.quaternion))
    throw BadInput(fmt::format(
        "{}: the quaternion of {} is not complete; accepted: {}e0, {}e1, "
        "{}e2, {}e3, the scalar first, also next to {}wx, {}wy, {}wz",
        place, turn.body.empty() ? "the body" : turn.body, dot, dot, dot, dot, dot, dot, dot));
  if (std::any_of(turn.spin.begin(), turn.spin.end(), [](int i) { return i >= 0; }) &&
      lacks(turn.spin))
    throw BadInput(
        fmt::format("{}: the angular velocity of {} is not complete; accepted: {}wx, {}wy, {}wz",
                    place, turn.body.empty() ? "the body" : turn.body, dot, dot, dot));
}

void BodyColumns::translate(TrajectoryRow& row, const std::string& place) {
  if (states_) {
    const std::size_t n = columns_.size() / 2;
    std::vector<double> motion(2 * n);
    shown_->show(states_->states(row.values), motion.data(), motion.data() + n);
    row.texts.resize(1);
    for (const double x : motion) row.texts.push_back(fmt::format("{:.17g}", x));
    row.values = std::move(motion);
    return;
  }
  if (turns_.empty()) return;
  constexpr double most = 1e-3;  // of rounding and of drift
  std::vector<std::string> texts = {row.texts[0]};
  std::vector<double> values;
  for (const int i : kept_) texts.push_back(row.texts[i + 1]), values.push_back(row.values[i]);
  const auto add = [&](const rotation::Vec3<real50>& x) {
    for (const real50& entry : x) {
      texts.push_back(entry.str(40, std::ios_base::scientific));
      values.push_back(to_double(entry));
    }
  };
  for (const Turn& turn : turns_) {
    rotation::Quaternion<real50> p;
    real50 square = 0;
    for (int i = 0; i < 4; ++i) {
      p[i] = number(row.texts[turn.quaternion[i] + 1]);
      square += p[i] * p[i];
    }
    const real50 length = sqrt(square);
    if (!(abs(real50(length - 1)) <= most))
      throw BadInput(fmt::format("{}: the quaternion of {} has the length {:.10g}; accepted: 1",
                                 place, turn.body.empty() ? "the body" : turn.body,
                                 to_double(length)));
    for (real50& entry : p) entry /= length;
    add(rotation::logarithm(p));
    if (!turn.has_spin()) continue;
    rotation::Vec3<real50> w;
    for (int i = 0; i < 3; ++i) w[i] = number(row.texts[turn.spin[i] + 1]);
    add(rotation::rotate(rotation::conjugate(p), w));
  }
  row.texts = std::move(texts), row.values = std::move(values);
}

}  // namespace daemark
