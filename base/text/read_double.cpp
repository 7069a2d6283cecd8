#include "base/text/read_double.hpp"

#include <charconv>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

namespace daemark {
namespace {

/// Whether a number that has no double is too large: the sign of its decimal exponent, counted from
/// its first digit that is not 0.
bool is_large(std::string_view digits) {
  const std::size_t e = digits.find_first_of("eE");
  long exponent = 0;
  if (e != std::string_view::npos) {
    const std::size_t sign = e + 1 < digits.size() && digits[e + 1] == '+' ? 2 : 1;
    const std::string_view power = digits.substr(e + sign);
    if (std::from_chars(power.data(), power.data() + power.size(), exponent).ec != std::errc())
      return power.front() != '-';
  }
  const std::string_view mantissa = digits.substr(0, e);
  const std::size_t point = std::min(mantissa.find('.'), mantissa.size());
  const std::size_t first = mantissa.find_first_of("123456789");
  const long place = static_cast<long>(point) - static_cast<long>(first);
  return exponent + place > 0;
}

}  // namespace

std::pair<double, std::size_t> leading_double(std::string_view text) {
  const bool plus = text.size() > 1 && text.front() == '+' && text[1] != '-';
  const std::string_view number = text.substr(plus ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
  if (error == std::errc::invalid_argument) return {0, 0};
  const std::size_t length = static_cast<std::size_t>(end - number.data());
  if (error == std::errc::result_out_of_range) {
    const bool minus = number.front() == '-';
    value = is_large(number.substr(minus ? 1 : 0, length - (minus ? 1 : 0)))
                ? std::numeric_limits<double>::infinity()
                : 0;
    value = std::copysign(value, minus ? -1.0 : 1.0);
  }
  return {value, length + (plus ? 1 : 0)};
}

std::optional<double> read_double(std::string_view text) {
  const auto [value, length] = leading_double(text);
  if (length == 0 || length != text.size()) return std::nullopt;
  return value;
}

double double_of(std::string_view text) {
  const std::optional<double> value = read_double(text);
  if (!value) throw std::invalid_argument("'" + std::string(text) + "' is no number");
  return *value;
}

}  // namespace daemark
