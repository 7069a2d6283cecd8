#include "methods/external/external_method.hpp"

#include <fmt/format.h>

namespace daemark {
namespace {

/// Stands at the initial state and says why.
class NotAvailable final : public Integrator<double> {
 public:
  void start(const State<double>& initial, const OutputPoints<double>&) override {
    state_ = initial;
  }
  StepReport advance() override {
    return {Status::not_available, "not available: built without SUNDIALS (libsundials-dev)"};
  }
  const State<double>& state() const override { return state_; }
  const Counts& counts() const override { return counts_; }

 private:
  State<double> state_;
  Counts counts_;
};

class ExternalMethod final : public MethodOf<ExternalMethod> {
 public:
  explicit ExternalMethod(ExternalSolver solver) : solver_(std::move(solver)) {}

  int cost_stages() const override { return solver_.stages; }
  bool is_explicit() const override { return solver_.is_explicit; }
  bool owns_loop() const override { return true; }
  std::vector<std::string> details() const override {
    std::vector<std::string> lines = settings();
    lines.insert(lines.end(), solver_.details.begin(), solver_.details.end());
    return lines;
  }
  std::vector<std::string> settings() const {
    return {solver_.settings,
            fmt::format("error weights tol (1 + |y|); output points are hit by steps, not "
                        "interpolated; at most {} steps to each; all else as the library sets it",
                        most_steps)};
  }

  std::string refusal(const SystemTraits& system) const override {
    if (!system.flat)
      return "rotations are increments from charts that move on with the steps, and the library "
             "cannot re-express its history in a new chart but has to start again, at order 1; "
             "accepted: flat coordinates";
    if (system.precision != Precision::in_double) return refusals::double_only;
    if (system.index <= solver_.highest_index) return "";
    return "it takes ordinary differential equations; accepted: " +
           formulation_ids(
               [this](const FormulationInfo& info) { return info.index <= solver_.highest_index; });
  }
  std::unique_ptr<Integrator<double>> own_integrator(const Target<double>& target,
                                                     const Settings&) const override {
    if (!solver_.make) return std::make_unique<NotAvailable>();
    return solver_.make(target);
  }
  template <class S>
  std::unique_ptr<Stepper<S>> make(const Target<S>&, const Settings&) const {
    return nullptr;
  }

 private:
  ExternalSolver solver_;
};

}  // namespace

std::shared_ptr<const Method> external_method(ExternalSolver solver) {
  return std::make_shared<ExternalMethod>(std::move(solver));
}

std::vector<std::string> solver_settings(const Method& method) {
  const auto* const external = dynamic_cast<const ExternalMethod*>(&method);
  return external == nullptr ? std::vector<std::string>{} : external->settings();
}

Parameter tolerance_parameter() {
  return {"tol", Parameter::Type::real, "1/1000000",
          "real in [1e-14, 1/10]: on the estimated error of a step, relative to 1 + |y|"};
}

double tolerance(const Arguments& arguments, const std::string& id) {
  const double tol = arguments.real("tol").eval<double>();
  constexpr double least = 1e-14, most = 0.1;  // below: round-off of a step
  if (!(tol >= least && tol <= most))
    throw BadInput(fmt::format("{}: tol = {} is not accepted: {}", id, arguments.real("tol").text(),
                               tolerance_parameter().accepted));
  return tol;
}

}  // namespace daemark
