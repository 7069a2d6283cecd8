// Gauss, Radau IA, Radau IIA, Lobatto IIIA and Lobatto IIIC with any number of stages.
//
// Equations: methods/runge_kutta/collocation.hpp. Orders 2s (Gauss), 2s−1 (Radau), 2s−2 (Lobatto);
// Gauss and IIIA are A-stable, Radau and IIIC L-stable (Hairer & Wanner II, IV.5). Li 2019 sets its
// method against Radau IA, Radau IIA and Lobatto IIIC in Table 7.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/collocation/controlled_collocation.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {

void register_collocation_family(MethodRegistry& registry) {
  struct Named {
    const char *id, *name;
    WideTableau (*tableau)(int);
    int fewest;
    const char* order;
    bool controlled, varied;  ///< steps, and the order along with them
  };
  static const Named families[] = {
      {"gauss", "Gauss", gauss, 1, "2s", true, false},
      {"radau_ia", "Radau IA", radau_ia, 1, "2s-1", false, false},
      {"radau_iia", "Radau IIA", radau_iia, 1, "2s-1", true, true},
      {"lobatto_iiia", "Lobatto IIIA", lobatto_iiia, 2, "2s-2", false, false},
      {"lobatto_iiic", "Lobatto IIIC", lobatto_iiic, 2, "2s-2", true, false},
  };
  for (const Named& family : families) {
    MethodInfo info;
    info.id = family.id;
    info.kind = "implicit Runge–Kutta";
    info.summary = fmt::format("{} with s stages, order {}", family.name, family.order);
    info.parameters = {{"s", Parameter::Type::integer, "",
                        fmt::format("integer {}..{}", family.fewest, max_collocation_stages)}};
    for (int s = family.fewest; s <= 6; ++s)
      info.examples.push_back(fmt::format("{}({})", family.id, s));
    info.source = {"hairer1996", "IV.5"};
    registry.add(info, [family](const Arguments& arguments) -> std::shared_ptr<const Method> {
      const int s = static_cast<int>(arguments.integer("s", family.fewest, max_collocation_stages));
      auto method = runge_kutta_method({family.tableau(s)}, Collocation{family.id, s});
      if (!family.controlled || s < least_controlled_stages || s > most_controlled_stages)
        return method;
      return controlled_collocation(method, family.varied ? family.tableau : nullptr);
    });
  }
}

}  // namespace daemark
