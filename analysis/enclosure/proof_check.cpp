#include "analysis/enclosure/proof_check.hpp"

#include <fmt/format.h>

#include "analysis/enclosure/checked_motion.hpp"
#include "analysis/enclosure/enclosed_model.hpp"
#include "analysis/enclosure/enclosed_motion.hpp"
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

/// What is wrong with the balls of a file, where `follow(model, lengths)` goes on to a state.
template <class Motion, class Follow>
std::string refusal(const ReferenceProof& proof, EnclosedModel& model, Motion& motion, long bits,
                    const Follow& follow) {
  const std::vector<rational> steps = step_lengths(proof);
  rational reached = model.start();
  std::size_t step = 0;
  for (const WrittenState& state : proof.states) {
    const rational t = Expression::parse(state.t, proof.problem).as_rational();
    for (; reached < t && step < steps.size(); ++step) {
      checkpoint();
      tell_progress("check", static_cast<double>(step) / static_cast<double>(steps.size()));
      reached += steps[step];
      try {
        follow(steps[step], reached);
      } catch (const EnclosureFailure& failure) {
        return fmt::format("step {} of {} s from t = {:.6g}: {}", step + 1, steps[step].str(),
                           static_cast<double>(motion.time()), failure.what());
      }
    }
    if (reached != t) return fmt::format("t = {}: the steps lead to {}", state.t, reached.str());
    const EnclosureBits all(bits);
    const std::string why = refusal_of(state, proof, model.shown(motion.state()));
    if (!why.empty()) return fmt::format("t = {}: {}", state.t, why);
  }
  return step == steps.size() ? "" : "there are steps beyond the last state";
}

std::string refusal_by_lagrange(const ReferenceProof& proof, const Effort& effort) {
  EnclosedModel model(problem_registry().make(proof.problem));
  const Mechanism& stated = model.system().mechanism();
  const long bits = proof.bits + effort.more_bits;
  CheckedMotion motion(model.system(), model.rows(), model.start(), stated.q0, stated.v0,
                       proof.order + effort.more_orders, bits);
  return refusal(proof, model, motion, bits, [&](const rational& length, const rational&) {
    for (int part = 0; part < effort.parts_of_step; ++part)
      motion.step(length / effort.parts_of_step);
  });
}

/// The enclosure of the proof: its steps follow from its order.
ProofCheck check_at_another_order(const ReferenceProof& proof) {
  constexpr double bits_per_digit = 3.33;
  constexpr int more_digits = 20;
  EnclosedModel model(problem_registry().make(proof.problem));
  const Mechanism& stated = model.system().mechanism();
  EnclosedMotion motion(
      model.system(), model.rows(), model.start(), stated.q0, stated.v0,
      static_cast<int>(static_cast<double>(proof.bits) / bits_per_digit) + more_digits);
  const std::string why =
      refusal(proof, model, motion, motion.bits(), [&](const rational&, const rational& end) {
        while (motion.time() < end) motion.step(end);
      });
  return {why, fmt::format("by the estimates of the proof at order {} instead of {}",
                           motion.order(), proof.order)};
}

}  // namespace

ProofCheck check_proof(const ReferenceProof& proof) {
  ProofCheck check{"", "by Lagrange's remainder"};
  try {
    for (const Effort& effort : efforts) try {
        check.refusal = refusal_by_lagrange(proof, effort);
        return check;
      } catch (const EnclosureFailure& failure) {
        check.refusal = failure.what();
        if (!failure.too_wide) break;
      }
    return check;
  } catch (const TooManySteps&) {
    return check_at_another_order(proof);
  }
}

}  // namespace daemark
