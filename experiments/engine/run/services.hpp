// What the engine needs from the rest of daemark; tests put fakes in its place.
#pragma once

#include <nlohmann/json.hpp>

#include "experiments/engine/run/runner.hpp"

namespace daemark {

struct Services {
  RunCell run_cell;
  SourcesOf sources;
  /// Digest of what turns results into files, so that a change there remakes the files.
  std::string renderer;
  /// Source revision, compiler, libraries, processor: kept apart from the records.
  std::function<nlohmann::json()> provenance;
};

/// The catalogue's: cells by their kinds, the sources by what includes what.
Services catalogue_services();

/// {"revision", "dirty", "compiler", "flags", "build", "libraries", "cpu"}; revision "unknown"
/// outside a git work tree.
nlohmann::json provenance();

}  // namespace daemark
