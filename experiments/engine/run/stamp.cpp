#include "experiments/engine/run/stamp.hpp"

#include "base/program/write_file.hpp"
#include "experiments/cells/support/cache.hpp"

namespace daemark {

Stamp::Stamp(std::filesystem::path results)
    : results_(std::move(results)), entries_(nlohmann::json::object()) {
  if (const auto text = read_text(results_ / ".cache" / "stamp.json")) {
    const nlohmann::json json = nlohmann::json::parse(*text, nullptr, false);
    if (json.is_object()) entries_ = json;
  }
}

bool Stamp::current(const std::string& name, const std::string& inputs) const {
  try {
    const nlohmann::json& entry = entries_.at(name);
    if (entry.at("inputs") != inputs) return false;
    for (const auto& [file, sum] : entry.at("files").items()) {
      const auto text = read_text(results_ / file);
      if (!text || sum != digest(*text)) return false;
    }
    return true;
  } catch (const nlohmann::json::exception&) {
    return false;
  }
}

void Stamp::set(const std::string& name, const std::string& inputs,
                const std::vector<std::string>& files) {
  nlohmann::json sums = nlohmann::json::object();
  for (const std::string& file : files)
    sums[file] = digest(read_text(results_ / file).value_or(""));
  entries_[name] = {{"inputs", inputs}, {"files", sums}};
}

void Stamp::save() const {
  write_if_changed(results_ / ".cache" / "stamp.json", entries_.dump(1) + "\n");
}

}  // namespace daemark
