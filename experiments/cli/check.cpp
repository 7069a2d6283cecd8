// daemark check
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "analysis/report/animation.hpp"
#include "analysis/soundness/soundness.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/wrap.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/run_files.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using Json = Report::Json;

struct CheckOptions {
  std::string what, drawing;
  AnimationOptions animation;
  double seconds = 20;
};

std::string verdict_of(const Soundness& s) {
  const auto wrong =
      std::count_if(s.findings.begin(), s.findings.end(), [](const Finding& f) { return f.wrong; });
  const auto look = static_cast<long>(s.findings.size()) - wrong;
  if (wrong == 0 && look == 0) return "sound";
  std::string text = wrong == 0 ? "sound" : counted(wrong, "thing") + " wrong";
  return look == 0 ? text : text + ", " + counted(look, "thing") + " to look at";
}

Json mode_json(const Mode& mode) {
  return {{"omega", mode.frequency()},
          {"damping", mode.damping()},
          {"value", {mode.value.real(), mode.value.imag()}}};
}
std::string mode_text(const Mode& mode) {
  constexpr double grows = 1e-6;
  return fmt::format("{} rad/s, damping {}{}", brief(mode.frequency()), brief(mode.damping()),
                     mode.damping() < -grows ? " (grows)" : "");
}

void add_modes(const Soundness& s, Json& facts, ReportRows& rows) {
  if (s.modes.empty()) {
    if (!s.no_modes.empty()) facts["no_modes"] = s.no_modes;
    if (!s.no_modes.empty()) rows.add({"frequencies", "none: " + s.no_modes});
    return;
  }
  facts["modes"] = s.modes.size(), facts["modes_at_rest"] = s.lowest;
  if (s.lowest > 0) rows.add({"modes at rest", s.lowest});
  if (s.lowest == s.modes.size()) return;
  const Mode &lowest = s.modes[s.lowest], &highest = s.modes.back();
  const double stiffness = highest.frequency() / lowest.frequency();
  facts["lowest"] = mode_json(lowest), facts["highest"] = mode_json(highest);
  facts["stiffness"] = stiffness;
  rows.add({"lowest frequency", mode_text(lowest)});
  rows.add({"highest frequency", mode_text(highest)});
  rows.add({"stiffness", fmt::format("{}, highest over lowest frequency", brief(stiffness))});
}

void add_motion(const Soundness& s, Json& facts, ReportRows& rows) {
  const FirstMotion& motion = s.motion;
  if (!motion.run) return;
  const std::string how = fmt::format("{} on {} to t = {:.6g} s", motion.run->method_name,
                                      motion.run->formulation.name(), motion.t);
  Json dips = Json::array();
  for (const FirstMotion::Dip& dip : motion.dips)
    dips.push_back({{"t", dip.t}, {"share", dip.share}});
  facts["motion"] = {{"method", motion.run->method_name},
                     {"formulation", motion.run->formulation.name()},
                     {"duration", motion.duration},
                     {"t", motion.t},
                     {"status", motion.status},
                     {"searched", motion.searched},
                     {"singular", dips}};
  facts["conserved"] = motion.conserved;
  rows.add({"first motion", fmt::format("{}, {} ({})", motion.status, how, motion.duration)});
  rows.add({"singular positions", s.rows.rows == 0      ? "none without constraints"
                                  : !motion.searched    ? "not searched for"
                                  : motion.dips.empty() ? "none on the way"
                                                        : std::to_string(motion.dips.size())});
  rows.add({"conserved", motion.conserved.empty()
                             ? "nothing found"
                             : fmt::format("{}", fmt::join(motion.conserved, "; "))});
}

void add_facts(const Soundness& s, Report& report) {
  Json facts = Json::object();
  ReportRows rows({{"", ""}, {"", ""}});
  const RowFacts& r = s.rows;
  facts["degrees_of_freedom"] = r.freedom(), facts["coordinates"] = r.coordinates;
  facts["constraint_rows"] = r.rows, facts["rank"] = r.rank;
  facts["redundant_rows"] = r.redundant, facts["redundant_joints"] = r.joints;
  facts["driven"] = s.driven;
  facts["position_gap"] = s.position_gap, facts["velocity_gap"] = s.velocity_gap;
  rows.add(
      {"degrees of freedom",
       fmt::format("{}{}", r.freedom(), r.freedom() == 0 ? ", drives prescribe the motion" : "")});
  rows.add({"coordinates, rows, rank", fmt::format("{}, {}, {}", r.coordinates, r.rows, r.rank)});
  rows.add({"redundant", r.redundant.empty()
                             ? "none"
                             : fmt::format("{} in {}", counted(r.rows - r.rank, "row"),
                                           counted(r.joints.size(), "joint"))});
  rows.add({"start violates", fmt::format("positions by {}, velocities by {}",
                                          brief(s.position_gap), brief(s.velocity_gap))});
  add_modes(s, facts, rows);
  add_motion(s, facts, rows);
  report.set("facts", facts).rows("", "facts", rows);
}

