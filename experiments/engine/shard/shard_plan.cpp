#include "experiments/engine/shard/shard_plan.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/input/fields.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/source_digests.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

constexpr int format = 1;

const Fields<ShardPlan>& fields_of_plan() {
  using Shard = ShardPlan::Shard;
  using State = std::pair<std::string, std::string>;
  static const auto shard =
      Fields<Shard>()
          .required("seconds", &Shard::seconds, 0)
          .required("longest", &Shard::longest, 0)
          .add(
              "cells", true,
              [](Shard& out, const nlohmann::json& in, const std::string& where) {
                for (const nlohmann::json& index : get_array(in, "cells", where))
                  out.cells.push_back(index.is_number_integer() ? index.get<int>() : -1);
              },
              [](const Shard& from) { return nlohmann::ordered_json(from.cells); });
  static const auto state =
      Fields<State>().required("problem", &State::first).required("t", &State::second);
  static const auto fields =
      Fields<ShardPlan>()
          .add(
              "daemark_plan", true, [](ShardPlan&, const nlohmann::json&, const std::string&) {},
              [](const ShardPlan&) { return nlohmann::ordered_json(format); })
          .required("version", &ShardPlan::version)
          .required("program", &ShardPlan::program)
          .required("command", &ShardPlan::command)
          .required("memory_mb", &ShardPlan::memory, 0)
          .required("shards", &ShardPlan::shards, shard, "shard")
          .required("cells", &ShardPlan::cells)
          .required("references", &ShardPlan::references, state, "reference")
          .check([](const ShardPlan& plan, const std::string& where) {
            for (const Shard& one : plan.shards)
              for (const int index : one.cells)
                if (index < 0 || index >= static_cast<int>(plan.cells.size()))
                  throw BadInput(fmt::format("{}: shard {}: cell {}; accepted: 0 to {}", where,
                                             &one - plan.shards.data() + 1, index,
                                             plan.cells.size() - 1));
          });
  return fields;
}

}  // namespace

std::string program_version() {
  std::ifstream citation(source_root() / "CITATION.cff");
  const std::string key = "version: ";
  for (std::string line; std::getline(citation, line);)
    if (line.starts_with(key)) return line.substr(key.size());
  return "unknown";
}

std::string program_digest() {
  std::string text;
  for (const SourceFile& file : source_files()) text += file.path + " " + file.digest + "\n";
  return digest(text);
}

std::string ShardPlan::root() const {
  std::string text = program;
  for (const std::string& word : command) text += "\n" + word;
  text += "\n\n";
  for (const std::string& cell : cells) text += cell + "\n";
  return digest(text);
}

std::string ShardPlan::id() const { return digest(json().dump()); }

nlohmann::ordered_json ShardPlan::json() const { return fields_of_plan().write(*this); }

ShardPlan ShardPlan::parse(const nlohmann::json& json, const std::string& where) {
  if (!json.is_object() || !json.contains("daemark_plan"))
    throw BadInput(where + ": no plan; accepted: what `daemark plan` writes");
  if (json["daemark_plan"] != format)
    throw BadInput(fmt::format("{}: a plan of format {}; accepted: {}", where,
                               json["daemark_plan"].dump(), format));
  ShardPlan plan = fields_of_plan().read(json, where);
  if (plan.version != program_version() || plan.program != program_digest())
    throw BadInput(fmt::format(
        "{}: a plan of daemark {} with sources {:.12}; accepted: those of this program, {} with "
        "{:.12}",
        where, plan.version, plan.program, program_version(), program_digest()));
  return plan;
}

namespace {

/// Those that more than one shard needs.
void share_references(ShardPlan& plan, const Split& split) {
  std::map<std::string, std::size_t> shard_of;
  for (std::size_t k = 0; k < plan.shards.size(); ++k)
    for (const int place : plan.shards[k].cells)
      shard_of[plan.cells[static_cast<std::size_t>(place)]] = k;
  plan.references.clear();
  for (const auto& [state, cells] : split.references) {
    std::set<std::size_t> shards;
    for (const std::string& cell : cells)
      if (const auto at = shard_of.find(cell); at != shard_of.end()) shards.insert(at->second);
    if (shards.size() > 1) plan.references.push_back(state);
  }
}

}  // namespace

void divide(ShardPlan& plan, const std::vector<std::string>& cells, int count, const Split& split,
            const LearntCosts& costs) {
  struct Entry {
    double seconds;
    int place;
  };
  std::vector<Entry> entries;
  for (const std::string& name : cells) {
    const auto at = std::lower_bound(plan.cells.begin(), plan.cells.end(), name);
    const auto known = split.asked.find(name);
    // Without anything learnt the guessed costs balance as well; what they are in time is not said.
    const double seconds = known == split.asked.end() ? 0
                           : costs.seconds.empty()
                               ? known->second.cost
                               : costs.of(known->second.kin, known->second.cost);
    entries.push_back({seconds, static_cast<int>(at - plan.cells.begin())});
  }
  std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return a.seconds != b.seconds ? a.seconds > b.seconds : a.place < b.place;
  });
  plan.shards.assign(static_cast<std::size_t>(count), {});
  for (const Entry& entry : entries) {
    ShardPlan::Shard& least =
        *std::min_element(plan.shards.begin(), plan.shards.end(), [](const auto& a, const auto& b) {
          return a.seconds != b.seconds ? a.seconds < b.seconds : a.cells.size() < b.cells.size();
        });
    least.cells.push_back(entry.place);
    least.seconds += entry.seconds;
    least.longest = std::max(least.longest, entry.seconds);
  }
  for (ShardPlan::Shard& shard : plan.shards) {
    std::sort(shard.cells.begin(), shard.cells.end());
    if (costs.seconds.empty()) shard.seconds = shard.longest = 0;
  }
  share_references(plan, split);
}

}  // namespace daemark
