#include "problems/files/file_entry.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>

#include "base/text/near.hpp"
#include "base/text/printable.hpp"

namespace daemark {

using nlohmann::json;

FileEntry::FileEntry(const json& object, std::string where, const FileNames& names,
                     const std::vector<std::string>& required,
                     const std::vector<std::string>& optional)
    : object_(object), where_(std::move(where)), names_(names) {
  std::vector<std::string> keys[2];
  std::vector<std::pair<std::string, std::string>> units;
  for (const auto* const side : {&required, &optional})
    for (const std::string& field : *side) {
      const std::size_t bracket = field.find('[');
      keys[side == &optional].push_back(field.substr(0, bracket));
      if (bracket != field.npos)
        units.emplace_back(field.substr(0, bracket),
                           field.substr(bracket + 1, field.size() - bracket - 2));
    }
  require_keys(object, where_, keys[0], keys[1]);
  for (const auto& [key, unit] : units)
    if (object.contains(key)) check_units(object.at(key), key, unit);
}

void FileEntry::check_units(const json& value, const std::string& place,
                            const std::string& accepted) const {
  if (value.is_object() && value.contains("table") && value["table"].is_array()) {
    for (const json& point : value["table"])
      for (std::size_t i = 0; point.is_array() && i < point.size(); ++i)
        check_units(point[i], place, i == 0 ? "s" : accepted);
    return;
  }
  for (std::size_t i = 0; value.is_array() && i < value.size(); ++i)
    check_units(value[i], fmt::format("{}[{}]", place, i + 1), accepted);
  if (!value.is_string()) return;
  const std::string text = value.get<std::string>();
  // First what is wrong besides units.
  formula(value, place, {names_.numbers, {{"t", 0}}});
  const Unit unit = unit_of_formula(text, where_ + ": " + place, names_.units);
  std::istringstream all(accepted);
  for (std::string one; std::getline(all, one, ',');)
    if (unit.fits(*parsed_unit(one)) && (one != "1" || unit.fits({Unit::Kind::known}))) return;
  refuse(place, fmt::format("{} is in {}; accepted: {}", in_quotes(text), unit.text(),
                            accepted == "1" ? "a number without a unit" : accepted));
}

void FileEntry::refuse(const std::string& place, const std::string& what) const {
  throw BadInput(fmt::format("{}: {}: {}", where_, place, what));
}

std::string FileEntry::text(const char* key) const {
  std::string value = get_string(object_, key, where_);
  if (std::any_of(value.begin(), value.end(),
                  [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    refuse(key, "one line without control characters is accepted");
  return value;
}

std::string FileEntry::word(const char* key, const std::vector<std::string>& accepted) const {
  if (!has(key)) return accepted.front();
  const std::string value = text(key);
  if (std::find(accepted.begin(), accepted.end(), value) == accepted.end())
    refuse(key, fmt::format("{}{}; accepted: {}", in_quotes(value), did_you_mean(value, accepted),
                            fmt::join(accepted, ", ")));
  return value;
}

long FileEntry::integer(const char* key, long lo, long hi) const {
  return get_int(object_, key, where_, lo, hi);
}

std::string FileEntry::formula_text(const json& value, const std::string& place) const {
  if (value.is_number_integer()) return value.dump();
  if (value.is_string()) return value.get<std::string>();
  refuse(place, value.is_number_float()
                    ? "a JSON number with a point has been rounded already; write it in quotes"
                    : "an integer or a formula in quotes is accepted");
}

wide FileEntry::number_from(const json& value, const std::string& place) const {
  return formula(value, place, {names_.numbers, {}, names_.used.get()}).constant();
}

wide FileEntry::number(const char* key) const { return number_from(object_.at(key), key); }
wide FileEntry::number(const char* key, const wide& fallback) const {
  return has(key) ? number(key) : fallback;
}

std::vector<wide> FileEntry::list(const json& values, const std::string& place,
                                  std::size_t count) const {
  if (!values.is_array() || values.size() != count)
    refuse(place, fmt::format("a list of {} numbers is accepted", count));
  std::vector<wide> numbers;
  for (std::size_t i = 0; i < count; ++i)
    numbers.push_back(number_from(values[i], fmt::format("{}[{}]", place, i + 1)));
  return numbers;
}
std::vector<wide> FileEntry::numbers(const char* key, std::size_t count) const {
  return list(object_.at(key), key, count);
}
std::size_t FileEntry::length(const char* key) const {
  return get_array(object_, key, where_).size();
}
FileEntry FileEntry::part(const char* key, const std::vector<std::string>& required,
                          const std::vector<std::string>& optional) const {
  return {object_.at(key), where_ + ": " + key, names_, required, optional};
}
std::vector<FileEntry> FileEntry::parts(const char* key, const std::vector<std::string>& required,
                                        const std::vector<std::string>& optional) const {
  std::vector<FileEntry> all;
  for (const json& entry : get_array(object_, key, where_)) {
    const std::string place = fmt::format("{}: {}[{}]", where_, key, all.size() + 1);
    if (!entry.is_object()) throw BadInput(place + ": an object is accepted");
    all.emplace_back(entry, place, names_, required, optional);
  }
  return all;
}
std::vector<wide> FileEntry::numbers_of(const char* key, std::size_t lists, std::size_t which,
                                        std::size_t count) const {
  const json& all = object_.at(key);
  if (!all.is_array() || all.size() != lists)
    refuse(key, fmt::format("{} lists of {} numbers are accepted", lists, count));
  return list(all[which], fmt::format("{}[{}]", key, which + 1), count);
}

int FileEntry::body_named(const json& name, const std::string& place) const {
  if (!name.is_string()) refuse(place, "the name of a body in quotes is accepted");
  const auto known = names_.bodies.find(name.get<std::string>());
  if (known != names_.bodies.end()) return known->second;
  std::vector<std::string> names;
  for (const auto& [body, number] : names_.bodies) names.push_back(body);
  const std::string typed = name.get<std::string>();
  refuse(place, fmt::format("there is no body {}{}", in_quotes(typed),
                            accepted_names(typed, names, "the list of bodies")));
}
int FileEntry::body(const char* key) const { return body_named(object_.at(key), key); }
std::array<int, 2> FileEntry::bodies() const {
  const json& both = object_.at("bodies");
  if (!both.is_array() || both.size() != 2) refuse("bodies", "a list of two names is accepted");
  return {body_named(both[0], "bodies[1]"), body_named(both[1], "bodies[2]")};
}

std::pair<int, std::string> FileEntry::state_named(const char* key, std::size_t which) const {
  const std::string place = fmt::format("{}[{}]", key, which + 1);
  const json& entry = object_.at(key)[which];
  const json& name = entry.is_array() && entry.size() == 2 ? entry[0] : entry;
  if (!name.is_string()) refuse(place, "a name like \"crank.theta\" in quotes is accepted");
  const std::string text = name.get<std::string>();
  const std::size_t dot = text.find('.');
  return {body_named(text.substr(0, dot), place), dot == text.npos ? "" : text.substr(dot + 1)};
}
wide FileEntry::factor_of(const char* key, std::size_t which) const {
  const std::string place = fmt::format("{}[{}]", key, which + 1);
  const json& entry = object_.at(key)[which];
  if (!entry.is_array() || entry.size() != 2)
    refuse(place, "a pair of a coordinate and a factor is accepted");
  return number_from(entry[1], place);
}

FileFormula FileEntry::formula(const char* key, const FileFormula::Scope& scope) const {
  return formula(object_.at(key), key, scope);
}
FileFormula FileEntry::formula(const json& value, const std::string& place,
                               const FileFormula::Scope& scope) const {
  return FileFormula::parse(formula_text(value, place), where_ + ": " + place, scope);
}

MotionLaw FileEntry::table(const char* key) const {
  constexpr std::size_t most = 1000;
  const FileEntry entry = part(key, {"table"});
  const std::size_t count = entry.length("table");
  if (count < 2 || count > most)
    refuse(key, fmt::format("a table of 2 to {} points is accepted", most));
  std::vector<std::array<wide, 2>> points;
  for (std::size_t i = 0; i < count; ++i) {
    const std::vector<wide> point = entry.numbers_of("table", count, i, 2);
    if (i > 0 && !(point[0] > points.back()[0]))
      refuse(key, fmt::format("table[{}]: times that increase are accepted", i + 1));
    points.push_back({point[0], point[1]});
  }
  return [points](const Var& t) {
    Var value(points.back()[1]);
    for (std::size_t i = points.size() - 1; i > 0; --i) {
      const auto &from = points[i - 1], &to = points[i];
      const wide slope = (to[1] - from[1]) / (to[0] - from[0]);
      value = select(Var(to[0]) - t, Var(from[1]) + Var(slope) * (t - Var(from[0])), value);
    }
    return select(Var(points.front()[0]) - t, Var(points.front()[1]), value);
  };
}

MotionLaw FileEntry::law(const char* key) const {
  if (!has(key)) return {};
  if (object_.at(key).is_object()) return table(key);
  const FileFormula f = formula(key, {names_.numbers, {{"t", 0}}, names_.used.get()});
  return [f](const Var& t) { return f.value<Var>([&](int) { return t; }); };
}

void check_name(const std::string& name, const std::string& where, const FileNames& names) {
  constexpr std::size_t longest = 64;
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); };
  const auto word = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '_'; };
  if (name.empty() || name.size() > longest || !letter(name[0]) ||
      !std::all_of(name.begin(), name.end(), word))
    throw BadInput(
        fmt::format("{}: name {} is not accepted; a letter, then letters, digits and _, at most {}",
                    where, in_quotes(name), longest));
  if (name == "pi" || name == "t" || names.numbers.contains(name) || names.bodies.contains(name))
    throw BadInput(fmt::format("{}: name {} is taken", where, in_quotes(name)));
}

namespace {

/// A parameter with a default: the value of the file.
bool has_default(const json& datum) {
  return datum.contains("parameter") && !datum["parameter"].contains("optional");
}

/// Of the only number of a datum.
void check_range(const FileEntry& datum, const wide& value, const std::string& given) {
  if (!datum.has("parameter")) return;
  const FileEntry range = datum.part("parameter", {"accepted"}, {"optional", "above", "at_most"});
  if ((range.has("above") && !(value > range.number("above"))) ||
      (range.has("at_most") && !(value <= range.number("at_most"))))
    throw BadInput(fmt::format("{} = {} is not accepted: {}", datum.text("name"), printable(given),
                               range.text("accepted")));
}

}  // namespace

FileEntry whole_file(const json& file, const std::string& where, const FileNames& names,
                     std::vector<std::string> required, std::vector<std::string> optional) {
  for (const char* key : {"id", "kind", "source"}) required.emplace_back(key);
  for (const char* key : {"summary", "equations", "choices", "data", "define", "outputs"})
    optional.emplace_back(key);
  return {file, where, names, required, optional};
}

std::vector<std::string> symbols_of(const std::string& name) {
  std::vector<std::string> symbols;
  std::size_t at = 0;
  for (std::size_t comma; (comma = name.find(", ", at)) != std::string::npos; at = comma + 2)
    symbols.push_back(name.substr(at, comma - at));
  symbols.push_back(name.substr(at));
  return symbols;
}

std::string unit_of(const FileEntry& entry) {
  std::string unit = entry.text("unit");
  if (unit.empty()) throw BadInput("unit: one is accepted, \"1\" for none");
  return unit;
}

std::vector<Parameter> parameters_of(const MechanismFile& file) {
  FileNames names;
  std::vector<Parameter> parameters;
  std::set<std::string> titles, choices;
  using Type = Parameter::Type;
  const auto take = [&](const std::string& name, const std::string& place) {
    check_name(name, place, names);
    names.numbers[name] = 0;
  };
  for_each_entry(
      file.content, "data", file.where, [&](const json& entry, const std::string& place) {
        const std::string name = get_string(entry, "name", place);
        const std::vector<std::string> symbols = symbols_of(name);
        for (const std::string& symbol : symbols) take(symbol, place);
        const std::string title =
            entry.contains("title") ? get_string(entry, "title", place) : name;
        if (!titles.insert(title).second) throw BadInput("title " + in_quotes(title) + " is taken");
        if (entry.contains("parameter")) {
          get_object(entry, "parameter", place);
          parameters.push_back(
              {name, Type::real,
               has_default(entry) ? get_expression(entry, "value", place, {"pi"}).text() : "",
               get_string(entry["parameter"], "accepted", place), !has_default(entry)});
        } else if (!file.of_catalogue && symbols.size() == 1) {
          parameters.push_back({name, Type::real, "",
                                "real number [" + get_string(entry, "unit", place) + "]", true});
        }
      });
  for_each_entry(file.content, "choices", file.where,
                 [&](const json& entry, const std::string& place) {
                   const FileEntry choice(entry, place, names, {"name", "words", "accepted"}, {});
                   const std::vector<std::string> words = get_strings(entry, "words", place);
                   const std::string name = choice.text("name");
                   check_name(name, place, names);
                   if (!choices.insert(name).second)
                     throw BadInput("name " + in_quotes(name) + " is taken");
                   for (const std::string& word : words) take(word, place);
                   if (words.empty()) throw BadInput("words: one or more are accepted");
                   parameters.push_back({name, Type::word, words.front(), choice.text("accepted")});
                 });
  return parameters;
}

void read_data(const MechanismFile& file, const Arguments& arguments, ProblemData& data,
               FileNames& names) {
  const std::string common_source = get_string(file.content, "source", file.where);
  for_each_entry(
      file.content, "data", file.where, [&](const json& entry, const std::string& place) {
        const FileEntry datum(entry, place, names, {"name", "value", "unit"},
                              {"source", "title", "parameter"});
        const std::string name = datum.text("name"),
                          title = datum.has("title") ? datum.text("title") : name;
        const std::vector<std::string> symbols = symbols_of(name);
        const bool is_parameter =
            entry.contains("parameter") || (!file.of_catalogue && symbols.size() == 1);
        std::string source = datum.has("source") ? datum.text("source") : common_source;
        std::vector<StatedNumber> numbers;
        if (is_parameter && arguments.given(name)) {
          numbers.emplace_back(arguments.real(name));
          if (entry.contains("parameter")) source = "parameter " + name;
        } else if (symbols.size() == 1) {
          numbers.emplace_back(get_expression(entry, "value", place, {"pi"}));
        } else {
          for (const json& value : get_array(entry, "value", place))
            numbers.emplace_back(to_expression(value, place + ": value", {"pi"}));
        }
        if (numbers.size() != symbols.size())
          throw BadInput(fmt::format("value: {} numbers are accepted", symbols.size()));
        if (title.empty() || source.empty())
          throw BadInput("title and source: no empty ones are accepted");
        const std::string unit = unit_of(datum);
        const std::optional<Unit> known = parsed_unit(unit);
        if (!known)
          throw BadInput(
              fmt::format("unit: {} is not known; accepted: {}", in_quotes(unit), accepted_units));
        const std::vector<wide> values = data.values(title, numbers, unit, source);
        for (std::size_t i = 0; i < symbols.size(); ++i)
          names.numbers[symbols[i]] = values[i], names.units[symbols[i]] = *known;
        check_range(datum, values.front(), numbers.front().exact().text());
      });
  for_each_entry(file.content, "choices", file.where, [&](const json& entry, const std::string&) {
    const std::vector<std::string> words = get_strings(entry, "words", file.where);
    const std::string chosen = arguments.word(get_string(entry, "name", file.where), words);
    for (const std::string& word : words) names.numbers[word] = word == chosen ? 1 : 0;
  });
}

void read_definitions(const json& file, const std::string& where, FileNames& names) {
  for_each_entry(file, "define", where, [&](const json& entry, const std::string& place) {
    const FileEntry definition(entry, place, names, {"name", "value"}, {});
    const std::string name = definition.text("name");
    check_name(name, place, names);
    names.numbers[name] = definition.number("value");
    if (entry["value"].is_string())
      names.units[name] =
          unit_of_formula(entry["value"].get<std::string>(), place + ": value", names.units);
  });
}

void for_each_unused(const json& file, const std::string& where, const FileNames& names,
                     const std::function<void(const std::string&)>& action) {
  const auto is_used = [&](const std::string& name) { return names.used->contains(name); };
  for (const auto& [key, said_under] :
       {std::pair("data", "name"), {"choices", "words"}, {"define", "name"}})
    for_each_entry(file, key, where, [&, said_key = said_under](const json& entry, const auto&) {
      const std::vector<std::string> said = entry[said_key].is_array()
                                                ? entry[said_key].get<std::vector<std::string>>()
                                                : symbols_of(entry[said_key]);
      if (std::none_of(said.begin(), said.end(), is_used)) action(said.front());
    });
}

}  // namespace daemark
