#include "analysis/linear/constrained_roots.hpp"

#include <algorithm>

#include "analysis/linear/amplification.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using Roots = std::vector<std::complex<double>>;

Roots in_double(const std::vector<std::complex<long double>>& wide) {
  Roots roots;
  for (const auto& z : wide) roots.emplace_back(z.real(), z.imag());
  std::sort(roots.begin(), roots.end(), [](const auto& a, const auto& b) {
    const auto key = [](const std::complex<double>& z) {
      return std::tuple(-std::abs(z), z.real(), z.imag());
    };
    return key(a) < key(b);
  });
  return roots;
}

/// `all` without one root near each of `own`. Double roots are found to the square root of the
/// unit round-off only; roots further apart than that are told apart.
Roots without(Roots all, const Roots& own) {
  for (const auto& z : own) {
    if (all.empty()) break;
    const auto nearest = std::min_element(
        all.begin(), all.end(),
        [&z](const auto& a, const auto& b) { return std::abs(a - z) < std::abs(b - z); });
    constexpr double same = 1e-4;
    if (std::abs(*nearest - z) <= same * (1 + std::abs(z))) all.erase(nearest);
  }
  return all;
}

}  // namespace

ConstrainedRoots constrained_roots(const ConstrainedRootsRequest& request) {
  const auto method = method_registry().make(request.method);
  const Formulation formulation = Formulation::parse(request.formulation);
  ConstrainedRoots result;
  result.method = method_registry().bind(request.method).canonical();
  result.formulation = formulation.name();
  result.n = method->cost_stages();
  Amplification<real50> free(*method), constrained(*method, formulation);
  for (const Expression& e : request.x) {
    const real50 theta = oscillator_step(result.n, e);
    result.x.push_back(e.eval<double>());
    result.roots.push_back(in_double(constrained.roots(real50(0), theta)));
    result.constraint.push_back(
        without(result.roots.back(), in_double(free.roots(real50(0), theta))));
    const Roots& own = result.constraint.back();
    result.radius.push_back(own.empty() ? 0 : std::abs(own.front()));
  }
  return result;
}

}  // namespace daemark
