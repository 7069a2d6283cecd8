#include "experiments/engine/shard/shard.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "analysis/reference/reference_file.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/input/fields.hpp"
#include "base/input/strict_json.hpp"
#include "base/numbers/scalar.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
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

bool stays_inside(const std::string& path) {
  const std::filesystem::path plain = std::filesystem::path(path).lexically_normal();
  return !path.empty() && plain.is_relative() && plain.generic_string() == path && path != "." &&
         *plain.begin() != ".." && path.find_first_of(std::string("\\\0", 2)) == path.npos;
}

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
                               : costs.of(known->second.cost_class, known->second.cost);
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

namespace {

namespace fs = std::filesystem;

constexpr const char* seal_name = "shard.json";
const fs::path cells_folder = ".cache", references_folder = ".local/references";

std::string required_text(const fs::path& file) {
  auto text = read_text(file);
  if (!text) throw BadInput(file.string() + ": cannot be read; accepted: the shard as it was made");
  return std::move(*text);
}

/// Files of a shard that a merge takes: all but what is of the machine alone.
std::vector<std::string> files_of(const fs::path& folder) {
  std::vector<std::string> files;
  for (const fs::path& part :
       {cells_folder, references_folder, fs::path(".local/curves"), fs::path("curves")}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(folder / part, none)) {
      const std::string name = entry.path().filename().string();
      if (entry.is_regular_file() && !name.starts_with(".") && name != LearntCosts::file_name)
        files.push_back((part / name).generic_string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// The states of a file of references, added to those that stand in the results.
void merge_references(const fs::path& file) {
  const auto json = nlohmann::json::parse(required_text(file));
  const std::string problem = get_string(json, "problem", file.string());
  ReferenceStore store(problem);
  for (const auto& [key, stored] : read_reference_file(file, problem).states)
    if (store.find(key.first, key.second) == nullptr) store.add(key.first, stored.state);
  store.save();
}

}  // namespace

std::vector<std::string> ShardFolder::cells() const {
  if (shard == 0) return {};
  std::vector<std::string> names;
  for (const int place : plan.shards[static_cast<std::size_t>(shard - 1)].cells)
    names.push_back(plan.cells[static_cast<std::size_t>(place)]);
  return names;
}

nlohmann::json machine_print(const nlohmann::json& provenance) {
  std::string bits;
  const auto add = [&](double value) { bits += fmt::format("{:a} ", value); };
  constexpr int points = 200;
  for (int i = 1; i <= points; ++i) {
    const double x = 0.37 * i, small = 1.0 / (3 + i);
    for (const double value : {std::sin(x), std::cos(x), std::tan(x), std::exp(small * x),
                               std::log(x), std::pow(x, 1 + small), std::atan2(small, x),
                               std::cbrt(x), std::asin(small), std::sinh(small)})
      add(value);
    bits +=
        full_digits(real50(sin(real50(x)))) + " " + full_digits(real50(exp(real50(small)))) + " ";
  }
  nlohmann::json print = provenance;
  print.erase("revision"), print.erase("dirty");  // the plan has the digest of the sources
  print["functions"] = digest(bits);
  return print;
}

void take_references(const fs::path& folder) {
  for (const fs::path& from : {folder.parent_path() / "0", results_root()}) {
    std::error_code none;
    for (const auto& entry : fs::directory_iterator(from / references_folder, none)) {
      if (from == folder || entry.path().extension() != ".json") continue;
      const fs::path to = folder / references_folder / entry.path().filename();
      if (!fs::exists(to)) write_if_changed(to, required_text(entry.path()));
    }
  }
}

void seal(const fs::path& folder, const ShardPlan& plan, int shard, const nlohmann::json& machine) {
  nlohmann::ordered_json out = {{"shard", shard}, {"machine", machine}, {"plan", plan.json()}};
  out["files"] = nlohmann::json::object();
  for (const std::string& file : files_of(folder))
    out["files"][file] = digest(required_text(folder / file));
  write_if_changed(folder / seal_name, out.dump(1) + "\n");
}

std::vector<ShardFolder> read_shards(const std::vector<std::string>& folders) {
  std::vector<ShardFolder> shards;
  const auto take = [&](const fs::path& folder) {
    const fs::path file = folder / seal_name;
    if (!fs::exists(file)) return false;
    const std::string where = file.string();
    const nlohmann::json json = parse_json_text(required_text(file), where);
    require_keys(json, where, {"shard", "machine", "plan", "files"});
    ShardFolder one;
    one.folder = folder;
    one.plan = ShardPlan::parse(get_object(json, "plan", where), where);
    one.shard = static_cast<int>(
        get_int(json, "shard", where, 0, static_cast<long>(one.plan.shards.size())));
    one.machine = get_object(json, "machine", where);
    for (const auto& [path, sum] : get_object(json, "files", where).items()) {
      if (!stays_inside(path))
        throw BadInput(where + ": files: '" + path + "' leads out of the folder");
      one.files[path] = get_string(json["files"], path, where);
    }
    shards.push_back(std::move(one));
    return true;
  };
  for (const std::string& name : folders) {
    if (!fs::is_directory(name))
      throw BadInput(name + ": no folder; accepted: folders that `daemark run-shard` wrote");
    if (take(name)) continue;
    std::set<fs::path> inside;
    for (const auto& entry : fs::recursive_directory_iterator(name))
      if (entry.path().filename() == seal_name) inside.insert(entry.path().parent_path());
    for (const fs::path& folder : inside) take(folder);
  }
  if (shards.empty())
    throw BadInput(
        fmt::format("{}: no finished shard; accepted: folders that `daemark run-shard` wrote",
                    folders.front()));
  return shards;
}

std::vector<std::string> missing_cells(const std::vector<ShardFolder>& shards) {
  const ShardFolder& first = shards.front();
  std::set<std::pair<std::string, int>> seen;
  std::set<std::string> there;
  for (const ShardFolder& one : shards) {
    if (one.plan.root() != first.plan.root())
      throw BadInput(fmt::format("{} is of another command than {}; accepted: shards of one plan",
                                 one.folder.string(), first.folder.string()));
    if (!seen.insert({one.plan.id(), one.shard}).second)
      throw BadInput(fmt::format("{}: shard {} is given twice; accepted: each once",
                                 one.folder.string(), one.shard));
    for (std::string& cell : one.cells()) there.insert(std::move(cell));
  }
  std::vector<std::string> missing;
  std::set_difference(first.plan.cells.begin(), first.plan.cells.end(), there.begin(), there.end(),
                      std::back_inserter(missing));
  return missing;
}

int merge_files(const std::vector<ShardFolder>& shards, const fs::path& results) {
  for (const ShardFolder& one : shards)
    for (const auto& [path, sum] : one.files) {
      const std::string text = required_text(one.folder / path);
      if (digest(text) != sum)
        throw BadInput((one.folder / path).string() +
                       ": damaged, its checksum is another; accepted: the file as it was made");
      if (path.starts_with(references_folder.string())) continue;
      const auto standing = read_text(results / path);
      if (!path.starts_with(cells_folder.string()) && standing && *standing != text)
        throw BadInput((results / path).string() + " differs from that of " + one.folder.string() +
                       "; accepted: the same, or none");
    }
  int cells = 0;
  for (const ShardFolder& one : shards)
    for (const auto& [path, sum] : one.files) {
      if (path.starts_with(references_folder.string())) {
        merge_references(one.folder / path);
        continue;
      }
      write_if_changed(results / path, required_text(one.folder / path));
      cells += path.starts_with(cells_folder.string()) ? 1 : 0;
    }
  return cells;
}

}  // namespace daemark
