#include "analysis/enclosure/proof_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/enclosure/checked_motion.hpp"
#include "analysis/enclosure/enclosed_model.hpp"
#include "analysis/enclosure/enclosed_motion.hpp"
#include "analysis/enclosure/matrices.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/reference/reference_file.hpp"
#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {

namespace {

const Fields<ReferenceProof>& fields_of_proof() {
  constexpr long most = 1000000;
  static const auto balls =
      Fields<WrittenBalls>()
          .required("centre", &WrittenBalls::centre)
          .required("radius", &WrittenBalls::radius)
          .check([](const WrittenBalls& x, const std::string& where) {
            if (x.centre.size() != x.radius.size())
              throw BadInput(where + ": a radius for each centre is accepted");
          });
  static const auto state = Fields<WrittenState>()
                                .required("t", &WrittenState::t)
                                .required("state", &WrittenState::state)
                                .required("digits", &WrittenState::digits, 0, most)
                                .required("q", &WrittenState::q, balls)
                                .required("v", &WrittenState::v, balls)
                                .required("lambda", &WrittenState::lambda, balls);
  static const auto file = Fields<ReferenceProof>()
                               .required("problem", &ReferenceProof::problem)
                               .required("order", &ReferenceProof::order, 1, most)
                               .required("bits", &ReferenceProof::bits, 1, most)
                               .required("states", &ReferenceProof::states, state, "state")
                               .required("steps", &ReferenceProof::steps);
  return file;
}

std::string in_results(const std::string& problem) {
  return "references/proofs/" + reference_file_name(problem);
}

}  // namespace

ReferenceProof written_proof(const std::string& problem, const ProvedMotion& motion,
                             const std::vector<std::string>& digests) {
  ReferenceProof proof{problem, 0, 0, {}, {}};
  const auto written = [](const std::vector<RealBall>& balls, int digits) {
    WrittenBalls out;
    double largest = 0;
    for (const RealBall& ball : balls) largest = std::max(largest, magnitude(ball));
    constexpr double zero = 1e-100;  // such are bounds of what is 0
    const double least = (largest > zero ? largest : 1) * std::pow(10, -digits - 6);
    for (RealBall ball : balls) {
      add_error(ball, least);  // a component that stays 0 is known no better than the others
      auto [centre, radius] = ball_texts(ball, digits + 2);
      out.centre.push_back(std::move(centre)), out.radius.push_back(std::move(radius));
    }
    return out;
  };
  for (std::size_t i = 0; i < motion.states.size(); ++i) {
    const ProvedState& s = motion.states[i];
    proof.order = s.order, proof.bits = static_cast<int>(s.bits);
    proof.states.push_back({s.t, digests[i], s.digits, written(s.q, s.digits),
                            written(s.v, s.digits), written(s.lambda, s.digits)});
  }
  for (std::size_t i = 0, same = 0; i < motion.steps.size(); i += same) {
    for (same = 1; i + same < motion.steps.size() && motion.steps[i + same] == motion.steps[i];)
      ++same;
    proof.steps.push_back(fmt::format("{} x {}", same, motion.steps[i].str()));
  }
  return proof;
}

std::vector<rational> step_lengths(const ReferenceProof& proof) {
  constexpr long most = 10000000;
  std::vector<rational> lengths;
  for (const std::string& run : proof.steps) {
    const std::size_t cross = run.find(" x ");
    const auto where = [&] { return fmt::format("{}, steps '{}'", proof.problem, run); };
    if (cross == run.npos) throw BadInput(where() + ": accepted: COUNT x LENGTH");
    const rational count = Expression::parse(run.substr(0, cross), where()).as_rational();
    const rational h = Expression::parse(run.substr(cross + 3), where()).as_rational();
    if (!(count > 0 && count < most && denominator(count) == 1 && h > 0))
      throw BadInput(where() + ": accepted: numbers > 0");
    lengths.insert(lengths.end(), static_cast<std::size_t>(count), h);
  }
  return lengths;
}

ReferenceProof read_proof(const std::string& file) {
  return fields_of_proof().read(parse_json_file(file), file);
}

std::optional<ReferenceProof> stored_proof(const std::string& problem) {
  const std::filesystem::path file = known_result(in_results(problem));
  if (!std::filesystem::exists(file)) return std::nullopt;
  return read_proof(file.string());
}

void write_proof(const ReferenceProof& proof) {
  const std::filesystem::path file = results_root() / in_results(proof.problem);
  if (proof.states.empty())
    std::filesystem::remove(file);
  else
    write_if_changed(file, fields_of_proof().write(proof).dump(1) + "\n");
}

std::string state_digest(const std::string& problem, const std::string& t) {
  if (reference_digest(problem, t).empty()) return "";
  const ReferenceState state =
      reference_states(problem_registry().make(problem), {t}, 1, false, false).front();
  std::string text = problem + "\n" + state.t + "\n";
  constexpr int guard_digits = 2, length = 32;
  for (const auto* part : {&state.q, &state.v, &state.lambda})
    for (const real50& x : *part) text += x.str(state.agreed_digits + guard_digits) + "\n";
  return digest(text).substr(0, length);
}

int proved_digits(const std::string& problem, const std::string& t) {
  const std::optional<ReferenceProof> proof = stored_proof(problem);
  if (!proof) return 0;
  const std::string digest = state_digest(problem, t);
  for (const WrittenState& state : proof->states)
    if (!digest.empty() && state.state == digest) return state.digits;
  return 0;
}

std::string reference_standing(const std::string& problem, const std::string& t, int known_digits) {
  const int proved = proved_digits(problem, t);
  return proved > 0 ? fmt::format("proved to {} digits", proved)
                    : fmt::format("known to {} digits", known_digits);
}

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
