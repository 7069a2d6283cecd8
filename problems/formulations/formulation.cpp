#include "problems/formulations/formulation.hpp"

#include <fmt/format.h>

#include "base/text/near.hpp"
#include "problems/formulations/mechanical_formulation.hpp"

namespace daemark {
namespace {

/// `make` is a generic callable: make.template operator()<S>(mechanism, arguments, h).
template <class Make>
FormulationInfo entry(std::string id, std::string summary, std::vector<Parameter> parameters,
                      int index, Make make) {
  FormulationInfo info{std::move(id),
                       std::move(summary),
                       std::move(parameters),
                       index,
                       false,
                       true,
                       false,
                       false,
                       {},
                       {}};
  info.in_double = [make](auto... a) { return make.template operator()<double>(std::move(a)...); };
  info.in_real50 = [make](auto... a) { return make.template operator()<real50>(std::move(a)...); };
  return info;
}

/// One whose positions have other rates than the velocities.
FormulationInfo first_order(FormulationInfo info) {
  info.second_order = false;
  return info;
}
/// One of MechanicalFormulation::levels().
FormulationInfo with_levels(FormulationInfo info) {
  info.levels = true;
  return info;
}

/// One that is written in Φ.
FormulationInfo needing_positions(FormulationInfo info) {
  info.needs_positions = true;
  return info;
}

/// Φ, Φ̇ or Φ̈ = 0: the constraint differentiated `level` times.
FormulationInfo level_entry(std::string id, std::string summary, int index, int level) {
  return with_levels(entry(std::move(id), std::move(summary), {}, index,
                           [level]<class S>(MechanicalPtr<S> m, const Arguments&, const wide&) {
                             return weighted_dae<S>(std::move(m),
                                                    {S(level == 0), S(level == 1), S(level == 2)},
                                                    level - 2);
                           }));
}

std::vector<FormulationInfo> table() {
  using Type = Parameter::Type;
  std::vector<FormulationInfo> all = {
      level_entry("index1", "constraints at acceleration level", 1, 2),
      level_entry("index2", "constraints at velocity level", 2, 1),
      level_entry("index3", "constraints at position level", 3, 0),
      with_levels(entry("baumgarte", "Φ̈ + 2αΦ̇ + β²Φ = 0",
                        {{"alpha", Type::real, "", "real number, may use h"},
                         {"beta", Type::real, "", "real number, may use h"}},
                        1,
                        []<class S>(MechanicalPtr<S> m, const Arguments& arguments, const wide& h) {
                          const wide alpha = arguments.real("alpha").eval<wide>({{"h", h}});
                          const wide beta = arguments.real("beta").eval<wide>({{"h", h}});
                          return weighted_dae<S>(std::move(m),
                                                 {from_wide<S>(wide(beta * beta)),
                                                  from_wide<S>(wide(2 * alpha)), S(1)},
                                                 0);
                        })),
      // Gear, Gupta & Leimkuhler 1985: q̇ = v − Gᵀμ, Φ = 0, Φ̇ = 0.
      first_order(
          with_levels(entry("ggl", "position and velocity level with an extra multiplier", {}, 2,
                            []<class S>(MechanicalPtr<S> m, const Arguments&, const wide&) {
                              return stabilised_dae<S>(std::move(m));
                            }))),
      // Yang, Duan & Di 2006, eq. 12. A basis change of the index-1 rows: same solution, n − m
      // dynamic equations, λ by itself.
      entry("elimination", "accelerations by null-space projection, multipliers afterwards", {}, 1,
            []<class S>(MechanicalPtr<S> m, const Arguments&, const wide&) {
              return eliminated_dae<S>(std::move(m));
            }),
      // Yang, Duan & Di 2006, eqs. 25-26 for the pendulum with c = 4/m: l² in place of x² + y².
      needing_positions(
          entry("substituted", "Φ̈ + c λ Φ = 0, what Φ = 0 substituted into Φ̈ = 0 leaves",
                {{"c", Type::real, "", "real number"}}, 1,
                []<class S>(MechanicalPtr<S> m, const Arguments& arguments, const wide&) {
                  return substituted_dae<S>(std::move(m), arguments.real("c").eval<S>());
                })),
      level_entry("minimal", "independent coordinates, no constraints", 0, 2),
  };
  all.back().minimal = true;
  return all;
}

}  // namespace

const std::vector<FormulationInfo>& formulations() {
  static const std::vector<FormulationInfo> all = table();
  return all;
}

std::string formulation_ids(const std::function<bool(const FormulationInfo&)>& accepted) {
  std::string ids;
  for (const FormulationInfo& info : formulations())
    if (accepted(info)) ids += (ids.empty() ? "" : ", ") + info.id;
  return ids;
}

Formulation Formulation::parse(const std::string& text) {
  const Call call = parse_call(text, "formulation");
  for (const FormulationInfo& info : formulations())
    if (info.id == call.id) return {info, Arguments(call, info.parameters)};
  std::vector<std::string> known;
  for (const FormulationInfo& info : formulations()) known.push_back(info.id);
  throw BadInput(fmt::format("formulation '{}' is unknown{}", call.id,
                             accepted_names(call.id, known, "daemark list formulations")));
}

template <class S>
std::unique_ptr<ImplicitSystem<S>> formulate(const Formulation& formulation,
                                             MechanicalPtr<S> mechanism, const wide& h) {
  const FormulationInfo& info = formulation.info;
  if constexpr (std::is_same_v<S, double>)
    return info.in_double(std::move(mechanism), formulation.arguments, h);
  else
    return info.in_real50(std::move(mechanism), formulation.arguments, h);
}

template std::unique_ptr<ImplicitSystem<double>> formulate(const Formulation&,
                                                           MechanicalPtr<double>, const wide&);
template std::unique_ptr<ImplicitSystem<real50>> formulate(const Formulation&,
                                                           MechanicalPtr<real50>, const wide&);

}  // namespace daemark
