#include "experiments/cli/common_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdlib>
#include <ostream>

#include "analysis/exact/theory/rounding.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/orders/method_facts.hpp"
#include "base/graph/compiler.hpp"
#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/text/printable.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/core/settings.hpp"
#include "methods/core/tableau.hpp"
#include "problems/formulations/formulation.hpp"

namespace daemark {
namespace {

/// Every formulation as it is called: "index1, ..., baumgarte(alpha=..,beta=..), ...".
std::string formulation_calls() {
  std::string calls;
  for (const FormulationInfo& info : formulations()) {
    std::string arguments;
    for (const Parameter& parameter : info.parameters)
      arguments += (arguments.empty() ? "" : ",") + parameter.name + "=..";
    calls += (calls.empty() ? "" : ", ") + info.id;
    if (!arguments.empty()) calls += "(" + arguments + ")";
  }
  return calls;
}

void add_false_claim(const Claims& claims, int order, std::vector<std::string>& defects) {
  if (claims.order && order != *claims.order)
    defects.push_back(
        fmt::format("claims order {}, its coefficients have order {}", *claims.order, order));
}

/// Of a tableau that is made in C++ and written nowhere.
void add_row_sums(const WideTableau& tableau, std::vector<std::string>& defects) {
  const wide rounding("1e-30");
  for (std::size_t i = 0; i < tableau.A.size(); ++i) {
    wide sum = 0;
    for (const wide& a : tableau.A[i]) sum += a;
    if (abs(sum - tableau.c[i]) > rounding)
      defects.push_back(
          fmt::format("c{} = {:.6g} is not the sum of row {} of A, {:.6g}: the method "
                      "is another one where the equations depend on time",
                      i + 1, to_double(tableau.c[i]), i + 1, to_double(sum)));
  }
}

/// To 100 digits where the coefficients are exact, in microseconds; `verify` gives the proof.
int order_to_digits(const std::string& call, const Coefficients& written) {
  switch (written.kind) {
    case MethodKind::runge_kutta:
      return written.decimal ? exact::rounded(tableau_of<Expression>(written)).order.order
                             : facts_of(tableau_of<wide>(written)).order;
    case MethodKind::multistep:
      return order_of(written);
    default:
      return *order_of(call);
  }
}

std::vector<std::string> defects_of(const Coefficients& written) {
  std::vector<std::string> defects;
  switch (written.decimal ? written.kind : MethodKind::rosenbrock) {
    case MethodKind::runge_kutta:
      return exact::rounded(tableau_of<Expression>(written)).defects;
    case MethodKind::multistep:
      exact::rounded(written, defects);
      return defects;
    case MethodKind::nystrom:
    case MethodKind::partitioned:
    case MethodKind::additive:
      return exact::rounded_pair(written).defects;
    default:
      return tableau_defects(written);
  }
}

/// How far the work may be off, where that leaves no digit of the energy error; else 0.
double doubt_of_energy(const std::map<std::string, double>& all) {
  constexpr double one_digit = 10;
  const auto doubt = all.find("work_doubt_max"), error = all.find("energy_error_max");
  if (doubt == all.end() || error == all.end()) return 0;
  return error->second > one_digit * doubt->second ? 0 : doubt->second;
}

}  // namespace

std::string shown_result(const std::string& file) {
  const char* elsewhere = std::getenv("DAEMARK_RESULTS");
  return elsewhere == nullptr || *elsewhere == 0 ? "results/" + file
                                                 : (results_root() / file).string();
}

void add_json_flag(OptionSet& app, bool& json) {
  app.add_flag("--json", json, "one JSON value on standard output");
}

void add_jobs(OptionSet& app, unsigned& jobs) {
  constexpr unsigned most_jobs = 1024;
  app.add_option("--jobs", jobs, "N", "threads, default one per core")->range(1U, most_jobs);
}

void add_compile_flag(OptionSet& app, bool& compile) {
  app.add_flag(
      "--compile", compile,
      "compile the functions of mechanisms that the catalogue does not have (a C compiler is "
      "needed; CC names one), and keep them for the next run");
}

Compiling::Compiling(bool wanted, const char* verb, std::ostream& err)
    : compiler_(wanted ? std::make_shared<graph::CodeCompiler>() : nullptr),
      verb_(verb),
      err_(err) {
  if (compiler_)
    graph::set_compiler(
        [compiler = compiler_](const auto& code) { return compiler->function_of(code); });
}

Compiling::~Compiling() {
  if (!compiler_) return;
  graph::set_compiler({});
  if (const std::string why = compiler_->failure(); !why.empty())
    err_ << fmt::format("daemark {}: warning: {}; mechanisms are interpreted\n", verb_, why);
}

void add_integration_options(OptionSet& app, IntegrationOptions& options, bool several,
                             const char* h_meaning) {
  std::vector<std::string> keys;
  for (const SettingInfo& info : setting_infos()) keys.push_back(info.key);
  app.add_option("--problem", options.problem, "P", a_problem)->required();
  app.add_option("--formulation", options.formulation, several ? "F[,F...]" : "F",
                 formulation_calls())
      ->required();
  app.add_option("--h", options.h, several ? "H,H,..." : "H", h_meaning)->required();
  app.add_option("--t-end", options.t_end, several ? "T[,T...]" : "T",
                 "end of the integration [s], an exact number")
      ->required();
  app.add_option(
      "--precision", options.precision, several ? "NAME|auto" : "NAME",
      several
          ? "double (default), quad (at least 34 digits, computed in real50), real50 (50 digits); "
            "auto: double, and again in real50 where round-off of double hides the expected order"
          : "double (default), quad (at least 34 digits, computed in real50), real50 (50 digits)");
  app.add_option("--set", options.settings, "KEY=VALUE",
                 fmt::format("a setting (repeatable): {}", fmt::join(keys, ", ")))
      ->once();
  add_start_options(app, options.start);
  add_compile_flag(app, options.compile);
}

RunRequest request_of(const IntegrationOptions& options) {
  RunRequest request;
  request.problem = options.problem;
  request.formulation = options.formulation;
  request.method = options.method;
  request.precision = parse_precision(options.precision);
  request.settings = read_settings(options.settings);
  return request;
}

std::map<std::string, std::string> read_settings(const std::vector<std::string>& entries) {
  std::map<std::string, std::string> settings;
  for (const std::string& entry : entries) {
    const std::size_t at = entry.find('=');
    if (at == std::string::npos || at == 0 || at + 1 == entry.size())
      throw BadInput(fmt::format("--set {} is not accepted: KEY=VALUE", in_quotes(entry)));
    if (!settings.emplace(entry.substr(0, at), entry.substr(at + 1)).second)
      throw BadInput(fmt::format("--set: {} is given twice; accepted: one value a key",
                                 printable(entry.substr(0, at))));
  }
  return settings;
}

void warn_of_settings(const Settings& settings, const std::string& verb, std::ostream& err) {
  constexpr double loose_newton = 1e-2, loose_control = 1;
  const auto warn = [&](const char* key, double value, double most, const char* what) {
    if (value > most)
      err << fmt::format("daemark {}: warning: {} = {:g} is above {:g}: {}\n", verb, key, value,
                         most, what);
  };
  warn("newton.tol", settings.newton.tol, loose_newton,
       "the iteration may stop at its first guess, and the method is then another one");
  warn("control.tol", settings.control.tol, loose_control, "every error is small enough for it");
}

std::vector<std::string> ignored_settings(const std::map<std::string, std::string>& given,
                                          const SettingReads& reads, const std::string& verb,
                                          std::ostream& err) {
  std::vector<std::string> ignored;
  for (const auto& [key, value] : given)
    if (!reads.contains(key)) ignored.push_back(key);
  if (!ignored.empty())
    err << fmt::format("daemark {}: warning: ignored, this run does not use it: {}\n", verb,
                       fmt::join(ignored, ", "));
  return ignored;
}

std::vector<std::string> method_defects(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  std::vector<std::string> defects;
  const auto method = method_registry().make(call);
  const Coefficients* written = method->coefficients();
  if (const WideTableau* numbers = method->tableau(); numbers && !written)
    add_row_sums(*numbers, defects);
  if (info.parameters.empty()) {
    if (!written) return defects;
    defects = defects_of(*written);
    if (written->kind == MethodKind::multistep && !is_zero_stable(*written))
      defects.emplace_back("not zero-stable: errors grow from step to step, however small h is");
    if (schema_of(*written).parts.size() < 2)
      add_false_claim(info.claims, order_to_digits(call, *written), defects);
    return defects;
  }
  const Arguments arguments = method_registry().bind(call);
  for (const Parameter& p : info.parameters)
    if (p.type == Parameter::Type::call) return method_defects(arguments.call(p.name).text());
  return defects;
}

void warn_of_defects(const std::string& verb, const std::vector<std::string>& calls,
                     std::ostream& err) {
  for (const std::string& call : calls)
    for (const std::string& defect : method_defects(call))
      err << "daemark " << verb << ": warning: " << call << ": " << defect << "\n";
}

Expression read_time(const std::string& text, const std::string& where) {
  return Expression::parse(text, where, {"pi"});
}

std::vector<Expression> read_numbers(const std::string& text, const std::string& where) {
  const bool bracketed = text.starts_with("[");
  const CallValue value = parse_call_value(bracketed ? text : "[" + text + "]", where);
  std::vector<Expression> numbers;
  for (const Expression& entry : value.list)
    numbers.push_back(Expression::parse(entry.text(), where));  // again, as `h` is no number here
  return numbers;
}

std::vector<std::string> read_calls(const std::string& text) {
  std::vector<std::string> calls(1);
  int depth = 0;
  for (const char c : text) {
    if (c == '(' || c == '[') ++depth;
    if (c == ')' || c == ']') --depth;
    if (c == ',' && depth == 0)
      calls.emplace_back();
    else if (c != ' ' || !calls.back().empty())
      calls.back() += c;
  }
  return calls;
}

std::string unit_of_measure(const std::string& measure, const StateNames& names) {
  const bool energy = measure.starts_with("energy") || measure.starts_with("work") ||
                      measure.starts_with("error_energy");
  return energy ? names.energy_unit : "";
}

std::string shown_value(const std::string& measure, double value,
                        const std::map<std::string, double>& all) {
  const double doubt = measure.starts_with("energy_error") ? doubt_of_energy(all) : 0;
  return doubt == 0 ? brief(value) : "<= " + brief(value + doubt);
}

std::string work_note(const std::map<std::string, double>& all) {
  if (doubt_of_energy(all) == 0) return {};
  return "  energy error not resolved: the work of drives and dampers is integrated step by step, "
         "with an error of up to work_doubt_max; accepted: smaller steps\n";
}

std::string with_unit(const std::string& name, const std::string& unit) {
  return name + " [" + unit + "]";
}

std::vector<std::string> column_names(const StateNames& names) {
  std::vector<std::string> columns = {with_unit("t", names.time_unit)};
  const auto add = [&](const std::vector<std::string>& ids, const std::vector<std::string>& units) {
    for (std::size_t i = 0; i < ids.size(); ++i) columns.push_back(with_unit(ids[i], units[i]));
  };
  add(names.q, names.q_units);
  add(names.v, names.v_units);
  add(names.lambda, names.lambda_units);
  for (const char* energy : {"kinetic", "potential", "energy_error"})
    columns.push_back(with_unit(energy, names.energy_unit));
  for (const char* level : {"position_violation", "velocity_violation", "acceleration_violation"})
    columns.emplace_back(level);
  for (const OutputInfo& output : names.outputs)
    columns.push_back(with_unit(output.id, output.unit));
  return columns;
}

}  // namespace daemark
