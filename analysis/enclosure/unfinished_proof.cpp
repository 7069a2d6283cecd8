#include "analysis/enclosure/unfinished_proof.hpp"

#include <fstream>

#include "analysis/reference/reference_file.hpp"
#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"

namespace daemark {
namespace {

using nlohmann::json;

json written(const ProvedState& s) {
  return {{"t", s.t},         {"digits", s.digits}, {"digits_lost", s.digits_lost},
          {"steps", s.steps}, {"order", s.order},   {"bits", s.bits},
          {"q", dumped(s.q)}, {"v", dumped(s.v)},   {"lambda", dumped(s.lambda)}};
}

ProvedState state_of(const json& from) {
  ProvedState s;
  s.q = loaded(from.at("q")), s.v = loaded(from.at("v")), s.lambda = loaded(from.at("lambda"));
  from.at("t").get_to(s.t), from.at("digits").get_to(s.digits);
  from.at("digits_lost").get_to(s.digits_lost), from.at("steps").get_to(s.steps);
  from.at("order").get_to(s.order), from.at("bits").get_to(s.bits);
  return s;
}

}  // namespace

UnfinishedProof::UnfinishedProof(const Problem& problem, json call) : call_(std::move(call)) {
  const std::string id = parse_call(problem.name, "problem").id;
  if (!problem_registry().has(id) || !problem_registry().info(id).of_catalogue) return;
  file_ = results_root() / ".local" / "proofs" / reference_file_name(problem.name);
  call_["problem"] = problem.name, call_["model"] = model_digest(problem.name);
}

bool UnfinishedProof::load() {
  if (file_.empty() || !std::filesystem::exists(file_)) return false;
  try {
    const json all = json::parse(std::ifstream(file_));
    if (all.at("call") != call_) return false;
    all.at("attempt").get_to(attempt), all.at("working_digits").get_to(working_digits);
    for (const json& step : all.at("steps")) steps.emplace_back(step.get<std::string>());
    for (const json& state : all.at("states")) found.states.push_back(state_of(state));
    all.at("failure").get_to(found.failure);
    motion_ = all.at("motion");
    return true;
  } catch (const std::exception&) {  // damaged: the proof begins anew
    found = {}, steps.clear();
    return false;
  }
}

void UnfinishedProof::save(const EnclosedMotion& motion) const {
  if (file_.empty()) return;
  json states = json::array(), lengths = json::array();
  for (const ProvedState& state : found.states) states.push_back(written(state));
  for (const rational& step : steps) lengths.push_back(step.str());
  std::filesystem::create_directories(file_.parent_path());
  write_if_changed(file_, json{{"call", call_},
                               {"attempt", attempt},
                               {"working_digits", working_digits},
                               {"motion", motion.saved()},
                               {"states", states},
                               {"failure", found.failure},
                               {"steps", lengths}}
                              .dump());
}

void UnfinishedProof::remove() const {
  if (!file_.empty()) std::filesystem::remove(file_);
}

}  // namespace daemark
