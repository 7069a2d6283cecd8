#include "analysis/reference/reference_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "base/input/call.hpp"
#include "base/input/strict_json.hpp"
#include "base/numbers/expression.hpp"
#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr int guard_digits = 2;
constexpr int most_digits = 48;  // reference.cpp computes no more

json texts(const std::vector<real50>& values, int digits) {
  json list = json::array();
  for (const real50& value : values) list.push_back(value.str(std::max(digits, 1) + guard_digits));
  return list;
}

json body_of(const ReferenceState& s, const std::string& model) {
  return {{"t", s.t},
          {"q", texts(s.q, s.agreed_digits)},
          {"v", texts(s.v, s.agreed_digits)},
          {"lambda", texts(s.lambda, s.agreed_digits)},
          {"agreed_digits", s.agreed_digits},
          {"asked_digits", s.asked_digits},
          {"first_route", s.first_route},
          {"second_route", s.second_route},
          {"model", model}};
}

std::string checksum_of(const std::string& problem, const json& body) {
  return digest(problem + "\n" + body.dump()).substr(0, 32);
}

/// -1.25e-7: what values are written as; real50 itself takes more, "nan" among it.
bool is_decimal(const std::string& text) {
  constexpr std::size_t longest = 80;
  std::size_t at = 0;
  const auto digits = [&] {
    const std::size_t begin = at;
    while (at < text.size() && std::isdigit(static_cast<unsigned char>(text[at])) != 0) ++at;
    return at - begin;
  };
  const auto sign = [&](const char* signs) {
    if (at < text.size() && std::string_view(signs).find(text[at]) != std::string_view::npos) ++at;
  };
  sign("-");
  if (text.size() > longest || digits() == 0) return false;
  if (at < text.size() && text[at] == '.' && (++at, digits() == 0)) return false;
  if (at < text.size() && text[at] == 'e') {
    ++at;
    sign("+-");
    const std::size_t length = digits();
    if (length == 0 || length > 4) return false;
  }
  return at == text.size();
}

std::vector<real50> values(const json& in, const char* key, int size, const std::string& where) {
  const std::vector<std::string> list = get_strings(in, key, where);
  if (static_cast<int>(list.size()) != size)
    throw BadInput(fmt::format("{}: {} values of {}, accepted: {}", where, list.size(), key, size));
  std::vector<real50> out;
  for (const std::string& text : list) {
    if (!is_decimal(text))
      throw BadInput(fmt::format("{}: {}: {} is no decimal number", where, key, in_quotes(text)));
    out.emplace_back(text);
  }
  return out;
}

struct Sizes {
  int coordinates, multipliers;
};

/// Throws BadInput naming what is off.
std::pair<rational, StoredState> state_from(const json& in, const std::string& problem,
                                            const Sizes& sizes, const std::string& where) {
  require_keys(in, where,
               {"t", "q", "v", "lambda", "agreed_digits", "asked_digits", "first_route",
                "second_route", "model", "checksum"});
  StoredState out;
  ReferenceState& s = out.state;
  s.t = get_string(in, "t", where);
  s.agreed_digits = static_cast<int>(get_int(in, "agreed_digits", where, 0, most_digits));
  s.asked_digits = static_cast<int>(get_int(in, "asked_digits", where, 1, most_digits));
  s.first_route = get_string(in, "first_route", where);
  s.second_route = get_string(in, "second_route", where);
  s.q = values(in, "q", sizes.coordinates, where);
  s.v = values(in, "v", sizes.coordinates, where);
  s.lambda = values(in, "lambda", sizes.multipliers, where);
  out.model = get_string(in, "model", where);
  out.checksum = get_string(in, "checksum", where);
  json body = in;
  body.erase("checksum");
  if (const std::string is = checksum_of(problem, body); is != out.checksum)
    throw BadInput(fmt::format("{}: its checksum is {}, the file says {}", where, is,
                               in_quotes(out.checksum)));
  return {Expression::parse(s.t, "t").as_rational(), out};
}

