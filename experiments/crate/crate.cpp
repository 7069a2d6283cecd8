#include "experiments/crate/crate.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <zip.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <set>

#include "analysis/reference/reference_file.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/engine/run/records.hpp"
#include "experiments/engine/shard/shard.hpp"
#include "experiments/engine/write/book.hpp"

namespace daemark {
namespace {

constexpr zip_uint64_t most_bytes = 2'000'000'000, most_entries = 100'000;

struct Discarded {
  void operator()(zip_t* archive) const { zip_discard(archive); }
};
using Archive = std::unique_ptr<zip_t, Discarded>;

bool is_link(zip_t* archive, zip_uint64_t index) {
  zip_uint8_t system = 0;
  zip_uint32_t attributes = 0;
  zip_file_get_external_attributes(archive, index, 0, &system, &attributes);
  return system == ZIP_OPSYS_UNIX && S_ISLNK(attributes >> 16U);
}

std::string content_of(zip_t* archive, zip_uint64_t index, zip_uint64_t size,
                       const std::string& where) {
  std::string text(size, '\0');
  const std::unique_ptr<zip_file_t, int (*)(zip_file_t*)> entry(zip_fopen_index(archive, index, 0),
                                                                zip_fclose);
  zip_uint64_t got = 0;
  while (entry && got < size) {
    const zip_int64_t part = zip_fread(entry.get(), text.data() + got, size - got);
    if (part <= 0) break;
    got += static_cast<zip_uint64_t>(part);
  }
  char more = 0;
  if (!entry || got != size || zip_fread(entry.get(), &more, 1) != 0)
    throw BadInput(where + ": damaged; accepted: an archive as `daemark export` writes it");
  return text;
}

}  // namespace

void write_zip(const std::filesystem::path& file, const ZipContent& content) {
  constexpr time_t no_time = 315532800;  // the first that an archive can tell, 1980
  const ScratchFolder scratch;
  const std::string draft = (scratch.path() / "archive.zip").string();
  int failure = 0;
  Archive archive(zip_open(draft.c_str(), ZIP_CREATE | ZIP_EXCL, &failure));
  if (!archive) throw CannotWrite(draft + ": cannot be created; accepted: a folder to write in");
  for (const auto& [path, text] : content) {
    zip_source_t* source = zip_source_buffer(archive.get(), text.data(), text.size(), 0);
    const zip_int64_t index =
        source == nullptr ? -1
                          : zip_file_add(archive.get(), path.c_str(), source, ZIP_FL_ENC_UTF_8);
    if (index < 0) throw CannotWrite(file.string() + ": " + zip_strerror(archive.get()));
    zip_file_set_mtime(archive.get(), static_cast<zip_uint64_t>(index), no_time, 0);
  }
  if (zip_close(archive.get()) != 0)
    throw CannotWrite(file.string() + ": " + zip_strerror(archive.get()));
  static_cast<void>(archive.release());  // closed
  FileDraft out(file);
  out.write(read_text(draft).value_or(""));
  out.commit();
}

ZipContent read_zip(const std::filesystem::path& file) {
  const std::string name = printable(file.string(), 200);
  int failure = 0;
  const Archive archive(zip_open(file.c_str(), ZIP_RDONLY | ZIP_CHECKCONS, &failure));
  if (!archive)
    throw BadInput(name + (std::filesystem::exists(file)
                               ? ": no archive, or a damaged one; accepted: what `daemark export` "
                                 "writes"
                               : ": no such file; accepted: what `daemark export` writes"));
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  if (static_cast<zip_uint64_t>(count) > most_entries)
    throw BadInput(fmt::format("{}: {} entries; accepted: up to {}", name, count, most_entries));
  ZipContent content;
  zip_uint64_t total = 0;
  for (zip_uint64_t i = 0; i < static_cast<zip_uint64_t>(count); ++i) {
    zip_stat_t entry;
    if (zip_stat_index(archive.get(), i, 0, &entry) != 0 || entry.name == nullptr)
      throw BadInput(name + ": damaged; accepted: an archive as `daemark export` writes it");
    const std::string path = entry.name;
    const std::string where = name + ", " + printable(path, 200);
    if (path.ends_with('/')) continue;  // a folder
    if (!stays_inside(path) || is_link(archive.get(), i))
      throw BadInput(where + ": leads out of its folder; accepted: plain files below it");
    total += entry.size;
    if (entry.size > most_bytes || total > most_bytes)
      throw BadInput(fmt::format("{}: more than {} bytes; accepted: less", where, most_bytes));
    if (!content.emplace(path, content_of(archive.get(), i, entry.size, where)).second)
      throw BadInput(where + ": listed twice; accepted: each file once");
  }
  return content;
}

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

constexpr const char* metadata_name = "ro-crate-metadata.json";
constexpr const char* profile = "https://w3id.org/ro/wfrun/process/0.5";

ordered_json link(const std::string& id) { return {{"@id", id}}; }

/// Today, or the day SOURCE_DATE_EPOCH tells, for builds that are to be repeated.
std::string day() {
  const char* epoch = std::getenv("SOURCE_DATE_EPOCH");
  std::time_t now = epoch != nullptr
                        ? static_cast<std::time_t>(std::atoll(epoch))
                        : std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%d", &parts);
  return text;
}

const char* media_type(const std::string& path) {
  const std::string end = fs::path(path).extension().string();
  if (end == ".json") return "application/json";
  if (end == ".jsonl") return "application/jsonl";
  if (end == ".csv") return "text/csv";
  if (end == ".md") return "text/markdown";
  if (end == ".svg") return "image/svg+xml";
  if (end == ".tex") return "application/x-tex";
  if (end == ".html") return "text/html";
  return "application/octet-stream";
}

/// Collects files and actions, then the description of all.
class CrateMaker {
 public:
  CrateMaker(fs::path experiments, fs::path results)
      : experiments_(std::move(experiments)), results_(std::move(results)) {}

