#include "experiments/engine/run/learnt_costs.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "base/program/write_file.hpp"

namespace daemark {

LearntCosts LearntCosts::read(const std::filesystem::path& folder) {
  LearntCosts costs;
  const auto text = read_text(folder / file_name);
  if (!text) return costs;
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    costs.seconds = json.at("seconds").get<std::map<std::string, double>>();
    costs.memory = json.at("memory").get<double>();
  } catch (const nlohmann::json::exception&) {
    return {};
  }
  return costs;
}

void LearntCosts::learn(const std::filesystem::path& folder) const {
  LearntCosts all = read(folder);
  for (const auto& [kin, rate] : seconds) all.seconds[kin] = rate;
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  all.memory =
      std::max({all.memory, memory, std::ceil(static_cast<double>(used.ru_maxrss) / 1024)});
  KeptFailure ignored;
  ignored.guard([&] {
    write_if_changed(
        folder / file_name,
        nlohmann::json{{"seconds", all.seconds}, {"memory", all.memory}}.dump(1) + "\n");
  });
}

double LearntCosts::of(const std::string& kin, double cost) const {
  if (const auto known = seconds.find(kin); known != seconds.end()) return known->second * cost;
  double sum = 0;
  for (const auto& [name, rate] : seconds) sum += std::log(rate);
  return seconds.empty() ? 0 : cost * std::exp(sum / static_cast<double>(seconds.size()));
}

}  // namespace daemark
