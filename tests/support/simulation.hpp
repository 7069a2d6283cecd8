// A mechanism that is not in the catalogue, formulated and ready to step.
#pragma once

#include "tests/support/method_bench.hpp"

namespace daemark::test {

template <class S>
struct Simulation : MethodBench<S> {
  MechanicalPtr<S> mechanism = this->cell.mechanism;
  std::unique_ptr<Stepper<S>> stepper = this->started();

  Simulation(const Problem& problem, const std::string& formulation, const std::string& method,
             const wide& h, const std::map<std::string, std::string>& settings = {})
      : MethodBench<S>(problem, request(problem, formulation, method, h.str(), settings)) {}

  /// The first status that is not ok, or ok.
  Status run(int steps) {
    for (int i = 0; i < steps; ++i) {
      const StepReport report = stepper->step();
      if (report.status != Status::ok) return report.status;
    }
    return Status::ok;
  }

 private:
  /// To a time that no test reaches.
  static RunRequest request(const Problem& problem, const std::string& formulation,
                            const std::string& method, const std::string& h,
                            const std::map<std::string, std::string>& settings) {
    return run_request(problem.name, formulation, method, h,
                       "(" + problem.start.text() + ")+100000*" + h, settings);
  }
};

}  // namespace daemark::test
