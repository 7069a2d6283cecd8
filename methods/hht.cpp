// hht(alpha), −1/3 ≤ α ≤ 0: Newmark's formulas with γ = (1 − 2α)/2, β = (1 − α)²/4 and the balance
//
//   a₊ = (1 + α) v̇₊ − α v̇,  M v̇ + Gᵀλ = f at both ends,
//
// for constant M the weighted balance of forces M a₊ + (1 + α)(Gᵀλ − f)₊ − α (Gᵀλ − f) = 0 of
// Hilber, Hughes & Taylor 1977. Order 2, unconditionally stable, spectral radius at infinity 1 for
// α = 0 (average acceleration) down to 1/2 for α = −1/3.
#include "methods/catalogue/registry.hpp"
#include "methods/structural/structural.hpp"

namespace daemark {

void register_hht(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "hht";
  info.kind = "structural";
  info.summary = "Hilber, Hughes & Taylor's alpha method, numerical dissipation set by alpha";
  info.parameters = {{"alpha", Parameter::Type::real, "-1/3", "rational in [-1/3, 0]"}};
  info.examples = {"hht(alpha=-1/3)", "hht(alpha=-1/10)"};
  info.claims.order = 2;
  info.claims.a_stable = true;
  info.source = {"hilber1977", ""};
  registry.add(info, [](const Arguments& arguments) {
    const rational alpha = arguments.real_in("alpha", rational(-1) / 3, 0);
    StructuralForm form{(1 - 2 * alpha) / 2, (1 - alpha) * (1 - alpha) / 4};
    form.alpha_f = -alpha;
    return structural_method(std::move(form));
  });
}

}  // namespace daemark
