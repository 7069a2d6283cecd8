#include "methods/core/settings.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <sstream>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "methods/core/stepper.hpp"

namespace daemark {

namespace {

/// One setting: its text in `list settings` and how its value is read.
struct Entry {
  SettingInfo info;
  std::function<void(Settings&, const std::string& value, const SettingInfo&)> take;
};

[[noreturn]] void refuse(const SettingInfo& info, const std::string& value) {
  throw BadInput(
      fmt::format("setting {} = '{}' is not accepted: {}", info.key, value, info.accepted));
}

/// One of the words of `accepted`, "a | b | c", by position.
auto word(auto set) {
  return [set](Settings& s, const std::string& value, const SettingInfo& info) {
    std::istringstream words(info.accepted);
    int position = 0;
    for (std::string accepted; words >> accepted; ++position, words >> accepted)
      if (accepted == value) return set(s, position);
    refuse(info, value);
  };
}
auto integer(int lo, int hi, auto set) {
  return [lo, hi, set](Settings& s, const std::string& value, const SettingInfo& info) {
    const Expression e = Expression::parse(value, "setting " + info.key);
    if (!e.is_rational()) refuse(info, value);
    const rational x = e.as_rational();
    if (x < lo || x > hi || denominator(x) != 1) refuse(info, value);
    set(s, static_cast<int>(x));
  };
}
/// A number with lo <= x <= hi, or the word of `accepted`, "... | word", which means 0.
auto real(double lo, double hi, auto set) {
  return [lo, hi, set](Settings& s, const std::string& value, const SettingInfo& info) {
    if (info.accepted.ends_with("| " + value)) return set(s, 0.0);
    const double x = Expression::parse(value, "setting " + info.key).eval<double>();
    if (!(x >= lo && x <= hi)) refuse(info, value);
    set(s, x);
  };
}
constexpr double least_positive = std::numeric_limits<double>::denorm_min(),
                 most = std::numeric_limits<double>::max();
auto positive(auto set) { return real(least_positive, most, set); }

/// Where the default is another setting's value: `set` is not called for its word.
auto given(double lo, auto set) {
  return [lo, set](Settings& s, const std::string& value, const SettingInfo& info) {
    if (value != info.fallback) real(lo, most, set)(s, value, info);
  };
}

void newton_tolerance(Settings& s, const std::string& value, const SettingInfo& info) {
  s.newton.by_step = value == "step";
  if (value != "step" && value != "strict")
    positive([](Settings& to, double x) { to.newton.tol = x; })(s, value, info);
}

using Entries = std::vector<Entry>;

Entries newton_entries() {
  return {
      {{"newton.tol", "real > 0 | strict | step", "step",
        "bound on the norm of the Newton increment of (acceleration, multiplier), or of the "
        "residual; simplified: or on 20 times the predicted next increment; strict: 1e-10 in "
        "double, eps^0.7 elsewhere; step: in double what the error of the step makes of "
        "increments, elsewhere strict"},
       newton_tolerance},
      {{"newton.test", "increment | residual", "increment",
        "what newton.tol bounds; residual: tested before each solve, position rows as Φ/(b h) "
        "(Zhang 2022)"},
       word([](Settings& s, int i) { s.newton.on_residual = i == 1; })},
      {{"newton.norm", "inf | two", "inf", "norm of the increment or residual"},
       word([](Settings& s, int i) { s.newton.infinity_norm = i == 0; })},
      {{"newton.max", "integer 1..1000", "30", "iterations per stage system"},
       integer(1, 1000, [](Settings& s, int n) { s.newton.max = n; })},
      {{"newton.rescue", "on | off | questioned", "on",
        "an iteration that fails is made again damped, from its first guess and from others, where "
        "its failure would end the run: on fixed steps without retry; questioned: also one whose "
        "increments grew on the way, which may have ended at another solution"},
       word([](Settings& s, int i) { s.newton.rescue = static_cast<Rescue>(i); })},
      {{"newton.kind", "full | simplified", "full",
        "simplified: one Jacobian a stage system and transformed blocks"},
       word([](Settings& s, int i) { s.newton.simplified = i == 1; })},
      {{"newton.reuse", "integer 0..1000000", "0",
        "simplified: steps a factorisation may be kept while it converges fast"},
       integer(0, 1000000, [](Settings& s, int n) { s.newton.reuse = n; })},
  };
}

Entries step_entries() {
  return {
      {{"predictor", "constant | extrapolated | hermite2 | hermite4", "constant",
        "first guess of the stages; hermite2, hermite4: Zhang 2022, eqs. 12 and 16"},
       word([](Settings& s, int i) { s.predictor = static_cast<Predictor>(i); })},
      {{"start", "own_order | lower_orders | trapezoidal | radau_iia", "own_order",
        "multistep formulas: what computes the first points; lower_orders: the trapezoidal rule, "
        "then the formulas of the family with 2, 3, ... steps, which bounds the order by 3; "
        "own_order: that where it costs no order, elsewhere radau_iia"},
       word([](Settings& s, int i) { s.start = static_cast<Start>(i); })},
      {{"start.rates", "consistent | unconverged", "consistent",
        "accelerations and multipliers at the start; unconverged: zero"},
       word([](Settings& s, int i) { s.unconverged_rates = i == 1; })},
      {{"retry", "integer 0..30", "0",
        "how often a failed step is halved before the run ends, and doubled again after a part "
        "that succeeds; methods of variable step"},
       integer(0, 30, [](Settings& s, int n) { s.retry = n; })},
      {{"project", "none | position | velocity | both", "none",
        "step ends are put onto the constraints of these levels"},
       word([](Settings& s, int i) {
         s.project.position = i == 1 || i == 3, s.project.velocity = i >= 2;
       })},
      {{"project.metric", "mass | euclidean", "mass",
        "what the distance of a projection is measured in"},
       word([](Settings& s, int i) { s.project.mass_metric = i == 0; })},
  };
}

Entries control_entries() {
  return {
      {{"control.tol", "real > 0 | off", "off",
        "step-size control: bound on the estimated error of a step, relative to 1 + |y|; h is then "
        "the spacing of output points"},
       positive([](Settings& s, double x) { s.control.tol = x; })},
      {{"control.first", "real > 0 | auto", "auto",
        "the first step [s]; auto: from how fast the state moves, on index 2 and above a tenth of "
        "h (but for radau_iia)"},
       positive([](Settings& s, double x) { s.control.first = x; })},
      {{"control.least", "real > 0 | auto", "auto",
        "smaller steps end the run [s]; auto: 1e-12 of h"},
       positive([](Settings& s, double x) { s.control.least = x; })},
      {{"control.most", "real > 0 | auto", "auto", "no step is larger [s]; auto: any"},
       positive([](Settings& s, double x) { s.control.most = x; })},
      {{"control.algebraic", "scaled | full | off", "scaled",
        "step-size control on index 2 and 3: the estimated error of the multipliers counts times "
        "h^(index - 1), as it is, or not at all"},
       word([](Settings& s, int i) { s.control.algebraic = static_cast<AlgebraicControl>(i); })},
      {{"control.output", "inside | ends", "inside",
        "step-size control: output points lie inside steps, of methods with values there; or steps "
        "end at them, as with project and events"},
       word([](Settings& s, int i) { s.control.inside = i == 0; })},
      {{"control.order", "fixed | varied", "fixed",
        "step-size control: varied chooses the order along with the step (radau_iia(s), s odd: "
        "from s to 7 stages)"},
       word([](Settings& s, int i) { s.control.vary_order = i == 1; })},
  };
}

/// Numbers of ControlSettings that have a range; defaults are those of the struct.
Entries control_numbers() {
  struct Number {
    const char* key;
    double lo, hi;
    Setting<double> ControlSettings::*number;
    const char* meaning;
  };
  static constexpr Number numbers[] = {
      {"safety", 0.01, 1, &ControlSettings::safety, "factor on each step that is chosen"},
      {"shrink", 0.001, 0.9, &ControlSettings::shrink, "least ratio of a step to the one before"},
      {"grow", 1.1, 1000, &ControlSettings::grow, "largest ratio of a step to the one before"},
      {"dead_zone", 1, 1000, &ControlSettings::dead_zone,
       "where the ratio would be from 1 to this, the step stays as it is"},
      {"accept", 1, 10, &ControlSettings::accept,
       "largest estimated error that is accepted, in units of the tolerance (Gustafsson 1991: "
       "1.2)"},
      {"failed", 0.001, 0.9, &ControlSettings::failed,
       "ratio of the next step to one whose equations were not solved"},
  };
  Entries out;
  for (const Number& n : numbers)
    out.push_back({{fmt::format("control.{}", n.key), fmt::format("real in [{}, {}]", n.lo, n.hi),
                    fmt::format("{}", static_cast<double>(ControlSettings{}.*n.number)), n.meaning},
                   real(n.lo, n.hi, [&n](Settings& s, double x) { s.control.*n.number = x; })});
  return out;
}

Entry controller_entry() {
  std::vector<std::string> words, meanings;
  for (const StepFilter& filter : step_filters()) {
    words.emplace_back(filter.name);
    meanings.push_back(fmt::format("{}: {}", filter.name, filter.meaning));
  }
  return {{"control.kind", fmt::format("{}", fmt::join(words, " | ")), words.front(),
           fmt::format("what chooses the next step; {}", fmt::join(meanings, ", "))},
          word([](Settings& s, int i) { s.control.filter = i; })};
}

/// Tolerances for each kind of component.
Entries tolerance_entries() {
  Entries out;
  for (std::size_t k = 0; k < error_kind_names.size(); ++k) {
    const char* name = error_kind_names[k];
    out.push_back(
        {{fmt::format("control.atol.{}", name), "real > 0 | tol", "tol",
          fmt::format("absolute part of control.tol for each {}, in its unit", name)},
         given(least_positive, [k](Settings& s, double x) { s.control.of[k].absolute = x; })});
    out.push_back({{fmt::format("control.rtol.{}", name), "real >= 0 | tol", "tol",
                    fmt::format("part of control.tol relative to the size of each {}", name)},
                   given(0, [k](Settings& s, double x) { s.control.of[k].relative = x; })});
  }
  return out;
}

const Entries& entries() {
  static const Entries all = [] {
    Entries out = newton_entries();
    for (const Entries& more : {step_entries(), control_entries(), Entries{controller_entry()},
                                control_numbers(), tolerance_entries()})
      out.insert(out.end(), more.begin(), more.end());
    return out;
  }();
  return all;
}

/// Throws BadInput where settings of step-size control contradict each other.
void check_control(const ControlSettings& control, Precision precision) {
  const double round_off = unit_roundoff(precision);
  if (control.on() && control.tol < 10 * round_off)
    throw BadInput(
        fmt::format("setting control.tol = {:g} is below round-off, accepted in {}: {:.1g} or more",
                    static_cast<double>(control.tol), name_of(precision), 10 * round_off));
  for (std::size_t k = 0; control.on() && k < error_kind_names.size(); ++k) {
    const auto kind = static_cast<ErrorKind>(k);
    const double absolute = control.absolute(kind), relative = control.relative(kind);
    if (absolute < 10 * round_off && relative < 10 * round_off)
      throw BadInput(fmt::format(
          "setting control.atol.{0} = {1:g} with control.rtol.{0} = {2:g} is below round-off, "
          "accepted in {3}: one of them {4:.1g} or more",
          error_kind_names[k], absolute, relative, name_of(precision), 10 * round_off));
  }
  if (control.dead_zone >= control.grow)
    throw BadInput(
        fmt::format("setting control.dead_zone = {:g} lets no step grow, accepted: less than "
                    "control.grow, {:g}",
                    static_cast<double>(control.dead_zone), static_cast<double>(control.grow)));
  if (!control.on() && (control.first > 0 || control.least > 0 || control.most > 0))
    throw BadInput("setting control.first, control.least and control.most: need control.tol");
}

}  // namespace

NewtonSettings newton_for(const Settings& settings, const LeadingErrorTerm& step, double exponent) {
  NewtonSettings newton = settings.newton;
  newton.step = step;
  const ControlSettings& control = settings.control;
  if (!control.on()) return newton;
  const auto absolute = [&control, exponent](ErrorKind kind) {
    return control.absolute(kind) * std::pow(control.tol, exponent - 1);
  };
  newton.allowed_position = std::min(absolute(ErrorKind::position), absolute(ErrorKind::angle));
  newton.allowed_velocity = absolute(ErrorKind::velocity);
  return newton;
}

const std::vector<SettingInfo>& setting_infos() {
  static const std::vector<SettingInfo> all = [] {
    std::vector<SettingInfo> infos;
    for (const Entry& entry : entries()) infos.push_back(entry.info);
    return infos;
  }();
  return all;
}

Settings parse_settings(const std::map<std::string, std::string>& values, Precision precision) {
  Settings s;
  s.newton.by_step = true;
  if (precision != Precision::in_double) s.newton.tol = std::pow(unit_roundoff(precision), 0.7);
  for (const auto& [key, value] : values) {
    const auto found = std::find_if(entries().begin(), entries().end(),
                                    [&key = key](const Entry& e) { return e.info.key == key; });
    if (found == entries().end()) {
      std::vector<std::string> known;
      for (const Entry& entry : entries()) known.push_back(entry.info.key);
      throw BadInput(fmt::format("setting '{}' is unknown{}", key,
                                 accepted_names(key, known, "daemark list settings")));
    }
    found->take(s, value, found->info);
  }
  check_control(s.control, precision);
  if (s.control.on() || s.retry > 0)
    s.newton.rescue = Setting<Rescue>("", Rescue::off);  // whatever is asked for
  if (s.project.on() && s.control.inside) {
    if (values.contains("control.output"))
      throw BadInput("setting control.output = 'inside' is not accepted with project: ends");
    s.control.inside = false;  // what is projected are step ends
  }
  s.control.inside_asked = s.control.inside && values.contains("control.output");
  s.newton.by_step = s.newton.by_step && precision == Precision::in_double && !s.newton.on_residual;
  return s;
}

}  // namespace daemark
