#include "experiments/cells/services.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <fstream>

#include "analysis/run/constraint_block.hpp"
#include "base/program/build_info.hpp"
#include "base/program/paths.hpp"
#include "base/program/source_digests.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/deviation.hpp"
#include "experiments/cells/exact_cell.hpp"
#include "experiments/cells/linear_cell.hpp"
#include "experiments/cells/order_cell.hpp"
#include "methods/core/registry.hpp"
#include "methods/core/settings.hpp"
#include "problems/core/registry.hpp"

namespace daemark {
namespace {

/// Sources every cell depends on: all of the cores, and of analysis/ what does not only draw or
/// judge. A new file there counts until it is named here.
bool is_core(const std::string& path) {
  static const std::array<const char*, 4> only_shown = {"analysis/report", "analysis/orders",
                                                        "analysis/linear", "analysis/exact"};
  for (const char* prefix : only_shown) {
    if (path.starts_with(prefix)) return false;
  }
  return path.starts_with("base/") || path.starts_with("problems/core/") ||
         path.starts_with("methods/core/") || path.starts_with("methods/stages/") ||
         path.starts_with("methods/runge_kutta/") || path.starts_with("methods/multistep/") ||
         path.starts_with("analysis/") || path.starts_with("experiments/cells/cell");
}

/// Sources that only cells of one kind depend on.
bool is_core_of(const Cell& cell, const std::string& path) {
  switch (cell.kind) {
    case CellKind::linear:
      return path.starts_with("analysis/linear/") ||
             path.starts_with("experiments/cells/linear_cell") ||
             path.starts_with("experiments/cells/level_line") ||
             path.starts_with("analysis/orders/");
    case CellKind::orders:
      return path.starts_with("experiments/cells/order_cell") ||
             path.starts_with("analysis/orders/") ||
             path.starts_with("analysis/linear/stability_function");
    case CellKind::exact:
      return path.starts_with("analysis/exact/") ||
             path.starts_with("experiments/cells/exact_cell");
    case CellKind::integration:
      break;
  }
  return !cell.against.method.empty() && path.starts_with("experiments/cells/deviation");
}

/// "methods/rk/gauss.cpp" out of a __FILE__ or registry path that ends so.
bool names_file(const std::string& registered, const std::string& path) {
  if (registered == path) return true;
  return registered.size() > path.size() && registered.ends_with("/" + path);
}

/// The stem's neighbours too: gauss.cpp and gauss.hpp, and everything in the file's own folder
/// below methods/ except the tableaus, since families share code there.
bool belongs(const std::string& registered, const std::string& path) {
  if (names_file(registered, path)) return true;
  if (path.starts_with("methods/tableaus/")) return false;
  const std::string folder = path.substr(0, path.rfind('/') + 1);
  if (folder == "problems/" || folder == "methods/") {
    const std::string stem = path.substr(0, path.rfind('.'));
    return names_file(registered, stem + ".cpp");
  }
  return registered.find("/" + folder) != std::string::npos || registered.starts_with(folder);
}

void collect_calls(const Call& call, std::vector<std::string>& ids) {
  ids.push_back(call.id);
  for (const CallArgument& argument : call.arguments) {
    if (argument.value.call) collect_calls(*argument.value.call, ids);
    if (argument.value.kind == CallValue::Kind::word) ids.push_back(argument.value.text);
  }
}

std::map<std::string, std::string> sources_of(const Cell& cell) {
  std::vector<std::string> files;
  if (cell.kind != CellKind::linear && cell.kind != CellKind::exact) {
    files.push_back(problem_registry().info(parse_call(cell.problem, "problem").id).file);
  }
  std::vector<std::string> ids;
  collect_calls(parse_call(cell.method, "method"), ids);
  if (!cell.against.method.empty()) collect_calls(parse_call(cell.against.method, "method"), ids);
  for (const std::string& id : ids) {
    if (method_registry().has(id)) files.push_back(method_registry().info(id).file);
  }
  std::map<std::string, std::string> out;
  for (const auto& [path, sum] : source_digests()) {
    bool needed = is_core(path) || is_core_of(cell, path);
    for (const std::string& file : files) needed = needed || belongs(file, path);
    if (needed) out[path] = sum;
  }
  // A tableau from outside the tree (--tableau) is no source of the program: its content counts.
  for (const std::string& file : files) {
    if (file.ends_with(".json")) out[file] = digest(read_text(file).value_or(""));
  }
  return out;
}

std::vector<std::string> components_of(const Cell& cell) {
  const bool minimal = parse_call(cell.formulation, "formulation").id == "minimal";
  const auto mechanism = problem_registry().make(cell.problem).make<double>(minimal);
  return mechanism->chart_size() > 0 ? mechanism->reference_names() : mechanism->coordinate_names();
}

void add_constraint_measures(const Cell& cell, CellResult& result) {
  if (cell.formulation != "index3") return;
  const auto method = method_registry().make(cell.method);
  const std::optional<WideBlock> block = method->block();
  if (!block) return;
  const ConstraintBlock pair = constraint_block(*block);
  if (!pair.exists) return;
  result.measures["constraint_rho"] = pair.rho;
  result.measures["constraint_coupling"] = pair.coupling;
}

/// A pair that cannot be run at all (a method that refuses the formulation) is a result with status
/// "refused"; what names nothing (unknown ids, settings) stays bad input.
CellResult run_cell(const Cell& cell) {
  if (cell.kind == CellKind::linear) return run_linear(cell);
  if (cell.kind == CellKind::orders) return run_orders(cell);
  if (cell.kind == CellKind::exact) return run_exact(cell);
  const std::vector<std::string> components = components_of(cell);
  method_registry().make(cell.method);
  parse_settings(cell.settings, cell.precision);
  CellResult result;
  try {
    result = cell.is_study() ? from_study(converge(converge_request(cell)), components)
                             : from_run(run(run_request(cell)), components);
  } catch (const BadInput& refusal) {
    result.status = "refused";
    result.why = refusal.what();
    return result;
  }
  if (const auto steps = result.counts.find("steps");
      !cell.is_study() && steps != result.counts.end()) {
    result.counts["sub_steps"] = steps->second * method_registry().make(cell.method)->cost_stages();
  }
  add_constraint_measures(cell, result);
  if (!cell.against.method.empty()) add_deviation(cell, components, result);
  return result;
}

std::string renderer_digest() {
  std::string text;
  for (const auto& [path, sum] : source_digests()) {
    if (path.starts_with("analysis/") || path.starts_with("experiments/")) text += path + sum;
  }
  return digest(text);
}

std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return text;
  std::array<char, 4096> buffer;
  while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
    text.append(buffer.data(), got);
  }
  pclose(pipe);
  return text;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) return line.substr(colon + 2);
  }
  return "unknown";
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

}  // namespace

nlohmann::json provenance() {
  const std::string git = "git -C " + shell_quoted(source_root().string()) + " ";
  std::string revision = output_of(git + "rev-parse --verify HEAD 2>/dev/null");
  while (!revision.empty() && revision.back() == '\n') revision.pop_back();
  nlohmann::json libraries = nlohmann::json::object();
  for (const auto& [name, version] : library_versions()) libraries[name] = version;
  return {{"revision", revision.empty() ? "unknown" : revision},
          {"dirty", !output_of(git + "status --porcelain 2>/dev/null | head -n 1").empty()},
          {"compiler", compiler()},
          {"flags", compiler_flags()},
          {"build", build_type()},
          {"libraries", libraries},
          {"cpu", processor()}};
}

Services catalogue_services() { return {run_cell, sources_of, renderer_digest(), provenance}; }

}  // namespace daemark
