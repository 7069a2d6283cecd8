// Nonzero eigenvalues of small real matrices in double and long double.
#pragma once

#include <complex>
#include <stdexcept>
#include <vector>

namespace daemark {

/// A computation that broke down: why, in one sentence.
struct NumericalFailure : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// Of a square matrix given by rows. The nilpotent part (memory that no later result depends on) is
/// deflated first: left in, its defective zeros would come out as ε^(1/n).
template <class S>
std::vector<std::complex<S>> nonzero_eigenvalues(const std::vector<std::vector<S>>& rows);

template <class S>
double largest_modulus(const std::vector<std::complex<S>>& roots);

}  // namespace daemark
