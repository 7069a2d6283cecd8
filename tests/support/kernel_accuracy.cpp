#include "tests/support/kernel_accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/sin_cos.hpp"
#include "problems/geometry/body_frames.hpp"
#include "tests/support/kernel_samples.hpp"

namespace daemark::test {
namespace {

using namespace accuracy;  // NOLINT: the part of this table that another file shares

// ---- elementary functions

/// A compiler that sees the argument may compute the function itself.
template <class S>
S unseen(const S& x) {
  volatile bool never = false;
  return never ? S(0) : x;
}

#define DAEMARK_FUNCTION(NAME)       \
  struct Of_##NAME {                 \
    template <class T>               \
    T operator()(const T& x) const { \
      using std::NAME;               \
      return NAME(x);                \
    }                                \
  };
DAEMARK_FUNCTION(sin)
DAEMARK_FUNCTION(cos)
DAEMARK_FUNCTION(tan)
DAEMARK_FUNCTION(asin)
DAEMARK_FUNCTION(acos)
DAEMARK_FUNCTION(atan)
DAEMARK_FUNCTION(sinh)
DAEMARK_FUNCTION(cosh)
DAEMARK_FUNCTION(tanh)
DAEMARK_FUNCTION(exp)
DAEMARK_FUNCTION(log)
DAEMARK_FUNCTION(sqrt)
#undef DAEMARK_FUNCTION
struct SineOfPair {
  template <class T>
  T operator()(const T& x) const {
    T sine, cosine;
    sin_cos(x, sine, cosine);
    return sine;
  }
};
struct CosineOfPair {
  template <class T>
  T operator()(const T& x) const {
    T sine, cosine;
    sin_cos(x, sine, cosine);
    return cosine;
  }
};
struct PowerOfPair {
  template <class T>
  T operator()(const T& x, const T& y) const {
    using std::pow;
    return pow(x, y);
  }
};
struct ArcOfPair {
  template <class T>
  T operator()(const T& x, const T& y) const {
    using std::atan2;
    return atan2(y, x);
  }
};

template <class S, class F, int lowest, int highest, int scale>
double one_argument(Random& random) {
  const S x = draw<S>(random, double(lowest) / scale, double(highest) / scale);
  return ulps(S(F()(unseen(x))), wide(F()(wide(x))));
}
template <class S, class F, int least>
double two_arguments(Random& random) {
  const S x = draw<S>(random, least, 4), y = draw<S>(random, -4, 4);
  return ulps(S(F()(unseen(x), unseen(y))), wide(F()(wide(x), wide(y))));
}

// ---- rotations: errors of vectors, relative to their length

template <class S, std::size_t n>
double relative_error(const std::array<S, n>& x, const std::array<wide, n>& exact,
                      const wide& size) {
  wide error = 0;
  for (std::size_t i = 0; i < n; ++i) error += pow(wide(x[i]) - exact[i], 2);
  return to_double(wide(sqrt(error) / size)) / round_off<S>();
}
template <class S>
rotation::Vec3<S> draw_turn(Random& random, double longest) {
  const double side = longest / std::sqrt(3.0);
  return {draw<S>(random, -side, side), draw<S>(random, -side, side), draw<S>(random, -side, side)};
}
template <class S>
rotation::Vec3<wide> widened(const rotation::Vec3<S>& x) {
  return {wide(x[0]), wide(x[1]), wide(x[2])};
}
template <class S>
double rotation_exponential(Random& random) {
  const auto turn = draw_turn<S>(random, 6.28);
  return relative_error(rotation::exponential(turn), rotation::exponential(widened(turn)), wide(1));
}
template <class S>
double rotation_logarithm(Random& random) {
  const auto turn = draw_turn<S>(random, 3.1);
  const auto p = rotation::exponential(turn);
  const auto exact = rotation::logarithm(
      rotation::Quaternion<wide>{wide(p[0]), wide(p[1]), wide(p[2]), wide(p[3])});
  return relative_error(rotation::logarithm(p), exact, wide(sqrt(rotation::dot(exact, exact))));
}
template <class S>
double rotation_tangent(Random& random) {
  const auto turn = draw_turn<S>(random, 6.28), x = draw_turn<S>(random, 1);
  const auto exact = rotation::tangent(widened(turn), widened(x), 120);
  const auto along = widened(x);
  return relative_error(rotation::tangent(turn, x, rotation::series_terms<S>()), exact,
                        wide(sqrt(rotation::dot(along, along))));
}
template <class S>
void add_functions(std::vector<Kernel>& all, const std::string& scalar, double bound) {
  const auto add = [&](const char* name, const char* arguments, double (*error)(Random&),
                       double limit) {
    all.push_back({name, arguments, scalar, "ulp", limit, 1, error});
  };
  add("sin", "[-10, 10]", one_argument<S, Of_sin, -10, 10, 1>, bound);
  add("cos", "[-10, 10]", one_argument<S, Of_cos, -10, 10, 1>, bound);
  add("sin", "[-10^6, 10^6]", one_argument<S, Of_sin, -1000000, 1000000, 1>, bound);
  add("cos", "[-10^6, 10^6]", one_argument<S, Of_cos, -1000000, 1000000, 1>, bound);
  add("sin of sin_cos", "[-10, 10]", one_argument<S, SineOfPair, -10, 10, 1>, bound);
  add("cos of sin_cos", "[-10, 10]", one_argument<S, CosineOfPair, -10, 10, 1>, bound);
  add("tan", "[-10, 10]", one_argument<S, Of_tan, -10, 10, 1>, bound);
  add("asin", "[-1, 1]", one_argument<S, Of_asin, -1, 1, 1>, bound);
  add("acos", "[-1, 1]", one_argument<S, Of_acos, -1, 1, 1>, bound);
  add("atan", "[-10, 10]", one_argument<S, Of_atan, -10, 10, 1>, bound);
  add("atan2", "[-4, 4]²", two_arguments<S, ArcOfPair, -4>, bound);
  add("sinh", "[-5, 5]", one_argument<S, Of_sinh, -5, 5, 1>, bound);
  add("cosh", "[-5, 5]", one_argument<S, Of_cosh, -5, 5, 1>, bound);
  add("tanh", "[-5, 5]", one_argument<S, Of_tanh, -5, 5, 1>, bound);
  add("exp", "[-20, 20]", one_argument<S, Of_exp, -20, 20, 1>, bound);
  add("log", "[1/1000, 20]", one_argument<S, Of_log, 1, 20000, 1000>, bound);
  add("pow", "[0, 4] × [-4, 4]", two_arguments<S, PowerOfPair, 0>, bound);
  add("sqrt", "[0, 100]", one_argument<S, Of_sqrt, 0, 100, 1>, 0.5);
}

template <class S>
void add_rotations(std::vector<Kernel>& all, const std::string& scalar) {
  const auto add = [&](const char* name, const char* arguments, double (*error)(Random&),
                       double limit) {
    all.push_back({name, arguments, scalar, "u", limit, 4, error});
  };
  add("rotation::exponential", "turns up to 2π", rotation_exponential<S>, 10);
  add("rotation::logarithm", "turns up to π", rotation_logarithm<S>, 6);
  add("rotation::tangent", "turns up to 2π", rotation_tangent<S>, 50);
}

std::vector<Kernel> all_kernels() {
  std::vector<Kernel> all;
  add_functions<double>(all, "double", 1);
  add_functions<real50>(all, "real50", 0.5);
  add_rotations<double>(all, "double");
  add_rotations<real50>(all, "real50");
  add_solvers(all);
  return all;
}

}  // namespace

