#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "analysis/reference/routes.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "tests/audit/audit.hpp"

namespace daemark::audit {
namespace {

/// Neither a Taylor series nor one of the collocation methods and formulations that the stored
/// states are from.
constexpr const char *third_method = "lobatto_iiic", *third_formulation = "index3";
constexpr double longest = 10;  ///< [s]
constexpr int coarse_digits = 20, fine_digits = 30;
constexpr double common_accuracy = 1e-33;

struct Stored {
  std::string problem, time;
  Motion motion;
  int digits = 0;
};

std::vector<real50> numbers(const nlohmann::json& texts) {
  std::vector<real50> out;
  for (const auto& text : texts) out.emplace_back(text.get<std::string>());
  return out;
}

std::vector<Stored> stored_states() {
  std::vector<Stored> out;
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_root() / "results/references"))
    if (entry.path().extension() == ".json") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const auto& file : files) {
    const nlohmann::json content = parse_json_file(file.string());
    for (const auto& state : content.at("states"))
      out.push_back({content.at("problem"),
                     state.at("t"),
                     {numbers(state.at("q")), numbers(state.at("v")), numbers(state.at("lambda"))},
                     state.at("agreed_digits")});
  }
  return out;
}

}  // namespace

Outcome references(Day& day, int sample) {
  Outcome out;
  for (const Stored& stored : drawn(stored_states(), 3 * sample, day)) {
    if (out.compared == sample) break;
    const std::string name = fmt::format("{} at t = {}", stored.problem, stored.time);
    try {
      const Problem problem = problem_registry().make(stored.problem);
      const std::vector<Expression> times{Expression::parse(stored.time, "t")};
      const double span = times[0].eval<double>() - problem.start.eval<double>();
      if (span <= 0 || span > longest) {
        ++out.skipped;
        continue;
      }
      const Route third =
          collocation(problem, times, third_method, third_formulation, Precision::in_real50);
      const auto coarse = third(coarse_digits), fine = third(fine_digits);
      if (coarse.empty() || fine.empty()) {
        ++out.skipped;
        continue;
      }
      ++out.compared;
      const int own = agreement(coarse[0].motion, fine[0].motion, common_accuracy, fine_digits);
      const int common = agreement(stored.motion, fine[0].motion, common_accuracy, fine_digits);
      out.notes.push_back(fmt::format("{}: {} digits claimed, {} agrees on {}, which settles {}",
                                      name, stored.digits, fine[0].by, common, own));
      // The finer run is better than what the two agree on: it can be asked for as much.
      if (common < std::min(own, stored.digits) - 1) out.differences.push_back(out.notes.back());
    } catch (const BadInput& refusal) {
      ++out.skipped;
    }
  }
  return out;
}

}  // namespace daemark::audit
