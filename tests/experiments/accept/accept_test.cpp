// The acceptance kit: sound methods pass, and every seeded error is caught and named.
#include "experiments/accept/accept.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text/read_double.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "tests/experiments/accept/mutants.hpp"
#include "tests/support/replaced.hpp"
#include "tests/support/temporary_results.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using test::Fault;
using testing::HasSubstr;

AcceptReport accepted(const AcceptRequest& request) {
  const AcceptSubject subject(request);
  return *accept(subject, [](AcceptRuns& runs) {
    std::map<std::string, CellResult> results;
    for (const FixedCell& cell : runs.open()) results[canonical(cell)] = kind_of(cell).run(cell);
    runs.take(results);
    return true;
  });
}

AcceptRequest request_for(const std::string& method, const std::string& formulation,
                          const std::string& check) {
  AcceptRequest request;
  request.method = method, request.formulation = formulation, request.only = {check};
  return request;
}

/// A method of the catalogue and one with an error in it.
struct Mutant {
  std::string id;  ///< of the method with the error
  std::string sound, formulation, check;
  std::string cause;  ///< a part of what the check says
  Fault fault = Fault::none;
  test::ChangedMethod::Change settings = nullptr;
  /// Of a tableau file: what is replaced by what.
  std::string file_text = "", replaced = "";
};

void loose_newton(Settings& settings, double tol = 1) {
  settings.newton.tol = tol;
  settings.newton.by_step = false;
  settings.newton.simplified = true;
}

void looser_newton(Settings& settings) { loose_newton(settings, 1e-2); }

/// With an error in the tableau file.
Mutant in_file(const char* id, const char* sound, const char* check, const char* cause,
               const char* text, const char* replaced) {
  return {id, sound, "index1", check, cause, Fault::none, nullptr, text, replaced};
}

std::vector<Mutant> mutants() {
  return {
      in_file("stage_time", "erk4", "time", "stage times (c)", R"("c": ["0", "1/2", "1/2", "1"])",
              R"("c": ["0", "1/3", "1/2", "1"])"),
      in_file("stage_weight", "erk4", "order", "weights (b) do not sum to 1",
              R"("b": ["1/6", "1/3", "1/3", "1/6"])", R"("b": ["1/6", "1/3", "1/3", "1/5"])"),
      in_file("stage_coefficient", "rk_3_8", "order", "coefficients (A, b)", R"(["-1/3", "1",)",
              R"(["-1/2", "7/6",)"),
      in_file("embedded_weight", "dormand_prince_5", "estimate", "embedded weights (b hat)",
              R"("187/2100", "1/40"])", R"("187/2099", "1/40"])"),
      in_file("rosenbrock_gamma", "ros3p", "order", "matrix W", R"(["-1", "0", "0"])",
              R"(["-11/10", "0", "0"])"),
      // The code around them.
      {"wrong_jacobian", "ros3p", "index1", "order", "matrix W", Fault::wrong_jacobian},
      {"frozen_time", "erk4", "index1", "time", "stage times", Fault::frozen_time},
      {"multiplier_before", "radau_iia(2)", "index2", "order",
       "lambda of another time: those of t -1.0", Fault::multiplier_before},
      {"one_step_late", "erk4", "index1", "order", "states are those of t -1.00 h",
       Fault::one_step_late},
      {"dropped_row", "radau_iia(2)", "index2", "constraints", "is dropped or wrong",
       Fault::dropped_row},
      {"chart_left", "erk4", "index1", "space", "a chart is not rebased", Fault::chart_left},
      {"loose_newton", "radau_iia(3)", "index2", "order", "Newton's tolerance is too loose",
       Fault::none, [](Settings& settings) { loose_newton(settings); }},
      {"newton_0_01_index1", "radau_iia(3)", "index1", "order", "Newton's tolerance is too loose",
       Fault::none, looser_newton},
      {"newton_0_01_index2", "radau_iia(3)", "index2", "order", "Newton's tolerance is too loose",
       Fault::none, looser_newton},
      {"newton_0_01_index3", "radau_iia(3)", "index3", "energy", "Newton's tolerance is too loose",
       Fault::none, looser_newton},
      {"stands_still", "erk4", "index1", "order", "stands still", Fault::stands_still},
      {"stands_still_index3", "radau_iia(2)", "index3", "rotation", "stands still",
       Fault::stands_still},
      {"small_estimate", "dormand_prince_5", "index1", "tolerance", "the estimate is too small",
       Fault::small_estimate},
      {"shifted_inside", "verner_efficient_8", "index1", "inside", "the interpolant",
       Fault::shifted_inside},
      {"wrong_force", "radau_iia(3)", "index1", "energy", "a force, its sign", Fault::wrong_force},
      {"rounded", "erk4", "index1", "unit", "an absolute number", Fault::rounded},
      {"one_axis", "erk4", "index1", "rotation", "one axis", Fault::first_body},
      {"one_body", "erk4", "index1", "bodies", "the order of the bodies", Fault::first_body},
      {"pushed_away", "erk4", "index1", "start", "far off the constraints", Fault::pushed_away},
      {"failure_hidden", "radau_iia(2)", "index3", "failure", "a failed step is reported as ok",
       Fault::failure_hidden},
      {"shortest_step", "erk4", "index1", "events", "at another time", Fault::shortest_step},
  };
}

