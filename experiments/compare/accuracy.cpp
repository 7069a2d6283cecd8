#include "experiments/compare/accuracy.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/numbers/expression.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"

namespace daemark {
namespace {

constexpr const char* parts[] = {"q", "v", "lambda"};

Accuracy read_one(const std::string& text) {
  constexpr const char* accepted =
      "numbers > 0 and < 1, for velocities and multipliers as v:1e-4, lambda:1e-4";
  Accuracy accuracy;
  const std::size_t colon = text.find(':');
  if (colon != std::string::npos) {
    const auto* const found = std::find(std::begin(parts), std::end(parts), text.substr(0, colon));
    if (found == std::end(parts))
      throw BadInput(fmt::format("--accuracy: {}, accepted: {}", in_quotes(text), accepted));
    accuracy.part = static_cast<int>(found - std::begin(parts));
  }
  const std::string number = colon == std::string::npos ? text : text.substr(colon + 1);
  accuracy.value = Expression::parse(number, "--accuracy").eval<double>();
  accuracy.text = printable(number);
  if (!(accuracy.value > 0 && accuracy.value < 1))
    throw BadInput(fmt::format("--accuracy: {}, accepted: {}", in_quotes(text), accepted));
  return accuracy;
}

}  // namespace

std::string Accuracy::name() const {
  constexpr const char* symbols[] = {"q", "v", "λ"};
  return fmt::format("{} to {}", symbols[part], text);
}

std::vector<Accuracy> read_accuracies(const std::string& text) {
  std::vector<Accuracy> accuracies;
  std::size_t from = 0;
  while (true) {
    const std::size_t comma = text.find(',', from);
    const Accuracy one = read_one(text.substr(from, comma - from));
    for (const Accuracy& other : accuracies)
      if (other.part == one.part && other.value == one.value)
        throw BadInput(
            fmt::format("--accuracy: {} stands there twice, accepted: each once", other.name()));
    accuracies.push_back(one);
    if (comma == std::string::npos) return accuracies;
    from = comma + 1;
  }
}

}  // namespace daemark
