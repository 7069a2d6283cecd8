#include "experiments/engine/shard/shard_folder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/reference/reference_file.hpp"
#include "analysis/reference/reference_store.hpp"
#include "base/input/strict_json.hpp"
#include "base/numbers/scalar.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
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

bool stays_inside(const std::string& path) {
  const fs::path plain = fs::path(path).lexically_normal();
  return plain.is_relative() && plain.generic_string() == path && !path.starts_with("..");
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
      throw BadInput(fmt::format("{}: shard {} stands there twice; accepted: each once",
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
