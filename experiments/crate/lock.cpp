#include <fmt/format.h>

#include <fstream>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/crate/crate.hpp"
#include "experiments/engine/run/study.hpp"
#include "experiments/engine/shard/shard.hpp"

namespace daemark {
namespace {

using nlohmann::ordered_json;

constexpr int format = 1;
constexpr const char* lock_name = "lock.json";  ///< in a crate

/// "Debian GNU/Linux 12 (bookworm)"
std::string system_name() {
  std::ifstream file("/etc/os-release");
  const std::string key = "PRETTY_NAME=\"";
  for (std::string line; std::getline(file, line);)
    if (line.starts_with(key) && line.ends_with('"'))
      return line.substr(key.size(), line.size() - key.size() - 1);
  return "unknown";
}

ordered_json packages() {
  ordered_json found = ordered_json::object();
  std::string names;
  std::istringstream list(output_of("'" + (source_root() / "scripts" / "dependencies.sh").string() +
                                    "' --list 2>/dev/null"));
  for (std::string name; std::getline(list, name);) names += " '" + name + "'";
  if (names.empty()) return found;
  std::istringstream versions(output_of(
      "dpkg-query --show --showformat='${Package} ${Version}\\n'" + names + " 2>/dev/null"));
  for (std::string name, version; versions >> name >> version;) found[name] = version;
  return found;
}

void compare(const std::string& key, const ordered_json& a, const ordered_json& b,
             std::vector<std::string>& lines) {
  if (a == b) return;
  const auto text = [](const ordered_json& value) {
    return value.is_null()     ? std::string("-")
           : value.is_string() ? value.get<std::string>()
                               : value.dump();
  };
  if (!a.is_object() || !b.is_object()) {
    lines.push_back(fmt::format("{}: {} | {}", key, text(a), text(b)));
    return;
  }
  std::set<std::string> keys;
  for (const ordered_json* one : {&a, &b})
    for (const auto& [name, value] : one->items()) keys.insert(name);
  if (key == "sources") {
    constexpr std::size_t shown = 5;
    std::vector<std::string> names;
    for (const std::string& name : keys)
      if (a.value(name, "") != b.value(name, "")) names.push_back(name);
    std::string line = fmt::format("sources: {} of {} differ", names.size(), keys.size());
    for (std::size_t i = 0; i < std::min(shown, names.size()); ++i)
      line += (i == 0 ? ": " : ", ") + names[i];
    lines.push_back(line + (names.size() > shown ? ", ..." : ""));
    return;
  }
  for (const std::string& name : keys)
    compare(key.empty() ? name : key + "." + name, a.value(name, ordered_json()),
            b.value(name, ordered_json()), lines);
}

}  // namespace

ordered_json lock_of_this() {
  const nlohmann::json seen = provenance();
  const nlohmann::json print = machine_print(seen);
  ordered_json lock = {{"daemark_lock", format}, {"version", program_version()}};
  for (const char* key : {"revision", "dirty", "compiler", "flags", "build", "libraries", "cpu"})
    lock[key] = seen.value(key, nlohmann::json());
  lock["functions"] = print.at("functions");
  lock["system"] = system_name();
  lock["packages"] = packages();
  lock["sources"] = ordered_json::object();
  for (const SourceFile& file : source_files()) lock["sources"][file.path] = file.digest;
  return lock;
}

ordered_json read_lock(const std::string& file) {
  const std::string where = printable(file, 200);
  nlohmann::json lock;
  if (file.ends_with(".zip")) {
    const ZipContent content = read_zip(file);
    const auto found = content.find(lock_name);
    if (found == content.end()) throw BadInput(where + ": has no lock.json; accepted: a crate");
    lock = parse_json_text(found->second, where + ", " + lock_name);
  } else {
    lock = parse_json_file(file);
  }
  if (!lock.is_object() || lock.value("daemark_lock", nlohmann::json()) != format)
    throw BadInput(where + ": no lock; accepted: what `daemark lock` or `daemark export` writes");
  return ordered_json::parse(lock.dump());
}

std::vector<std::string> lock_difference(const ordered_json& a, const ordered_json& b) {
  std::vector<std::string> lines;
  compare("", a, b, lines);
  return lines;
}

}  // namespace daemark
