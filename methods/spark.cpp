// spark(s): Lobatto IIIA for positions and IIIB for momenta on velocity constraints (index 2), as a
// specialised partitioned additive Runge–Kutta method (Jay 2003).
//
// With the stages of methods/geometric/pair_equations.hpp the constraints are not met at stages, of
// which there are s with s − 1 useful conditions, but in combination: Jay's s combinations
// Σ_j ω_ij g(Y_j) + ω_{i,s+1} g(y₁) = 0, (ω) = L⁻¹K with L of the rows 2..s of IIIA and e_sᵀ, K of
// the same rows and a 1 for y₁, are spanned by
//
//   Σ_j a_ij Φ̇(t_j, Q_j, V_j) = 0, i = 2..s,   Φ̇(t₁, q₁, v₁) = 0.
//
// Order 2s − 2, as observed here (Jay's text could not be read); s = 2 for velocity constraints.
// Positions are not held and drift with the error of the method, rows that begin on the velocity
// level are taken. Departs from the paper: all forces, also dissipative ones, are in IIIB; λ at
// step ends comes from the index-1 solve there.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/pair_method.hpp"

namespace daemark {

void register_spark(MethodRegistry& registry) {
  constexpr int most = 10;
  MethodInfo info;
  info.id = "spark";
  info.kind = "partitioned";
  info.summary = "Lobatto IIIA-IIIB on velocity constraints in combination, order 2s-2";
  info.parameters = {{"s", Parameter::Type::integer, "3", "integer 2..10"}};
  info.examples = {"spark(2)", "spark(3)", "spark(4)"};
  info.source = {"jay2003", ""};
  registry.add(info, [](const Arguments& arguments) {
    const int s = static_cast<int>(arguments.integer("s", 2, most)), p = 2 * s - 2;
    PairForm form = lobatto_pair(s);
    form.constraints = PairForm::Constraints::velocities;
    return pair_method(std::move(form),
                       {{p, p, p, false, "order 2s-2 of the pair (Jay 1996)"},
                        {p, p, p, true, "observed: order 2s-2, λ is a function of the state"}},
                       LobattoPair{s});
  });
}

}  // namespace daemark
