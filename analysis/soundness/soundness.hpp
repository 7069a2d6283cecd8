// Whether a mechanism is sound: degrees of freedom, rows that follow from others, how well the
// start closes, inertias that no body has, numbers that look like other units, singular positions
// of the first motion; with frequencies and conserved quantities.
#pragma once

#include "analysis/linear/natural_frequencies.hpp"
#include "analysis/soundness/first_motion.hpp"
#include "analysis/soundness/mechanism_facts.hpp"

namespace daemark {

/// Something is wrong, or is to be looked at.
struct Finding {
  bool wrong;
  const char* kind;         ///< "assembly", "velocities", "redundancy", "units", ...
  std::string where, what;  ///< joint or body, with its place in the file; a sentence
  std::string mend;
};

struct Soundness {
  std::string name, file;  ///< file: empty of the catalogue
  std::vector<Finding> findings;
  bool built = true;  ///< else only what the file says by itself is known
  Problem problem;
  RowFacts rows;
  bool driven = false;                        ///< some rows depend on time
  double position_gap = 0, velocity_gap = 0;  ///< largest violation by the start as stated
  std::vector<Mode> modes;                    ///< ascending frequency
  /// Index of the first mode above 1e-5 rad/s and 1e-6 of the highest: those below are at rest.
  std::size_t lowest = 0;
  std::string no_modes;  ///< why there are none
  FirstMotion motion;
  bool is_wrong() const;
};

/// Of a file (a path that ends with .json) or of a problem's call. Throws BadInput for what is no
/// mechanism, or one that nothing can move. `seconds`: of processor time for the first motion.
Soundness check_soundness(const std::string& what, double seconds = 20);

}  // namespace daemark