const std::vector<Kernel>& kernels() {
  static const std::vector<Kernel> all = all_kernels();
  return all;
}

KernelErrors measure(const Kernel& kernel, std::uint64_t seed, int samples) {
  Random random(seed);
  KernelErrors errors;
  errors.samples = std::max(samples / kernel.cost, 4);
  for (int i = 0; i < errors.samples; ++i) {
    const double error = kernel.error(random);
    errors.mean += error / errors.samples;
    errors.max = error <= errors.max ? errors.max : error;
    if (std::isnan(error)) break;
  }
  if (std::isnan(errors.mean)) errors.max = errors.mean;
  return errors;
}

std::string accuracy_page(std::uint64_t seed, int samples) {
  std::string page =
      "# Accuracy of the numerical kernels\n\n"
      "Errors of the functions and solvers that every run is built on, on random arguments\n"
      "(uniformly distributed, seeded), compared with MPFR at 130 digits or more. Runs in quad "
      "are\n"
      "computed in real50 (50 digits, 168 bits). `make audit PART=accuracy` measures them again "
      "and\n"
      "writes this page; a test checks the bounds.\n\n"
      "| unit | meaning |\n|---|---|\n"
      "| ulp | error over the last place of the exact value: 0.5 is correctly rounded |\n"
      "| u | unit round-offs of the scalar: 1.1e-16 in double, 2.7e-51 in real50 |\n\n"
      "Rotations: error of the vector over the length of the result (tangent: of the argument).\n"
      "Solvers: normwise backward error; sparse matrices have some four entries a row, the second\n"
      "and third of each pattern are refactored in the pivot order of the first. Eigenvalues: "
      "distance\n"
      "to the nearest matrix that has this eigenvalue, over the norm of the matrix. Null space: "
      "the\n"
      "largest entry of G N over the norm of G, or of NᵀN − I.\n\n"
      "| kernel | arguments | scalar | unit | samples | mean | max | bound |\n"
      "|---|---|---|---|---:|---:|---:|---:|\n";
  for (const Kernel& kernel : kernels()) {
    const KernelErrors errors = measure(kernel, seed, samples);
    page += fmt::format("| {} | {} | {} | {} | {} | {:.2g} | {:.2g} | {} |\n", kernel.name,
                        kernel.arguments, kernel.scalar, kernel.unit, errors.samples, errors.mean,
                        errors.max, kernel.bound);
  }
  return page;
}

}  // namespace daemark::test
