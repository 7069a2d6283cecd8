#include "experiments/cli/inside_study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <ostream>

#include "analysis/orders/inside_orders.hpp"

namespace daemark {

using nlohmann::ordered_json;

int inside_study(const IntegrationOptions& options, std::ostream& out, std::ostream& err) {
  RunRequest request = request_of(options);
  request.t_end = Expression::parse(options.t_end, "--t-end");
  const std::vector<InsideErrors> found = errors_inside(request, read_numbers(options.h, "--h"));
  ordered_json list = ordered_json::array();
  std::string text =
      fmt::format("{}, {}, {}, in the middle of the step around t = {}, {}\n", options.problem,
                  options.formulation, options.method, options.t_end, name_of(request.precision));
  int status = 0;
  const InsideErrors* last = nullptr;
  for (const InsideErrors& one : found) {
    ordered_json json{{"h", one.h}, {"status", one.status}};
    text += fmt::format("  h {:<12.6g}", one.h);
    for (const char* part : {"q", "v", "lambda"}) {
      const auto error = one.errors.find(std::string("error_") + part);
      if (error == one.errors.end()) continue;
      json["error_" + std::string(part)] = error->second;
      text += fmt::format("  {} {:.3e}", part, error->second);
      if (last == nullptr || !last->errors.contains(error->first)) continue;
      const double slope =
          std::log(error->second / last->errors.at(error->first)) / std::log(one.h / last->h);
      json["slope_" + std::string(part)] = slope;
      text += fmt::format(" ({:.2f})", slope);
    }
    text += "\n";
    list.push_back(std::move(json));
    if (one.status == "ok") {
      last = &one;
      continue;
    }
    err << fmt::format("daemark converge: h = {:.6g}: {}\n", one.h, one.status);
    status = 1;
  }
  out << (options.json ? list.dump(2) + "\n" : text);
  return status;
}

}  // namespace daemark
