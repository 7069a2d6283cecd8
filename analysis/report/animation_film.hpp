// From a motion to the frames of an animation: projected, scaled and thinned; tenths of a pixel,
// y downwards.
#pragma once

#include <string>
#include <vector>

#include "analysis/report/animation.hpp"

namespace daemark {

struct FilmShape {
  DrawnShape::Kind kind;
  bool closed;
  std::vector<std::string> paths;  ///< SVG path data, one a frame, all of the same commands
};

struct Film {
  int width = 6400, height = 0;
  std::size_t frames = 0;            ///< equally spaced in time, first to last
  std::vector<FilmShape> shapes;     ///< neither grounds nor the traced path
  std::vector<std::string> grounds;  ///< what does not move
  std::string trace;                 ///< path of the traced points
  double bar_width = 70;             ///< stroke of a bar
  double start = 0, span = 0;        ///< time of the motion [s]
  double length = 0;                 ///< time of the picture [s]
  int digits = 2;                    ///< of a time as shown
  int scale_bar = 0;                 ///< length of the scale bar
  std::string scale_text, time_text, speed_text;
};

/// Throws BadInput as animation_svg() does.
Film film_of(const Animation& animation, std::size_t bytes);

}  // namespace daemark
