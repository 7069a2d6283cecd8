// generalized_alpha(rho): Newmark's formulas with
//
//   α_m = (2ρ − 1)/(ρ + 1),  α_f = ρ/(ρ + 1),  γ = 1/2 + α_f − α_m,  β = (γ + 1/2)²/4
//
// (Chung & Hulbert 1993, eqs. 17, 20, 25), order 2, unconditionally stable, every root at infinity
// at −ρ. Published variants differ in where the equilibrium is (methods/structural/structural.hpp):
//
//   arnold_bruls   at the step's end, (1 − α_m) a₊ + α_m a = (1 − α_f) v̇₊ + α_f v̇, started with
//                  a = v̇ (Arnold & Brüls 2007)
//   chung_hulbert  between the ends: M, f and Gᵀλ at (1 − α_f)(q₊, v₊) + α_f (q, v), t + (1 − α_f)
//                  h, as the paper's linear equation is weighted. Its constrained form is ours: the
//                  paper has no constraints.
//
// Jay & Negrut's extension (2008) is refused by name: analysis/decisions/0014.
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/structural/structural.hpp"

namespace daemark {

void register_generalized_alpha(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "generalized_alpha";
  info.kind = "structural";
  info.summary = "generalized-alpha method, numerical dissipation set by rho";
  info.parameters = {{"rho", Type::real, "4/5", "rational in [0, 1]: spectral radius at infinity"},
                     {"variant", Type::word, "arnold_bruls", "arnold_bruls | chung_hulbert"}};
  info.examples = {"generalized_alpha(rho=4/5)", "generalized_alpha(rho=0)",
                   "generalized_alpha(rho=4/5,variant=chung_hulbert)"};
  info.claims.order = 2;
  info.claims.a_stable = true;
  info.source = {"chung1993", "with constraints: [arnold2007]"};
  registry.add(info, [](const Arguments& arguments) {
    const rational rho = arguments.real_in("rho", 0, 1);
    if (arguments.value("variant").text == "jay_negrut")
      throw BadInput(
          "generalized_alpha: variant = jay_negrut is not built, its published equations could not "
          "be read (analysis/decisions/0014); accepted: arnold_bruls | chung_hulbert");
    const std::string variant = arguments.word("variant", {"arnold_bruls", "chung_hulbert"});
    const rational alpha_m = (2 * rho - 1) / (rho + 1), alpha_f = rho / (rho + 1);
    const rational gamma = rational(1) / 2 + alpha_f - alpha_m;
    const rational root = (gamma + rational(1) / 2) / 2;
    StructuralForm form{gamma, root * root, alpha_m, alpha_f};
    if (variant == "chung_hulbert") form.balance = StructuralForm::Balance::weighted;
    return structural_method(std::move(form));
  });
}

}  // namespace daemark
