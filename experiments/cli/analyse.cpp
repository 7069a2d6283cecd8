// daemark analyse: its work follows; until then one line and status 2.
#include "experiments/cli/verb.hpp"
#include "problems/core/bad_input.hpp"

namespace daemark {

VerbAction declare_analyse(CLI::App& app) {
  app.allow_extras();
  return [](std::ostream&, std::ostream&) -> int {
    throw BadInput("not available yet; accepted: the other verbs of daemark --help");
  };
}

}  // namespace daemark
