// The modulus |R(z)| over a part of the complex plane: as numbers, or drawn with the boundary of
// the stability region and the order star.
#pragma once

#include <string>

#include "analysis/linear/analyse.hpp"
#include "analysis/report/figure.hpp"

namespace daemark {

/// The grid for --box re_min,re_max,im_min,im_max (empty: the default) and a file of this ending.
/// Throws BadInput.
StabilityRegion region_asked(const std::string& box, const std::string& file);

/// A filled region as curves: |R| = 1, the boundary of the stability region, and |R| = |exp z|, the
/// order star of Wanner, Hairer and Nørsett (BIT 18, 1978), with dots where |R| <= 1.
FigureSpec region_figure(const StabilityRegion& region, const std::string& method);

/// Writes a filled region of this method: FILE.csv with the columns re, im, modulus, or FILE.svg.
void write_region(const StabilityRegion& region, const std::string& method,
                  const std::string& file);

}  // namespace daemark
