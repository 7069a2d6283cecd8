// What `make audit` compares, slowly and anew each day: results by means that share as little as
// possible with what made them. Each part prints what it compared and where it differs.
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

/// The day's draw: the same on every machine.
using Day = std::mt19937_64;

/// The first steps of cells of the papers, against an integrator of the tests' own.
Outcome runs(Day& day, int sample);
/// Stored reference states against a third route.
Outcome references(Day& day, int sample);
/// Maxima and alternating parts that tables show, found again from histories of all step ends:
/// levels and energies in 50 digits, frequencies from half the step; what differs beyond the digits
/// shown.
Outcome maxima(Day& day, int sample);
/// Every committed certificate through daemark_checker, and every change of a single value of it.
Outcome certificates();

/// All runs whose ends verdicts rest on ("fails", "completes"), made anew with each predictor:
/// where they end otherwise, the verdict must be open.
Outcome guesses();

/// Runs that are killed, run out of disk, may not write, or run at once: no result is lost.
Outcome files();
/// Long calls on a terminal: at 25, 50 and 75 % of each, the time left that it tells is within a
/// factor of 2 of what it then takes.
Outcome times();
/// Calls number `first` and on of the programs as nobody means them: none may crash, hang, fill the
/// memory or end without a word, nor, asked to stop at some time, go on or leave drafts.
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
