// A plan of shards: the cells of one command (reproduce, compare, converge) that are not finished,
// divided into parts of about equal expected time. Cells are named by the digest of what identifies
// them; whoever runs a shard reads the cells themselves from the same sources and the same command.
// Reference states that several shards would compute are shard 0, to be run before the others.
//
// The folder a shard writes: the cells that are finished (.cache), the references they needed
// (.local), and at its end shard.json, which says of which plan it is, by what machine, and the
// digest of every file. A folder without shard.json is a shard that is lost or still at work.
#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/engine/run/forecast.hpp"
#include "experiments/engine/run/runner.hpp"

namespace daemark {

struct ShardPlan {
  std::string version;               ///< of daemark
  std::string program;               ///< digest of all sources and tableaus
  std::vector<std::string> command;  ///< words after "daemark"
  std::vector<std::string> cells;    ///< of the whole command, sorted
  struct Shard {
    std::vector<int> cells;  ///< places in `cells`
    double seconds = 0;      ///< expected, by one thread; 0: nothing is known
    double longest = 0;      ///< the same of its longest cell
  };
  std::vector<Shard> shards;
  std::vector<std::pair<std::string, std::string>> references = {};  ///< of shard 0: problem, time
  double memory = 0;  ///< of a process, as far as known [MB]

  /// Of the command and its cells, the same in plans for what is missing of another one.
  std::string root() const;
  std::string id() const;  ///< of the whole plan

  nlohmann::ordered_json json() const;
  /// Throws BadInput for what is no plan, or one of another format, version or program.
  static ShardPlan parse(const nlohmann::json& json, const std::string& where);
};

/// Whether a path of a file leads to a place below the folder it is relative to, and is plain.
bool stays_inside(const std::string& path);

/// The version and the digest of the sources that this program is.
std::string program_version();
std::string program_digest();

/// `cells` of `plan` into `count` shards, the longest cells first, each into the shard that is
/// shortest by then.
void divide(ShardPlan& plan, const std::vector<std::string>& cells, int count, const Split& split,
            const LearntCosts& costs);

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
