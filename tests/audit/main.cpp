// daemark_audit [DAY [PART [CALLS [FIRST]]]]: DAY = YYYYMMDD, today by default, seeds the samples.
// The part "fuzz" makes CALLS calls, 5,000 by default, from number FIRST on.
#include <fmt/chrono.h>
#include <fmt/format.h>

#include <cstdio>
#include <ctime>
#include <exception>
#include <functional>

#include "tests/audit/audit.hpp"

namespace daemark::audit {
namespace {

struct Part {
  const char *id, *title;
  std::function<Outcome(Day&)> work;
};

/// Of the calls of the part "fuzz", which are the same every day.
struct Calls {
  std::uint64_t count = 5000, first = 0;
};

int audit(unsigned long date, const std::string& only, const Calls& calls) {
  const Part parts[] = {
      {"files", "results after kills, full disks and concurrent runs",
       [](Day&) { return files(); }},
      {"accuracy", "numerical kernels against MPFR", [](Day& day) { return accuracy(day); }},
      {"certificates", "certificates and forgeries", [](Day&) { return certificates(); }},
      {"references", "references by a third route", [](Day& day) { return references(day, 6); }},
      {"runs", "first steps of cells by another integrator",
       [](Day& day) { return runs(day, 40); }},
      {"guesses", "outcomes of runs with each predictor", [](Day&) { return guesses(); }},
      {"maxima", "maxima and alternating parts from full histories",
       [](Day& day) { return maxima(day, 40); }},
      {"times", "estimated time remaining of long calls", [](Day&) { return times(); }},
      {"fuzz", "malformed calls and files", [&](Day&) { return fuzz(calls.count, calls.first); }},
  };
  fmt::print("audit of {}\n", date);
  bool sound = true, known = only.empty();
  for (const Part& part : parts) {
    if (!only.empty() && only != part.id) continue;
    known = true;
    Day day(date);
    const Outcome out = part.work(day);
    fmt::print("\n{}: {} compared, {} left out, {} differ\n", part.title, out.compared, out.skipped,
               out.differences.size());
    for (const std::string& note : out.notes) fmt::print("  {}\n", note);
    for (const std::string& line : out.differences) fmt::print("  DIFFERS {}\n", line);
    std::fflush(stdout);
    sound = sound && out.differences.empty() && out.compared > 0;
  }
  if (!known) {
    fmt::print(stderr, "daemark_audit: part '{}', accepted:", only);
    for (const Part& part : parts) fmt::print(stderr, " {}", part.id);
    fmt::print(stderr, "\n");
    return 2;
  }
  return sound ? 0 : 1;
}

unsigned long today() {
  return std::stoul(fmt::format("{:%Y%m%d}", fmt::localtime(std::time(nullptr))));
}

}  // namespace
}  // namespace daemark::audit

int main(int argc, char** argv) {
  try {
    const unsigned long date = argc > 1 ? std::stoul(argv[1]) : daemark::audit::today();
    daemark::audit::Calls calls;
    if (argc > 3) calls.count = std::stoul(argv[3]);
    if (argc > 4) calls.first = std::stoul(argv[4]);
    return daemark::audit::audit(date, argc > 2 ? argv[2] : "", calls);
  } catch (const std::exception& error) {
    fmt::print(stderr,
               "daemark_audit: {}, accepted: daemark_audit [YYYYMMDD [PART [CALLS [FIRST]]]]\n",
               error.what());
    return 2;
  }
}
