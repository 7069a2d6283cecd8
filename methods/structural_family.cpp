// Structural integrators with Newmark's formulas; equations in methods/structural/structural.hpp.
#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/structural/structural.hpp"

namespace daemark {
namespace {

struct Member {
  const char *id, *summary;
  rational beta;
  const char *key, *where;
};

void add_member(MethodRegistry& registry, const Member& member) {
  MethodInfo info;
  info.id = member.id;
  info.kind = "structural";
  info.summary = member.summary;
  info.claims.order = 2;
  info.claims.a_stable = member.beta >= rational(1) / 4;
  info.source = {member.key, member.where};
  registry.add(info, [beta = member.beta](const Arguments&) {
    return structural_method({rational(1) / 2, beta});
  });
}

// newmark(gamma, beta) and its named members (Newmark 1959):
//
//   q₊ = q + h v + h² ((1/2 − β) a + β a₊),  v₊ = v + h ((1 − γ) a + γ a₊),  a₊ = v̇ at t + h.
//
// Order 2 for γ = 1/2, else 1; unconditionally stable for 2β ≥ γ ≥ 1/2, otherwise with γ ≥ 1/2 up
// to ωh = 1/√(γ/2 − β): 2 for β = 0, √6 for 1/12, √12 for 1/6. On undamped linear equations
// Fox-Goodwin has periods of order 4. Fernández de Bustos et al. 2021 write α for γ.
void add_newmark(MethodRegistry& registry) {
  using Type = Parameter::Type;
  MethodInfo info;
  info.id = "newmark";
  info.kind = "structural";
  info.summary = "Newmark's method with parameters gamma (velocities) and beta (positions)";
  info.parameters = {{"gamma", Type::real, "1/2", "rational in [1/2, 1]"},
                     {"beta", Type::real, "1/4", "rational in [0, 1]"}};
  info.examples = {"newmark(gamma=1/2,beta=1/4)", "newmark(gamma=5001/10000,beta=2507/10000)",
                   "newmark(gamma=3/4,beta=25/64)"};
  info.source = {"newmark1959", ""};
  registry.add(info, [](const Arguments& arguments) {
    return structural_method(
        {arguments.real_in("gamma", rational(1) / 2, 1), arguments.real_in("beta", 0, 1)});
  });
  const char* newmark = "gamma = 1/2";
  add_member(registry,
             {"average_acceleration", "Newmark's method with beta = 1/4: trapezoidal rule",
              rational(1) / 4, "newmark1959", newmark});
  add_member(registry, {"linear_acceleration", "Newmark's method with beta = 1/6", rational(1) / 6,
                        "newmark1959", newmark});
  add_member(registry, {"fox_goodwin", "Newmark's method with beta = 1/12", rational(1) / 12,
                        "foxgoodwin1949", "gamma = 1/2"});
  add_member(registry, {"central_difference", "Newmark's method with beta = 0", rational(0),
                        "newmark1959", newmark});
}

// hht(alpha), −1/3 ≤ α ≤ 0: Newmark's formulas with γ = (1 − 2α)/2, β = (1 − α)²/4 and the balance
//
//   a₊ = (1 + α) v̇₊ − α v̇,  M v̇ + Gᵀλ = f at both ends,
//
// for constant M the weighted balance of forces M a₊ + (1 + α)(Gᵀλ − f)₊ − α (Gᵀλ − f) = 0 of
// Hilber, Hughes & Taylor 1977. Order 2, unconditionally stable, spectral radius at infinity 1 for
// α = 0 (average acceleration) down to 1/2 for α = −1/3.
void add_hht(MethodRegistry& registry) {
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

// hht_i3(alpha), −1/3 ≤ α < 0: hht on index 3 with a step-size control of its own, named after
// Negrut, Rampalli, Ottarsson & Sajdak 2007:
//
//   1/(1+α) M a₊ + (Gᵀλ − f)₊ − α/(1+α) (Gᵀλ − f) = 0,  Φ(t₊, q₊)/(β h²) = 0
//
// with Newmark's formulas, γ = (1 − 2α)/2, β = (1 − α)²/4. For constant M that is the balance of
// hht, a₊ = (1 + α) v̇₊ − α v̇, which is used for any M. With a = q̈(t) and a₊ = q̈(t) +
// (1 + α) h q⃛ the error of positions in a step is e = (β − 1/(6(1 + α))) h² (a₊ − a) + O(h⁴), its
// estimate; velocities and multipliers are not controlled. The filter that chooses the next step is
// the one all methods share. The formulas are those of the program Chrono (ChTimestepperHHT); the
// paper could not be read, so that its own filter is left out.
void add_hht_i3(MethodRegistry& registry) {
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
void add_generalized_alpha(MethodRegistry& registry) {
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

}  // namespace

void register_structural_family(MethodRegistry& registry) {
  add_newmark(registry);
  add_hht(registry);
  add_hht_i3(registry);
  add_generalized_alpha(registry);
}

}  // namespace daemark
