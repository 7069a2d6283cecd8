#include <fmt/format.h>

#include <optional>

#include "base/text/printable.hpp"
#include "problems/files/equations.hpp"

namespace daemark {
namespace {

using Formulas = std::shared_ptr<const std::vector<FileFormula>>;

/// All formulas at one time, each computed when it is asked for: 0 is the time, formulas follow.
class Moment {
 public:
  Moment(Formulas formulas, real50 t)
      : formulas_(std::move(formulas)), t_(std::move(t)), known_(formulas_->size()) {}
  real50 operator()(int number) const {
    if (number == 0) return t_;
    std::optional<real50>& value = known_[number - 1];
    if (!value) value = (*formulas_)[number - 1].value<real50>(*this);
    return *value;
  }
  const real50& time() const { return t_; }
  Moment at_time(const real50& t) const { return {formulas_, t}; }

 private:
  Formulas formulas_;
  real50 t_;
  mutable std::vector<std::optional<real50>> known_;
};

}  // namespace

std::function<std::vector<real50>(const real50& t)> known_solution(
    const nlohmann::json& list, const std::string& where, const FileNames& names,
    const std::vector<std::string>& wanted) {
  std::map<std::string, int> variables = {{"t", 0}};
  std::vector<FileFormula> formulas;
  for (const nlohmann::json& entry : list) {
    const std::string place = fmt::format("{}[{}]", where, formulas.size() + 1);
    const FileEntry statement(entry, place, names, {"name", "value"}, {});
    const std::string name = statement.text("name");
    if (std::find(wanted.begin(), wanted.end(), name) == wanted.end())
      check_name(name, place, names);
    if (variables.contains(name))
      throw BadInput(fmt::format("{}: name {} is taken", place, in_quotes(name)));
    formulas.push_back(
        statement.formula("value", {names.numbers, variables, names.used.get(), true}));
    variables[name] = static_cast<int>(formulas.size());
  }
  std::vector<int> numbers;
  for (const std::string& name : wanted) {
    if (!variables.contains(name))
      throw BadInput(fmt::format(
          "{}: {} is missing; accepted: all coordinates, velocities and multipliers", where, name));
    numbers.push_back(variables[name]);
  }
  return [shared = std::make_shared<const std::vector<FileFormula>>(std::move(formulas)),
          numbers](const real50& t) {
    const Moment moment(shared, t);
    std::vector<real50> values;
    for (const int number : numbers) values.push_back(moment(number));
    return values;
  };
}

}  // namespace daemark
