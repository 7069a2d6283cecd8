// daemark horizon: how long the digits of a motion are meaningful.
#include "analysis/variation/horizon.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"

namespace daemark {
namespace {

using Json = Report::Json;

constexpr long most_horizon_work = 500000000;  // 20 s, more of beams

struct HorizonOptions {
  std::string problem, t_end = "100", h, digits = "3,6,9,12";
  StartOptions start;
};

std::vector<int> read_digits(const std::string& text) {
  std::vector<int> digits;
  for (const Expression& number : read_numbers(text, "--digits")) {
    const double value = number.eval<double>();
    if (!(value >= 1 && value <= 16) || value != static_cast<int>(value))
      throw BadInput(
          fmt::format("--digits: {} is not accepted: whole numbers from 1 to 16", number.text()));
    digits.push_back(static_cast<int>(value));
  }
  return digits;
}

/// How text shows a time that null says is not reached.
Json shown(const std::optional<double>& t, const Horizon& found, bool possible = true) {
  if (!possible) return "";
  return t ? Json(*t) : Json(fmt::format("beyond {:.6g}", found.reached));
}

Json value(const std::optional<double>& t) { return t ? Json(*t) : Json(nullptr); }

Report horizon_verb(const HorizonOptions& options, std::ostream&, std::ostream& err) {
  const GivenStart start(options.start, options.problem, "horizon", err);
  const Problem problem = problem_registry().make(options.problem);
  const std::vector<int> of_data = read_digits(options.digits);
  HorizonRequest request;
  request.most_work = most_horizon_work;
  request.t_end = read_time(options.t_end, "--t-end").eval<double>();
  if (!options.h.empty()) {
    request.h = read_time(options.h, "--h").eval<double>();
    if (!(request.h > 0)) throw BadInput("--h: " + options.h + " is not accepted: a step size > 0");
  }
  const Horizon found = [&] {
    const ProgressLine progress(err, problem.name);
    return horizon(problem, request);
  }();
  std::vector<Column> columns = {{"", "digits"}, {"", "in double [s]"}};
  for (const int d : of_data) columns.push_back({"", fmt::format("data of {} digits [s]", d)});
  ReportRows rows(columns);
  Json list = Json::array();
  constexpr int most_digits = 12;
  for (int k = 1; k <= most_digits; ++k) {
    std::vector<Json> row = {k, shown(found.in_double(k), found)};
    Json entry = {{"digits", k}, {"in_double", value(found.in_double(k))}};
    Json data = Json::object();
    for (const int d : of_data) {
      row.push_back(shown(found.of_data(d, k), found, d >= k));
      if (d >= k) data[std::to_string(d)] = value(found.of_data(d, k));
    }
    rows.add(row);
    entry["of_data"] = data;
    list.push_back(entry);
  }
  Report report;
  report.set("problem", problem.name).set("reached", found.reached).set("ended", found.ended);
  report.set("steps", found.samples.size() - 1);
  report.set("horizon", list).set("data", found.data).set("left_out", found.left_out);
  report.say(fmt::format("{}: followed to t = {:.6g} s in {} steps{}", problem.name, found.reached,
                         found.samples.size() - 1,
                         found.ended.empty() ? "" : ", where " + found.ended));
  report.rows("", "time at which so many digits are lost", rows);
  const Horizon::Sample& last = found.samples.back();
  report.set("error", {{"in_double", last.in_double}, {"of_data", last.of_data}});
  report.say(fmt::format("at the end: error in double {}, of data {} times theirs ({} numbers)",
                         brief(last.in_double), brief(last.of_data), found.data));
  if (!found.left_out.empty())
    report.say(fmt::format("not changed, as no such mechanism exists: {}",
                           fmt::join(found.left_out, ", ")));
  return report;
}

void declare(OptionSet& app, HorizonOptions& options) {
  app.add_option("problem", options.problem, "P", a_problem)->required();
  app.add_option("--t-end", options.t_end, "T",
                 "last time [s], default 100; it ends earlier where no digit is left in double");
  app.add_option("--h", options.h, "H",
                 "step size of the double runs [s]: more steps, more roundings; "
                 "default: steps of order 8 at the tolerance 1e-14");
  app.add_option("--digits", options.digits, "D,...",
                 "digits to which the data are known, 1 to 16, default 3,6,9,12: every number of "
                 "the problem then has a relative error of 10^-D, every coordinate and velocity of "
                 "the start one of 10^-D of the largest of its unit; errors are relative to the "
                 "largest coordinate or velocity of their unit");
  add_start_options(app, options.start);
}

}  // namespace

void register_horizon(Verbs& verbs) {
  verbs.add<HorizonOptions>(
      {"horizon", VerbGroup::run,
       "how long digits are meaningful, in double precision and for data known to D digits",
       "daemark horizon 'chain(n=3)' --t-end 60"},
      declare, horizon_verb);
}

}  // namespace daemark
