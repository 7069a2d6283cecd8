// Runs and states of problems by their calls.
#pragma once

#include <gtest/gtest.h>

#include "analysis/reference/taylor_reference.hpp"
#include "analysis/run/run.hpp"
#include "problems/system/registry.hpp"
#include "tests/support/method_bench.hpp"

namespace daemark::test {

/// Of a run that does not fail.
inline RunResult run_of(const RunRequest& request) {
  RunResult result = run(request);
  EXPECT_EQ(result.status, "ok") << request.problem << " " << request.formulation << " "
                                 << request.method << ": " << result.why;
  return result;
}
inline RunResult run_of(const std::string& problem, const std::string& formulation,
                        const std::string& method, const char* h, const char* t_end,
                        std::map<std::string, std::string> settings = {}) {
  return run_of(run_request(problem, formulation, method, h, t_end, std::move(settings)));
}

/// At t, with accelerations and multipliers, from the Taylor series.
template <class S>
TaylorState<S> state_at(MechanicalSystem<S>& system, const S& t) {
  std::vector<S> q(system.coordinates()), v(q.size());
  system.initial(q.data(), v.data());
  return TaylorIntegrator<S>(system).integrate(S(0), q, v, {t}).front();
}
inline TaylorState<real50> state_at(const std::string& problem, const real50& t) {
  return state_at(*problem_registry().make(problem).make<real50>(), t);
}

inline std::vector<double> numbers(const std::vector<std::string>& texts) {
  std::vector<double> values;
  for (const std::string& text : texts) values.push_back(std::stod(text));
  return values;
}

}  // namespace daemark::test