/// {"coordinates": "chart"} of heavy_top(coordinates=chart).
json parameters_of(const std::string& problem) {
  json out = json::object();
  for (const CallArgument& argument : parse_call(problem, "problem").arguments)
    out[argument.key] = argument.value.canonical();
  return out;
}

/// As a reader finds it, not where it lies on this machine.
std::string shown(const fs::path& file) {
  return (file.parent_path().filename() / file.filename()).generic_string();
}

}  // namespace

std::string reference_file_name(const std::string& problem) {
  constexpr std::size_t longest_stem = 60, digest_length = 12;
  std::string stem;
  for (const char c : problem) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_')
      stem += c;
    else if (!stem.empty() && stem.back() != '-')
      stem += '-';
  }
  while (!stem.empty() && stem.back() == '-') stem.pop_back();
  return stem.substr(0, longest_stem) + "-" + digest(problem).substr(0, digest_length) + ".json";
}

std::string model_digest(const std::string& problem) {
  constexpr std::size_t length = 16;
  const ProblemInfo& info = problem_registry().info(parse_call(problem, "problem").id);
  const std::string& file = info.file;
  if (source_graph().digest_of(file).empty()) return "unknown";  // a problem of a test
  std::string text = info.data_digest;
  for (const auto& [path, sum] : source_graph().closure({file}))
    if (path.starts_with("problems/") || path.starts_with("base/numbers/") ||
        path.starts_with("base/graph/") || path.starts_with("base/linear/"))
      text += path + " " + sum + "\n";
  return digest(text).substr(0, length);
}

StoredState stored_state(const std::string& problem, const std::string& model,
                         const ReferenceState& state) {
  const json body = body_of(state, model);
  StoredState out{state, model, checksum_of(problem, body)};
  const auto rounded = [&](const char* key) {
    std::vector<real50> list;
    for (const json& text : body.at(key)) list.emplace_back(text.get<std::string>());
    return list;
  };
  out.state.q = rounded("q"), out.state.v = rounded("v"), out.state.lambda = rounded("lambda");
  return out;
}

ReferenceFile read_reference_file(const fs::path& file, const std::string& problem) {
  ReferenceFile out;
  const std::optional<std::string> text = read_text(file);
  if (!text) return out;
  const std::string name = shown(file);
  try {
    const json content = parse_json_text(*text, name);
    require_keys(content, name, {"problem", "parameters", "states"});
    if (const std::string of = get_string(content, "problem", name); of != problem)
      throw BadInput(fmt::format("{}: of problem {}, not of {}", name, in_quotes(of), problem));
    if (content.at("parameters") != parameters_of(problem))
      throw BadInput(fmt::format("{}: parameters are not those of {}", name, problem));
    const auto mechanism = problem_registry().make(problem).make<double>();
    const Sizes sizes{mechanism->reference_coordinates(), mechanism->constraints()};
    int number = 0;
    for (const json& entry : get_array(content, "states", name)) {
      const std::string where = fmt::format("{}, state {}", name, ++number);
      try {
        auto [t, state] = state_from(entry, problem, sizes, where);
        const int asked = state.state.asked_digits;
        const std::string time = state.state.t;
        if (!out.states.try_emplace({t, asked}, std::move(state)).second)
          throw BadInput(fmt::format("{}: t = {} occurs twice", where, time));
      } catch (const BadInput& off) {
        out.refused.emplace_back(off.what());
      }
    }
  } catch (const BadInput& off) {
    out.refused.emplace_back(off.what());
  }
  return out;
}

void write_reference_file(const fs::path& file, const std::string& problem,
                          const StoredStates& states) {
  json all = json::array();
  for (const auto& [key, stored] : states) {
    json entry = body_of(stored.state, stored.model);
    entry["checksum"] = stored.checksum;
    all.push_back(std::move(entry));
  }
  write_if_changed(
      file,
      json{{"problem", problem}, {"parameters", parameters_of(problem)}, {"states", all}}.dump(1) +
          "\n");
}

}  // namespace daemark
