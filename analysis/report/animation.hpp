// Moving pictures of a mechanism, from its drawing and the history of a run: an SVG that plays by
// itself (SMIL; shown in a browser it also stops at a click and follows its time bar), or a page
// around it with a button and a slider. Both are one file without outside resources, and the same
// bytes for the same motion.
#pragma once

#include <string>
#include <vector>

#include "problems/system/drawing.hpp"

namespace daemark {

struct Animation {
  std::string title;    ///< e.g. "two_link"
  std::string caption;  ///< how the motion was computed
  Drawing drawing;
  std::vector<double> t;               ///< [s], increasing
  std::vector<std::vector<double>> q;  ///< reference coordinates, a row a time
};

inline constexpr std::size_t kAnimationBytes = 250000;

/// At most `bytes` long: frames are thinned for that, and what lies between two is interpolated.
/// The motion ends before the first row that is not finite. Throws BadInput naming the title: no
/// finite row, or a drawing too large for a dozen frames.
std::string animation_svg(const Animation& animation, std::size_t bytes = kAnimationBytes);
std::string animation_html(const Animation& animation, std::size_t bytes = kAnimationBytes);

/// What animation_svg() wrote as a figure inside a page with the assets animation.css and
/// animation.js; "" for other text.
std::string animation_figure(const std::string& svg);

}  // namespace daemark
