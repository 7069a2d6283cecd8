#include "experiments/field/collections.hpp"

#include <fmt/format.h>

#include <sstream>

#include "analysis/exact/proof/verify.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"
#include "experiments/errata/errata_parts.hpp"
#include "methods/catalogue/tableau_file.hpp"
#include "methods/catalogue/tableau_source.hpp"

namespace daemark::exact {
namespace {

using nlohmann::json;

/// "/A/4/2" as "A[5][3]", "/claims/order" as "order".
std::string place_text(const std::string& pointer) {
  std::string out;
  std::istringstream parts(pointer);
  for (std::string part; std::getline(parts, part, '/');) {
    const bool index = !part.empty() && part.find_first_not_of("0123456789") == part.npos;
    if (index)
      out += "[" + std::to_string(std::stoi(part) + 1) + "]";
    else if (part != "claims")
      out += part;
  }
  return out;
}

std::string value_text(const json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

VerifyReport verdict(const json& tableau, const std::string& where) {
  json whole = tableau;
  whole["id"] = "as_printed";
  whole["kind"] = "runge_kutta";
  return verify_coefficients(read_method(whole, where));
}

void check_tableau(const json& entry, const std::string& where, FieldErratum& out) {
  json right = get_object(entry, "tableau", where);
  const json& changes = get_object(entry, "right", where);
  const VerifyReport printed = verdict(right, where);
  for (const auto& [pointer, value] : changes.items()) {
    json::json_pointer place;
    try {
      place = json::json_pointer(pointer);
    } catch (const json::exception&) {
      throw BadInput(where + ": right: '" + pointer + "' is no place; accepted: \"/A/0/1\"");
    }
    if (!right.contains(place))
      throw BadInput(where + ": right: nothing is printed at '" + pointer + "'");
    const char* comma = out.printed.empty() ? "" : ", ";
    out.printed += comma + place_text(pointer) + " = " + value_text(right[place]);
    out.right += comma + place_text(pointer) + " = " + value_text(value);
    right[place] = value;
  }
  const VerifyReport corrected = verdict(right, where + ", right");
  (printed.verified() ? out.refusal : out.condition) =
      printed.verified() ? "nothing fails as printed" : printed.failures.front();
  if (!corrected.verified()) out.refusal = "also fails as corrected: " + corrected.failures.front();
  const std::string file = std::filesystem::path(out.file).filename().string();
  const bool read =
      is_tableau_source(file) && !(entry.contains("unread") && get_bool(entry, "unread", where));
  out.command = read ? fmt::format("daemark verify {}:{}", file, out.name) : "daemark verify field";
}

}  // namespace

std::vector<FieldErratum> run_field_errata(const std::filesystem::path& file) {
  const json all = parse_json_file(file.string());
  std::vector<FieldErratum> out;
  if (!all.is_array()) throw BadInput(file.string() + ": a list of entries is accepted");
  ProgressParts parts(std::vector<double>(all.size(), 1.0));
  for (std::size_t i = 0; i < all.size(); ++i) {
    const ProgressShare share = parts.next();
    tell_progress("entries", 0);
    const std::string where = fmt::format("{}: entry {}", file.filename().string(), i + 1);
    const json& entry = all[i];
    require_keys(entry, where, {"project", "version", "file", "name", "tableau", "right", "note"},
                 {"unread"});
    FieldErratum found;
    for (const auto& [key, value] :
         {std::pair("project", &found.project), std::pair("version", &found.version),
          std::pair("file", &found.file), std::pair("name", &found.name),
          std::pair("note", &found.note)})
      *value = get_string(entry, key, where);
    check_tableau(entry, where, found);
    out.push_back(std::move(found));
  }
  return out;
}

void write_field_errata(const std::vector<FieldErratum>& errata,
                        const std::filesystem::path& folder) {
  std::string text = "# Errata of public collections\n\n" +
                     wrapped(fmt::format(
                         "{} entries, each for the version named. What is printed fails a "
                         "check and the right values pass all; `daemark verify` runs both. "
                         "The command shows it, given the project's own file; programs may "
                         "have been corrected since.",
                         errata.size())) +
                     "\n",
              table = "project,version,file,name,printed,right,check,command,note\n", project;
  for (const FieldErratum& e : errata) {
    if (e.project != project) text += "\n## " + (project = e.project) + "\n";
    text += "\n### " + e.name + "\n\n" +
            value_lines({{"where", e.file + ", " + e.version},
                         {"printed", e.printed},
                         {"right", e.right},
                         {"check", e.condition},
                         {"note", e.note},
                         {"REFUSED", e.refusal}}) +
            "\n      " + e.command + "\n";
    for (const std::string& cell :
         {e.project, e.version, e.file, e.name, e.printed, e.right, e.condition, e.command})
      table += csv_quoted(cell) + ",";
    table += csv_quoted(e.note) + "\n";
  }
  write_if_changed(folder / "errata-field.md", text);
  write_if_changed(folder / "errata-field.csv", table);
}

}  // namespace daemark::exact
