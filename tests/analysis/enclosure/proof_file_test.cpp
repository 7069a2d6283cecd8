#include "analysis/enclosure/proof_file.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <random>

#include "analysis/enclosure/proved_reference.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/reference/reference_file.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/stop.hpp"
#include "base/text/bad_input.hpp"
#include "tests/problems/files/mechanism_file_fixture.hpp"
#include "tests/support/refusal.hpp"
#include "tests/support/tableaus.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using testing::HasSubstr;

constexpr const char* driven = "driven_pendulum(T0=5,theta0=0)";

ReferenceProof proof_of(const std::string& problem, const std::vector<std::string>& times) {
  std::vector<std::string> digests;
  const Problem made = problem_registry().make(problem);
  for (const std::string& t : times) digests.push_back(state_digest(made.name, t));
  return written_proof(made.name, proved_motion(made, expressions(times), 20), digests);
}

TEST(ProvedMotion, GoesOnFromItsLastStepAfterAnInterrupt) {
  const test::TemporaryResults results;
  const Problem problem = problem_registry().make("two_link");
  const std::vector<Expression> times = expressions({"1/2", "3"});
  const auto file = results_root() / ".local/proofs" / reference_file_name(problem.name);
  const ProvedMotion whole = proved_motion(problem, times, 20);
  EXPECT_FALSE(std::filesystem::exists(file));
  int steps = 0;
  {
    StopToken token;
    const StopScope scope(token);
    const ProgressScope hear([&](const char*, double done) {
      if (done > 0.6) token.stop(StopCause::interrupted);
    });
    EXPECT_THROW(proved_motion(problem, times, 20), Stopped);
  }
  EXPECT_TRUE(std::filesystem::exists(file));
  const ProgressScope hear([&](const char*, double) { ++steps; });
  const ProvedMotion rest = proved_motion(problem, times, 20);
  EXPECT_LT(steps, 0.6 * static_cast<double>(whole.steps.size()));
  EXPECT_EQ(rest.steps, whole.steps);
  ASSERT_EQ(rest.states.size(), 2u);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(dumped(rest.states[i].q), dumped(whole.states[i].q));
  EXPECT_FALSE(std::filesystem::exists(file));
}

TEST(ProofFile, ReadsWhatItWrote) {
  const test::TemporaryResults results;
  const ReferenceProof proof = proof_of(driven, {"1/50", "1/20"});
  write_proof(proof);
  const ReferenceProof read = stored_proof(driven).value();
  ASSERT_EQ(read.states.size(), 2u);
  EXPECT_EQ(read.states[1].q.centre, proof.states[1].q.centre);
  EXPECT_EQ(read.states[1].lambda.radius, proof.states[1].lambda.radius);
  rational sum = 0;
  for (const rational& h : step_lengths(read)) sum += h;
  EXPECT_EQ(sum, rational(1, 20));
  write_proof({proof.problem, 0, 0, {}, {}});
  EXPECT_FALSE(stored_proof(driven)) << "without states the file goes";
}

TEST(ProofFile, RefusesStepsThatAreNone) {
  for (const char* run : {"5/1024", "0 x 1/8", "3 x -1/8", "1/2 x 1/8", "x x x"}) {
    ReferenceProof proof{driven, 30, 100, {run}, {}};
    EXPECT_THROW(step_lengths(proof), BadInput) << run;
  }
}

TEST(ProofCheck, AcceptsWhatIsProved) {
  // On the plane, with constraints; unconstrained; rows of velocities; dependent rows; in space.
  for (const auto& [problem, t] : {std::pair("pendulum", "1/10"),
                                   {"oscillator", "1"},
                                   {"chaplygin_sleigh", "1/10"},
                                   {"four_bar(loops=1,coordinates=absolute)", "1/50"},
                                   {"spatial_slider_crank", "1/500"}})
    EXPECT_EQ(check_proof(proof_of(problem, {t})).refusal, "") << problem;
}

