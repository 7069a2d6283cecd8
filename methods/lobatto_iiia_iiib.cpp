// lobatto_iiia_iiib(s): positions by Lobatto IIIA, momenta by IIIB, constraints at every stage and
// velocities at the end (Jay 1996; equations in methods/geometric/pair_equations.hpp).
//
// Order 2s − 2 in q and v, symplectic where the forces have a potential, symmetric on flat
// coordinates. The last column of IIIB is zero: Λ_s enters p₁ alone and puts the velocity onto its
// constraint. λ at step ends comes from the index-1 solve there (order 2s − 2; the stages' own have
// s − 1). s = 2 is rattle. IIIB is made of IIIA by b_i â_ij + b_j a_ji = b_i b_j, the condition of
// symplecticity.
#include "methods/catalogue/registry.hpp"
#include "methods/geometric/pair_method.hpp"

namespace daemark {

void register_lobatto_iiia_iiib(MethodRegistry& registry) {
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
    const StatedOrders orders{p, p, p, false,
                              "order 2s-2 (Jay 1996), λ is a function of the state"};
    return pair_method(lobatto_pair(s), {orders, orders}, LobattoPair{s});
  });
}

}  // namespace daemark
