#include "analysis/variation/numbers_of_data.hpp"

#include <fmt/format.h>

#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

/// "theta1(0), theta2(0)" by its commas.
std::vector<std::string> names_of(const Datum& datum) {
  std::vector<std::string> names;
  for (std::size_t from = 0; from != std::string::npos;) {
    const std::size_t comma = datum.name.find(", ", from);
    names.push_back(datum.name.substr(from, comma - from));
    from = comma == std::string::npos ? comma : comma + 2;
  }
  if (names.size() == datum.numbers.size()) return names;
  names.clear();
  for (std::size_t i = 1; i <= datum.numbers.size(); ++i)
    names.push_back(fmt::format("{} ({})", datum.name, i));
  return names;
}

}  // namespace

std::vector<NumberOfData> numbers_of_data(const Problem& problem) {
  std::vector<NumberOfData> all;
  for (const Datum& datum : problem.data) {
    const std::vector<std::string> names = names_of(datum);
    for (std::size_t i = 0; i < names.size(); ++i) all.push_back({names[i], &datum, i});
  }
  return all;
}

NumberOfData find_number(const Problem& problem, const std::string& name) {
  std::string known;
  for (const NumberOfData& number : numbers_of_data(problem)) {
    if (number.name == name) return number;
    known += (known.empty() ? "" : ", ") + number.name;
  }
  throw BadInput(fmt::format("{} has no number {} among its data; accepted: {}", problem.name,
                             in_quotes(name), known));
}

}  // namespace daemark
