// The functions of a mechanism and the residual of a formulation of levels, from one graph, for use
// outside of this program: t, then y = (q, v, λ and, where stabilised, μ) and its rate are the
// inputs. Unlike an ImplicitSystem the residual holds the rows q̇ = v too, so that it is square.
#pragma once

#include "base/graph/source.hpp"
#include "problems/formulations/mechanical_formulation.hpp"

namespace daemark {

/// Of a mechanism with MechanicalSystem::has_record().
std::vector<graph::SourceFunction> exported_functions(MechanicalSystem<double>& mechanism,
                                                      const ConstraintLevels<double>& levels);

}  // namespace daemark
