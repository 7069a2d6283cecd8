// Published reference solutions of mechanisms, judged by proofs: experiments/field/references.json.
//
// An entry:
//   {"name": "Andrews' squeezing mechanism, 16 digits", "problem": a call, "t": "3/100",
//    "printed_in": [{"project", "version", "file", "line"}, ...],
//    "values": [["beta", "0.1581077119629904e2"], ["u1", "-1.724", "y - 1"], ...],
//    "note": what else has to be known, "decided": 6}
// A value: what it is called, the decimal as printed, and the formula of the names of our state
// (`show P`) that it is, where that is not the name itself. "decided", where it stands: so many
// digits follow from the data as published; a value that is right to as many is open beyond.
//
// A printed decimal is right if the exact value is at most one unit of its last place away, be it
// rounded or cut off; wrong if the interval of that width and the ball that holds the exact value
// (analysis/enclosure) are disjoint; open if neither is known.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace daemark {

struct PrintedPlace {
  std::string project, version, file;
  int line = 0;
};

enum class PrintedVerdict { wrong, open, right };

struct PublishedValue {
  std::string name, printed, formula;
  int digits = 0;  ///< significant, as printed
  // Found by judge_published():
  int right = 0;      ///< significant digits, counted as agreement() does
  std::string exact{};  ///< with two digits more
  PrintedVerdict verdict = PrintedVerdict::open;
};

struct PublishedReference {
  std::string name, problem, t, note;
  std::vector<PrintedPlace> places;  ///< the same numbers
  std::vector<PublishedValue> values;
  int decided = 99;  ///< digits that the published data decide
  bool proved = false;
  std::string decided_by;  ///< "Proved to 18 digits"; "": not judged yet

  int printed_digits() const;           ///< of the value with most
  const PublishedValue& worst() const;  ///< a wrong one with fewest right digits, if any
  int count(PrintedVerdict verdict) const;
};

/// Throws BadInput, one line with file and entry: keys, calls, times, names, decimals.
std::vector<PublishedReference> read_published(const std::filesystem::path& file);

/// Proves the states, each once, or takes what two routes agree on where there is no proof.
void judge_published(std::vector<PublishedReference>& all);

/// published.md and published.csv, deterministic bytes.
void write_published(const std::vector<PublishedReference>& all,
                     const std::filesystem::path& folder);

}  // namespace daemark
