#include "experiments/cli/motion_warnings.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/variation/horizon.hpp"
#include "analysis/variation/sensitivity.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "problems/system/state_names.hpp"

namespace daemark {

std::string beyond_horizon(const Problem& problem, double t_end, double h) {
  constexpr int most_coordinates = 30;
  constexpr long most_work = 12000000;  // 0.2 to 0.5 s
  try {
    if (problem.make<double>()->coordinates() > most_coordinates) return "";
    const auto lost = horizon(problem, {t_end, h, false, most_work}).in_double(1);
    if (!lost) return "";
    return fmt::format(
        "t-end = {:.6g} s is beyond the horizon: round-off in double takes the first digit of this "
        "motion at t = {:.4g} s (daemark horizon '{}')",
        t_end, *lost, problem.name);
  } catch (const BadInput&) {  // no motion that can be followed
    return "";
  }
}

int add_sensitivities(const Problem& problem, const std::string& parameters,
                      const std::vector<Expression>& times, Report& report) {
  const StateNames names = state_names(problem);
  Report::Json list = Report::Json::array();
  int least = 1000;
  for (const std::string& parameter : read_calls(parameters))
    for (const Sensitivity& found : sensitivities(problem, parameter, times)) {
      constexpr int guard_digits = 2;
      ReportRows rows({{"", ""}, {"", ""}, {"", ""}});
      Report::Json entry = {{"parameter", found.parameter},
                            {"unit", found.unit},
                            {"t", found.t},
                            {"agreed_digits", found.agreed_digits}};
      const auto add = [&](const char* key, const std::vector<real50>& values,
                           const std::vector<std::string>& of,
                           const std::vector<std::string>& units) {
        Report::Json texts = Report::Json::array();
        for (std::size_t i = 0; i < values.size(); ++i) {
          const std::string text = values[i].str(std::max(found.agreed_digits, 1) + guard_digits);
          texts.push_back(text);
          rows.add({of[i], text, fmt::format("[{} per {}]", units[i], found.unit)});
        }
        entry[key] = texts;
      };
      add("q", found.derivative.q, names.q, names.q_units);
      add("v", found.derivative.v, names.v, names.v_units);
      add("lambda", found.derivative.lambda, names.lambda, names.lambda_units);
      report.rows("",
                  fmt::format("d/d{} at t = {}: {} digits agree between the variational equations "
                              "and differences of motions",
                              found.parameter, found.t, found.agreed_digits),
                  rows);
      least = std::min(least, found.agreed_digits);
      list.push_back(entry);
    }
  report.set("sensitivities", list);
  return least;
}

}  // namespace daemark
