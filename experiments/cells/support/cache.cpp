#include "experiments/cells/support/cache.hpp"

#include <algorithm>

namespace daemark {

bool has_series(const CellResult& result, const std::set<std::string>& names) {
  return std::all_of(names.begin(), names.end(),
                     [&](const std::string& name) { return result.series.contains(name); });
}

std::string cell_key(const FixedCell& cell, const SourcesOf& sources) {
  return digest(canonical(cell) + "\n" + sources(cell));
}

std::filesystem::path CellCache::file(const std::string& key) const {
  return folder_ / (key + ".json");
}

bool CellCache::has(const std::string& key) const { return std::filesystem::exists(file(key)); }

std::optional<CellResult> CellCache::load(const std::string& key,
                                          const std::set<std::string>* series) const {
  const std::optional<std::string> text = read_text(file(key));
  if (!text) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    if (json.at("key") != key || json.at("checksum") != digest(json.at("result").dump())) {
      return std::nullopt;
    }
    CellResult result = result_from_json(json.at("result"));
    const bool all = !json.contains("some_series");
    if (!all && !(series != nullptr && has_series(result, *series))) return std::nullopt;
    return result;
  } catch (const std::exception&) {  // a damaged file is a cell to compute again
    return std::nullopt;
  }
}

void CellCache::store(const std::string& key, const Cell& cell, const CellResult& result,
                      bool all_series) const {
  const nlohmann::json body = result_json(result, true, true);
  nlohmann::json json = {
      {"key", key}, {"cell", cell_json(cell)}, {"checksum", digest(body.dump())}, {"result", body}};
  if (!all_series) json["some_series"] = true;
  write_if_changed(file(key), json.dump() + "\n");
}

}  // namespace daemark
