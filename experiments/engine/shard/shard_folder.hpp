// The folder a shard writes: the cells that are finished (.cache), the references they needed
// (.local), and at its end shard.json, which says of which plan it is, by what machine, and the
// digest of every file. A folder without shard.json is a shard that is lost or still at work.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/engine/shard/shard_plan.hpp"

namespace daemark {

struct ShardFolder {
  std::filesystem::path folder;
  ShardPlan plan;
  int shard = 0;                             ///< 1..N; 0: the references
  nlohmann::json machine;                    ///< machine_print() of where it ran
  std::map<std::string, std::string> files;  ///< digest by path relative to the folder

  std::vector<std::string> cells() const;  ///< of the plan's
};

/// What decides the last digits of results: processor, compiler, flags, libraries, and the digest
/// of elementary functions at some points.
nlohmann::json machine_print(const nlohmann::json& provenance);

/// What is known of reference states where the command was planned, and what shard 0 beside this
/// folder has computed, into it: files that it has already are left.
void take_references(const std::filesystem::path& folder);

/// Writes shard.json over what stands in the folder.
void seal(const std::filesystem::path& folder, const ShardPlan& plan, int shard,
          const nlohmann::json& machine);

/// The shards in the folders and below them; unsealed ones are left out. Throws BadInput for a
/// folder that does not exist and for a damaged shard.json.
std::vector<ShardFolder> read_shards(const std::vector<std::string>& folders);

/// Of one command and one program, none twice; else throws BadInput. Returns the cells of the
/// command that none of them has.
std::vector<std::string> missing_cells(const std::vector<ShardFolder>& shards);

/// Takes over cells, references and curves into `results`. Throws BadInput before anything is
/// written where a file is missing, damaged, leads out of its folder, or stands there differently.
/// Returns how many cells it took.
int merge_files(const std::vector<ShardFolder>& shards, const std::filesystem::path& results);

}  // namespace daemark