// The others are checked by `reference --check`.
TEST(ProofCheck, AcceptsTheShortestCommittedFiles) {
  int accepted = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(source_root() / "results" / "references" / "proofs")) {
    const ReferenceProof proof = read_proof(entry.path().string());
    constexpr std::size_t short_enough = 20, small_enough = 12;
    if (step_lengths(proof).size() > short_enough) continue;
    if (proof.states.front().q.centre.size() > small_enough) continue;
    EXPECT_EQ(check_proof(proof).refusal, "") << entry.path();
    ++accepted;
  }
  EXPECT_GE(accepted, 2);
}

// What a forger may change in a proof, each with words of the refusal.
struct Forgery {
  const char* name;
  const char* refusal;
  void (*change)(ReferenceProof& proof, std::mt19937& random);
};

std::size_t any(std::mt19937& random, std::size_t count) { return random() % count; }

WrittenBalls& any_balls(ReferenceProof& proof, std::mt19937& random) {
  WrittenState& state = proof.states[any(random, proof.states.size())];
  WrittenBalls* const balls[] = {&state.q, &state.v, &state.lambda};
  return *balls[any(random, 3)];
}

const Forgery forgeries[] = {
    {"a ball shifted by two radii", "outside the ball",
     [](ReferenceProof& proof, std::mt19937& random) {
       WrittenBalls& balls = any_balls(proof, random);
       const std::size_t i = any(random, balls.centre.size());
       const real50 by = real50(balls.radius[i]) * (random() % 2 == 0 ? 2 : -2);
       balls.centre[i] = real50(real50(balls.centre[i]) + by).str(40);
     }},
    {"a radius cut", "ball",
     [](ReferenceProof& proof, std::mt19937& random) {
       WrittenBalls& balls = any_balls(proof, random);
       const std::size_t i = any(random, balls.centre.size());
       balls.radius[i] = real50(real50(balls.radius[i]) / 1000000).str(3);
     }},
    {"a step left out", "the steps lead to",
     [](ReferenceProof& proof, std::mt19937& random) {
       proof.steps.erase(proof.steps.begin() + any(random, proof.steps.size()));
     }},
    {"a step too many", "",
     [](ReferenceProof& proof, std::mt19937& random) {
       const std::size_t i = any(random, proof.steps.size());
       proof.steps.insert(proof.steps.begin() + i, proof.steps[i]);
     }},
    {"data changed in the last digit", "outside the ball",
     [](ReferenceProof& proof, std::mt19937& random) {
       const bool more = random() % 2 == 0;
       proof.problem = more ? "driven_pendulum(T0=5.00000000000000000001,theta0=0)"
                            : "driven_pendulum(T0=4.99999999999999999999,theta0=0)";
     }},
    {"another time", "the steps lead to",
     [](ReferenceProof& proof, std::mt19937& random) {
       proof.states.back().t = std::to_string(501 + any(random, 90)) + "/10000";
     }},
    {"another stored state", "the stored state is another one",
     [](ReferenceProof& proof, std::mt19937& random) {
       proof.states[any(random, proof.states.size())].state = std::to_string(random());
     }},
    {"a component left out", "there are",
     [](ReferenceProof& proof, std::mt19937& random) {
       WrittenBalls& balls = any_balls(proof, random);
       balls.centre.pop_back(), balls.radius.pop_back();
     }},
};

TEST(ProofCheck, RefusesAThousandForgeries) {
  const ReferenceProof proof = proof_of(driven, {"1/50", "1/20"});
  ASSERT_EQ(check_proof(proof).refusal, "");
  std::mt19937 random(20261127);
  for (int i = 0; i < 1000; ++i) {
    const Forgery& forgery = forgeries[i % std::size(forgeries)];
    ReferenceProof forged = proof;
    forgery.change(forged, random);
    const std::string refusal = check_proof(forged).refusal;
    ASSERT_NE(refusal, "") << forgery.name << ", number " << i;
    ASSERT_THAT(refusal, HasSubstr(forgery.refusal)) << forgery.name << ", number " << i;
  }
}

// What has no proof says why.

