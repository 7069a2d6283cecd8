// Gauss, Radau IA, Radau IIA, Lobatto IIIA and Lobatto IIIC with any number of stages.
//
// Equations: methods/runge_kutta/collocation.hpp. Orders 2s (Gauss), 2s−1 (Radau), 2s−2 (Lobatto);
// Gauss and IIIA are A-stable, Radau and IIIC L-stable (Hairer & Wanner II, IV.5). Li 2019 sets its
// method against Radau IA, Radau IIA and Lobatto IIIC in Table 7.
#include <fmt/format.h>

#include "methods/catalogue/registry.hpp"
#include "methods/collocation/radau_method.hpp"
#include "methods/runge_kutta/collocation.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {

void register_collocation_family(MethodRegistry& registry) {
  struct Named {
    const char *id, *name;
    WideTableau (*tableau)(int);
    int fewest;
    const char* order;
  };
  static const Named families[] = {
      {"gauss", "Gauss", gauss, 1, "2s"},
      {"radau_ia", "Radau IA", radau_ia, 1, "2s-1"},
      {"radau_iia", "Radau IIA", radau_iia, 1, "2s-1"},
      {"lobatto_iiia", "Lobatto IIIA", lobatto_iiia, 2, "2s-2"},
      {"lobatto_iiic", "Lobatto IIIC", lobatto_iiic, 2, "2s-2"},
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
      if (family.tableau == radau_iia && radau_controls(s)) return radau_method(s, method);
      return method;
    });
  }
}

}  // namespace daemark
