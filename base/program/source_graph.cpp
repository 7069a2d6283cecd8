#include "base/program/source_graph.hpp"

#include <stdexcept>

namespace daemark {
namespace {

std::string folder_of(const std::string& path) { return path.substr(0, path.rfind('/') + 1); }
std::string without_ending(const std::string& path) { return path.substr(0, path.rfind('.')); }

bool is_unit(const std::string& path) { return path.ends_with(".cpp") || path.ends_with(".c"); }

}  // namespace

SourceGraph::SourceGraph(const std::vector<SourceFile>& files) {
  for (const SourceFile& file : files) nodes_[file.path] = {file.digest, {}};
  const auto implements = [this](const std::string& header, const std::string& unit) {
    const auto found = nodes_.find(header);
    if (found != nodes_.end()) found->second.uses.push_back(unit);
    return found != nodes_.end();
  };
  for (const SourceFile& file : files) {
    for (const std::string& used : file.includes)
      if (nodes_.contains(used)) nodes_[file.path].uses.push_back(used);
    if (!is_unit(file.path)) continue;
    const std::string stem = without_ending(file.path);
    const bool own = implements(stem + ".hpp", file.path) || implements(stem + ".h", file.path);
    if (own || file.registers || file.includes.empty()) continue;
    const auto is_near = [&](const std::string& used) {
      return folder_of(used) == folder_of(file.path);
    };
    if (file.own_first && is_near(file.includes.front())) {
      implements(file.includes.front(), file.path);
      continue;
    }
    for (const std::string& used : file.includes)
      if (is_near(used)) implements(used, file.path);
  }
}

std::string SourceGraph::digest_of(const std::string& path) const {
  const auto found = nodes_.find(path);
  return found == nodes_.end() ? "" : found->second.digest;
}

std::map<std::string, std::string> SourceGraph::closure(
    const std::vector<std::string>& roots, const std::set<std::string>& left_out) const {
  std::map<std::string, std::string> found;
  std::vector<std::string> open = roots;
  for (const std::string& root : roots)
    if (!nodes_.contains(root)) throw std::logic_error("no source of this program: " + root);
  const std::set<std::string> begin(open.begin(), open.end());
  while (!open.empty()) {
    const std::string path = std::move(open.back());
    open.pop_back();
    if (left_out.contains(path) && !begin.contains(path)) continue;
    const Node& node = nodes_.at(path);
    if (!found.emplace(path, node.digest).second) continue;
    open.insert(open.end(), node.uses.begin(), node.uses.end());
  }
  return found;
}

const SourceGraph& source_graph() {
  static const SourceGraph graph(source_files());
  return graph;
}

}  // namespace daemark