  void item(const Book& book, const ItemSpec& spec) {
    const std::string name = book.paper.id + "/" + spec.id;
    if (!is_made(spec, results_))
      throw BadInput(name + ": is not made yet; accepted: after daemark reproduce " + name);
    ++made_.items;
    const std::string inputs = declared(book.paper.id, spec.id + ".json");
    declared(book.paper.id, "paper.json");
    folder("results/" + name, results_ / name);
    const Records records = read_records(spec, results_);
    std::set<std::string> seen;
    for (const FixedCell& cell : cells_of(spec)) {
      if (!seen.insert(canonical(cell)).second) continue;
      const auto found = records.results.find(canonical(cell));
      if (found == records.results.end()) continue;
      const std::string states = references(cell);
      action(name, row_of(spec, cell), cell, found->second, inputs, states);
    }
  }
  void file(const std::string& path, const fs::path& from) {
    if (const auto text = read_text(from)) add(path, *text);
  }
  /// Every file below a folder.
  void folder(const std::string& under, const fs::path& from) {
    std::error_code none;
    for (fs::recursive_directory_iterator entry(from, none), end; !none && entry != end;
         entry.increment(none))
      if (entry->is_regular_file())
        add(under + "/" + fs::relative(entry->path(), from).generic_string(),
            read_text(entry->path()).value_or(""));
  }

  CrateContent finished() {
    add("lock.json", lock_.dump(1) + "\n");
    ordered_json graph = ordered_json::array();
    graph.push_back({{"@id", metadata_name},
                     {"@type", "CreativeWork"},
                     {"conformsTo", link("https://w3id.org/ro/crate/1.1")},
                     {"about", link("./")}});
    ordered_json parts = ordered_json::array(), mentions = ordered_json::array(), files = parts;
    for (const auto& [path, text] : made_.files) {
      parts.push_back(link(path));
      files.push_back({{"@id", path},
                       {"@type", "File"},
                       {"contentSize", std::to_string(text.size())},
                       {"encodingFormat", media_type(path)},
                       {"sha256", digest(text)}});
    }
    for (const ordered_json& one : actions_) mentions.push_back(link(one.at("@id")));
    graph.push_back(
        {{"@id", "./"},
         {"@type", "Dataset"},
         {"conformsTo", link(profile)},
         {"name", "Results of daemark"},
         {"description", fmt::format("{} items, {} cells: records, tables and figures of time "
                                     "integrators for constrained multibody dynamics",
                                     made_.items, made_.cells)},
         {"datePublished", day()},
         {"license", link("https://spdx.org/licenses/MIT")},
         {"hasPart", parts},
         {"mentions", mentions}});
    graph.push_back({{"@id", profile},
                     {"@type", "CreativeWork"},
                     {"name", "Process Run Crate"},
                     {"version", "0.5"}});
    graph.push_back({{"@id", "https://spdx.org/licenses/MIT"},
                     {"@type", "CreativeWork"},
                     {"name", "MIT License"}});
    graph.push_back({{"@id", "#daemark"},
                     {"@type", "SoftwareApplication"},
                     {"name", "daemark"},
                     {"softwareVersion", lock_.at("version")},
                     {"description", fmt::format("revision {}, {}, {}", text_of("revision"),
                                                 text_of("compiler"), text_of("flags"))},
                     {"processorRequirements", text_of("cpu")},
                     {"operatingSystem", text_of("system")},
                     {"softwareRequirements", link("lock.json")}});
    for (ordered_json& one : files) graph.push_back(std::move(one));
    for (ordered_json& one : actions_) graph.push_back(std::move(one));
    const ordered_json metadata = {{"@context",
                                    {"https://w3id.org/ro/crate/1.1/context",
                                     "https://w3id.org/ro/terms/workflow-run/context"}},
                                   {"@graph", std::move(graph)}};
    made_.files[metadata_name] = metadata.dump(1) + "\n";
    return std::move(made_);
  }

