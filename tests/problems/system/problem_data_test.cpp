#include "problems/system/problem_data.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/constants/constants.hpp>
#include <cmath>
#include <regex>
#include <set>

#include "base/text/bad_input.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/catalogue.hpp"
#include "tests/support/mechanism_checks.hpp"

namespace daemark {
namespace {

TEST(ProblemData, GivesExactValuesOfWhatIsStated) {
  ProblemData data("swing");
  EXPECT_EQ(data("m", "0.1", "kg", "chosen"), wide(1) / 10);
  const auto [a, b] = data("a, b", {"sqrt(3)", "-pi/6"}, "rad", "chosen");
  EXPECT_EQ(a, sqrt(wide(3)));
  EXPECT_EQ(b, -boost::math::constants::pi<wide>() / 6);
  ASSERT_EQ(data.finished().size(), 2u);
  EXPECT_EQ(data.finished()[1].text(), "sqrt(3), -pi/6");
  EXPECT_EQ(data.finished()[1].unit, "rad");
}

TEST(ProblemData, RefusesADatumWithoutUnitOrSource) {
  ProblemData data("swing");
  EXPECT_THROW(data("m", 1, "", "chosen"), std::logic_error);
  EXPECT_THROW(data("m", 1, "kg", ""), std::logic_error);
  EXPECT_THROW(data("", 1, "kg", "chosen"), std::logic_error);
  EXPECT_THROW(data("m", "one", "kg", "chosen"), BadInput);
  data("m", 1, "kg", "chosen");
  EXPECT_THROW(data("m", 2, "kg", "chosen"), std::logic_error);
}

TEST(ProblemData, ChangesOneNumberOrSaysThatItDoesNotExist) {
  const Problem changed = problem_registry().make("two_link", DatumChange{"m1, m2", 1, 5});
  const auto datum = std::find_if(changed.data.begin(), changed.data.end(),
                                  [](const Datum& d) { return d.name == "m1, m2"; });
  ASSERT_NE(datum, changed.data.end());
  EXPECT_EQ(datum->text(), "1, 5");
  EXPECT_THROW(problem_registry().make("two_link", DatumChange{"m1, m2", 2, 5}), BadInput);
  EXPECT_THROW(problem_registry().make("two_link", DatumChange{"m3", 0, 5}), BadInput);
}

/// Every sample of the catalogue, with the least of what is counted: bars, elements, loops.
std::vector<std::string> small_samples() {
  std::set<std::string> calls;
  for (const std::string& call : test::problem_samples().calls)
    calls.insert(std::regex_replace(call, std::regex("(elements|loops)=[0-9]+"), "$1=1"));
  return {calls.begin(), calls.end()};
}

/// What a mechanism says of its motion: the start, and at moments of the first 2.5 s, displaced
/// from it, the equations, energies, power and outputs.
std::vector<double> motion(MechanicalSystem<double>& system, double start) {
  const int n = system.coordinates(), m = system.constraints();
  std::vector<double> q(n), v(n), a(n), lambda(m), chart(system.chart_size()), all{start};
  system.initial(q.data(), v.data());
  system.initial_chart(chart.data());
  for (const auto* values : {&q, &v, &chart}) all.insert(all.end(), values->begin(), values->end());
  for (int i = 0; i < n; ++i) {
    q[i] += 1e-3 * std::sin(i + 1.0), v[i] += 0.1 * std::cos(3.0 * i), a[i] = std::sin(2.0 * i + 1);
  }
  system.guess_multipliers(lambda.data());
  constexpr double pressed = 1e5;  // so that friction does not cut off what depends on it
  for (int i = 0; i < m; ++i) lambda[i] = std::cos(i + 2.0) + pressed * lambda[i];
  std::vector<double> residual(n), position(m), velocity(m), acceleration(m),
      outputs(system.outputs().size());
  MotionValues<double> out;
  out.residual = residual.data(), out.position = position.data();
  out.velocity = velocity.data(), out.acceleration = acceleration.data();
  for (int k = 0; k <= 125; ++k) {
    const MotionPoint<double> point{start + k / 50.0, q.data(),      v.data(),
                                    a.data(),         lambda.data(), chart.data()};
    system.evaluate(point, {1, 1, 1}, out);
    system.output_values(point, outputs.data());
    for (const auto* values : {&residual, &position, &velocity, &acceleration, &outputs})
      all.insert(all.end(), values->begin(), values->end());
    all.push_back(system.kinetic_energy(point));
    all.push_back(system.potential_energy(point));
    all.push_back(system.has_power() ? system.power(point) : 0);
  }
  return all;
}

/// Of every form of a problem that exists in double.
std::vector<std::vector<double>> motions(const Problem& problem) {
  std::vector<std::vector<double>> all;
  for (const MechanismMakers* form : {&problem.absolute, &problem.minimal, &problem.series})
    if (form->in_double) all.push_back(motion(*form->in_double(), problem.start.eval<double>()));
  return all;
}

/// With a datum changed a little; by less where the mechanism cannot be put together so.
std::optional<Problem> changed(const std::string& call, const Datum& datum, std::size_t number) {
  for (const char* change : {"9/8", "8/9", "101/100", "10001/10000"}) {
    const std::string text = datum.numbers[number].exact().text();
    const bool zero = datum.numbers[number].value() == 0;
    try {
      return problem_registry().make(
          call, DatumChange{datum.name, number,
                            zero ? StatedNumber(std::string(change) + "-1")
                                 : StatedNumber("(" + text + ")*(" + change + ")")});
    } catch (const BadInput&) {
      continue;
    }
  }
  return {};
}

class DataOfProblem : public ::testing::TestWithParam<std::string> {};

// So no number can stand in a model twice, or be shown and not be used.
TEST_P(DataOfProblem, EachNumberDecidesTheMotionOfEveryForm) {
  const Problem problem = problem_registry().make(GetParam());
  const auto as_stated = motions(problem);
  for (const Datum& datum : problem.data)
    for (std::size_t i = 0; i < datum.numbers.size(); ++i) {
      const std::optional<Problem> other = changed(GetParam(), datum, i);
      ASSERT_TRUE(other) << datum.name << ", number " << i + 1 << " cannot be changed";
      const auto moved = motions(*other);
      ASSERT_EQ(moved.size(), as_stated.size());
      for (std::size_t form = 0; form < moved.size(); ++form) {
        bool differs = moved[form].size() != as_stated[form].size();
        for (std::size_t k = 0; !differs && k < moved[form].size(); ++k)
          differs = std::isfinite(moved[form][k]) && moved[form][k] != as_stated[form][k];
        EXPECT_TRUE(differs) << datum.name << ", number " << i + 1 << " of " << datum.text()
                             << " changes nothing in form " << form;
      }
    }
}

/// The closed form in a mechanism's own coordinates.
struct AlongClosedForm {
  AlongClosedForm(const Problem& of, MechanicalSystem<real50>& in)
      : problem(of),
        system(in),
        q(in.coordinates()),
        v(q),
        lambda(in.constraints()),
        chart(in.chart_size()),
        q_ref(in.reference_coordinates()),
        v_ref(q_ref) {}

