#include "problems/files/mechanism_file.hpp"

#include <memory>
#include <mutex>
#include <system_error>

#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "problems/files/file_elements.hpp"

namespace daemark {
namespace {

using nlohmann::json;
namespace fs = std::filesystem;

/// A file as it was read: what is changed later is another mechanism.
struct MechanismFile {
  json content;
  std::string where;
};

/// Of a datum: as the file states it, or as the call asks for.
StatedNumber stated(const FileEntry& datum, const std::string& name, const Arguments& arguments,
                    const json& entry) {
  if (arguments.given(name)) return arguments.real(name);
  return get_expression(entry, "value", datum.where(), {"pi"});
}

Problem built(const MechanismFile& file, const Arguments& arguments, ProblemData& data) {
  FileNames names;
  names.bodies["ground"] = -1;
  const std::string source = get_string(file.content, "source", file.where);
  for_each_entry(
      file.content, "data", file.where, [&](const json& entry, const std::string& place) {
        const FileEntry datum(entry, place, names, {"name", "value", "unit"}, {"source"});
        const std::string name = datum.text("name"), unit = datum.text("unit");
        if (unit.empty()) throw BadInput("unit: one is accepted, \"1\" for none");
        names.numbers[name] = data(name, stated(datum, name, arguments, entry), unit,
                                   datum.has("source") ? datum.text("source") : source);
      });
  for_each_entry(file.content, "define", file.where,
                 [&](const json& entry, const std::string& place) {
                   const FileEntry definition(entry, place, names, {"name", "value"}, {});
                   const std::string name = definition.text("name");
                   check_name(name, place, names);
                   names.numbers[name] = definition.number("value");
                 });
  Problem problem;
  at_place(file.where, [&] {
    problem = get_string(file.content, "kind", file.where) == "planar"
                  ? planar_from_file(file.content, file.where, names)
                  : spatial_from_file(file.content, file.where, names);
  });
  return problem;
}

/// What `show` and the calls need; every datum is a parameter without a default of its own.
ProblemInfo info_of(const MechanismFile& file) {
  FileNames names;
  const FileEntry whole(file.content, file.where, names, {"id", "kind", "source", "bodies"},
                        {"summary", "data", "define", "gravity", "elements", "outputs", "trace",
                         "start", "redundant"});
  ProblemInfo info;
  info.id = whole.text("id");
  info.summary = whole.has("summary") ? whole.text("summary") : "mechanism of a file";
  info.source = whole.text("source");
  if (info.source.empty()) throw BadInput(file.where + ": source: who states the data is accepted");
  info.equations = whole.word("kind", {"planar", "spatial"}) == "planar"
                       ? "absolute: x, y of the mass centres and angles, rows of the joints"
                       : "absolute: positions and rotation increments, rows of the joints";
  for_each_entry(file.content, "data", file.where,
                 [&](const json& entry, const std::string& place) {
                   const std::string name = get_string(entry, "name", place),
                                     unit = get_string(entry, "unit", place);
                   check_name(name, place, names);
                   names.numbers[name] = 0;
                   info.parameters.push_back(
                       {name, Parameter::Type::real, "", "real number [" + unit + "]", true});
                 });
  return info;
}

}  // namespace

std::string add_mechanism_file(const fs::path& path, ProblemRegistry& registry) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  const auto file = std::make_shared<MechanismFile>(
      MechanismFile{parse_json_file(path.string()), printable(path.string(), 200)});
  ProblemInfo info = info_of(*file);
  check_name(info.id, file->where + ": id", {});
  info.data_file = path.string();
  info.data_digest = digest(file->content.dump());
  if (registry.has(info.id)) {
    if (registry.info(info.id).data_digest == info.data_digest) return info.id;
    throw BadInput(file->where + ": id " + in_quotes(info.id) +
                   " is taken in the catalogue; accepted: an id of its own");
  }
  const auto build = [file](const Arguments& arguments, ProblemData& data) {
    return built(*file, arguments, data);
  };
  ProblemData data(info.id);
  build(Arguments({info.id, {}}, info.parameters), data).make<double>();  // refused at once
  registry.from("problems/files/mechanism_file.cpp");
  std::string id = info.id;
  registry.add(std::move(info), build);
  return id;
}

}  // namespace daemark