class Mutants : public testing::TestWithParam<Mutant> {
 protected:
  test::TemporaryResults results_;
};

/// Puts the method with the error into the catalogue; `id` is its call.
void add_mutant(const Mutant& mutant) {
  if (method_registry().has(mutant.id)) return;
  if (mutant.file_text.empty()) {
    MethodInfo info;
    info.id = mutant.id, info.summary = "with a seeded error", info.kind = "test";
    info.claims = method_registry().info(parse_call(mutant.sound, "method").id).claims;
    method_registry().add(info, [mutant](const Arguments&) {
      return std::make_shared<test::ChangedMethod>(mutant.sound, mutant.fault, mutant.settings);
    });
    return;
  }
  const auto text = read_text(tableau_folder() / (mutant.sound + ".json"));
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / (mutant.id + ".json");
  test::write_text(file, test::replaced(test::replaced(*text, mutant.file_text, mutant.replaced),
                                        "\"" + mutant.sound + "\"", "\"" + mutant.id + "\""));
  method_registry().add(load_method_file(file), file.string());
}

TEST_P(Mutants, IsCaughtAndNamedAndTheSoundMethodPasses) {
  const Mutant& mutant = GetParam();
  add_mutant(mutant);
  const AcceptReport sound = accepted(request_for(mutant.sound, mutant.formulation, mutant.check));
  EXPECT_EQ(name_of(sound.checks.at(0).judgement), std::string("pass")) << sound.checks[0].cause;
  const AcceptReport found = accepted(request_for(mutant.id, mutant.formulation, mutant.check));
  const CheckReport& check = found.checks.at(0);
  EXPECT_EQ(name_of(check.judgement), std::string("fail"));
  std::string all;
  for (const AcceptFinding& finding : check.findings)
    all += finding.mechanism + ": " + finding.seen + " -> " + finding.cause + "\n";
  EXPECT_THAT(check.cause, HasSubstr(mutant.cause)) << all;
}

/// What a method is known for is no failure, and what it holds passes where it is not plain: a mass
/// matrix without an inverse, loads that are laws of time, an estimate of two formulas.
TEST(Accept, KnowsWhatMethodsStateAndCoefficientsImply) {
  struct Case {
    const char *method, *formulation, *check, *judgement, *cause;
  };
  for (const Case& c :
       {Case{"symmetric_projection(gauss(2))", "index1", "unit", "known property", "Euclidean"},
        Case{"tangent_space(radau_iia(2))", "index3", "unit", "known property", "Euclidean"},
        Case{"linear_acceleration", "index3", "order", "known property", "|R(infinity)| ="},
        Case{"ros3p", "index1", "tolerance", "known property", "the same stability function"},
        Case{"ros34pw2", "index1", "tolerance", "pass", ""},
        Case{"spark(3)", "index2", "rolling", "pass", ""},
        Case{"spark(3)", "index2", "space", "pass", ""},
        Case{"energy_momentum", "index3", "time", "pass", ""},
        Case{"energy_momentum", "index3", "unit", "known property", "Euclidean"},
        Case{"hem5", "index2", "estimate", "pass", ""}}) {
    const AcceptReport report = accepted(request_for(c.method, c.formulation, c.check));
    const CheckReport& check = report.checks.at(0);
    EXPECT_EQ(name_of(check.judgement), std::string(c.judgement)) << c.method << check.cause;
    EXPECT_THAT(check.cause, HasSubstr(c.cause)) << c.method;
  }
}

/// The distance of two states, q and v together.
double distance(const CellResult& a, const CellResult& b) {
  double sum = 0;
  for (const auto& [x, y] : {std::pair(&a.q, &b.q), std::pair(&a.v, &b.v)})
    for (std::size_t i = 0; i < x->size(); ++i)
      sum += std::pow(double_of(x->at(i)) - double_of(y->at(i)), 2);
  return std::sqrt(sum);
}

// The growth that bounds of errors rest on: of a change of the start velocities.
TEST(Accept, MotionsGrowByNoMoreThanStated) {
  const AcceptSubject subject(request_for("erk4", "index1", "order"));
  int measured = 0;
  for (const AcceptMechanism& mechanism : accept_mechanisms()) {
    if (!mechanism.has("tolerance") && !mechanism.has("time") && !mechanism.has("stiff")) continue;
    const Cell plain = subject.steps(mechanism, {512});
    Cell kicked = plain;
    kicked.more["kick"] = "1/1000000";
    const auto run = [](const Cell& cell) { return kind_of(cell).run(cell); };
    const CellResult end = run(plain);
    Cell start = kicked;  // one short step: the change itself
    start.t_end = "1/100000", start.h = {"1/100000"}, start.more["times"] = json::array();
    Cell start_plain = start;
    start_plain.more.erase("kick");
    const double change = distance(run(start), run(start_plain));
    if (!(change > 0)) continue;  // all coordinates begin at 0
    ++measured;
    EXPECT_LE(distance(run(kicked), end), mechanism.growth * change) << mechanism.problem;
  }
  EXPECT_GE(measured, 5);
}

INSTANTIATE_TEST_SUITE_P(Accept, Mutants, testing::ValuesIn(mutants()),
                         [](const auto& info) { return info.param.id; });

}  // namespace
}  // namespace daemark
