#include "analysis/reference/reference_store.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

int agreement(const Motion& a, const Motion& b, double accuracy, int most) {
  double worst = most;
  const double zero = std::sqrt(accuracy), floor = std::sqrt(zero);
  const auto compare = [&](const std::vector<real50>& x, const std::vector<real50>& y) {
    if (x.size() != y.size()) worst = 0;
    real50 largest = 0;
    for (const real50& value : x) largest = std::max<real50>(largest, abs(value));
    if (largest == 0) largest = 1;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 difference = abs(x[i] - y[i]);
      if (difference == 0) continue;
      real50 size = std::max<real50>(abs(x[i]), abs(y[i]));
      size = size <= largest * zero ? largest : std::max<real50>(size, largest * floor);
      const double digits = -to_double(real50(log10(real50(difference / size))));
      worst = std::isfinite(digits) ? std::min(worst, digits) : 0;
    }
  };
  compare(a.q, b.q);
  compare(a.v, b.v);
  compare(a.lambda, b.lambda);
  return std::max(0, static_cast<int>(std::floor(worst)));
}

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

fs::path committed_file(const std::string& problem) {
  return fs::path("references") / reference_file_name(problem);
}

fs::path local_folder() { return results_root() / ".local" / "references"; }

Motion motion_of(const StoredState& stored) {
  return {stored.state.q, stored.state.v, stored.state.lambda};
}

/// The component that is furthest off, with both numbers.
std::string furthest(const ReferenceState& a, const ReferenceState& b) {
  real50 most = -1;
  std::string text;
  const auto look = [&](const char* name, const auto& x, const auto& y) {
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i) {
      const real50 size = std::max<real50>(abs(x[i]), abs(y[i]));
      const real50 off = size == 0 ? size : real50(abs(x[i] - y[i]) / size);
      if (off <= most) continue;
      most = off;
      text = fmt::format("{}_{} = {} and {}", name, i + 1, x[i].str(a.agreed_digits + 2),
                         y[i].str(b.agreed_digits + 2));
    }
  };
  look("q", a.q, b.q), look("v", a.v, b.v), look("lambda", a.lambda, b.lambda);
  return text;
}

}  // namespace

ReferenceStore::ReferenceStore(const std::string& problem)
    : problem_(problem), model_(model_digest(problem)) {
  read();
}

void ReferenceStore::read() {
  committed_.clear(), local_.clear(), old_.clear(), refused_.clear();
  const auto take = [&](const fs::path& file, StoredStates& states, StoredStates* others) {
    ReferenceFile found = read_reference_file(file, problem_);
    std::vector<std::string> old;
    for (auto& [key, stored] : found.states) {
      if (stored.model == model_) {
        states.emplace(key, std::move(stored));
      } else if (others != nullptr) {
        old.push_back(stored.state.t);
        others->emplace(key, std::move(stored));
      }
    }
    if (!old.empty() && problem_registry().info(parse_call(problem_, "problem").id).of_catalogue)
      refused_.push_back(fmt::format("references/{}: of another version of the model: t = {}",
                                     file.filename().string(), fmt::join(old, ", ")));
    refused_.insert(refused_.end(), found.refused.begin(), found.refused.end());
  };
  take(known_result(committed_file(problem_)), committed_, &old_);
  take(local_folder() / reference_file_name(problem_), local_, nullptr);
}

const StoredState* ReferenceStore::find(const rational& t, int digits) const {
  const bool standard = digits <= standard_digits;
  for (const StoredStates* states : {&committed_, &local_}) {
    for (auto at = states->lower_bound({t, 0}); at != states->end() && at->first.first == t; ++at) {
      const ReferenceState& state = at->second.state;
      if (standard ? state.asked_digits == standard_digits
                   : std::max(state.agreed_digits, state.asked_digits) >= digits)
        return &at->second;
    }
  }
  return nullptr;
}

void ReferenceStore::require_same(const StoredState& a, const StoredState& b) const {
  constexpr int most = 48;
  const int digits = std::min(a.state.agreed_digits, b.state.agreed_digits);
  // Each is off by less than a unit of the last digit it claims.
  const int common =
      agreement(motion_of(a), motion_of(b), std::pow(10.0, -std::min(digits, 45) - 3), most);
  if (common >= digits - 1) return;
  throw Contradiction(fmt::format(
      "references/{}: {} at t = {}: the state that is stored and the one computed now claim {} and "
      "{} digits and agree on {}: {}; one of them is wrong, remove the file if it is the stored "
      "one",
      reference_file_name(problem_), problem_, a.state.t, a.state.agreed_digits,
      b.state.agreed_digits, common, furthest(a.state, b.state)));
}

void ReferenceStore::compare(const rational& t, const ReferenceState& state) const {
  const StoredState stored = stored_state(problem_, model_, state);
  for (const StoredStates* states : {&committed_, &local_})
    for (auto at = states->lower_bound({t, 0}); at != states->end() && at->first.first == t; ++at)
      require_same(at->second, stored);
}

void ReferenceStore::add(const rational& t, const ReferenceState& state) {
  compare(t, state);
  const StoredState stored = stored_state(problem_, model_, state);
  const std::pair<rational, int> key{t, state.asked_digits};
  local_.insert_or_assign(key, stored);
  added_.insert_or_assign(key, stored);
}

void ReferenceStore::save() {
  if (added_.empty()) return;
  const fs::path file = local_folder() / reference_file_name(problem_);
  const FileLock lock(local_folder() / ".lock");
  StoredStates states;
  for (auto& [key, stored] : read_reference_file(file, problem_).states)
    if (stored.model == model_) states.emplace(key, std::move(stored));
  for (const auto& [key, stored] : added_) states.insert_or_assign(key, stored);
  write_reference_file(file, problem_, states);
}

void ReferenceStore::publish(const std::set<rational>& times) {
  const fs::path file = committed_file(problem_);
  ReferenceFile found = read_reference_file(known_result(file), problem_);
  StoredStates& states = found.states;
  for (const rational& t : times) {
    const std::pair<rational, int> key{t, standard_digits};
    const auto standing = states.find(key);
    const auto own = local_.find(key);
    const bool current = standing != states.end() && standing->second.model == model_;
    if (own == local_.end()) continue;
    if (current) require_same(standing->second, own->second);
    if (!current) states.insert_or_assign(key, own->second);
    std::erase_if(states, [&](const auto& entry) {  // what it replaces, however it was asked for
      return entry.first.first == t && entry.second.model != model_;
    });
  }
  if (!states.empty()) write_reference_file(results_root() / file, problem_, states);
  read();
  for (const auto& [key, stored] : added_) local_.insert_or_assign(key, stored);
}

std::set<rational> ReferenceStore::published() const {
  std::set<rational> times;
  for (const StoredStates* states : {&committed_, &old_})
    for (const auto& [key, stored] : *states) times.insert(key.first);
  return times;
}

bool ReferenceStore::is_published(const rational& t) const {
  return committed_.contains({t, standard_digits});
}

std::vector<std::string> published_problems() {
  std::map<std::string, std::string> by_file;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(results_root() / "references", error)) {
    const json content = json::parse(read_text(entry.path()).value_or(""), nullptr, false);
    if (!content.is_object() || !content.contains("problem") || !content["problem"].is_string())
      continue;
    const std::string problem = content["problem"];
    if (reference_file_name(problem) == entry.path().filename()) by_file[entry.path()] = problem;
  }
  std::vector<std::string> out;
  for (const auto& [file, problem] : by_file) out.push_back(problem);
  return out;
}

}  // namespace daemark
