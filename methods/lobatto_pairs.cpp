// Methods that are a pair of Lobatto tableaus; equations in methods/geometric/pair_method.cpp.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/pair_method.hpp"

namespace daemark {
namespace {

// lobatto_iiia_iiib(s): positions by Lobatto IIIA, momenta by IIIB, constraints at every stage and
// velocities at the end (Jay 1996; equations in methods/geometric/pair_method.cpp).
//
// Order 2s − 2 in q and v, symplectic where the forces have a potential, symmetric on flat
// coordinates. The last column of IIIB is zero: Λ_s enters p₁ alone and projects the velocity
// onto its constraint. λ at step ends comes from the index-1 solve there (order 2s − 2; that of the
// stages has s − 1). s = 2 is rattle. IIIB follows from IIIA by b_i â_ij + b_j a_ji = b_i b_j, the
// condition of symplecticity.
void add_lobatto_iiia_iiib(MethodRegistry& registry) {
  constexpr int most = 10;
  MethodInfo info;
  info.id = "lobatto_iiia_iiib";
  info.kind = "symplectic";
  info.summary = "Lobatto IIIA for positions, IIIB for momenta, order 2s-2";
  info.parameters = {{"s", Parameter::Type::integer, "3", "integer 2..10"}};
  info.examples = {"lobatto_iiia_iiib(2)", "lobatto_iiia_iiib(3)", "lobatto_iiia_iiib(4)"};
  info.source = {"jay1996", ""};
  registry.add(info, [](const Arguments& arguments) {
    const int s = static_cast<int>(arguments.integer("s", 2, most)), p = 2 * s - 2;
    const KnownOrders orders{p, p, p, false, "order 2s-2 (Jay 1996), λ is a function of the state"};
    return pair_method(lobatto_pair(s), {orders, orders}, LobattoPair{s});
  });
}

// rattle: positions and velocities on the constraints by two projections a step (Andersen 1983).
// With p = M v and F = f + Ṁ v − Gᵀλ (methods/geometric/pair_method.cpp):
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
void add_rattle(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "rattle";
  info.kind = "symplectic";
  info.summary = "RATTLE: Störmer-Verlet with positions and velocities on the constraints";
  info.claims.order = 2;
  info.source = {"andersen1983", "as a pair of tableaus: [jay1996]"};
  registry.add(info, [](const Arguments&) {
    const KnownOrders two{2, 2, 2, false,
                          "order 2 of the Lobatto IIIA-IIIB pair with 2 stages (Jay 1996); λ is a "
                          "function of the state"};
    return pair_method(lobatto_pair(2), {two, two}, LobattoPair{2});
  });
}

// shake: RATTLE without its second projection (Ryckaert, Ciccotti & Berendsen 1977),
//
//   q_{n+1} − 2 q_n + q_{n−1} = h² M⁻¹(f(q_n) − Gᵀ(q_n) λ_n),  Φ(q_{n+1}) = 0,
//
// as a one-step method with v₁ = v₊ + h/2 M⁻¹ f(q₁): the positions of RATTLE from the same start,
// since the constraint force that v₁ lacks is made up for in the next step (Leimkuhler & Skeel
// 1994). Velocities at step ends leave the constraint by h/2 M⁻¹Gᵀλ and have order 1, and so do the
// accelerations and multipliers there. For forces that depend on velocities and masses that depend
// on positions, forces are evaluated as in the Lobatto pair (rattle); positions then differ from
// those of RATTLE.
void add_shake(MethodRegistry& registry) {
  MethodInfo info;
  info.id = "shake";
  info.kind = "symplectic";
  info.summary = "SHAKE: Störmer-Verlet with positions on the constraints, velocities off them";
  info.claims.order = 2;
  info.source = {"ryckaert1977", ""};
  registry.add(info, [](const Arguments&) {
    PairForm form = lobatto_pair(2);
    form.projects_end = false;
    return pair_method(
        std::move(form),
        {{2, 2, 2, false, "Störmer-Verlet"},
         {2, 1, 1, true,
          "observed: positions of RATTLE, velocities off the constraint by h/2 M^-1 G^T λ"}},
        LobattoPair{2});
  });
}

// spark(s): Lobatto IIIA for positions and IIIB for momenta on velocity constraints (index 2), as a
// specialised partitioned additive Runge–Kutta method (Jay 2003).
//
// With the stages of methods/geometric/pair_method.cpp the constraints are not met at stages, of
// which there are s with s − 1 useful conditions, but in combination: Jay's s combinations
// Σ_j ω_ij g(Y_j) + ω_{i,s+1} g(y₁) = 0, (ω) = L⁻¹K with L of the rows 2..s of IIIA and e_sᵀ, K of
// the same rows and a 1 for y₁, are spanned by
//
//   Σ_j a_ij Φ̇(t_j, Q_j, V_j) = 0, i = 2..s,   Φ̇(t₁, q₁, v₁) = 0.
//
// Order 2s − 2, as observed here (Jay's text could not be read); s = 2 for velocity constraints.
// Where M is singular (quaternions) the momenta are M v + GᵀΦ̇; with M v alone the order is 2.
// Position constraints are not imposed and drift with the error of the method; velocity-level
// constraints are accepted. Differences from the paper: all forces, also dissipative ones, are in
// IIIB; λ at step ends comes from the index-1 solve there.
void add_spark(MethodRegistry& registry) {
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

}  // namespace

void register_lobatto_pairs(MethodRegistry& registry) {
  add_lobatto_iiia_iiib(registry);
  add_rattle(registry);
  add_shake(registry);
  add_spark(registry);
}

}  // namespace daemark
