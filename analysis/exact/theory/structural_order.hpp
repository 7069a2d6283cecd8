// What follows exactly from a structural method's step on q̈ + (c/h) q̇ + (k/h²) q = 0.
#pragma once

#include "methods/core/tableau.hpp"

namespace daemark {

/// Order on linear equations with damping: the largest p with det(e^z N − P) = O(z^(p+2)) for all
/// pairs of eigenvalues (z, s z)/h. Up to 2 it is the order on any problem, where elementary
/// differentials are those of linear equations.
int linear_order(const ExactSecondOrder& step);

/// The order on any problem, 2 at most.
int order_on_problems(const ExactSecondOrder& step);

/// The same without damping: s = −1, so that roots have that order but q and v need not.
int undamped_order(const ExactSecondOrder& step);

/// The largest modulus of a root, 0 for a constant; ascending powers.
double largest_root(const std::vector<rational>& polynomial);

}  // namespace daemark
