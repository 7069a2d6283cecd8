#include "analysis/soundness/judge_numbers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace daemark {
namespace {

std::string of_body(const BodyFacts& body) {
  const std::size_t at = body.where.rfind(": ");
  return at == std::string::npos ? body.name
                                 : fmt::format("{} ({})", body.name, body.where.substr(at + 2));
}

/// Units in words that a number in m, kg, s, rad does not have.
constexpr const char* other_units[] = {"mm",  "cm",   "km", "in",  "inch", "ft",  "deg", "degree",
                                       "g",   "gram", "lb", "lbf", "kN",   "MN",  "kPa", "MPa",
                                       "GPa", "ms",   "us", "min", "h",    "rpm", "Nmm", "degrees"};

std::string other_unit(const std::string& unit) {
  std::string word;
  for (const char c : unit + " ") {
    if (std::isalpha(static_cast<unsigned char>(c)) != 0) {
      word += c;
      continue;
    }
    if (std::find(std::begin(other_units), std::end(other_units), word) != std::end(other_units))
      return word;
    word.clear();
  }
  return "";
}

void judge_data_units(const Problem& problem, std::vector<Finding>& findings) {
  for (const Datum& datum : problem.data)
    if (const std::string word = other_unit(datum.unit); !word.empty())
      findings.push_back({false, "units", datum.name,
                          fmt::format("{} = {} is in {}, but formulas and results are in m, kg, s "
                                      "and rad",
                                      datum.name, datum.text(), datum.unit),
                          fmt::format("state it without {}, or make sure that every formula that "
                                      "uses {} converts it",
                                      word, datum.name)});
}

void judge_gravity(const Problem& problem, const MechanismFacts& facts,
                   std::vector<Finding>& findings) {
  std::vector<double> g;
  double size = 0;
  for (const double x : facts.gravity) size = std::hypot(size, x);
  if (!facts.gravity.empty())
    g.push_back(size);
  else
    for (const Datum& datum : problem.data)
      if (datum.unit == "m/s^2")
        for (const StatedNumber& n : datum.numbers) g.push_back(std::abs(to_double(n.value())));
  struct Other {
    double least, most;
    const char* unit;
  };
  constexpr Other others[] = {
      {9700, 10000, "mm/s^2"}, {970, 1000, "cm/s^2"}, {32, 32.3, "ft/s^2"}, {384, 388, "in/s^2"}};
  constexpr double jupiter = 25;
  for (const double x : g) {
    if (x <= jupiter) continue;
    const auto* const other =
        std::find_if(std::begin(others), std::end(others),
                     [x](const Other& o) { return o.least <= x && x <= o.most; });
    const bool known = other != std::end(others);
    findings.push_back(
        {known, "units", "gravity",
         fmt::format("gravity is {:g} m/s^2{}; no planet has more than {:g}", x,
                     known ? fmt::format(", which looks like {}", other->unit) : "", jupiter),
         "9.81, with lengths in m and masses in kg"});
  }
  if (facts.gravity.size() == 1 && facts.gravity[0] < 0)
    findings.push_back({false, "gravity", "gravity",
                        fmt::format("gravity {:g} points upwards: of planar files it is counted "
                                    "downwards",
                                    facts.gravity[0]),
                        fmt::format("{:g}, if it is to pull down", -facts.gravity[0])});
}

void judge_angles(const MechanismFacts& facts, std::vector<Finding>& findings) {
  // More than a turn, and a whole number of half degrees: nobody needs it, and multiples of pi are
  // no such numbers.
  std::vector<std::string> all;
  for (const auto& [where, angle] : facts.angles)
    if (std::abs(angle) > 2 * std::numbers::pi && std::floor(2 * angle) == 2 * angle)
      all.push_back(fmt::format("{} = {:g}", where, angle));
  if (!all.empty())
    findings.push_back({false, "units", all.front().substr(0, all.front().find(" =")),
                        fmt::format("{} rad look{} like degrees: more than a turn (2 pi) and a "
                                    "multiple of 1/2",
                                    fmt::join(all, ", "), all.size() == 1 ? "s" : ""),
                        "radians: 90 degrees are \"pi/2\""});
}

/// Largest distance of a body's joints from its mass centre: how fast rows in m change as it turns.
std::vector<double> levers(MechanicalSystem<double>& mechanism, double t,
                           const std::vector<BodyPlace>& bodies) {
  const int n = mechanism.coordinates();
  std::vector<double> q(n), v(n), a(n), lambda(mechanism.constraints()),
      chart(mechanism.chart_size()), gradient(mechanism.gradient_pattern().size());
  mechanism.initial(q.data(), v.data());
  mechanism.initial_chart(chart.data());
  MotionValues<double> out;
  out.gradient = gradient.data();
  mechanism.evaluate({t, q.data(), v.data(), a.data(), lambda.data(), chart.data()}, {}, out);
  std::vector<double> found(bodies.size());
  for (std::size_t k = 0; k < gradient.size() && !bodies.empty(); ++k) {
    const auto [row, column] = mechanism.gradient_pattern().entries[k];
    const int width = bodies.front().width, turns = width / 2 + (width == 3);
    if (column % width < turns || mechanism.constraint_units()[row] != "m") continue;
    double& lever = found[column / width];
    lever = std::max(lever, std::abs(gradient[k]));
  }
  return found;
}

void judge_lengths(const Problem& problem, const MechanismFacts& facts,
                   MechanicalSystem<double>& mechanism, std::vector<Finding>& findings) {
  constexpr double large = 32;  // [m]: √1000; a link of 1 m, or of 1000 mm
  constexpr double of_gyration =
      300;  // a bar hinged at its ends: 1.7, with mm where m is meant 577 or more
  const std::vector<BodyPlace> places = body_places(mechanism);
  const std::vector<double> lever = levers(mechanism, problem.start.eval<double>(), places);
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto body = std::find_if(facts.bodies.begin(), facts.bodies.end(),
                                   [&](const BodyFacts& b) { return b.name == places[i].name; });
    const std::string where = body == facts.bodies.end() ? places[i].name : of_body(*body);
    if (lever[i] > large)
      findings.push_back({false, "units", where,
                          fmt::format("a joint is {:.4g} m from the mass centre, which looks like "
                                      "mm (threshold {:g} m)",
                                      lever[i], large),
                          fmt::format("lengths in m: {:.4g}", lever[i] / 1000)});
    if (body == facts.bodies.end() || body->mass <= 0 || body->largest() <= 0 || lever[i] == 0)
      continue;
    const double gyration = std::sqrt(body->largest() / body->mass), ratio = gyration / lever[i];
    if (ratio > of_gyration || ratio < 1 / of_gyration)
      findings.push_back(
          {false, "units", where,
           fmt::format("mass and inertia make a radius of gyration of {:.3g} m, but a joint is "
                       "{:.3g} m from the mass centre (threshold: a factor of {:g}): they look "
                       "like different units",
                       gyration, lever[i], of_gyration),
           "mass in kg, inertia in kg m^2, lengths in m"});
  }
}

