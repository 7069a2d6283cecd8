#include "problems/files/file_data.hpp"

#include "base/text/printable.hpp"

namespace daemark {
namespace {

using nlohmann::json;

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
        const std::vector<wide> values = data.values(title, numbers, unit_of(datum), source);
        for (std::size_t i = 0; i < symbols.size(); ++i) names.numbers[symbols[i]] = values[i];
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
  });
}

}  // namespace daemark
