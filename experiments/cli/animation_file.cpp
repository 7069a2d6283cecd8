#include "experiments/cli/animation_file.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"

namespace daemark {

void add_animation_options(OptionSet& app, AnimationOptions& options) {
  app.add_option("--animate", options.file, "write the motion as a moving picture, plays offline")
      ->type_name("FILE.svg|FILE.html");
  app.add_option("--view", options.view,
                 "of the animation, from azimuth and elevation [degrees], z up; the drawing's own "
                 "by default")
      ->type_name("A,E");
}

namespace {

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
  return drawing;
}

}  // namespace

long animation_every(const RunRequest& request) {
  constexpr double kept = 1000;
  const double start = problem_registry().make(request.problem).start.eval<double>();
  const double steps = (request.t_end.eval<double>() - start) / request.h.eval<double>();
  return steps > kept && steps < 1e15 ? static_cast<long>(steps / kept) : 1;
}

AnimationFile::AnimationFile(const AnimationOptions& options, const RunRequest& request)
    : page_(options.file.ends_with(".html")),
      draft_((animation_.drawing = animation_drawing(options, request.problem),
              in_a_folder(options.file))) {
  animation_.title = problem_registry().make(request.problem).name;
  animation_.caption =
      fmt::format("{}, {}, h = {} s", Formulation::parse(request.formulation).name(),
                  method_registry().bind(request.method).canonical(), request.h.text());
}

void AnimationFile::add(const History& rows) {
  constexpr std::size_t kept = 4000;
  for (std::size_t i = 0; i < rows.t.size(); ++i) {
    if (seen_++ % every_ != 0) continue;
    animation_.t.push_back(rows.t[i]);
    animation_.q.push_back(rows.q[i]);
    if (animation_.t.size() < kept) continue;
    every_ *= 2;  // every second row goes
    for (std::size_t k = 1; 2 * k < kept; ++k) {
      animation_.t[k] = animation_.t[2 * k];
      animation_.q[k] = std::move(animation_.q[2 * k]);
    }
    animation_.t.resize(kept / 2);
    animation_.q.resize(kept / 2);
  }
}

void AnimationFile::finish() {
  draft_.write(page_ ? animation_html(animation_) : animation_svg(animation_));
  draft_.commit();
}

}  // namespace daemark
