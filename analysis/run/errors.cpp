#include "analysis/run/errors.hpp"

#include <fmt/format.h>

namespace daemark {

template <class S>
std::map<std::string, double> errors_against(const ReferenceState& reference,
                                             const BoundSystem<S>& model, const State<S>& state) {
  std::map<std::string, double> errors;
  const MechanicalSystem<S>& mechanism = *model.mechanism;
  const int n = mechanism.coordinates(), m = mechanism.constraints(),
            n_ref = mechanism.reference_coordinates();
  std::vector<S> q(n_ref), v(n_ref);
  mechanism.to_reference(model.motion(state), q.data(), v.data());
  const auto distance = [](const auto* x, const std::vector<real50>& y) {
    real50 sum = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      const real50 d = real50(x[i]) - y[i];
      sum += d * d;
    }
    return to_double(real50(sqrt(sum)));
  };
  const std::vector<real50> position(q.begin(), q.end()), zero(n_ref, real50(0));
  std::vector<real50> apart(n_ref);
  mechanism.reference_difference(position.data(), reference.q.data(), apart.data());
  errors["error_q"] = distance(apart.data(), zero);
  errors["error_v"] = distance(v.data(), reference.v);
  for (int i = 0; i < n_ref; ++i)
    errors[fmt::format("error_q_{}", i)] = std::abs(to_double(apart[i]));
  if (m > 0 && m == static_cast<int>(reference.lambda.size()))
    errors["error_lambda"] = distance(state.y.data() + 2 * n, reference.lambda);
  return errors;
}

template std::map<std::string, double> errors_against(const ReferenceState&,
                                                      const BoundSystem<double>&,
                                                      const State<double>&);
template std::map<std::string, double> errors_against(const ReferenceState&,
                                                      const BoundSystem<real50>&,
                                                      const State<real50>&);

}  // namespace daemark
