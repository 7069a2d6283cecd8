#include "base/program/build_info.hpp"

#include <Eigen/src/Core/util/Macros.h>
#include <flint/flint.h>
#include <fmt/core.h>
#include <gmp.h>
#include <gnu/libc-version.h>
#include <mpfr.h>
#include <sleef.h>

#include <CLI/Version.hpp>
#include <boost/version.hpp>
#include <nlohmann/json_fwd.hpp>

namespace daemark {
namespace {

std::string dotted(int major, int minor, int patch) {
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(patch);
}

}  // namespace

std::string compiler() { return DAEMARK_COMPILER; }
std::string compiler_flags() { return DAEMARK_FLAGS; }
std::string build_type() { return DAEMARK_BUILD_TYPE; }

std::vector<std::pair<std::string, std::string>> library_versions() {
  return {
      {"Boost", dotted(BOOST_VERSION / 100000, BOOST_VERSION / 100 % 1000, BOOST_VERSION % 100)},
      {"CLI11", CLI11_VERSION},
      {"Eigen", dotted(EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION, EIGEN_MINOR_VERSION)},
      {"FLINT", FLINT_VERSION},
      {"GMP", gmp_version},
      {"MPFR", mpfr_get_version()},
      {"SLEEF", dotted(SLEEF_VERSION_MAJOR, SLEEF_VERSION_MINOR, SLEEF_VERSION_PATCHLEVEL)},
      {"fmt", dotted(FMT_VERSION / 10000, FMT_VERSION / 100 % 100, FMT_VERSION % 100)},
      {"glibc", gnu_get_libc_version()},
      {"nlohmann_json", dotted(NLOHMANN_JSON_VERSION_MAJOR, NLOHMANN_JSON_VERSION_MINOR,
                               NLOHMANN_JSON_VERSION_PATCH)},
  };
}

}  // namespace daemark
