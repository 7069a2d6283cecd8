// `run --animate FILE [--view AZIMUTH,ELEVATION]`: the motion as a moving picture.
#pragma once

#include <string>

#include "analysis/run/run.hpp"
#include "experiments/cli/options.hpp"
#include "problems/core/drawing.hpp"

namespace daemark {

struct AnimationOptions {
  std::string file, view;  ///< empty: none, the drawing's own
  bool asked() const { return !file.empty(); }
};
void add_animation_options(OptionSet& app, AnimationOptions& options);

/// Everything that can be refused before the run is: a problem without a drawing, an unknown
/// ending, a file that cannot be written, a view that is none. Throws BadInput.
Drawing animation_drawing(const AnimationOptions& options, const std::string& problem);

/// Keeps about so many step ends as an animation can show.
long animation_every(const RunRequest& request);

void write_animation(const AnimationOptions& options, const Drawing& drawing,
                     const RunRequest& request, const History& history);

}  // namespace daemark
