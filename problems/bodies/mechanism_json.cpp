#include "problems/bodies/mechanism_json.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "base/graph/code.hpp"
#include "base/graph/derivative.hpp"

namespace daemark {
namespace {

using Json = nlohmann::ordered_json;
using Vec3 = RigidBodies::Vec3;

/// As p/q where a short fraction is meant, else 50 digits.
std::string exact_text(const wide& x) {
  constexpr long most = 1000000;
  wide rest = x;
  rational p(1), q(0), before_p(0), before_q(1);
  for (int i = 0; i < 30 && q < most; ++i) {
    const wide whole = floor(rest);
    const rational a(static_cast<boost::multiprecision::mpz_int>(whole));
    std::swap(p, before_p), p += a * before_p;
    std::swap(q, before_q), q += a * before_q;
    const wide found = static_cast<wide>(numerator(p)) / static_cast<wide>(numerator(q));
    if (abs(wide(found - x)) <= abs(x) * wide("1e-100")) return rational(p / q).str();
    rest = 1 / (rest - whole);
  }
  return x.str(50);
}

/// Numbers in double; those that are none are kept exactly beside.
class Numbers {
 public:
  Json of(const std::string& place, const wide& x) {
    const double rounded = to_double(x);
    if (static_cast<wide>(rounded) != x) exact[place] = exact_text(x);
    return rounded;
  }
  template <std::size_t n>
  Json of(const std::string& place, const std::array<wide, n>& x) {
    Json list = Json::array();
    for (std::size_t i = 0; i < n; ++i) list.push_back(of(fmt::format("{}/{}", place, i), x[i]));
    return list;
  }
  Json of(const std::string& place, const std::array<Vec3, 2>& x) {
    return {of(place + "/0", x[0]), of(place + "/1", x[1])};
  }
  Json exact = Json::object();
};

/// Tables of functions of time, each once.
class Laws {
 public:
  Laws(const MotionTimes& times)
      : begin_(times.begin), span_(times.spacing * static_cast<wide>(times.count)) {}

  int number_of(const SharedLaw& law) {
    const auto [place, added] = known_.emplace(law.get(), static_cast<int>(list.size()));
    if (added) list.push_back(table(*law));
    return place->second;
  }
  Json list = Json::array();

 private:
  /// Value and two rates.
  static graph::Evaluator<double> curve_of(const MotionLaw& law) {
    graph::Graph graph;
    const Var t = graph.input();
    std::vector<Var> values = {law(t)};
    for (int i = 0; i < 2; ++i)
      values.push_back(graph::directional({values.back()}, {t}, {Var(1)}).front());
    return graph::Evaluator<double>(
        std::make_shared<const graph::Code>(graph::compile(graph, {values})));
  }

  Json table(const MotionLaw& law) {
    constexpr double fine = 1e-9;
    constexpr int most = 1 << 14;
    graph::Evaluator<double> curve = curve_of(law);
    const auto at = [&](double time) {
      std::array<double, 3> x{};
      curve.inputs()[0] = time;
      curve.run(x.data());
      return x;
    };
    for (int n = 16;; n *= 2) {
      const wide h = span_ / n;
      std::vector<std::array<double, 3>> x;
      std::vector<double> t;
      double size = 0, error = 0;
      for (int i = 0; i <= n; ++i) {
        t.push_back(to_double(wide(begin_ + i * h)));
        x.push_back(at(t.back()));
        size = std::max(size, std::abs(x.back()[0]));
        if (i == 0) continue;
        const auto &a = x[i - 1], &b = x[i];  // the cubic in the middle
        const double cubic = (a[0] + b[0]) / 2 + to_double(h) * (a[1] - b[1]) / 8;
        error = std::max(error, std::abs(cubic - at((t[i - 1] + t[i]) / 2)[0]));
      }
      if (error > fine * (size + 1e-300) && n < most) continue;
      Json out{{"t", t}};
      const char* names[] = {"value", "rate", "second"};
      for (int k = 0; k < 3; ++k) {
        std::vector<double> column;
        for (const auto& row : x) column.push_back(row[k]);
        out[names[k]] = column;
      }
      return out;
    }
  }

