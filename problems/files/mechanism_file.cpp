#include "problems/files/mechanism_file.hpp"

#include <fmt/ranges.h>

#include <memory>
#include <mutex>
#include <system_error>

#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "problems/files/equations_file.hpp"
#include "problems/files/planar_file.hpp"
#include "problems/files/spatial_file.hpp"
#include "problems/files/twin.hpp"

namespace daemark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

struct Kind {
  const char *name, *source, *equations;
  Problem (*read)(const json& file, const std::string& where, FileNames& names);
};
const Kind kinds[] = {
    {"planar", "problems/files/planar_file.cpp",
     "absolute: x, y of the mass centres and angles, rows of the joints", planar_from_file},
    {"spatial", "problems/files/spatial_file.cpp",
     "absolute: positions and rotation increments, rows of the joints", spatial_from_file},
    {"equations", "problems/files/equations_file.cpp", "", equations_from_file}};

const Kind& kind_of(const MechanismFile& file) {
  const std::string name = get_string(file.content, "kind", file.where);
  std::vector<std::string> names;
  for (const Kind& kind : kinds) {
    if (name == kind.name) return kind;
    names.emplace_back(kind.name);
  }
  throw BadInput(fmt::format("{}: kind: {}{}; accepted: {}", file.where, in_quotes(name),
                             did_you_mean(name, names), fmt::join(names, ", ")));
}

Problem built(const MechanismFile& file, const Arguments& arguments, ProblemData& data) {
  FileNames names;
  names.bodies["ground"] = -1;
  Problem problem;
  at_place(file.where, [&] {
    read_data(file, arguments, data, names);
    problem = kind_of(file).read(file.content, file.where, names);
    if (file.content.contains("twin")) read_twin(file.content, file.where, names, problem);
  });
  return problem;
}

/// What `show` and the calls need.
ProblemInfo info_of(const MechanismFile& file, const fs::path& path) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : file.content.items()) keys.push_back(key);
  const FileEntry whole(file.content, file.where, {}, {"id", "kind", "source"}, keys);
  const auto text = [&](const char* key) { return whole.has(key) ? whole.text(key) : ""; };
  ProblemInfo info;
  info.id = text("id"), info.summary = text("summary"), info.source = text("source");
  check_name(info.id, file.where + ": id", {});
  if (info.source.empty()) throw BadInput(file.where + ": source: who states the data is accepted");
  if (info.summary.empty()) info.summary = "mechanism of a file";
  info.equations = text("equations");
  if (info.equations.empty()) info.equations = kind_of(file).equations;
  info.parameters = parameters_of(file);
  info.data_file = path.string(), info.data_digest = digest(file.content.dump());
  info.of_catalogue = file.of_catalogue;
  return info;
}

std::shared_ptr<const MechanismFile> read_file(const fs::path& path, bool of_catalogue) {
  return std::make_shared<const MechanismFile>(
      MechanismFile{parse_json_file(path.string()), printable(path.string(), 200), of_catalogue});
}

auto builder_of(const std::shared_ptr<const MechanismFile>& file) {
  return [file](const Arguments& arguments, ProblemData& data) {
    return built(*file, arguments, data);
  };
}

}  // namespace

std::string add_mechanism_file(const fs::path& path, ProblemRegistry& registry) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const auto file = read_file(path, false);
  ProblemInfo info = info_of(*file, path);
  if (registry.has(info.id)) {
    if (registry.info(info.id).data_digest == info.data_digest) return info.id;
    throw BadInput(file->where + ": id " + in_quotes(info.id) +
                   " is taken in the catalogue; accepted: an id of its own");
  }
  ProblemData data(info.id);
  const Problem problem = built(*file, Arguments({info.id, {}}, info.parameters), data);
  problem.make<double>();  // refused at once
  if (problem.has_minimal()) problem.make<double>(true);
  registry.from("problems/files/mechanism_file.cpp");
  std::string id = info.id;
  registry.add(std::move(info), builder_of(file));
  return id;
}

void add_catalogue_files(const fs::path& folder, ProblemRegistry& registry) {
  std::error_code missing;
  const fs::directory_iterator entries(folder, missing);
  if (missing)
    throw BadInput(fmt::format("{}: {}; accepted: the folder of the catalogue's problems",
                               printable(folder.string(), 200), missing.message()));
  for (const auto& entry : entries) {
    if (entry.path().extension() != ".json") continue;
    const auto file = read_file(entry.path(), true);
    ProblemInfo info = info_of(*file, entry.path());
    if (info.id != entry.path().stem())
      throw BadInput(fmt::format("{}: id {} is not accepted; the name of the file", file->where,
                                 in_quotes(info.id)));
    registry.from(kind_of(*file).source);
    registry.add(std::move(info), builder_of(file));
  }
}

/// The problems of the catalogue that are files.
void register_mechanism_file(ProblemRegistry& registry) {
  add_catalogue_files(source_root() / "problems", registry);
}

}  // namespace daemark
