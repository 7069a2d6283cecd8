// hht_i3(alpha), −1/3 ≤ α < 0: hht on index 3 with a step-size control of its own, named after
// Negrut, Rampalli, Ottarsson & Sajdak 2007:
//
//   1/(1+α) M a₊ + (Gᵀλ − f)₊ − α/(1+α) (Gᵀλ − f) = 0,  Φ(t₊, q₊)/(β h²) = 0
//
// with Newmark's formulas, γ = (1 − 2α)/2, β = (1 − α)²/4. For constant M that is the balance of
// methods/hht.cpp, a₊ = (1 + α) v̇₊ − α v̇, which is used for any M. With a = q̈(t) and a₊ = q̈(t) +
// (1 + α) h q⃛ the error of positions in a step is e = (β − 1/(6(1 + α))) h² (a₊ − a) + O(h⁴), its
// estimate; velocities and multipliers are not controlled. The filter that chooses the next step is
// the one all methods share. The formulas are those of the program Chrono (ChTimestepperHHT); the
// paper could not be read, so that its own filter is left out.
#include "methods/catalogue/registry.hpp"
#include "methods/structural/structural.hpp"

namespace daemark {

void register_hht_i3(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "hht_i3";
  info.kind = "structural";
  info.summary =
      "HHT-I3: Hilber, Hughes & Taylor's method with an estimate of the error of positions";
  info.parameters = {{"alpha", Parameter::Type::real, "-1/5", "rational in [-1/3, -1/1000]"}};
  info.examples = {"hht_i3(alpha=-1/5)"};
  info.claims.order = 2;
  info.claims.a_stable = true;
  info.source = {"hilber1977", "on index 3 as in the program Chrono, ChTimestepperHHT"};
  registry.add(info, [](const Arguments& arguments) {
    const rational alpha = arguments.real_in("alpha", rational(-1) / 3, rational(-1) / 1000);
    StructuralForm form{(1 - 2 * alpha) / 2, (1 - alpha) * (1 - alpha) / 4};
    form.alpha_f = -alpha;
    form.estimate = form.beta - 1 / (6 * (1 + alpha));
    return structural_method(std::move(form));
  });
}

}  // namespace daemark
