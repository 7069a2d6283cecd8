#include "experiments/cells/cache.hpp"

#include <fmt/format.h>

#include <boost/uuid/detail/sha1.hpp>
#include <fstream>
#include <sstream>

#include "base/program/write_file.hpp"

namespace daemark {

std::string digest(const std::string& text) {
  boost::uuids::detail::sha1 hash;
  hash.process_bytes(text.data(), text.size());
  unsigned int words[5];
  hash.get_digest(words);
  return fmt::format("{:08x}{:08x}{:08x}{:08x}{:08x}", words[0], words[1], words[2], words[3],
                     words[4]);
}

std::string cell_key(const Cell& cell, const SourcesOf& sources) {
  std::string text = canonical(cell);
  for (const auto& [path, sum] : sources(cell)) text += "\n" + path + " " + sum;
  return digest(text);
}

std::filesystem::path CellCache::file(const std::string& key) const {
  return folder_ / (key + ".json");
}

bool CellCache::has(const std::string& key) const { return std::filesystem::exists(file(key)); }

std::optional<CellResult> CellCache::load(const std::string& key) const {
  const std::optional<std::string> text = read_text(file(key));
  if (!text) return std::nullopt;
  try {
    const nlohmann::json json = nlohmann::json::parse(*text);
    if (json.at("key") != key || json.at("checksum") != digest(json.at("result").dump())) {
      return std::nullopt;
    }
    return result_from_json(json.at("result"));
  } catch (const std::exception&) {  // a damaged file is a cell to compute again
    return std::nullopt;
  }
}

void CellCache::store(const std::string& key, const Cell& cell, const CellResult& result) const {
  const nlohmann::json body = result_json(result, true, true);
  const nlohmann::json json = {
      {"key", key}, {"cell", cell_json(cell)}, {"checksum", digest(body.dump())}, {"result", body}};
  write_if_changed(file(key), json.dump() + "\n");
}

std::optional<std::string> read_text(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  if (!in) return std::nullopt;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace daemark