  wide begin_, span_;
  std::map<const MotionLaw*, int> known_;
};

Json body_json(const RigidBodies::Body& b, const std::string& at, Numbers& numbers) {
  Json json{{"name", b.name},
            {"kind", b.is_massless() ? "massless"
                     : b.is_point()  ? "point"
                                     : "rigid"},
            {"mass", numbers.of(at + "/mass", b.mass)},
            {"inertia", numbers.of(at + "/inertia", b.inertia)},
            {"position", numbers.of(at + "/position", b.position)},
            {"rotation", numbers.of(at + "/rotation", b.orientation)},
            {"velocity", numbers.of(at + "/velocity", b.velocity)},
            {"angular_velocity", numbers.of(at + "/angular_velocity", b.spin)}};
  if (b.chosen) json["chosen"] = {"xx", "yy"};
  return json;
}

class Writer {
 public:
  Writer(const RigidBodies& bodies, const MotionTimes& times) : b_(bodies), laws_(times) {}

  void write(Json& out) {
    out["planar"] = b_.planar;
    out["features"] = b_.features();
    out["gravity"] = numbers_.of("gravity", b_.gravity);
    if (b_.gravity_law) out["gravity_law"] = laws_.number_of(b_.gravity_law);
    out["bodies"] = Json::array();
    for (const auto& body : b_.bodies)
      out["bodies"].push_back(body_json(body, place("bodies", out), numbers_));
    for (const char* key : {"joints", "springs", "dampers", "torsion_springs", "torsion_dampers",
                            "forces", "moments", "drives"})
      out[key] = Json::array();
    for (const auto& joint : b_.joints) {
      Json json = pair(joint, place("joints", out));
      json["tree"] = joint.tree;
      if (b_.planar && !joint.tree && joint.type == "revolute") json["as"] = "inline";
      out["joints"].push_back(std::move(json));
    }
    for (const auto& drive : b_.drives) {
      Json json = pair(drive, place("drives", out));
      json["law"] = laws_.number_of(drive.law);
      out["drives"].push_back(std::move(json));
    }
    for (const auto& c : b_.couplings) add(c, out);
    for (const auto& load : b_.loads) {
      const char* const key = load.is_moment ? "moments" : "forces";
      const std::string at = place(key, out);
      Json json{{"body", load.body}};
      if (!load.is_moment) json["point"] = numbers_.of(at + "/point", load.point);
      json["value"] = numbers_.of(at + "/value", load.value);
      if (load.law) json["law"] = laws_.number_of(load.law);
      out[key].push_back(std::move(json));
    }
    out["laws"] = laws_.list;
    out["exact"] = numbers_.exact;
  }

 private:
  static std::string place(const char* key, const Json& out) {
    return fmt::format("{}/{}", key, out[key].size());
  }
  Json pair(const RigidBodies::Joint& joint, const std::string& at) {
    return {{"name", joint.name},
            {"type", joint.type},
            {"bodies", joint.bodies},
            {"points", numbers_.of(at + "/points", joint.points)},
            {"axes", numbers_.of(at + "/axes", joint.axes)}};
  }
  void add(const RigidBodies::Coupling& c, Json& out) {
    const std::string key = c.kind + "s", at = place(key.c_str(), out);
    const bool torsion = c.kind.starts_with("torsion"), spring = c.kind.ends_with("spring");
    Json json{{"bodies", c.bodies}};
    const char* const where = torsion ? "axes" : "points";
    json[where] = numbers_.of(at + "/" + where, torsion ? c.axes : c.points);
    const char* const what = spring ? "stiffness" : "coefficient";
    json[what] = numbers_.of(at + "/" + what, c.coefficient);
    const char* const rest = torsion ? "free_angle" : "free_length";
    if (spring) json[rest] = numbers_.of(at + "/" + rest, c.rest);
    if (torsion) json["start_angle"] = numbers_.of(at + "/start_angle", c.start_angle);
    if (c.law) json["law"] = laws_.number_of(c.law);
    out[key].push_back(std::move(json));
  }

  const RigidBodies& b_;
  Numbers numbers_;
  Laws laws_;
};

}  // namespace

Json mechanism_json(const std::string& problem, const RigidBodies* bodies,
                    const MotionTimes& times) {
  Json out{{"form", "daemark-mechanism/1"}, {"problem", problem}};
  if (bodies != nullptr) Writer(*bodies, times).write(out);
  out["times"] = {{"begin", to_double(times.begin)},
                  {"spacing", to_double(times.spacing)},
                  {"count", times.count}};
  return out;
}

}  // namespace daemark
