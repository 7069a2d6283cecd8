// Collocation methods: on fixed steps through the kernel of all Runge–Kutta methods, with step-size
// control through methods/collocation/collocation_stepper.hpp.
#pragma once

#include <memory>

#include "methods/core/method.hpp"

namespace daemark {

/// `fixed`: the method on fixed steps. `family`: where the order can vary, its member of so many
/// stages; null elsewhere.
std::shared_ptr<const Method> controlled_collocation(std::shared_ptr<const Method> fixed,
                                                     WideTableau (*family)(int));

/// Fewest and most stages: what an estimate needs, and what double precision can part.
inline constexpr int least_controlled_stages = 2, most_controlled_stages = 16;

}  // namespace daemark
