// How accurate the numerical kernels are: elementary functions, rotations, linear solves, roots of
// polynomials and eigenvalues on random arguments, compared with MPFR at 130 digits or more.
// `make audit PART=accuracy` writes the table analysis/ACCURACY.md; a test checks its bounds.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daemark::test {

/// One kernel in one scalar.
struct Kernel {
  std::string name, arguments, scalar;
  std::string unit;                          ///< of its errors: see the page
  double bound;                              ///< on every error, in that unit
  int cost;                                  ///< a sample counts for so many
  double (*error)(std::mt19937_64& random);  ///< of one sample
};
const std::vector<Kernel>& kernels();

struct KernelErrors {
  int samples = 0;
  double mean = 0, max = 0;  ///< NaN if any error is
};
/// `samples` over the cost of the kernel, at least 4.
KernelErrors measure(const Kernel& kernel, std::uint64_t seed, int samples);

/// analysis/ACCURACY.md: the page with this many samples.
std::string accuracy_page(std::uint64_t seed, int samples);

}  // namespace daemark::test
