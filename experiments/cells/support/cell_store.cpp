#include "experiments/cells/support/cell_store.hpp"

#include <algorithm>
#include <mutex>
#include <stdexcept>

#include "analysis/reference/reference.hpp"
#include "base/input/call.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

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

namespace {

// The catalogue of methods refers to the kernels of tableau files; a family includes its own.
constexpr const char* method_catalogue = "methods/catalogue/registry.cpp";
// The names that an experiment may use do not change a result.
constexpr const char* measure_names = "experiments/cells/support/measure_names.cpp";

/// The method of a call and those named in its arguments; other calls and words there are none.
/// `data`: digests of what runs outside.
void collect_methods(const Call& call, std::vector<const MethodInfo*>& methods,
                     std::map<std::string, std::string>& data) {
  methods.push_back(&method_registry().info(call.id));
  if (methods.back()->outside)
    data["program " + call.text()] = methods.back()->outside(method_registry().bind(call.text()));
  for (const CallArgument& argument : call.arguments) {
    if (argument.value.call && method_registry().has(argument.value.call->id))
      collect_methods(*argument.value.call, methods, data);
  }
}

/// What a cell refers to, before anything is followed.
struct Roots {
  std::vector<std::string> files;
  std::set<std::string> left_out;
  /// Digests of files of data, tableaus and mechanisms: they may stand outside.
  std::map<std::string, std::string> data;
};

Roots roots_of(const Cell& cell) {
  const CellKind& kind = kind_of(cell);
  const CellUses uses = kind.uses(cell);
  Roots roots{uses.files, {method_catalogue, measure_names}, {}};
  for (const UnusedSource& source : kind.unused)
    if (source.when(cell)) roots.left_out.insert(source.path);
  for (const std::string& path : roots.left_out)
    if (source_graph().digest_of(path).empty())
      throw std::logic_error("left out of the sources of a cell, and no source: " + path);
  for (const std::string& call : uses.problems) {
    const ProblemInfo& problem = problem_registry().info(parse_call(call, "problem").id);
    roots.files.push_back(problem.file);
    if (!problem.data_digest.empty()) roots.data["problem " + problem.id] = problem.data_digest;
  }
  std::vector<const MethodInfo*> methods;
  for (const std::string& call : uses.methods)
    collect_methods(parse_call(call, "method"), methods, roots.data);
  for (const MethodInfo* method : methods) {
    if (!method->file.ends_with(".cpp")) {  // a file of data, of ours or from outside
      roots.data["tableau " + method->id] = digest(read_text(method->file).value_or(""));
      roots.files.emplace_back(method_catalogue);
    } else {
      roots.files.push_back(method->file);
    }
  }
  return roots;
}

std::string listed(const std::map<std::string, std::string>& files) {
  std::string text;
  for (const auto& [path, sum] : files) text += path + " " + sum + "\n";
  return text;
}

/// A closed form is part of its problem's source; its states are not stored, so that naming them
/// would make another key in the run that computes them than in the next.
bool has_closed_form(const std::string& problem) {
  static std::mutex mutex;
  static std::map<std::string, bool> known;
  const std::lock_guard lock(mutex);
  const auto [entry, is_new] = known.emplace(problem, false);
  if (is_new) entry->second = problem_registry().make(problem).closed_form != nullptr;
  return entry->second;
}

/// The stored states a cell was or will be compared with; "" where there are none yet.
std::string references_used(const Cell& cell) {
  std::string text;
  const std::vector<std::string> times = kind_of(cell).reference_times(cell);
  if (times.empty() || has_closed_form(cell.problem)) return text;
  for (const std::string& t : times)
    if (const std::string sum = reference_digest(cell.problem, t); !sum.empty())
      text += "reference " + t + " " + sum + "\n";
  return text;
}

}  // namespace

std::vector<std::string> missing_references(const Cell& cell) {
  std::vector<std::string> times = kind_of(cell).reference_times(cell);
  if (!times.empty() && has_closed_form(cell.problem)) return {};
  std::erase_if(times,
                [&](const std::string& t) { return !reference_digest(cell.problem, t).empty(); });
  return times;
}

std::map<std::string, std::string> sources_used(const Cell& cell) {
  Roots roots = roots_of(cell);
  std::map<std::string, std::string> used = source_graph().closure(roots.files, roots.left_out);
  used.merge(roots.data);
  return used;
}

std::string sources_digest(const Cell& cell) {
  static std::mutex mutex;
  static std::map<std::string, std::string> known;
  const Roots roots = roots_of(cell);
  std::string key = listed(roots.data);
  for (const std::string& file : roots.files) key += file + " ";
  for (const std::string& file : roots.left_out) key += "!" + file;
  const std::string states = references_used(cell);
  const std::lock_guard lock(mutex);
  std::string& sum = known[key];
  if (sum.empty()) {
    sum = digest(listed(roots.data) + listed(source_graph().closure(roots.files, roots.left_out)));
  }
  return states.empty() ? sum : digest(sum + "\n" + states);
}

}  // namespace daemark
