// What `make audit` compares on new samples every day: results against computations that share as
// little as possible with the original ones. Each part prints what it compared and what differs.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace daemark::audit {

struct Outcome {
  int compared = 0, skipped = 0;
  std::vector<std::string> notes;  ///< what was compared, how closely
  std::vector<std::string> differences;
};

/// The random numbers of the day, the same on every machine.
using Day = std::mt19937_64;

/// The first steps of cells of the papers, against the integrator of the tests.
Outcome runs(Day& day, int sample);
/// Stored reference states against a third route.
Outcome references(Day& day, int sample);
/// Maxima and alternating parts in tables, recomputed from histories of all step ends: constraints
/// and energies in 50 digits, frequencies with half the step. They must agree in the digits shown.
Outcome maxima(Day& day, int sample);
/// Numerical kernels against MPFR, on arguments drawn anew; analysis/ACCURACY.md is rewritten where
/// its own samples give other errors.
Outcome accuracy(Day& day);
/// Every committed certificate through daemark_checker, and every change of a single value of it.
Outcome certificates();

/// All runs whose outcome ("fails", "completes") a verdict depends on, repeated with each
/// predictor: where the outcomes differ, the verdict must be undecided.
Outcome guesses();

/// Runs that are killed, run out of disk space, may not write, or run concurrently lose no result.
Outcome files();
/// Long calls on a terminal: at 25, 50 and 75 % of each, the estimated time remaining is within a
/// factor of 2 of the actual one.
Outcome times();
/// `count` malformed calls from number `first` on: none may crash, hang, fill the memory or end
/// without a message, nor continue or leave drafts after a signal to stop.
Outcome fuzz(std::uint64_t count, std::uint64_t first);

/// `sample` of `items`, drawn without repetition.
template <class T>
std::vector<T> drawn(std::vector<T> items, int sample, Day& day) {
  for (std::size_t i = 0; i < items.size(); ++i)
    std::swap(items[i], items[i + day() % (items.size() - i)]);
  if (static_cast<int>(items.size()) > sample) items.resize(sample);
  return items;
}

}  // namespace daemark::audit