void judge_springs(const MechanismFacts& facts, std::vector<Finding>& findings) {
  constexpr double far = 32;  // √1000: between a spring at its free length and one in other units
  for (const auto& [where, ratio] : facts.springs)
    if (ratio > far || ratio < 1 / far)
      findings.push_back(
          {false, "units", where,
           fmt::format("its free length is {:.4g} times its length at the start, "
                       "which looks like mm where m is meant (threshold: a factor of {:g})",
                       ratio, far),
           "free length and points both in m"});
}

}  // namespace

void judge_inertias(const MechanismFacts& facts, std::vector<Finding>& findings) {
  constexpr double rounding = 1e-9;
  for (const BodyFacts& body : facts.bodies) {
    const std::vector<double>& m = body.moments;
    const bool in_space = m.size() == 3;
    const auto add = [&](std::string what, const char* mend) {
      findings.push_back({true, "inertia", of_body(body), std::move(what), mend});
    };
    if (!(body.mass >= 0) || (in_space && body.mass == 0))
      add(fmt::format("its mass is {:g} kg", body.mass), "a mass above 0");
    if (!m.empty() && !(m.front() >= -rounding * std::abs(m.back())))
      add(fmt::format("no body has this inertia: its principal moment{} {:.6g} kg m^2, not all "
                      "positive",
                      in_space ? "s are" : " is", fmt::join(m, ", ")),
          "moments about the mass centre, products with their signs: [xx, yy, zz, xy, xz, yz]");
    else if (in_space && m[2] > (m[0] + m[1]) * (1 + rounding))
      add(fmt::format("no body has this inertia: of its principal moments {:.6g} kg m^2 the "
                      "largest exceeds the sum of the two others (triangle inequality)",
                      fmt::join(m, ", ")),
          "moments about the mass centre, each at most the sum of the two others");
  }
}

void judge_units(const Problem& problem, const MechanismFacts& facts,
                 MechanicalSystem<double>& mechanism, std::vector<Finding>& findings) {
  judge_data_units(problem, findings);
  judge_gravity(problem, facts, findings);
  judge_angles(facts, findings);
  judge_lengths(problem, facts, mechanism, findings);
  judge_springs(facts, findings);
}

void judge_scales(const MechanismFacts& facts, std::vector<Finding>& findings) {
  constexpr double most = 1e8;  // half of the 16 digits of double
  for (const auto& [unit, numbers] : facts.groups) {
    const PlacedNumber *least = nullptr, *largest = nullptr;
    for (const PlacedNumber& number : numbers) {
      const double size = std::abs(number.value);
      if (size == 0) continue;
      if (!least || size < std::abs(least->value)) least = &number;
      if (!largest || size > std::abs(largest->value)) largest = &number;
    }
    if (!least || !(std::abs(largest->value) > most * std::abs(least->value))) continue;
    findings.push_back(
        {false, "scale", fmt::format("{}, {}", largest->where, least->where),
         fmt::format(
             "in {}: {:g} ({}) and {:g} ({}) differ by a factor of {:.2g} (threshold {:g}): "
             "double keeps {} of 16 digits of their sum",
             unit, largest->value, largest->where, least->value, least->where,
             std::abs(largest->value / least->value), most,
             std::max(0,
                      16 - static_cast<int>(std::log10(std::abs(largest->value / least->value))))),
         "the same unit for both; if it is meant, run with --precision real50 to compare"});
  }
}

}  // namespace daemark