  void go_to(const real50& time) {
    t = time;
    problem.closed_form(t, q_ref.data(), v_ref.data(), lambda.data());
    if (coordinates_follow())
      system.from_reference(q_ref.data(), v_ref.data(), q.data(), v.data(), chart.data());
  }
  MotionPoint<real50> point(const real50* a = nullptr) const {
    return {t, q.data(), v.data(), a, lambda.data(), chart.data()};
  }
  real50 energy() const {
    return system.kinetic_energy(point()) + system.potential_energy(point());
  }
  /// Of flat coordinates that are shown as others, as quaternions are, nobody asks the way back.
  bool coordinates_follow() const { return !chart.empty() || q_ref.size() == q.size(); }

  const Problem& problem;
  MechanicalSystem<real50>& system;
  real50 t = 0;
  std::vector<real50> q, v, lambda, chart, q_ref, v_ref;
};

using test::largest;

std::vector<real50> difference(std::vector<real50> x, const std::vector<real50>& y) {
  for (std::size_t i = 0; i < x.size(); ++i) x[i] -= y[i];
  return x;
}

/// Of the equations of motion at the form's place, q̈ by central differences over 2e-16.
double largest_residual(AlongClosedForm& form) {
  const real50 t = form.t, step("1e-16");
  form.go_to(t + step);
  const std::vector<real50> after = form.v;
  form.go_to(t - step);
  std::vector<real50> a = difference(after, form.v), residual(a.size());
  for (real50& entry : a) entry /= 2 * step;
  form.go_to(t);
  MotionValues<real50> out;
  out.residual = residual.data();
  form.system.evaluate(form.point(a.data()), {}, out);
  return largest(residual);
}

// With any datum changed a closed form still starts where the mechanism does and satisfies its
// constraints and, a third of a second later, its equations; and where nothing drives it, it has
// the energy of the start.
TEST_P(DataOfProblem, AClosedFormFollowsThem) {
  const Problem problem = problem_registry().make(GetParam());
  if (!problem.closed_form) GTEST_SKIP() << "has none";
  for (const Datum& datum : problem.data) {
    const std::optional<Problem> other = changed(GetParam(), datum, 0);
    ASSERT_TRUE(other) << datum.name;
    const auto system = other->make<real50>();
    AlongClosedForm form(*other, *system), stated(*other, *system);
    system->initial(stated.q.data(), stated.v.data());
    system->initial_chart(stated.chart.data());
    system->to_reference(stated.point(), stated.q_ref.data(), stated.v_ref.data());
    form.go_to(real50(0));
    EXPECT_LT(largest(difference(form.q_ref, stated.q_ref)), 1e-45) << datum.name;
    EXPECT_LT(largest(difference(form.v_ref, stated.v_ref)), 1e-45) << datum.name;
    form.go_to(real50(1) / 3);
    EXPECT_NE(form.q_ref, stated.q_ref);
    if (!form.coordinates_follow()) continue;
    // Energies and rows are sums of a few terms below 1e4 that are right to 50 digits.
    if (!system->has_power()) {
      EXPECT_LT(to_double(abs(real50(form.energy() - stated.energy()))), 1e-44) << datum.name;
    }
    // 1e-32 times a third derivative of v, up to 1e8, times a mass; a chart's rates are not its
    // velocities.
    if (form.chart.empty()) {
      EXPECT_LT(largest_residual(form), 1e-22) << datum.name;
    }
    std::vector<real50> rows(system->constraints()), a(system->coordinates(), real50(0));
    MotionValues<real50> out;
    out.position = rows.data();
    system->evaluate(form.point(a.data()), {}, out);
    EXPECT_LT(largest(rows), 1e-44) << datum.name;
  }
}

TEST_P(DataOfProblem, EveryComponentRowAndOutputHasAUnit) {
  const Problem problem = problem_registry().make(GetParam());
  for (const bool minimal : {false, true}) {
    if (minimal && !problem.has_minimal()) continue;
    const auto system = problem.make<double>(minimal);
    EXPECT_EQ(system->coordinate_units().size(), system->coordinate_names().size());
    EXPECT_EQ(system->constraint_units().size(), system->constraint_names().size());
    for (const auto* units : {&system->coordinate_units(), &system->constraint_units()})
      EXPECT_THAT(*units, ::testing::Each(::testing::Not(::testing::IsEmpty())));
    for (const OutputInfo& output : system->outputs()) EXPECT_FALSE(output.unit.empty());
  }
}

INSTANTIATE_TEST_SUITE_P(Catalogue, DataOfProblem, ::testing::ValuesIn(small_samples()),
                         [](const auto& info) {
                           return std::regex_replace(info.param, std::regex("[^a-zA-Z0-9]+"), "_");
                         });

}  // namespace
}  // namespace daemark
