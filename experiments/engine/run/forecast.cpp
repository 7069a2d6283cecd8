#include "experiments/engine/run/forecast.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "base/program/write_file.hpp"

namespace daemark {

namespace {

/// A cell, or a reference, of which nothing but its age is known will take as long again: within a
/// factor of 2.
constexpr double doubt = 2;
/// Of what a cell that began tells before this time [s] not much can be concluded.
constexpr double telling = 0.2;

}  // namespace

std::string Forecast::cost_class_of(const Cell& cell) {
  return cell.kind + " " + cell.problem.substr(0, cell.problem.find('(')) + " " + cell.precision;
}

void Forecast::expect(const std::string& cost_class, double cost) {
  classes_[cost_class].left.insert(cost);
}

void Forecast::recall(const std::map<std::string, double>& learnt) {
  for (const auto& [name, rate] : learnt) {
    const auto found = classes_.find(name);
    if (found == classes_.end() || found->second.weight > 0 || found->second.left.empty()) continue;
    CostClass& cost_class = found->second;
    cost_class.done = *cost_class.left.rbegin(), cost_class.seconds = rate * cost_class.done,
    cost_class.weight = 1;
  }
}

void Forecast::drop(const std::string& cost_class, double cost) {
  auto& left = classes_[cost_class].left;
  if (const auto found = left.find(cost); found != left.end()) left.erase(found);
}

void Forecast::finished(const std::string& cost_class, double cost, double seconds) {
  constexpr double kept = 0.95;  // of what the cells before say: their times scatter widely
  drop(cost_class, cost);
  CostClass& known = classes_[cost_class];
  known.done = kept * known.done + cost;
  known.seconds = kept * known.seconds + seconds;
  known.weight = kept * known.weight + 1;
}

std::map<std::string, double> Forecast::learnt() const {
  std::map<std::string, double> rates;
  for (const auto& [name, cost_class] : classes_)
    if (cost_class.done > 0 && cost_class.seconds > 0)
      rates[name] = cost_class.seconds / cost_class.done;
  return rates;
}

bool Forecast::knows(const std::vector<Begun>& begun) const {
  return std::any_of(classes_.begin(), classes_.end(),
                     [](const auto& cost_class) { return cost_class.second.done > 0; }) ||
         std::any_of(begun.begin(), begun.end(), [](const Begun& cell) {
           return cell.part > 0 && cell.seconds > telling && cell.cost > 0;
         });
}

/// The middle of what is known of each cost class, from which one cell differs by less the more are
/// known.
std::map<std::string, Forecast::Rate> Forecast::rates(const std::vector<Begun>& begun) const {
  std::map<std::string, CostClass> seen = classes_;
  for (const Begun& cell : begun) {
    CostClass& cost_class = seen[cell.cost_class];
    if (!(cell.part > 0) || cell.seconds <= telling) continue;
    cost_class.done += cell.cost * cell.part, cost_class.seconds += cell.seconds,
        cost_class.weight += cell.part;
  }
  std::map<std::string, Rate> rates;
  double sum = 0, count = 0;
  for (const auto& [name, cost_class] : seen) {
    if (!(cost_class.done > 0) || !(cost_class.seconds > 0)) continue;
    const double rate = cost_class.seconds / cost_class.done;
    const double spread = 1 + 1 / (2 * std::sqrt(1 + cost_class.weight));
    rates[name] = {rate / std::sqrt(spread), rate * spread};
    sum += std::log(rate), ++count;
  }
  const double middle = count > 0 ? std::exp(sum / count) : 0;
  for (const auto& [name, cost_class] : seen) {
    const auto [rate, guessed] = rates.try_emplace(name, Rate{middle / doubt, middle * doubt});
    for (const Begun& cell : begun) {  // it will not be faster than the one in work already was not
      if (!guessed || cell.cost_class != name || !(cell.cost > 0)) continue;
      const double least = cell.seconds / cell.cost;
      rate->second = {std::max(rate->second.low, least),
                      std::max(rate->second.high, doubt * least)};
    }
  }
  return rates;
}

TimeSpan Forecast::left_of(const Begun& cell, const Rate& rate) {
  if (cell.seconds > telling)
    if (const auto told = left_at_rate(cell.seconds, cell.part)) return *told;
  const double low = rate.low * cell.cost - cell.seconds,
               high = rate.high * cell.cost - cell.seconds;
  if (low > 0) return {low, high};
  // As old as others of its cost class: as long again, within a factor of 2.
  return {cell.seconds / doubt, std::max(high, cell.seconds * doubt)};
}

TimeSpan Forecast::left(const std::vector<Begun>& begun, unsigned threads) const {
  const std::map<std::string, Rate> rate_of = rates(begun);
  TimeSpan all, longest;
  const auto add = [&](const TimeSpan& cell) {
    all = all + cell;
    longest = {std::max(longest.low, cell.low), std::max(longest.high, cell.high)};
  };
  std::optional<TimeSpan> told;  // others that wait do so for the same reference
  for (const Begun& cell : begun)
    if (const auto left = left_at_rate(cell.waiting, cell.reference_part)) told = left;
  std::map<std::string, CostClass> queued = classes_;
  for (const Begun& cell : begun) {
    auto& left = queued[cell.cost_class].left;
    if (const auto found = left.find(cell.cost); found != left.end()) left.erase(found);
    TimeSpan reference{cell.waiting / doubt, cell.waiting * doubt};
    if (told && cell.waiting > 0) reference = *told;
    add(left_of(cell, rate_of.at(cell.cost_class)) + reference);
  }
  for (const auto& [name, cost_class] : queued)
    for (const double cost : cost_class.left) {
      const auto rate = rate_of.find(name);
      if (rate != rate_of.end()) add({rate->second.low * cost, rate->second.high * cost});
    }
  const double share = 1.0 / std::max(1U, threads);
  return {std::max(share * all.low, longest.low), std::max(share * all.high, longest.high)};
}

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
  for (const auto& [cost_class, rate] : seconds) all.seconds[cost_class] = rate;
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

double LearntCosts::of(const std::string& cost_class, double cost) const {
  if (const auto known = seconds.find(cost_class); known != seconds.end())
    return known->second * cost;
  double sum = 0;
  for (const auto& [name, rate] : seconds) sum += std::log(rate);
  return seconds.empty() ? 0 : cost * std::exp(sum / static_cast<double>(seconds.size()));
}

}  // namespace daemark
