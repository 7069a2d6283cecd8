#include "experiments/terminal/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "base/program/paths.hpp"

namespace daemark {
namespace {

/// Widths of the columns. Where they leave the last one too little of a line, the others are no
/// wider than their longest words need.
std::vector<std::size_t> column_widths(const std::vector<std::vector<std::string>>& rows,
                                       std::size_t most) {
  constexpr std::size_t least = 30, narrow = 20;
  std::vector<std::size_t> widths, words;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0), words.resize(widths.size(), narrow);
    for (std::size_t i = 0; i < row.size(); ++i) {
      widths[i] = std::max(widths[i], text_width(row[i]));
      for (const std::string& word : wrapped_lines(row[i], 1))
        words[i] = std::max(words[i], text_width(word));
    }
  }
  const auto last = [&] {  // where the last column begins
    std::size_t at = 0;
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) at += widths[i] + 2;
    return at;
  };
  if (last() + least > most)
    for (std::size_t i = 0; i + 1 < widths.size(); ++i) widths[i] = std::min(widths[i], words[i]);
  if (!widths.empty() && last() + least <= most)
    widths.back() = std::min(widths.back(), most - last());
  return widths;
}

}  // namespace

std::string columns(const std::vector<std::vector<std::string>>& rows, int indent) {
  constexpr std::size_t most = 100;
  const std::string margin(static_cast<std::size_t>(indent), ' ');
  const std::vector<std::size_t> widths = column_widths(rows, most - margin.size());
  std::string text;
  for (const auto& row : rows) {
    std::vector<std::vector<std::string>> cells;
    std::size_t lines = 1;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const bool fits = text_width(row[i]) <= widths[i];  // blanks in it stay
      cells.push_back(fits ? std::vector<std::string>{row[i]} : wrapped_lines(row[i], widths[i]));
      lines = std::max(lines, cells.back().size());
    }
    for (std::size_t k = 0; k < lines; ++k) {
      std::string line = margin;
      for (std::size_t i = 0; i < cells.size(); ++i) {
        const std::string part = k < cells[i].size() ? cells[i][k] : "";
        line += part + std::string(widths[i] - std::min(widths[i], text_width(part)) + 2, ' ');
      }
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
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
