#include "methods/catalogue/tableau_source.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/input/strict_json.hpp"
#include "base/program/paths.hpp"
#include "base/program/process.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

using nlohmann::json;
using std::string;

/// Splits "FILE:NAME"; NAME is empty if the whole text is a file.
std::pair<std::filesystem::path, string> file_and_name(const string& target) {
  const std::size_t colon = target.rfind(':');
  std::error_code ignored;
  if (colon == target.npos || std::filesystem::exists(target, ignored)) return {target, ""};
  return {target.substr(0, colon), target.substr(colon + 1)};
}

string text_of(const std::filesystem::path& file) {
  constexpr std::size_t most_bytes = 16U << 20;
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

/// For tableau files: decimals of at most three places become exact fractions.
string plain_entry(const string& word, const string& where) {
  const Expression entry = Expression::parse(word, where);
  if (!entry.is_rational()) return entry.text();
  const rational value = entry.as_rational();
  const bool short_decimal = mp::denominator(rational(1000 * value)) == 1;
  return entry.has_decimal() && !short_decimal ? entry.text() : value.str();
}

string plain_sum(const std::vector<string>& row) {
  const Expression sum = Expression::parse(fmt::format("({})", fmt::join(row, ")+(")), "row sum");
  return sum.is_rational() && !sum.has_decimal() ? sum.as_rational().str() : sum.text();
}

/// Rows of A with or without nodes, b and b_hat. Throws BadInput with the line.
json plain_tableau(const string& text, const string& where, const string& name) {
  std::vector<std::vector<string>> rows;
  std::vector<string> nodes;
  int line = 0;
  std::istringstream lines(text);
  for (string body; std::getline(lines, body);) {
    const string place = fmt::format("{}, line {}", where, ++line);
    body.erase(std::min(body.find('#'), body.size()));
    const std::size_t bar = body.find('|');
    if (bar != body.npos) nodes.push_back(plain_entry(body.substr(0, bar), place));
    std::vector<string> row;
    std::istringstream words(body.substr(bar == body.npos ? 0 : bar + 1));
    for (string word; words >> word;) row.push_back(plain_entry(word, place));
    if (!row.empty()) rows.push_back(std::move(row));
  }
  const std::size_t s = rows.empty() ? 0 : rows.front().size();
  if (s == 0 || (rows.size() != s + 1 && rows.size() != s + 2) ||
      (!nodes.empty() && nodes.size() != s))
    throw BadInput(
        fmt::format("{}: {} rows, the first of {} entries; accepted: s rows of A, each "
                    "\"a_1 ... a_s\" or \"c | a_1 ... a_s\", then b, then b_hat if any",
                    where, rows.size(), s));
  json found = {{"name", name}, {"line", line}, {"claims", json::object()}, {"b", rows[s]}};
  if (rows.size() == s + 2) found["b_hat"] = rows[s + 1];
  rows.resize(s);
  if (nodes.empty()) std::transform(rows.begin(), rows.end(), std::back_inserter(nodes), plain_sum);
  found["A"] = rows, found["c"] = nodes;
  return json::array({found});
}

/// The tableaus found by the reader of other languages, which executes nothing.
json foreign_tableaus(const std::filesystem::path& file, const string& where) {
  constexpr double most_seconds = 600;
  const ScratchFolder folder;
  const std::filesystem::path output = folder.path() / "tableaus.json";
  const auto script = source_root() / "methods" / "catalogue" / "foreign" / "tableaus.py";
  const ChildEnd end =
      run_child({"python3", "-B", script.string(), file.string()}, output, most_seconds);
  if (end.not_started != 0)
    throw BadInput(where + ": python3, which reads sources of other programs, is not installed");
  if (end.timed_out || end.status != 0)
    throw BadInput(where + ": no tableaus can be read from it: " +
                   printable(read_text(output).value_or(""), 200));
  return parse_json_file(output.string());
}

string id_of(const string& name, std::vector<string>& taken) {
  string id;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80 && std::isalnum(byte) != 0)
      id += static_cast<char>(std::tolower(byte));
    else if (byte < 0x80 && !id.empty() && id.back() != '_')
      id += '_';
  }
  if (id.empty() || std::isdigit(static_cast<unsigned char>(id.front())) != 0) id = "m_" + id;
  while (id.back() == '_') id.pop_back();
  id.resize(std::min<std::size_t>(id.size(), 60));
  string unique = id;
  for (int k = 2; std::find(taken.begin(), taken.end(), unique) != taken.end(); ++k)
    unique = id + "_" + std::to_string(k);
  taken.push_back(unique);
  return unique;
}

SourceTableau tableau_of_entry(json entry, const string& id) {
  SourceTableau out{entry["name"], entry["line"], {}, ""};
  out.tableau.id = id;
  if (entry.contains("unreadable")) {
    out.unreadable = entry["unreadable"];
    return out;
  }
  for (const char* key : {"name", "line"}) entry.erase(key);
  entry["id"] = id, entry["decimal"] = true;
  if (!entry.contains("kind")) entry["kind"] = "runge_kutta";
  try {
    out.tableau = read_method(entry, out.name);
  } catch (const BadInput& reason) {
    out.unreadable = reason.what();
  }
  const std::vector<const Expression*> all = entries_of(out.tableau);
  out.tableau.decimal =
      std::any_of(all.begin(), all.end(), [](const Expression* e) { return e->has_decimal(); });
  return out;
}

bool is_readable(const SourceTableau& known) { return known.unreadable.empty(); }

}  // namespace

bool is_tableau_source(const string& target) {
  const string extension = file_and_name(target).first.extension().string();
  for (const char* known :
       {".txt", ".def", ".c", ".h", ".cpp", ".hpp", ".cc", ".cxx", ".hh", ".jl", ".py"})
    if (extension == known) return true;
  return false;
}

std::vector<SourceTableau> read_tableau_source(const string& target) {
  const auto [file, wanted] = file_and_name(target);
  const string where = printable(file.string(), 200);
  const string text = text_of(file);
  const bool plain = file.extension() == ".txt";
  std::vector<SourceTableau> found;
  std::vector<string> ids, names;
  for (const json& entry :
       plain ? plain_tableau(text, where, file.stem().string()) : foreign_tableaus(file, where)) {
    names.push_back(entry["name"]);
    found.push_back(tableau_of_entry(entry, id_of(names.back(), ids)));
  }
  if (found.empty())
    throw BadInput(
        where +
        ": no tableau in a form that is read; accepted: SUNDIALS' arkode_butcher_*.def, PETSc's "
        "rk.c and arkimex.c, OpenModelica's gbode_tableau.c, those of tudat and odeint (.cpp, "
        ".hpp), of OrdinaryDiffEq, DiffEqDevTools, RungeKutta.jl and Theseus (.jl), of nodepy, "
        "diffrax and daceypy (.py), rows of A, b and b_hat (.txt)");
  if (!wanted.empty() && !plain) {
    std::erase_if(found, [&, &name = wanted](const SourceTableau& known) {
      return known.name != name && known.tableau.id != name;
    });
    if (found.empty())
      throw BadInput(fmt::format("{}: no tableau {} in it{}", where, in_quotes(wanted, 60),
                                 accepted_names(wanted, names, "daemark verify FILE")));
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
