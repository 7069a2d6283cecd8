#include "analysis/run/body_columns.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/text/bad_input.hpp"
#include "problems/geometry/rotation.hpp"

namespace daemark {
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
                         const std::string& place) {
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

void BodyColumns::translate(TrajectoryRow& row, const std::string& place) const {
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