Report report_of(const Soundness& s) {
  Report report;
  report.status = s.is_wrong() ? 1 : 0;
  report.say(fmt::format("{}: {}", s.name, verdict_of(s)));
  report.set("problem", s.name).set("sound", !s.is_wrong()).set("verdict", verdict_of(s));
  if (s.built) add_facts(s, report);
  if (!s.built) report.say("  nothing else is checked before it can be built");
  ReportRows findings({{"level"}, {"kind"}, {"where"}, {"what"}, {"mend"}});
  for (const Finding& f : s.findings) {
    findings.add({f.wrong ? "wrong" : "look", f.kind, f.where, f.what, f.mend});
    report.say(wrapped(
        fmt::format("{} {}: {}: {}", f.wrong ? "wrong:" : "look at:", f.kind, f.where, f.what)));
    report.say(wrapped("  mend: " + f.mend, 100, 2));
  }
  return report.set("findings", findings.objects());
}

/// The start alone.
void write_drawing(const Soundness& s, const std::string& file) {
  Animation picture;
  picture.title = s.name, picture.caption = "start";
  picture.drawing = drawing_of(*s.problem.make<double>());
  const auto mechanism = s.problem.make<double>();
  const int n = mechanism->coordinates(), shown = mechanism->reference_coordinates();
  std::vector<double> q(n), v(n), chart(mechanism->chart_size()), to(shown), rates(shown);
  mechanism->initial(q.data(), v.data());
  mechanism->initial_chart(chart.data());
  const double t = s.problem.start.eval<double>();
  mechanism->to_reference({t, q.data(), v.data(), nullptr, nullptr, chart.data()}, to.data(),
                          rates.data());
  picture.t = {t}, picture.q = {to};
  FileDraft draft(in_a_folder(file));
  draft.write(animation_svg(picture));
  draft.commit();
}

Report check_verb(const CheckOptions& options, std::ostream&, std::ostream& err) {
  const Soundness s = [&] {
    const ProgressLine progress(err);
    return check_soundness(options.what, options.seconds);
  }();
  Report report = report_of(s);
  const auto refuse = [&](const char* option, const char* why) {
    throw BadInput(
        fmt::format("{}: {} {}; accepted: daemark check without it", option, s.name, why));
  };
  const bool drawn = s.built && !drawing_of(*s.problem.make<double>()).empty();
  if (!options.drawing.empty() && !drawn) refuse("--drawing", "has no drawing");
  if (options.animation.asked() && (!drawn || s.motion.history.t.empty()))
    refuse("--animate", "has no motion to draw");
  report.then = [=] {
    if (!options.drawing.empty()) write_drawing(s, options.drawing);
    if (!options.animation.asked()) return;
    AnimationFile file(options.animation, *s.motion.run);
    file.add(s.motion.history);
    file.finish();
  };
  return report;
}

void declare(OptionSet& app, CheckOptions& options) {
  app.add_option("what", options.what, "FILE.json|P",
                 "a mechanism file, or a problem, with arguments where it takes some")
      ->required();
  app.add_option("--drawing", options.drawing, "FILE.svg", "also draw the start into this file")
      ->ending({".svg"});
  add_animation_options(app, options.animation);
  app.add_option("--time-limit", options.seconds, "SECONDS",
                 "processor time for the first motion, default 20")
      ->positive();
}

}  // namespace

void register_check(Verbs& verbs) {
  verbs.add<CheckOptions>(
      {"check", VerbGroup::look,
       "whether a mechanism is sound: freedom, redundancy, start, inertias, units, singularities",
       "daemark check four_bar"},
      declare, check_verb);
}

}  // namespace daemark
