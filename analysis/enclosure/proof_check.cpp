#include "analysis/enclosure/proof_check.hpp"

#include <fmt/format.h>

#include "analysis/enclosure/checked_motion.hpp"
#include "analysis/enclosure/enclosed_model.hpp"
#include "analysis/enclosure/matrices.hpp"
#include "analysis/reference/reference.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

/// So that the second enclosure is the narrower one: more where it was not.
struct Effort {
  int more_orders, parts_of_step;
  long more_bits;
};
constexpr Effort efforts[] = {{9, 1, 40}, {25, 2, 120}, {60, 4, 300}};

RealBall decimal(const std::string& text) {
  RealBall x;
  if (arb_set_str(x.raw(), text.c_str(), enclosure_bits) != 0 || !x.finite())
    throw BadInput(fmt::format("'{}' is no number", text));
  return x;
}

/// Why written balls are refused. Throws EnclosureFailure where those found are too wide to tell.
std::string refusal_of(const char* kind, const WrittenBalls& written,
                       const std::vector<RealBall>& found) {
  if (written.centre.size() != found.size())
    return fmt::format("{} balls of {}, there are {}", written.centre.size(), kind, found.size());
  for (std::size_t i = 0; i < found.size(); ++i) {
    RealBall distance = found[i] - decimal(written.centre[i]);
    arb_abs(distance.raw(), distance.raw());
    const RealBall radius = decimal(written.radius[i]);
    if (arb_gt(distance.raw(), radius.raw()) != 0)
      return fmt::format("component {} of {}: the solution is proved to lie outside the ball",
                         i + 1, kind);
    if (arb_le(distance.raw(), radius.raw()) == 0)
      throw EnclosureFailure(
          fmt::format("component {} of {}: the ball does not contain the one that is found", i + 1,
                      kind),
          true);
  }
  return "";
}

std::string refusal_of(const WrittenState& written, const ReferenceProof& proof,
                       const ShownState& found) {
  if (written.state != state_digest(proof.problem, written.t))
    return "the stored state is another one";
  for (const auto& [kind, balls, own] : {std::tuple("q", &written.q, &found.q),
                                         {"v", &written.v, &found.v},
                                         {"lambda", &written.lambda, &found.lambda}}) {
    const std::string refusal = refusal_of(kind, *balls, *own);
    if (!refusal.empty()) return refusal;
  }
  return "";
}

std::string refusal(const ReferenceProof& proof, const Effort& effort) {
  const Problem problem = problem_registry().make(proof.problem);
  EnclosedModel model(problem);
  const Mechanism& stated = model.system().mechanism();
  const long bits = proof.bits + effort.more_bits;
  CheckedMotion motion(model.system(), model.rows(), model.start(), stated.q0, stated.v0,
                       proof.order + effort.more_orders, bits);
  const std::vector<rational> steps = step_lengths(proof);
  std::size_t step = 0;
  for (const WrittenState& state : proof.states) {
    const rational t = Expression::parse(state.t, proof.problem).as_rational();
    for (; motion.time() < t && step < steps.size(); ++step) {
      checkpoint();
      tell_progress("check", static_cast<double>(step) / static_cast<double>(steps.size()));
      try {
        for (int part = 0; part < effort.parts_of_step; ++part)
          motion.step(steps[step] / effort.parts_of_step);
      } catch (const EnclosureFailure& failure) {
        return fmt::format("step {} of {} s from t = {:.6g}: {}", step + 1, steps[step].str(),
                           static_cast<double>(motion.time()), failure.what());
      }
    }
    if (motion.time() != t)
      return fmt::format("t = {}: the steps lead to {}", state.t, motion.time().str());
    const EnclosureBits all(bits);
    const std::string why = refusal_of(state, proof, model.shown(motion.state()));
    if (!why.empty()) return fmt::format("t = {}: {}", state.t, why);
  }
  return step == steps.size() ? "" : "there are steps beyond the last state";
}

}  // namespace

std::string proof_refusal(const ReferenceProof& proof) {
  std::string why;
  for (const Effort& effort : efforts) try {
      return refusal(proof, effort);
    } catch (const EnclosureFailure& failure) {
      why = failure.what();
      if (!failure.too_wide) break;
    }
  return why;
}

}  // namespace daemark