class NoEnclosure : public test::MechanismFile {
 protected:
  static std::string reason(const Problem& problem, const std::string& t = "1/10") {
    return test::refusal<EnclosureFailure>(
        [&] { proved_states(problem, {Expression::parse(t, "t")}, 20, 500); });
  }
  static std::string reason(const std::string& call, const std::string& t = "1/10") {
    return reason(problem_registry().make(call), t);
  }
  /// A point under a force along x, with more keys; ' for ".
  Problem point(const std::string& force, const std::string& more = "") const {
    return read(
        "{'id': 'mine', 'kind': 'equations', 'source': 'test', 'data': [{'name': 'm', 'value': 1, "
        "'unit': 'kg'}], 'coordinates': [{'name': 'x', 'unit': 'm', 'start': 1}, {'name': 'y', "
        "'unit': 'm'},                 {'name': 'z', 'unit': 'm'}], 'kinetic': 'm*(x`^2 + y`^2 + "
        "z`^2)/2', 'forces': {'x': '" +
        force + "'}" + more + "}");
  }
};

TEST_F(NoEnclosure, NamesTheLawThatHasNone) {
  EXPECT_EQ(reason(point("abs(t - 1/20)")), "a law with branches");
  EXPECT_EQ(reason("jay(linear)"), "forces that depend on multipliers");
  EXPECT_EQ(reason("beam_shaft"), "the problem exists in double only");
}

// A second model for series proves nothing of a problem that integrates something else.
TEST_F(NoEnclosure, LooksAtTheModelThatIsIntegrated) {
  Problem problem = problem_registry().make("jay(linear)");
  problem.series = problem_registry().make("oscillator").absolute;
  EXPECT_EQ(reason(problem), "forces that depend on multipliers");
  problem.absolute.in_real50 = nullptr;
  EXPECT_EQ(reason(problem), "the problem exists in double only");
  problem.absolute.in_real50 = [] { return nullptr; };
  EXPECT_EQ(reason(problem), "a model that is not recorded");
  problem = problem_registry().make("heavy_top(coordinates=screw)");
  problem.series = {};
  EXPECT_EQ(reason(problem), "a chart of place and orientation in one");
}

TEST_F(NoEnclosure, NamesTimesThatAreNotReached) {
  const Problem later = point("-x", ", 'start': '1/2'");
  EXPECT_EQ(reason(later, "1/4"), "t = 1/4 is before t = 1/2, from where the motion is followed");
  EXPECT_EQ(reason(later, "sqrt(2)"), "a time that is no fraction");
  EXPECT_EQ(reason(point("-x", ", 'start': 'sqrt(2)'"), "2"),
            "a start at a time that is no fraction");
}

TEST_F(NoEnclosure, NamesConstraintsOfAnotherRankThanStated) {
  const std::string rows =
      ", 'constraints': [{'name': 'a', 'unit': 'm', 'position': 'y'},"
      " {'name': 'b', 'unit': 'm', 'position': ";
  EXPECT_EQ(reason(point("-x", rows + "'z'}], 'redundant': 1")),
            "2 constraints are independent at the start, not 1 as the problem says");
  EXPECT_EQ(reason(point("-x", rows + "'y + y^2'}], 'redundant': 0")),
            "constraints that depend on each other");
}

// The motion ends at t = π/√8 = 1.1107.
TEST_F(NoEnclosure, NamesTheLastTimeThatIsProved) {
  const std::string why = reason(point("-1/x^2"), "2"), up_to = "proved up to t = ";
  ASSERT_EQ(why.find(up_to), 0u) << why;
  const double last = std::stod(why.substr(up_to.size()));
  EXPECT_GT(last, 1.1) << why;
  EXPECT_LT(last, 1.11073) << why;
  EXPECT_NE(why.find("relative error is "), std::string::npos) << why;
  EXPECT_NE(reason("slider_crank", "1000").find(": the last time is too far for 500 steps"),
            std::string::npos);
}

}  // namespace
}  // namespace daemark
