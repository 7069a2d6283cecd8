// daemark analyse
#include "analysis/linear/analyse.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <ostream>

#include "analysis/linear/amplification.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/modes.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

constexpr const char* default_x = "0.01,0.02,0.05,0.1,0.15,0.2,0.25,0.5,1,10,100";

struct AnalyseOptions {
  std::vector<std::string> methods;
  std::string method, x, region, box, formulation;  ///< method: empty unless exactly one is named
  ModeOptions modes;
  bool json = false;
};

ordered_json result_json(const AnalyseResult& r) {
  ordered_json out = {{"method", r.method},
                      {"n", r.n},
                      {"x", r.x},
                      {"amplitude_decay_percent", r.amplitude_decay_percent},
                      {"period_elongation_percent", r.period_elongation_percent},
                      {"spectral_radius", r.spectral_radius}};
  out["stability_function"] = nullptr;
  if (r.stability_function)
    out["stability_function"] = {{"num", r.stability_function->num},
                                 {"den", r.stability_function->den}};
  return out;
}

std::string percent(double value) { return fmt::format("{:.8g}", value + 0.0); }  // no -0

/// A coefficient of many digits cut to 24 characters besides the exponent.
std::string shortened(const std::string& number) {
  const std::size_t exponent = std::min(number.find('e'), number.size());
  return number.substr(0, std::min<std::size_t>(exponent, 24)) + number.substr(exponent);
}

void print_result(const AnalyseResult& r, std::ostream& out) {
  out << fmt::format("{}, undamped oscillator of period T, x = dt/(nT) with n = {}\n", r.method,
                     r.n);
  std::vector<std::vector<std::string>> rows = {
      {"x", "amplitude decay %", "period elongation %", "spectral radius"}};
  for (std::size_t i = 0; i < r.x.size(); ++i)
    rows.push_back({fmt::format("{}", r.x[i]), percent(r.amplitude_decay_percent[i]),
                    percent(r.period_elongation_percent[i]),
                    fmt::format("{:.10f}", r.spectral_radius[i])});
  out << columns(rows) << decay_meaning;
  if (!r.stability_function) return;
  out << "stability function, ascending powers of z\n";
  for (const auto& [name, list] : {std::pair{"num", &r.stability_function->num},
                                   std::pair{"den", &r.stability_function->den}}) {
    out << "  " << name << ":";
    for (const std::string& c : *list) out << " " << shortened(c);
    out << "\n";
  }
}

std::string root_text(const std::complex<double>& z) {
  if (std::abs(z.imag()) < 1e-9 * std::abs(z)) return fmt::format("{:.6g}", z.real());
  return fmt::format("{:.6g}{:+.6g}i", z.real(), z.imag());
}

ordered_json constrained_json(const ConstrainedRoots& r) {
  const auto lists = [](const std::vector<std::vector<std::complex<double>>>& all) {
    ordered_json out = ordered_json::array();
    for (const auto& roots : all) {
      ordered_json row = ordered_json::array();
      for (const auto& z : roots) row.push_back({z.real(), z.imag()});
      out.push_back(row);
    }
    return out;
  };
  return {{"method", r.method},
          {"formulation", r.formulation},
          {"n", r.n},
          {"x", r.x},
          {"roots", lists(r.roots)},
          {"constraint_roots", lists(r.constraint)},
          {"constraint_radius", r.radius}};
}

/// The roots of one step on a linear constrained system.
int analyse_constrained(const AnalyseOptions& options, std::ostream& out) {
  if (options.method.empty())
    throw BadInput("--formulation: no method is named, accepted: a method before it");
  if (!options.region.empty() || !options.box.empty())
    throw BadInput("--region, --box: of the unconstrained equation, accepted: no --formulation");
  const ConstrainedRoots r =
      constrained_roots({options.method, options.formulation,
                         read_numbers(options.x.empty() ? default_x : options.x, "--x")});
  if (options.json) {
    out << constrained_json(r).dump(2) << "\n";
    return 0;
  }
  out << fmt::format("{} on {}: two oscillators of period T held together, x = dt/(nT), n = {}\n",
                     r.method, r.formulation, r.n);
  std::vector<std::vector<std::string>> rows = {{"x", "radius", "roots along the constraint"}};
  for (std::size_t i = 0; i < r.x.size(); ++i) {
    std::string roots;
    for (const auto& z : r.constraint[i]) roots += (roots.empty() ? "" : ", ") + root_text(z);
    rows.push_back({fmt::format("{}", r.x[i]), fmt::format("{:.6g}", r.radius[i]),
                    roots.empty() ? "0" : roots});
  }
  out << columns(rows);
  return 0;
}

