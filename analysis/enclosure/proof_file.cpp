#include "analysis/enclosure/proof_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "analysis/enclosure/matrices.hpp"
#include "analysis/reference/reference_file.hpp"
#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
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

}  // namespace daemark
