#include "experiments/engine/run/records.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <set>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/cells/support/cell_store.hpp"

namespace daemark {

namespace {

namespace fs = std::filesystem;

struct Use {
  std::optional<FixedCell> cell;
  std::vector<std::string> rows;  ///< who asks for it
  bool of_catalogue = true;       ///< none but rows of the catalogue does
};

std::map<std::string, Use> uses_of(const ItemSpec& item) {
  std::map<std::string, Use> cells;
  const auto add = [&](const FixedCell& cell, const std::string& use, bool of_catalogue = false) {
    Use& entry = cells[canonical(cell)];
    entry.cell = cell;
    entry.rows.push_back(use);
    entry.of_catalogue = entry.of_catalogue && of_catalogue;
  };
  for (const RowSpec& row : item.rows) {
    if (row.cell) add(*row.cell, row.id, row.of_catalogue);
    for (const SecondRoute& route : row.second) add(route.cell, row.id + ": " + route.name);
  }
  for (const SecondRoute& guess : item.other_guesses) add(guess.cell, guess.name);
  return cells;
}

fs::path folder_of(const ItemSpec& item) { return fs::path(item.paper) / item.id; }

/// Absent where the cell was left out.
std::optional<CellResult> result_of(const nlohmann::json& line) {
  if (line.contains("left_out")) return std::nullopt;
  CellResult result = result_from_json(line.at("result"));
  result.sources = line.value("sources", "");
  result.kept = line.value("kept", false);
  result.recorded = true;
  return result;
}

}  // namespace

std::string records(const ItemSpec& item, const Judge& judge) {
  std::string out;
  for (const auto& [name, use] : uses_of(item)) {
    const FixedCell& cell = *use.cell;
    nlohmann::json line = {{"cell", nlohmann::json::parse(name)}, {"rows", use.rows}};
    if (const CellResult* result = judge.result(cell)) {
      line["result"] = result_json(*result, kind_of(cell).is_study(cell), false);
      if (cell->is_long && !result->sources.empty()) line["sources"] = result->sources;
      if (result->kept) line["kept"] = true;
    } else {
      line["left_out"] = true;
    }
    out += line.dump() + "\n";
  }
  return out;
}

Records read_records(const ItemSpec& item, const fs::path& results) {
  Records found;
  const std::map<std::string, Use> uses = uses_of(item);
  const std::string where = (folder_of(item) / "records.jsonl").generic_string();
  const std::optional<std::string> text = read_text(results / where);
  if (!text) {
    if (!uses.empty()) found.damage.push_back(where + ": no such file");
    return found;
  }
  std::set<std::string> seen;
  std::size_t at = 0;
  for (int number = 1; at < text->size(); ++number) {
    const std::size_t end = text->find('\n', at);
    const std::string line = text->substr(at, end - at);
    at = end == std::string::npos ? text->size() : end + 1;
    const auto damaged = [&](const std::string& what) {
      found.damage.push_back(fmt::format("{}, line {}: {}", where, number, what));
    };
    try {
      const nlohmann::json json = nlohmann::json::parse(line);
      const std::string name = json.at("cell").dump();
      if (!uses.contains(name)) {
        damaged("a cell that no row has");
      } else if (!seen.insert(name).second) {
        damaged("a cell that occurs before");
      } else if (auto result = result_of(json)) {
        found.results.emplace(name, std::move(*result));
      }
    } catch (const nlohmann::json::exception&) {
      damaged("no record");
    } catch (const BadInput& fault) {
      damaged(fault.what());
    }
    if (end == std::string::npos) damaged("ends without a line break");
  }
  for (const auto& [name, use] : uses) {
    if (seen.contains(name)) continue;
    if (use.of_catalogue) {
      found.not_computed.insert(found.not_computed.end(), use.rows.begin(), use.rows.end());
      continue;
    }
    found.damage.push_back(
        fmt::format("{}: no line for row {}", where, fmt::join(use.rows, ", row ")));
  }
  return found;
}

bool has_records(const ItemSpec& item) { return !item.rows.empty() || !item.other_guesses.empty(); }

bool is_made(const ItemSpec& item, const fs::path& results) {
  std::error_code error;
  return fs::exists(results / folder_of(item), error) &&
         !fs::is_empty(results / folder_of(item), error);
}

std::vector<std::string> missing_figures(const ItemSpec& item, const fs::path& results) {
  const fs::path folder = folder_of(item);
  const fs::path data = folder / "figure.csv", drawing = folder / "figure.svg";
  const bool has_data = fs::exists(results / data), is_drawn = fs::exists(results / drawing);
  if (has_data == is_drawn) return {};
  return {(has_data ? drawing : data).generic_string() + ": no such file"};
}

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
