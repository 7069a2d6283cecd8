#include "tests/audit/mutation.hpp"

#include "tests/support/repeated.hpp"

namespace daemark::audit {
namespace {

using nlohmann::json;

/// Every value in it, itself too.
void collect(json& value, std::vector<json*>& out) {
  out.push_back(&value);
  if (value.is_structured())
    for (json& member : value) collect(member, out);
}

json odd_value(Day& day) {
  switch (day() % 9) {
    case 0:
      return nullptr;
    case 1:
      return chance(50, day);
    case 2:
      return json::array();
    case 3:
      return json::object();
    case 4:
      return static_cast<std::int64_t>(day());
    case 5:
      return -1;
    case 6:
      return 1e300;
    case 7:
      return json::array({odd_number(day), odd_number(day)});
    default:
      return odd_number(day);
  }
}

void mutate_once(json& value, Day& day) {
  std::vector<json*> all;
  collect(value, all);
  json& chosen = *one_of(all, day);
  const int what = static_cast<int>(day() % 6);
  if (what == 0 && chosen.is_object() && !chosen.empty()) {
    chosen.erase(std::next(chosen.begin(), static_cast<long>(day() % chosen.size())).key());
  } else if (what == 1 && chosen.is_object()) {
    chosen["unheard_of"] = odd_value(day);
  } else if (what == 2 && chosen.is_array() && !chosen.empty()) {
    chosen.erase(day() % chosen.size());
  } else if (what == 3 && chosen.is_array() && !chosen.empty()) {
    const json again = chosen[day() % chosen.size()];
    chosen.push_back(again);
  } else if (what == 4 && chosen.is_string()) {
    chosen = mutated(chosen.get<std::string>(), day);
    // Bytes that are no UTF-8 cannot be written as JSON; as text they are tried elsewhere.
    for (char& c : chosen.get_ref<std::string&>())
      if ((static_cast<unsigned char>(c) & 0x80) != 0) c = '?';
  } else {
    chosen = odd_value(day);
  }
}

/// The parts between bars.
std::vector<std::string> parts_of(const std::string& text) {
  std::vector<std::string> out(1);
  for (const char c : text) {
    if (c == '|')
      out.emplace_back();
    else
      out.back() += c;
  }
  return out;
}

}  // namespace

std::string odd_number(Day& day) {
  static const std::vector<std::string> odd = parts_of(
      "| |0|-1|1/0|0/0|-0|nan|inf|1e400|1e-400|1e99999|1e-9|1e9|1e18|sqrt(-1)|sqrt(2)|pi|"
      "cos(pi/7)|1/3|0x10|1,2|1..2|--1|+1|1e|2^1000|2^-1000|2^99999|(1|1)|[1]|{}|null|"
      "1/10/10|0.33333333333333331|99999999999999999999|1e-30|1 /7|root(x^2-2,1,2)|"
      "root(x^40-x-1,1,2)|root(x,0,0)|root(x^2,-1,1)|\xff\xfe|%s%n|h|x");
  switch (day() % 12) {
    case 0:
      return "1" + repeated("+1", static_cast<int>(day() % 60000));
    case 1:
      return repeated("(", static_cast<int>(day() % 30000)) + "1";
    case 2:
      return repeated("sqrt(", 60) + "2" + repeated(")", 60);
    case 3:
      return repeated("9", static_cast<int>(day() % 5000));
    case 4:
      return "1/" + repeated("7", static_cast<int>(day() % 1500));
    case 5:
      return repeated(chance(50, day) ? "-" : "[", static_cast<int>(day() % 20000)) + "1";
    default:
      return one_of(odd, day);
  }
}

std::string some_number(Day& day) {
  static const std::vector<std::string> good = {"1",    "2",     "3",   "1/2",  "1/10", "1/20",
                                                "0.1",  "0.05",  "5",   "1/40", "1/3",  "1/4",
                                                "1e-2", "0.001", "1/7", "7"};
  return chance(85, day) ? one_of(good, day) : odd_number(day);
}

std::string mutated(std::string text, Day& day) {
  const int times = 1 + static_cast<int>(day() % 3);
  for (int i = 0; i < times; ++i) {
    const std::size_t size = text.size(), at = size == 0 ? 0 : day() % size;
    const std::size_t length = size == 0 ? 0 : std::min<std::size_t>(size - at, 1 + day() % 40);
    switch (day() % 8) {
      case 0:
        if (size > 0) text[at] = static_cast<char>(day() % 256);
        break;
      case 1:
        text.erase(at, length);
        break;
      case 2:
        text.insert(at, text.substr(at, length));
        break;
      case 3:
        text.insert(at, odd_number(day));
        break;
      case 4:
        text.resize(at);
        break;
      case 5:
        if (size > 0) text[at] = one_of(std::vector<char>{'0', '-', '"', '[', '}', ',', '\n'}, day);
        break;
      case 6: {
        const std::size_t digit = text.find_first_of("0123456789", at);
        if (digit != text.npos) text[digit] = static_cast<char>('0' + day() % 10);
        break;
      }
      default: {
        const std::size_t end = text.find('\n', at);
        if (end != text.npos) text.erase(at, end - at);
        break;
      }
    }
  }
  return text;
}

json mutated_value(json value, Day& day) {
  const int times = 1 + static_cast<int>(day() % 3);
  for (int i = 0; i < times; ++i) mutate_once(value, day);
  return value;
}

}  // namespace daemark::audit
