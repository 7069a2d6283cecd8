#include "tests/support/catalogue.hpp"

#include <algorithm>
#include <functional>
#include <regex>
#include <set>

#include "analysis/setup/bound_run.hpp"

namespace daemark::test {
namespace {

using Type = Parameter::Type;

std::vector<std::string> words_of(const std::string& text) {
  static const std::regex word("[a-z][a-z0-9_]*");
  std::set<std::string> found;
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i)
    found.insert(i->str());
  for (const char* prose : {"a", "an", "or", "list", "of", "in", "the", "last"}) found.erase(prose);
  return {found.begin(), found.end()};
}

std::vector<std::string> integers_of(const std::string& accepted) {
  static const std::regex range("(-?[0-9]+)\\.\\.(-?[0-9]+)?");
  std::smatch match;
  std::vector<std::string> values;
  if (!std::regex_search(accepted, match, range)) return values;
  const long lo = std::stol(match[1]), hi = match[2].matched ? std::stol(match[2]) : lo + 3;
  for (long i = lo; i <= std::min(hi, lo + 3); ++i) values.push_back(std::to_string(i));
  return values;
}

std::vector<std::string> reals_of(const std::string& accepted) {
  static const std::regex interval("[\\[(]([^,\\[(]+),([^\\])]+)[\\])]");
  std::smatch match;
  if (std::regex_search(accepted, match, interval)) {
    const std::string lo = match[1], hi = match[2];
    return {"(" + lo + "+" + hi + ")/2", lo, hi};
  }
  return {"1/2", "2"};
}

template <class Info>
std::vector<std::string> candidates(const Info& info) {
  std::vector<std::vector<std::string>> values;
  std::vector<std::string> base;
  for (const Parameter& p : info.parameters) {
    values.push_back(parameter_samples(p));
    base.push_back(!p.fallback.empty()                   ? p.fallback
                   : p.optional || values.back().empty() ? ""
                                                         : values.back().front());
  }
  const auto call = [&](const std::vector<std::string>& arguments) {
    std::string text;
    for (std::size_t i = 0; i < arguments.size(); ++i)
      if (!arguments[i].empty())
        text += (text.empty() ? "(" : ",") + info.parameters[i].name + "=" + arguments[i];
    return text.empty() ? info.id : info.id + text + ")";
  };
  std::vector<std::string> calls{call(base)};
  for (std::size_t i = 0; i < values.size(); ++i)
    for (const std::string& value : values[i]) {
      std::vector<std::string> varied = base;
      varied[i] = value;
      calls.push_back(call(varied));
    }
  return calls;
}

/// `make` throws BadInput or returns the canonical name.
template <class Registry>
CatalogueSamples sample(const Registry& registry,
                        const std::function<std::string(const std::string&)>& make) {
  CatalogueSamples samples;
  for (const std::string& id : registry.ids()) {
    std::set<std::string> seen;
    std::vector<std::string> calls = candidates(registry.info(id));
    if constexpr (requires { registry.info(id).outside; })
      if (registry.info(id).outside) continue;
    if constexpr (requires { registry.info(id).examples; }) {
      // What is built around other methods has no samples of those but its examples.
      for (const Parameter& p : registry.info(id).parameters)
        if (p.type == Type::call)
          calls.insert(calls.end(), registry.info(id).examples.begin(),
                       registry.info(id).examples.end());
    }
    for (const std::string& call : calls) {
      try {
        const std::string canonical = make(call);
        if (seen.insert(canonical).second) samples.calls.push_back(canonical);
      } catch (const BadInput& e) {
        samples.refused.push_back(call + ": " + e.what());
      }
    }
    if (seen.empty()) samples.without.push_back(id);
  }
  return samples;
}

}  // namespace

std::vector<std::string> parameter_samples(const Parameter& p) {
  switch (p.type) {
    case Type::integer:
      return integers_of(p.accepted);
    case Type::real:
      return reals_of(p.accepted);
    case Type::word:
    case Type::nodes:
      return words_of(p.accepted);
    case Type::call:
      break;
  }
  return p.fallback.empty() ? method_registry().ids() : std::vector<std::string>{p.fallback};
}

std::string below_range(const Parameter& p) {
  return std::to_string(std::stol(integers_of(p.accepted).front()) - 1);
}

const CatalogueSamples& method_samples() {
  static const CatalogueSamples all = sample(method_registry(), [](const std::string& call) {
    method_registry().make(call);
    return method_registry().bind(call).canonical();
  });
  return all;
}

const CatalogueSamples& problem_samples() {
  static const CatalogueSamples all = sample(problem_registry(), [](const std::string& call) {
    return problem_registry().make(call).name;
  });
  return all;
}

std::vector<Formulation> formulation_samples() {
  std::vector<Formulation> all;
  for (const FormulationInfo& info : formulations()) {
    std::string arguments;
    for (const Parameter& p : info.parameters)
      if (p.fallback.empty()) arguments += (arguments.empty() ? "" : ",") + p.name + "=5";
    all.push_back(
        Formulation::parse(arguments.empty() ? info.id : info.id + "(" + arguments + ")"));
  }
  return all;
}

bool takes(const Method& method, const Formulation& formulation, const std::string& problem) {
  const FormulationInfo& info = formulation.info;
  const Problem made = problem_registry().make(problem);
  if (info.minimal && !made.has_minimal()) return false;
  return method.refusal(traits_of(info, *made.make<double>(info.minimal))).empty();
}

std::string test_name(const std::string& call) {
  std::string name;
  for (const char c : call)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  return name;
}

}  // namespace daemark::test
