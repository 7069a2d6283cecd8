// The problems of the catalogue that are files: problems/*.json.
#include "base/program/paths.hpp"
#include "problems/files/mechanism_file.hpp"

namespace daemark {

void register_problem_files(ProblemRegistry& registry) {
  add_catalogue_files(source_root() / "problems", registry);
}

}  // namespace daemark
