#include "problems/system/problem_data.hpp"

#include <fmt/format.h>

#include <boost/math/constants/constants.hpp>
#include <stdexcept>

#include "base/text/bad_input.hpp"

namespace daemark {

StatedNumber::StatedNumber(const std::string& text)
    : exact_(Expression::parse(text, "data of a problem", {"pi"})) {}
StatedNumber::StatedNumber(const char* text) : StatedNumber(std::string(text)) {}
StatedNumber::StatedNumber(int value) : exact_(rational(value)) {}
StatedNumber::StatedNumber(const Expression& expression) : exact_(expression) {}

wide StatedNumber::value() const {
  return exact_.eval<wide>({{"pi", boost::math::constants::pi<wide>()}});
}

std::string Datum::text() const {
  std::string text;
  for (const StatedNumber& number : numbers)
    text += (text.empty() ? "" : ", ") + number.exact().text();
  return text;
}

ProblemData::ProblemData(std::string problem, std::optional<DatumChange> change)
    : problem_(std::move(problem)), change_(std::move(change)) {}

wide ProblemData::operator()(const std::string& name, const StatedNumber& number,
                             const std::string& unit, const std::string& source) {
  return values(name, {number}, unit, source).front();
}

std::vector<wide> ProblemData::values(const std::string& name,
                                      const std::vector<StatedNumber>& numbers,
                                      const std::string& unit, const std::string& source) {
  std::vector<wide> result;
  for (const StatedNumber& number : add({name, unit, source, numbers}).numbers)
    result.push_back(number.value());
  return result;
}

const Datum& ProblemData::add(Datum datum) {
  for (const auto& [what, text] : {std::pair("name", datum.name), std::pair("unit", datum.unit),
                                   std::pair("source", datum.source)})
    if (text.empty())
      throw std::logic_error(
          fmt::format("problem {}: datum '{}' is stated without a {}", problem_, datum.name, what));
  for (const Datum& known : data_)
    if (known.name == datum.name)
      throw std::logic_error(
          fmt::format("problem {}: datum '{}' is stated twice", problem_, datum.name));
  if (change_ && change_->name == datum.name && change_->number < datum.numbers.size()) {
    datum.numbers[change_->number] = change_->value;
    changed_ = true;
  }
  data_.push_back(std::move(datum));
  return data_.back();
}

const Expression& ProblemData::exact(const std::string& name) const {
  for (const Datum& known : data_)
    if (known.name == name) return known.numbers.front().exact();
  throw std::out_of_range(fmt::format("problem {}: datum '{}' was not stated", problem_, name));
}

const std::vector<Datum>& ProblemData::finished() const {
  if (change_ && !changed_)
    throw BadInput(fmt::format("{}: number {} of datum '{}' does not exist; `show {}` lists all",
                               problem_, change_->number + 1, change_->name, problem_));
  return data_;
}

}  // namespace daemark
