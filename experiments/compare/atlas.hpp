// The atlas: sweeps of the catalogue's methods on its problems, kept on the shelves that
// comparisons read (shelf.hpp). It is a comparison without a new method that keeps what it found.
#pragma once

#include <iosfwd>
#include <string>
#include <vector>

#include "experiments/compare/sweeps.hpp"

namespace daemark {

/// The problems of the catalogue, the small ones first.
std::vector<std::string> atlas_problems();

/// What of a problem is asked for, and how much of it is there.
struct AtlasShare {
  std::string problem;
  std::string left_out;  ///< why; empty: it is not
  std::vector<std::string> formulations;
  int sweeps = 0, known = 0, earlier = 0;  ///< known: also those in the cache
  /// Processor time expected of what is to be integrated [s], by cost class: sweeps of less than a
  /// second, of less than ten, longer ones. Learnt from earlier cells, else guessed.
  double seconds[3] = {0, 0, 0};
  double bytes = 0;  ///< of its file with all of them
};

/// Nothing is integrated and no reference computed: of a problem without a shelf over a motion of
/// usual length.
/// `short_only`: of problems from small to large what takes less than five minutes on two cores
/// when none of it is known; the others are left out. Throws BadInput for problems that are not of
/// the catalogue, and where no method takes anything that is asked for.
std::vector<AtlasShare> atlas_shares(const CompareRequest& request, const CompareTools& tools,
                                     bool short_only);

/// Integrates what is asked for and is missing or of earlier sources, and writes shelves and the
/// references they rest on, a problem after the other. Returns whether nothing interrupted it.
bool fill_atlas(const CompareRequest& request, const CompareTools& tools,
                const std::vector<AtlasShare>& shares, std::ostream& out);

/// A table of shares, with sums.
std::string shares_text(const std::vector<AtlasShare>& shares);

}  // namespace daemark
