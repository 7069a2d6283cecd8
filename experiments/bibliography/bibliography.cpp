#include "experiments/bibliography/bibliography.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <regex>

#include "base/input/fields.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"

namespace daemark {
namespace {

using nlohmann::json;

const std::regex& bracketed_key() {
  static const std::regex pattern(R"(\[([a-z_]+[0-9]{4}[a-z]?)\])");
  return pattern;
}

std::string family_of(const std::string& author) { return author.substr(0, author.find(',')); }

/// "Family, Given" as "Given Family".
std::string as_spoken(const std::string& author) {
  const std::size_t comma = author.find(", ");
  if (comma == std::string::npos) return author;
  return author.substr(comma + 2) + " " + author.substr(0, comma);
}

const Fields<Reference>& fields_of_reference() {
  static const auto fields = Fields<Reference>()
                                 .required("authors", &Reference::authors)
                                 .required("title", &Reference::title)
                                 .required("in", &Reference::in)
                                 .required("year", &Reference::year, 1600, 2100)
                                 .optional("doi", &Reference::doi)
                                 .optional("note", &Reference::note)
                                 .check([](const Reference& r, const std::string& where) {
                                   if (r.authors.empty())
                                     throw BadInput(where + ": 'authors' is empty");
                                 });
  return fields;
}

std::map<std::string, Reference> read_bibliography() {
  const std::string file = "experiments/bibliography/bibliography.json";
  const json in = parse_json_file((source_root() / file).string());
  std::map<std::string, Reference> references;
  for (const auto& [key, entry] : in.items())
    references.emplace(key, fields_of_reference().read(entry, file + ", " + key));
  return references;
}

}  // namespace

std::string Reference::short_text() const {
  std::string names = family_of(authors.front());
  if (authors.size() > 3)
    names += " et al.";
  else
    for (std::size_t i = 1; i < authors.size(); ++i)
      names += (i + 1 == authors.size() ? " & " : ", ") + family_of(authors[i]);
  return fmt::format("{} {}", names, year);
}

std::string Reference::text() const {
  std::vector<std::string> names(authors.size());
  std::transform(authors.begin(), authors.end(), names.begin(), as_spoken);
  return fmt::format("{}: {}. {}, {}{}.{}", fmt::join(names, ", "), title, in, year,
                     doi.empty() ? "" : ", doi:" + doi, note.empty() ? "" : " " + note);
}

const std::map<std::string, Reference>& bibliography() {
  static const std::map<std::string, Reference> references = read_bibliography();
  return references;
}

std::vector<std::string> cited_keys(const std::string& text) {
  std::vector<std::string> keys;
  for (std::sregex_iterator found(text.begin(), text.end(), bracketed_key()), end; found != end;
       ++found)
    if (std::find(keys.begin(), keys.end(), (*found)[1].str()) == keys.end())
      keys.push_back((*found)[1]);
  return keys;
}

std::string with_citations(const std::string& text) {
  std::string out = text;
  for (const std::string& key : cited_keys(text)) {
    const auto known = bibliography().find(key);
    if (known == bibliography().end()) continue;
    const std::string bracketed = "[" + key + "]";
    for (std::size_t at; (at = out.find(bracketed)) != std::string::npos;)
      out.replace(at, bracketed.size(), known->second.short_text());
  }
  return out;
}

std::vector<std::string> full_references(const std::string& text) {
  std::vector<std::string> references;
  for (const std::string& key : cited_keys(text)) {
    const auto known = bibliography().find(key);
    if (known != bibliography().end()) references.push_back(known->second.text());
  }
  return references;
}

std::string citation(const std::string& key, const std::string& where) {
  if (key.empty()) return where;
  return "[" + key + "]" + (where.empty() ? "" : ", " + where);
}

}  // namespace daemark
