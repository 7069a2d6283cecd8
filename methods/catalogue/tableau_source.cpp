#include "methods/catalogue/tableau_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "methods/catalogue/tableau_parts.hpp"

namespace daemark {
namespace {

using std::string;
using std::string_view;

const std::map<string, Dialect> dialects = {{".def", Dialect::c},
                                            {".c", Dialect::c},
                                            {".h", Dialect::c},
                                            {".jl", Dialect::julia},
                                            {".py", Dialect::python}};

/// The plain form. Throws BadInput with the line.
SourceTableau plain_tableau(const string& text, const string& where, const string& name) {
  std::vector<std::vector<SourceValue>> rows;
  std::vector<SourceValue> nodes;
  int line = 0;
  for (const SourcePart& part : split_outside(text, "\n")) {
    const string place = fmt::format("{}, line {}", where, ++line);
    const string body = part.text.substr(0, part.text.find('#'));
    const std::size_t bar = body.find('|');
    if (bar != body.npos) nodes.push_back(SourceValue::written(body.substr(0, bar), place));
    std::vector<SourceValue> row;
    for (const SourcePart& word : split_outside(body.substr(bar == body.npos ? 0 : bar + 1), " \t"))
      if (!word.text.empty()) row.push_back(SourceValue::written(word.text, place));
    if (!row.empty()) rows.push_back(std::move(row));
  }
  const std::size_t s = rows.empty() ? 0 : rows.front().size();
  if (s == 0 || (rows.size() != s + 1 && rows.size() != s + 2) ||
      (!nodes.empty() && nodes.size() != s))
    throw BadInput(
        fmt::format("{}: {} rows, the first of {} entries; accepted: s rows of A, each "
                    "\"a_1 ... a_s\" or \"c | a_1 ... a_s\", then b, then b_hat if any",
                    where, rows.size(), s));
  std::vector<SourceValue> A;
  for (std::size_t i = 0; i < s; ++i) A.push_back(SourceValue::list(rows[i]));
  SourceTableau out;
  out.name = name;
  out.line = line;
  std::set<string> taken;
  out.tableau.id = id_of(name, taken);
  try {
    fill(out.tableau, SourceValue::list(std::move(A)), SourceValue::list(rows[s]),
         nodes.empty() ? std::nullopt : std::optional(SourceValue::list(nodes)),
         rows.size() == s + 2 ? std::optional(SourceValue::list(rows[s + 1])) : std::nullopt);
  } catch (const Unreadable& reason) {
    throw BadInput(where + ": " + reason.what());
  }
  return out;
}

/// "FILE:NAME" in two; NAME is empty where the whole is a file.
std::pair<std::filesystem::path, string> file_and_name(const string& target) {
  const std::size_t colon = target.rfind(':');
  std::error_code ignored;
  if (colon == target.npos || std::filesystem::exists(target, ignored)) return {target, ""};
  return {target.substr(0, colon), target.substr(colon + 1)};
}

constexpr std::size_t most_bytes = 16U << 20;

string text_of(const std::filesystem::path& file) {
  std::error_code ignored;
  const auto refuse = [&](const char* why) {
    throw BadInput(printable(file.string(), 200) + ": " + why +
                   "; accepted: a readable file of at most 16 MB");
  };
  if (!std::filesystem::exists(file, ignored)) refuse("no such file");
  if (std::filesystem::is_directory(file, ignored)) refuse("is a directory");
  if (std::filesystem::file_size(file, ignored) > most_bytes) refuse("more than 16 MB");
  const std::optional<string> text = read_text(file);
  if (!text) refuse("cannot be read");
  if (text->find('\0') != text->npos) refuse("a zero byte: no text");
  return *text;
}

bool is_readable(const SourceTableau& known) { return known.unreadable.empty(); }

/// Of a file; what a Julia file does not tell by itself, with the tableaus of numbers that it and
/// the files beside it make.
std::vector<SourceTableau> tableaus_of(const std::filesystem::path& file, const string& text) {
  const Dialect dialect = dialects.at(file.extension().string());
  std::vector<SourceTableau> found = tableaus_in(text, dialect);
  if (dialect != Dialect::julia || std::all_of(found.begin(), found.end(), is_readable))
    return found;
  SourceStructs structs;
  std::error_code none;
  const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
  std::set<std::filesystem::path> beside;
  for (const auto& entry : std::filesystem::directory_iterator(folder, none))
    if (entry.path().filename().string().ends_with("tableaus.jl")) beside.insert(entry.path());
  for (const std::filesystem::path& one : beside) add_structs(text_of(one), structs);
  add_structs(text, structs);
  return tableaus_in(text, dialect, structs);
}

}  // namespace

bool is_tableau_source(const string& target) {
  const std::filesystem::path file = file_and_name(target).first;
  return file.extension() == ".txt" || dialects.contains(file.extension().string());
}

std::vector<SourceTableau> read_tableau_source(const string& target) {
  const auto [file, wanted] = file_and_name(target);
  const string where = printable(file.string(), 200);
  const string text = text_of(file);
  if (file.extension() == ".txt") return {plain_tableau(text, where, file.stem().string())};
  std::vector<SourceTableau> found = tableaus_of(file, text);
  if (found.empty())
    throw BadInput(
        where +
        ": no tableau is stated in it; accepted: SUNDIALS' arkode_butcher_*.def, PETSc's "
        "rk.c and arkimex.c, tableaus of OrdinaryDiffEq, DiffEqDevTools and "
        "RungeKutta.jl (.jl), nodepy's (.py), rows of A, b and b_hat (.txt)");
  if (!wanted.empty()) {
    std::vector<string> names;
    for (const SourceTableau& known : found) names.push_back(known.name);
    std::erase_if(found, [&, &name = wanted](const SourceTableau& known) {
      return known.name != name && known.tableau.id != name;
    });
    if (found.empty())
      throw BadInput(fmt::format("{}: no tableau {} in it{}; accepted: {}", where,
                                 in_quotes(wanted, 60), did_you_mean(wanted, names),
                                 fmt::join(names, ", ")));
  }
  if (std::none_of(found.begin(), found.end(), is_readable))
    throw BadInput(
        fmt::format("{}, line {}: {}: {}; accepted: numbers, fractions and roots of them", where,
                    found.front().line, found.front().name, found.front().unreadable));
  return found;
}

std::vector<OutsideMethod> load_outside(const string& target) {
  if (!is_tableau_source(target)) return {{target, load_method_file(target)}};
  std::vector<OutsideMethod> out;
  for (SourceTableau& known : read_tableau_source(target))
    if (known.unreadable.empty())
      out.push_back({file_and_name(target).first, std::move(known.tableau)});
  return out;
}

}  // namespace daemark
