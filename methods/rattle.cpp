// rattle: positions and velocities on the constraints by two projections a step (Andersen 1983).
// With p = M v and F = f + Ṁ v − Gᵀλ (methods/geometric/pair_equations.hpp):
//
//   p₊ = p₀ + h/2 F(q₀, v₊ₐ, λ₁),  q₁ = q₀ + h/2 (v₊ₐ + v₊),  Φ(q₁) = 0
//   p₁ = p₊ + h/2 F(q₁, v₊, λ₂),   G(q₁) v₁ + Φ_t = 0
//
// with M(q₀) v₊ₐ = M(q₁) v₊ = p₊: for constant M and f(q) the method as it is known, one half-step
// velocity and forces at q₀ and q₁; for M(q), dampers and drives the Lobatto IIIA-IIIB pair of two
// stages, implicit, symplectic where the forces have a potential (Jay 1996).
// Order 2, symmetric. The two λ are no approximations of order 2 to the multiplier;
// λ and accelerations at step ends come from the index-1 solve there. On charts (rotations) a step
// begins at the centre of its chart, so that it is symplectic, but not its own adjoint.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/pair_method.hpp"

namespace daemark {

void register_rattle(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "rattle";
  info.kind = "symplectic";
  info.summary = "RATTLE: Störmer-Verlet with positions and velocities on the constraints";
  info.claims.order = 2;
  info.source = {"andersen1983", "as a pair of tableaus: [jay1996]"};
  registry.add(info, [](const Arguments&) {
    const StatedOrders two{2, 2, 2, false,
                           "order 2 of the Lobatto IIIA-IIIB pair with 2 stages (Jay 1996); λ is a "
                           "function of the state"};
    return pair_method(lobatto_pair(2), {two, two}, LobattoPair{2});
  });
}

}  // namespace daemark
