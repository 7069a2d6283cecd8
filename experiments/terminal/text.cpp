#include "experiments/terminal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/program/paths.hpp"

namespace daemark {
std::string columns(const std::vector<std::vector<std::string>>& rows, int indent) {
  constexpr std::size_t most = 120, least = 40;  // of a line, of a column that is wrapped
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (std::size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], text_width(row[i]));
  }
  std::size_t last = static_cast<std::size_t>(indent);  // where the last column begins
  for (std::size_t i = 0; i + 1 < widths.size(); ++i) last += widths[i] + 2;
  std::string text;
  for (const auto& row : rows) {
    std::string line(static_cast<std::size_t>(indent), ' ');
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool wraps =
          i + 1 == widths.size() && last + least <= most && last + text_width(row[i]) > most;
      const std::vector<std::string> lines =
          wraps ? wrapped_lines(row[i], most - last) : std::vector<std::string>{row[i]};
      for (std::size_t k = 0; k < lines.size(); ++k)
        line += (k > 0 ? "\n" + std::string(last, ' ') : "") + lines[k];
      line += std::string(widths[i] - std::min(widths[i], text_width(row[i])) + 2, ' ');
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + "\n";
  }
  return text;
}

std::string signature(const std::string& id, const std::vector<Parameter>& parameters) {
  std::string inside;
  for (const Parameter& p : parameters) {
    std::string part = p.fallback.empty() ? p.name : p.name + "=" + p.fallback;
    if (p.optional && p.fallback.empty()) part = "[" + part + "]";
    inside += (inside.empty() ? "" : ", ") + part;
  }
  return inside.empty() ? id : id + "(" + inside + ")";
}

std::string parameter_lines(const std::vector<Parameter>& parameters) {
  std::vector<std::vector<std::string>> rows;
  for (const Parameter& p : parameters)
    rows.push_back({p.name, p.accepted,
                    !p.fallback.empty() ? "default " + p.fallback
                    : p.optional        ? "optional"
                                        : "required"});
  return columns(rows, 4);
}

std::string tree_path(const std::string& file) {
  const std::filesystem::path relative =
      std::filesystem::path(file).lexically_relative(source_root());
  if (!relative.empty() && relative.begin()->string() != "..") return relative.string();
  return file;
}

std::string brief(double value) {
  return std::isnan(value) ? "-" : fmt::format("{:.6g}", value + 0.0);  // no -0
}

}  // namespace daemark