 private:
  std::string text_of(const char* key) const {
    return lock_.at(key).is_string() ? lock_.at(key).get<std::string>() : lock_.at(key).dump();
  }
  void add(const std::string& path, const std::string& text) { made_.files.emplace(path, text); }

  std::string declared(const std::string& paper, const std::string& file) {
    std::string path = "experiments/" + paper + "/" + file;
    add(path, read_text(experiments_ / paper / file).value_or(""));
    return path;
  }
  /// The states a cell was compared with, "" for none.
  std::string references(const Cell& cell) {
    if (kind_of(cell).reference_times(cell).empty()) return "";
    const std::string file = "references/" + reference_file_name(cell.problem);
    const std::optional<std::string> text = read_text(results_ / file);
    if (!text) return "";  // a closed form
    add("results/" + file, *text);
    return "results/" + file;
  }
  static std::string row_of(const ItemSpec& spec, const FixedCell& cell) {
    for (const RowSpec& row : spec.rows)
      if (row.cell && canonical(*row.cell) == canonical(cell)) return row.id;
    return "second route";
  }
  void action(const std::string& item, const std::string& row, const FixedCell& cell,
              const CellResult& result, const std::string& inputs, const std::string& states) {
    constexpr std::size_t short_digest = 16;
    ++made_.cells;
    ordered_json objects = ordered_json::array({link(inputs)});
    if (!states.empty()) objects.push_back(link(states));
    ordered_json one = {
        {"@id", "#" + item + "/" + digest(canonical(cell)).substr(0, short_digest)},
        {"@type", "CreateAction"},
        {"name", item + "/" + row},
        {"description", command(cell)},
        {"instrument", link("#daemark")},
        {"object", objects},
        {"result", ordered_json::array({link("results/" + item + "/records.jsonl")})},
        {"actionStatus", result.ok() ? "http://schema.org/CompletedActionStatus"
                                     : "http://schema.org/FailedActionStatus"}};
    if (!result.ok())
      one["error"] = result.why.empty() ? result.status : result.status + ": " + result.why;
    if (!result.sources.empty()) one["identifier"] = "sources " + result.sources;
    actions_.push_back(std::move(one));
  }

  fs::path experiments_, results_;
  ordered_json lock_ = lock_of_this();
  CrateContent made_;
  std::vector<ordered_json> actions_;
};

}  // namespace

CrateContent crate_of(const std::vector<std::string>& selection, const fs::path& experiments,
                      const fs::path& results) {
  CrateMaker maker(experiments, results);
  std::vector<std::string> papers = selection;
  const bool atlas = std::erase(papers, "atlas") > 0;
  if (!papers.empty() || !atlas)
    for (const auto& [paper, items] : asked_for(papers, experiments)) {
      const Book book = read_book(experiments, paper, items);  // with what its claims refer to
      for (const ItemSpec& item : book.items)
        if (has_records(item)) maker.item(book, item);
    }
  maker.file("results/verdicts.csv", results / "verdicts.csv");
  if (selection.empty() || atlas) maker.folder("results/atlas", results / "atlas");
  return maker.finished();
}

std::vector<std::string> unpack_crate(const fs::path& file, const fs::path& folder) {
  const std::string where = printable(file.string(), 200);
  const ZipContent content = read_zip(file);
  const auto description = content.find(metadata_name);
  if (description == content.end())
    throw BadInput(fmt::format("{}: no {}; accepted: a crate as `daemark export` writes it", where,
                               metadata_name));
  const nlohmann::json metadata =
      parse_json_text(description->second, where + ", " + metadata_name);
  std::set<std::string> listed{metadata_name}, items;
  for (const nlohmann::json& one : get_array(metadata, "@graph", where)) {
    if (!one.is_object() || one.value("@type", nlohmann::json()) != "File") continue;
    const std::string path = get_string(one, "@id", where + ", " + metadata_name);
    const auto found = content.find(path);
    if (found == content.end())
      throw BadInput(fmt::format("{}: {} is listed and not there; accepted: a whole crate", where,
                                 printable(path, 200)));
    if (get_string(one, "sha256", where + ", " + metadata_name) != digest(found->second))
      throw BadInput(
          fmt::format("{}: {} has another checksum than is listed; accepted: a crate as "
                      "it was written",
                      where, printable(path, 200)));
    listed.insert(path);
  }
  for (const auto& [path, text] : content) {
    if (!listed.contains(path))
      throw BadInput(fmt::format("{}: {} is not listed; accepted: a crate as it was written", where,
                                 printable(path, 200)));
    write_if_changed(folder / path, text);
    const fs::path p(path);
    if (p.filename() == "records.jsonl" && path.starts_with("results/"))
      items.insert(p.parent_path().lexically_relative("results").generic_string());
  }
  return {items.begin(), items.end()};
}

}  // namespace daemark
