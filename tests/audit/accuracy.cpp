#include <fmt/format.h>

#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "tests/audit/audit.hpp"
#include "tests/support/kernel_accuracy.hpp"

namespace daemark::audit {

Outcome accuracy(Day& day) {
  constexpr int samples = 50000;
  constexpr std::uint64_t seed_of_page = 20261127;
  Outcome out;
  const std::uint64_t seed = day();
  for (const test::Kernel& kernel : test::kernels()) {
    const test::KernelErrors errors = test::measure(kernel, seed, samples);
    ++out.compared;
    const std::string line =
        fmt::format("{} in {}, {}: at most {:.3g} {}, bound {}", kernel.name, kernel.scalar,
                    kernel.arguments, errors.max, kernel.unit, kernel.bound);
    (errors.max <= kernel.bound ? out.notes : out.differences).push_back(line);
  }
  const auto file = source_root() / "analysis/ACCURACY.md";
  if (write_if_changed(file, test::accuracy_page(seed_of_page, samples)))
    out.differences.push_back("analysis/ACCURACY.md: the committed table is another; rewritten");
  return out;
}

}  // namespace daemark::audit
