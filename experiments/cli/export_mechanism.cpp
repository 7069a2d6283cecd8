// daemark export-mechanism: the bodies and joints of a problem as the file that programs get.
#include <fmt/format.h>

#include <ostream>

#include "analysis/reference/reference.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "problems/bodies/mechanism_json.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

struct MechanismOptions {
  std::string problem, t_end, h;
};

/// The last time at which a reference of the problem is published, else one second.
Expression default_end(const Problem& problem) {
  Expression last = Expression::parse((problem.start.eval<wide>() + 1).str(), "t");
  bool found = false;
  for (const PublishedState& known : published_references()) {
    const Expression t = Expression::parse(known.t, known.problem);
    if (known.problem != problem.name || !known.is_current) continue;
    if (!found || t.eval<wide>() > last.eval<wide>()) last = t;
    found = true;
  }
  return last;
}

int export_mechanism(const MechanismOptions& options, std::ostream& out) {
  const Problem problem = problem_registry().make(options.problem);
  if (!problem.bodies)
    throw BadInput(fmt::format(
        "{} is no mechanism of rigid bodies and joints in these coordinates; accepted: problems of "
        "kind planar or spatial, or with a twin of bodies",
        problem.name));
  const wide begin = problem.start.eval<wide>();
  const Expression t_end =
      options.t_end.empty() ? default_end(problem) : read_time(options.t_end, "--t-end");
  const wide span = t_end.eval<wide>() - begin;
  const wide h = options.h.empty() ? span / 100 : read_time(options.h, "--h").eval<wide>();
  const wide count = h > 0 ? round(wide(span / h)) : wide(0);
  constexpr long most = 100000000;
  if (!(h > 0 && span > 0 && count >= 1 && count <= most &&
        abs(wide(count * h - span)) <= h * wide("1e-20")))
    throw BadInput(
        fmt::format("--h {}, --t-end {}: accepted: a step > 0 that divides the time from "
                    "the start to the end, {} times at most",
                    options.h, t_end.text(), most));
  out << mechanism_json(problem.name, problem.bodies().get(), {begin, h, static_cast<long>(count)})
             .dump(1)
      << "\n";
  return 0;
}

}  // namespace

static VerbAction declare_export_mechanism(OptionSet& app) {
  auto options = std::make_shared<MechanismOptions>();
  app.add_option("problem", options->problem, "P", a_problem)->required();
  app.add_option("--t-end", options->t_end, "T",
                 "last output time [s]; default: of the last published reference, else one second");
  app.add_option("--h", options->h, "H", "spacing of output times [s]; default: 100 of them");
  return [options](auto& out, auto&) { return export_mechanism(*options, out); };
}

void register_export_mechanism(Verbs& verbs) {
  verbs.add({"export-mechanism", VerbGroup::make,
             "bodies, joints and forces of a problem as a JSON file for other programs",
             "daemark export-mechanism 'four_bar(loops=2)' --t-end 1 --h 1/100"},
            declare_export_mechanism);
}

}  // namespace daemark
