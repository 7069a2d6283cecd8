// A plan of shards: the cells of one command (reproduce, compare, converge) that are not finished,
// divided into parts of about equal expected time. Cells are named by the digest of what identifies
// them; whoever runs a shard reads the cells themselves from the same sources and the same command.
// Reference states that several shards would compute are shard 0, to be run before the others.
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments/engine/run/learnt_costs.hpp"
#include "experiments/engine/run/split.hpp"

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

/// The version and the digest of the sources that this program is.
std::string program_version();
std::string program_digest();

/// `cells` of `plan` into `count` shards, the longest cells first, each into the shard that is
/// shortest by then.
void divide(ShardPlan& plan, const std::vector<std::string>& cells, int count, const Split& split,
            const LearntCosts& costs);

}  // namespace daemark
