// shake: RATTLE without its second projection (Ryckaert, Ciccotti & Berendsen 1977),
//
//   q_{n+1} − 2 q_n + q_{n−1} = h² M⁻¹(f(q_n) − Gᵀ(q_n) λ_n),  Φ(q_{n+1}) = 0,
//
// as a one-step method with v₁ = v₊ + h/2 M⁻¹ f(q₁): the positions of RATTLE from the same start,
// since the constraint force that v₁ lacks is made up for in the next step (Leimkuhler & Skeel
// 1994). Velocities at step ends leave the constraint by h/2 M⁻¹Gᵀλ and have order 1, and so do the
// accelerations and multipliers that belong to them. Forces and masses that depend on velocities
// and positions are those of the Lobatto pair (methods/rattle.cpp), where positions are no longer
// those of RATTLE.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/pair_method.hpp"

namespace daemark {

void register_shake(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "shake";
  info.kind = "symplectic";
  info.summary = "SHAKE: Störmer-Verlet with positions on the constraints, velocities beside them";
  info.claims.order = 2;
  info.source = {"ryckaert1977", ""};
  registry.add(info, [](const Arguments&) {
    PairForm form = lobatto_pair(2);
    form.projects_end = false;
    return pair_method(
        std::move(form),
        {{2, 2, 2, false, "Störmer-Verlet"},
         {2, 1, 1, true,
          "observed: positions of RATTLE, velocities beside the constraint by h/2 M^-1 G^T λ"}},
        LobattoPair{2});
  });
}

}  // namespace daemark
