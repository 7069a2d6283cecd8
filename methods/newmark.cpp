// newmark(gamma, beta) and its named members (Newmark 1959):
//
//   q₊ = q + h v + h² ((1/2 − β) a + β a₊),  v₊ = v + h ((1 − γ) a + γ a₊),  a₊ = v̇ at t + h.
//
// Order 2 for γ = 1/2, else 1; unconditionally stable for 2β ≥ γ ≥ 1/2, otherwise with γ ≥ 1/2 up
// to ωh = 1/√(γ/2 − β): 2 for β = 0, √6 for 1/12, √12 for 1/6. On undamped linear equations
// Fox-Goodwin has periods of order 4. Fernández de Bustos et al. 2021 write α for γ.
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

}  // namespace

void register_newmark(MethodRegistry& registry) {
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

}  // namespace daemark
