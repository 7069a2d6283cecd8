#include "experiments/spec/catalogue.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/text/bad_input.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_file.hpp"

namespace daemark {
namespace {

using Accepted = std::map<std::string, std::vector<std::string>>;

/// All calls of `id` with the values given for its parameters; none where no parameter has values.
std::vector<std::string> combinations(const std::string& id, const MethodInfo& info,
                                      const Accepted& values) {
  std::vector<std::string> calls{""};
  bool any = false;
  for (const Parameter& parameter : info.parameters) {
    auto list = values.find(id + "." + parameter.name);
    if (list == values.end()) list = values.find(parameter.name);
    if (list == values.end()) continue;
    any = true;
    std::vector<std::string> longer;
    for (const std::string& call : calls) {
      for (const std::string& value : list->second) {
        longer.push_back(call + (call.empty() ? "" : ",") + parameter.name + "=" + value);
      }
    }
    calls = std::move(longer);
  }
  if (!any) return {};
  for (std::string& call : calls) call = fmt::format("{}({})", id, call);
  return calls;
}

}  // namespace

std::string row_id(const std::string& call) {
  std::string id;
  for (const char c : call) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      id += c;
    } else if (c == '-') {
      id += "_minus_";
    } else if (!id.empty() && id.back() != '_') {
      id += '_';
    }
  }
  while (!id.empty() && id.back() == '_') id.pop_back();
  return id;
}

std::vector<CatalogueMethod> catalogue_methods(const Accepted& values) {
  const MethodRegistry& registry = method_registry();
  std::vector<CatalogueMethod> methods;
  std::set<std::string> seen;
  const auto add = [&](const std::string& text) {
    try {
      const std::string call = registry.bind(text).canonical();
      registry.check(call);
      if (!seen.insert(call).second) return;
      methods.push_back({row_id(call), call, registry.info(parse_call(call, "method").id).kind});
    } catch (const BadInput&) {
      // A value outside this method's range, or a parameter without default: no such member.
    }
  };
  for (const std::string& id : registry.ids()) {
    const MethodInfo& info = registry.info(id);
    if (from_outside(info.file)) continue;
    std::vector<std::string> calls = combinations(id, info, values);
    if (calls.empty()) calls = info.examples;
    if (calls.empty()) calls = {id};
    for (const std::string& text : calls) add(text);
  }
  std::stable_sort(methods.begin(), methods.end(),
                   [](const auto& a, const auto& b) { return a.kind < b.kind; });
  return methods;
}

}  // namespace daemark
