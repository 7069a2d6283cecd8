#include "experiments/cli/animation_file.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/report/animation.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/trajectory_file.hpp"
#include "methods/core/registry.hpp"
#include "problems/core/formulation.hpp"
#include "problems/core/registry.hpp"

namespace daemark {

void add_animation_options(OptionSet& app, AnimationOptions& options) {
  app.add_option("--animate", options.file, "write the motion as a moving picture, plays offline")
      ->type_name("FILE.svg|FILE.html");
  app.add_option("--view", options.view,
                 "of the animation, from azimuth and elevation [degrees], z up; the drawing's own "
                 "by default")
      ->type_name("A,E");
}

Drawing animation_drawing(const AnimationOptions& options, const std::string& problem) {
  const Problem made = problem_registry().make(problem);
  Drawing drawing = drawing_of(*made.make<double>());
  if (drawing.empty())
    throw BadInput(
        fmt::format("--animate: problem {} has no drawing; accepted: a planar mechanism "
                    "or another one with a drawing, e.g. two_link",
                    made.name));
  if (!options.file.ends_with(".svg") && !options.file.ends_with(".html"))
    throw BadInput(fmt::format("--animate {}: unknown ending; accepted: FILE.svg, FILE.html",
                               printable(options.file, 200)));
  if (!options.view.empty()) {
    const std::vector<Expression> angles = read_numbers(options.view, "--view");
    if (angles.size() != 2)
      throw BadInput(fmt::format("--view {}: accepted: AZIMUTH,ELEVATION in degrees, e.g. -60,20",
                                 printable(options.view)));
    drawing.look_from(angles[0].eval<double>(), angles[1].eval<double>());
  }
  const FileDraft probe(in_a_folder(options.file));
  return drawing;
}

long animation_every(const RunRequest& request) {
  constexpr double kept = 1000;
  const double start = problem_registry().make(request.problem).start.eval<double>();
  const double steps = (request.t_end.eval<double>() - start) / request.h.eval<double>();
  return steps > kept && steps < 1e15 ? static_cast<long>(steps / kept) : 1;
}

void write_animation(const AnimationOptions& options, const Drawing& drawing,
                     const RunRequest& request, const History& history) {
  Animation animation;
  animation.title = problem_registry().make(request.problem).name;
  animation.caption =
      fmt::format("{}, {}, h = {} s", Formulation::parse(request.formulation).name(),
                  method_registry().bind(request.method).canonical(), request.h.text());
  animation.drawing = drawing;
  animation.t = history.t;
  animation.q = history.q;
  write_if_changed(options.file, options.file.ends_with(".svg") ? animation_svg(animation)
                                                                : animation_html(animation));
}

}  // namespace daemark
