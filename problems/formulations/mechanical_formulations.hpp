// The ways a mechanism M a + Gᵀλ = f, Φ = 0 becomes an ImplicitSystem; formulation.cpp names them.
#pragma once

#include "problems/system/mechanical_system.hpp"

namespace daemark {

/// q̇ = v, M v̇ + Gᵀλ = f, one linear combination of Φ, Φ̇, Φ̈ = 0, its rows scaled by h^row_power.
/// y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> weighted_dae(MechanicalPtr<S> mechanism,
                                                ConstraintWeights<S> weights, int row_power);

/// q̇ = v − Gᵀμ, M v̇ + Gᵀλ = f, Φ = 0, Φ̇ = 0. y = (q, v, λ, μ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> stabilised_dae(MechanicalPtr<S> mechanism);

/// q̇ = v, Vᵀ(M v̇ − f) = 0, Φ̈ = 0 with V an orthonormal basis of null(G) (Yang, Duan & Di 2006,
/// eq. 12); λ follows from G(M v̇ + Gᵀλ − f) = 0. y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> eliminated_dae(MechanicalPtr<S> mechanism);

/// q̇ = v, M v̇ + Gᵀλ = f, Φ̈_r + c λ_r Φ_r = 0 for every row r. y = (q, v, λ).
template <class S>
std::unique_ptr<ImplicitSystem<S>> substituted_dae(MechanicalPtr<S> mechanism, S c);

}  // namespace daemark