/// The whole catalogue, a row for each method.
int print_table(bool json, std::ostream& out, std::ostream& err) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "n", "order", "rho_inf", "AD% 0.05", "AD% 0.1", "PE% 0.05", "PE% 0.1"}};
  ordered_json list = ordered_json::array();
  std::map<std::string, std::vector<std::string>> left_out;  // by reason
  const std::vector<std::string> calls = method_registry().examples();
  std::optional<ProgressLine> progress(std::in_place, err);
  ProgressParts parts(std::vector<double>(calls.size(), 1.0));
  for (const std::string& call : calls) {
    const ProgressShare share = parts.next();
    tell_progress("methods", 0);
    const LinearSummary s = summarise(call);
    if (!s.failure.empty()) {
      left_out[s.failure].push_back(s.method);
      continue;
    }
    const auto number = [](double v) { return fmt::format("{:.6g}", v); };
    rows.push_back({s.method, std::to_string(s.n), s.order > 0 ? std::to_string(s.order) : "-",
                    number(s.rho_infinity), number(s.decay_005), number(s.decay_010),
                    number(s.elongation_005), number(s.elongation_010)});
    list.push_back({{"method", s.method},
                    {"n", s.n},
                    {"order", s.order > 0 ? ordered_json(s.order) : ordered_json(nullptr)},
                    {"rho_infinity", s.rho_infinity},
                    {"x", {0.05, 0.1}},
                    {"amplitude_decay_percent", {s.decay_005, s.decay_010}},
                    {"period_elongation_percent", {s.elongation_005, s.elongation_010}}});
  }
  progress.reset();
  if (json)
    out << list.dump(2) << "\n";
  else
    out << "on the undamped oscillator, x = dt/(nT), n stages counted\n"
        << columns(rows) << decay_meaning;
  for (const auto& [why, methods] : left_out)
    err << fmt::format("left out, {}: {}\n", why, fmt::join(methods, ", "));
  return 0;
}

StabilityRegion region_asked(const AnalyseOptions& options) {
  StabilityRegion region;
  if (!options.box.empty()) {
    const std::vector<Expression> box = read_numbers(options.box, "--box");
    if (box.size() != 4)
      throw BadInput(
          fmt::format("--box: {} numbers, accepted: re_min,re_max,im_min,im_max", box.size()));
    region.re_min = box[0].eval<double>(), region.re_max = box[1].eval<double>();
    region.im_min = box[2].eval<double>(), region.im_max = box[3].eval<double>();
  }
  constexpr double most = 1e6;
  const auto size = std::max({-region.re_min, region.re_max, -region.im_min, region.im_max});
  if (!(region.re_min < region.re_max) || !(region.im_min < region.im_max) || !(size <= most))
    throw BadInput(
        fmt::format("--box: {}, accepted: re_min < re_max, im_min < im_max, all within "
                    "-{:g} and {:g}",
                    options.box, most, most));
  return region;
}

void write_region(const AnalyseOptions& options, StabilityRegion region, std::ostream& err) {
  {
    const ProgressLine progress(err, options.method);
    fill_region(options.method, region);
  }
  FileDraft file(options.region);
  file.write("re,im,modulus\n");
  for (int row = 0; row < region.rows; ++row)
    for (int column = 0; column < region.columns; ++column)
      file.write(fmt::format(
          "{:.12g},{:.12g},{:.7g}\n",  // a double root on the real axis leaves half the digits
          region.re_min + (region.re_max - region.re_min) * column / (region.columns - 1),
          region.im_min + (region.im_max - region.im_min) * row / (region.rows - 1),
          region.modulus[static_cast<std::size_t>(row) * region.columns + column]));
  file.commit();
}

int analyse_verb(AnalyseOptions options, std::ostream& out, std::ostream& err) {
  if (options.methods.size() == 1) options.method = options.methods.front();
  try {
    if (!options.modes.problem.empty()) {
      if (!options.x.empty() || !options.region.empty() || !options.box.empty())
        throw BadInput("--x, --region, --box: of a method alone, accepted: --h with --problem");
      return print_modes(options.modes, options.formulation, options.methods, options.json, out,
                         err);
    }
    options.modes.refuse_without_problem();
    if (options.methods.size() > 1)
      throw BadInput(fmt::format("{} methods, accepted: one, or --problem for its modes",
                                 options.methods.size()));
    if (!options.method.empty()) {
      method_registry().make(options.method);
      warn_of_defects("analyse", {options.method}, err);
    }
    if (!options.formulation.empty()) return analyse_constrained(options, out);
    if (options.method.empty()) {
      for (const auto& [name, value] :
           {std::pair{"--region", &options.region}, std::pair{"--box", &options.box},
            std::pair{"--x", &options.x}})
        if (!value->empty())
          throw BadInput(fmt::format("{}: no method is named, accepted: a method before it", name));
      return print_table(options.json, out, err);
    }
    const StabilityRegion region = region_asked(options);
    const auto x = read_numbers(options.x.empty() ? default_x : options.x, "--x");
    const AnalyseResult result = [&] {
      const ProgressLine progress(err, options.method);
      return analyse({options.method, x});
    }();
    if (options.json)
      out << result_json(result).dump(2) << "\n";
    else
      print_result(result, out);
    if (!options.region.empty()) write_region(options, region, err);
    return 0;
  } catch (const NumericalFailure& failure) {
    const std::string& what = options.method.empty() ? options.modes.problem : options.method;
    err << fmt::format("daemark analyse: {}: {}\n", what, failure.what());
    return 1;
  }
}

}  // namespace

VerbAction declare_analyse(OptionSet& app) {
  auto options = std::make_shared<AnalyseOptions>();
  app.add_option("method", options->methods, "M",
                 "a method; without it: order, radius at infinity, decay and elongation of all; "
                 "with --problem any number");
  app.add_option("--x", options->x, "X,X,...",
                 fmt::format("x = dt/(nT), separated by commas, default {}", default_x));
  app.add_option("--formulation", options->formulation, "F",
                 "instead: roots of a step on a linear constrained system in this formulation, "
                 "with those along the constraint in a column of their own");
  app.add_option("--region", options->region, "FILE.csv",
                 "also write |R(z)| on a grid of the complex plane to this file");
  app.add_option("--box", options->box, "RE,RE,IM,IM",
                 "the part of the plane that the grid covers, default -10,10,-10,10");
  add_mode_options(app, options->modes);
  add_json_flag(app, options->json);
  return [options](auto& out, auto& err) { return analyse_verb(*options, out, err); };
}

}  // namespace daemark
