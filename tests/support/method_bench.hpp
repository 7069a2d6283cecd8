// A method on a problem, ready to step: what the conformance suite and the stepper tests set up.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "analysis/setup/bound_run.hpp"

namespace daemark::test {

inline RunRequest run_request(const std::string& problem, const std::string& formulation,
                              const std::string& method, const std::string& h,
                              const std::string& t_end,
                              std::map<std::string, std::string> settings = {}) {
  RunRequest r;
  r.problem = problem, r.formulation = formulation, r.method = method;
  r.h = Expression::parse(h, "h"), r.t_end = Expression::parse(t_end, "t-end");
  r.settings = std::move(settings);
  return r;
}

/// Keeps the systems alive that its steppers work on.
template <class S>
struct MethodBench {
  BoundRun setup;
  BoundSystem<S> cell;
  State<S> initial;

  MethodBench(const std::string& problem, const std::string& formulation, const std::string& method,
              const std::string& h, const std::string& t_end,
              std::map<std::string, std::string> settings = {})
      : MethodBench(problem_registry().make(problem),
                    run_request(problem, formulation, method, h, t_end, std::move(settings))) {}
  /// Of a problem that need not be in the catalogue.
  MethodBench(const Problem& problem, RunRequest request)
      : setup(in_scalar(std::move(request)), problem),
        cell(setup),
        initial(initial_state(setup, cell)) {}

  S step() const { return from_wide<S>(setup.h); }
  std::unique_ptr<Stepper<S>> fresh() {
    return setup.method->stepper(cell.target(), setup.settings);
  }
  std::unique_ptr<Stepper<S>> started() {
    auto stepper = fresh();
    stepper->start(initial, step());
    return stepper;
  }
  int coordinates() const { return cell.mechanism->coordinates(); }
  int constraints() const { return cell.mechanism->constraints(); }

 private:
  static RunRequest in_scalar(RunRequest request) {
    request.precision = precision_of<S>;
    return request;
  }
};

}  // namespace daemark::test
