#include "analysis/enclosure/proved_reference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/reference/reference_file.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/input/call.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "problems/mechanism/recorded_system.hpp"

namespace daemark {

namespace {

constexpr int spare_digits = 8, most_attempts = 5;

/// Digits by which the middles are right: middle and middle + radius agree on them.
int proved_digits(const ProvedState& state) {
  Motion a, b;
  double worst = 0;
  const auto add = [&](const std::vector<RealBall>& from, std::vector<real50>& x,
                       std::vector<real50>& y) {
    real50 largest = 0, widest = 0;
    for (const RealBall& ball : from) {
      x.push_back(middle(ball)), y.push_back(middle(ball) + radius(ball));
      largest = std::max<real50>(largest, abs(x.back()));
      widest = std::max(widest, radius(ball));
    }
    if (largest > 0) worst = std::max(worst, to_double(real50(widest / largest)));
  };
  add(state.q, a.q, b.q), add(state.v, a.v, b.v), add(state.lambda, a.lambda, b.lambda);
  constexpr int most = 48;
  return agreement(a, b, worst, most);
}

/// One step towards `end`; a failure tells what was proved before it.
rational checked_step(EnclosedMotion& motion, const rational& end, double done, int most_steps) {
  checkpoint();
  tell_progress("proof", done);
  const rational from = motion.time();
  const double width = motion.width();
  try {
    constexpr int telling = 32;
    if (motion.steps() >= telling && motion.steps() > 2 * done * most_steps)
      throw EnclosureFailure(fmt::format("the last time is too far for {} steps", most_steps));
    motion.step(end);
    return motion.time() - from;
  } catch (const EnclosureFailure& failure) {
    throw EnclosureFailure(
        fmt::format("proved up to t = {:.6g}, where the largest relative error is {:.1e}: {}",
                    static_cast<double>(from), width, failure.what()),
        failure.too_wide);
  }
}

/// Adds to `proof` what is proved with its working digits; an interrupt keeps it.
void follow(EnclosedModel& model, const std::vector<Expression>& times, int most_steps,
            bool resumed, UnfinishedProof& proof) {
  const Mechanism& stated = model.system().mechanism();
  EnclosedMotion motion(model.system(), model.rows(), model.start(), stated.q0, stated.v0,
                        proof.working_digits);
  if (resumed) proof.restore(motion);
  ProvedMotion& found = proof.found;
  const rational span = times.back().as_rational() - model.start();
  for (const Expression& time : times) {
    const rational end = time.as_rational();
    if (resumed && end <= motion.time()) continue;
    if (end < motion.time())
      throw EnclosureFailure(
          fmt::format("t = {} is before t = {}, from where the motion is followed", time.text(),
                      motion.time().str()));
    try {
      while (motion.time() < end)
        proof.steps.push_back(checked_step(
            motion, end, to_double(rational((motion.time() - model.start()) / span)), most_steps));
    } catch (const EnclosureFailure& failure) {
      found.failure = failure.what();
      found.too_wide = failure.too_wide;
      return;
    } catch (const Stopped&) {
      proof.save(motion);
      throw;
    }
    const EnclosureBits bits(motion.bits());
    try {
      ProvedState state{model.shown(motion.state()), time.text()};
      state.digits = proved_digits(state);
      state.steps = motion.steps(), state.order = motion.order(), state.bits = motion.bits();
      state.digits_lost = proof.working_digits - state.digits;
      found.states.push_back(std::move(state));
      found.steps = proof.steps;
    } catch (const EnclosureFailure& failure) {  // later times may be shown
      found.failure = fmt::format("t = {}: {}", time.text(), failure.what());
    }
  }
}

}  // namespace

ProvedMotion proved_motion(const Problem& problem, const std::vector<Expression>& times, int digits,
                           int most_steps) {
  nlohmann::json call{{"digits", digits}, {"most_steps", most_steps}};
  for (const Expression& time : times) {
    if (!time.is_rational()) throw EnclosureFailure("a time that is no fraction");
    call["times"].push_back(time.text());
  }
  EnclosedModel model(problem);
  UnfinishedProof proof(problem, std::move(call));
  bool resumed = proof.load();
  if (!resumed) proof.working_digits = digits + spare_digits;
  for (;; ++proof.attempt, resumed = false) {
    follow(model, times, most_steps, resumed, proof);
    const bool too_wide = proof.found.too_wide;
    int least = digits;
    for (const ProvedState& state : proof.found.states) least = std::min(least, state.digits);
    if ((least >= digits && !too_wide) || proof.attempt == most_attempts) break;
    proof.working_digits += digits - least + (too_wide ? digits : 2);
    proof.found = {}, proof.steps.clear();
  }
  proof.remove();
  return std::move(proof.found);
}

std::vector<ProvedState> proved_states(const Problem& problem, const std::vector<Expression>& times,
                                       int digits, int most_steps) {
  ProvedMotion motion = proved_motion(problem, times, digits, most_steps);
  if (!motion.failure.empty()) throw EnclosureFailure(motion.failure);
  return std::move(motion.states);
}

bool contains(const ProvedState& state, const std::vector<real50>& q, const std::vector<real50>& v,
              const std::vector<real50>& lambda, int digits) {
  const auto inside = [&](const std::vector<RealBall>& balls, const std::vector<real50>& numbers) {
    if (balls.size() != numbers.size()) return false;
    for (std::size_t i = 0; i < balls.size(); ++i) {
      const real50 rounding = abs(numbers[i]) * pow(real50(10), 1 - digits);
      if (!(abs(middle(balls[i]) - numbers[i]) <= radius(balls[i]) + rounding)) return false;
    }
    return true;
  };
  return inside(state.q, q) && inside(state.v, v) &&
         (state.lambda.empty() || inside(state.lambda, lambda));
}

std::pair<std::string, std::string> ball_texts(const RealBall& x, int digits) {
  const std::string centre = middle(x).str(digits);
  RealBall distance;  // of the members of x from what is written
  arb_set_str(distance.raw(), centre.c_str(), 256);
  Magnitude most;
  arb::magnitude(most.raw(), (x - distance).raw());
  if (most.upper() == 0) return {centre, "0"};
  mpfr_t up;
  mpfr_init2(up, 53);
  mpfr_set_d(up, most.upper(), MPFR_RNDU);
  char text[40];
  mpfr_snprintf(text, sizeof text, "%.2RUe", up);
  mpfr_clear(up);
  return {centre, text};
}

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
