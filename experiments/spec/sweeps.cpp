#include "experiments/spec/sweeps.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "base/input/strict_json.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/spec/spec_parts.hpp"
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

namespace {

using nlohmann::json;
using spec_parts::Place;

struct SweptMethod {
  std::string call, label;
};

SweptMethod method_of(const json& in, const Place& place) {
  if (in.is_string()) return {in.get<std::string>(), in.get<std::string>()};
  place.require(in, {"call", "label"}, {});
  return {place.text(in, "call"), place.text(in, "label")};
}

/// What each costs on the formulation, as a cell has it.
json weights_on(const json& weights, const std::string& formulation, bool rates,
                const Place& place) {
  json own = get_object(weights, formulation, place.name + ", weights");
  const std::string where = place.name + ", weights, " + formulation;
  require_keys(own, where, {"residual", "rates", "jacobian", "factorization", "pair"}, {});
  own["evaluation"] = own[rates ? "rates" : "residual"];
  own.erase("residual"), own.erase("rates");
  return own;
}

json row_of(const json& sweep, const SweptMethod& method, const std::string& formulation,
            const json& weights, const Place& place) {
  json cell = get_object(sweep, "cell", place.name);
  cell["method"] = method.call, cell["formulation"] = formulation;
  if (!weights.is_null())
    cell["weights"] = weights_on(weights, formulation, place.flag(sweep, "rates"), place);
  const std::string id = place.text_or(sweep, "id", "");
  return {{"id", fmt::format("{}{}{}_{}{}", id, id.empty() ? "" : "_", row_id(method.call),
                             row_id(formulation), cell.contains("tols") ? "_control" : "")},
          {"label", fmt::format("{}, {}", method.label, formulation)},
          {"group", place.text(sweep, "group")},
          {"cell", cell}};
}

/// The curves of the rows on one formulation, each named as its row without it.
json curves_of(const json& in, const json& rows, const Place& place) {
  place.require(in, {"formulation", "x", "y"}, {});
  const std::string formulation = place.text(in, "formulation"), tail = ", " + formulation;
  json curves = json::array();
  for (const json& row : rows) {
    if (!row.contains("cell") || row["cell"].value("formulation", "") != formulation) continue;
    std::string label = row.value("label", "");
    if (label.ends_with(tail)) label.resize(label.size() - tail.size());
    curves.push_back({{"row", row["id"]}, {"label", label}, {"x", in["x"]}, {"y", in["y"]}});
  }
  if (curves.empty()) place.refuse(fmt::format("no row on {}", formulation));
  return curves;
}

}  // namespace

json with_sweeps(json item, const std::string& where) {
  if (!item.is_object()) return item;  // refused where it is read
  const Place top{where};
  json rows = item.value("rows", json::array());
  if (item.contains("sweeps")) {
    const Place place = top.at("sweeps");
    const json sweeps = get_object(item, "sweeps", where);
    place.require(sweeps, {"rows"}, {"weights"});
    const json weights = sweeps.value("weights", json());
    json swept = json::array();
    place.each(sweeps, "rows", [&](const json& sweep, const Place& at) {
      at.require(sweep, {"group", "methods", "formulations", "cell"}, {"id", "rates"});
      for (const std::string& formulation : at.texts(sweep, "formulations"))
        for (const json& method : get_array(sweep, "methods", at.name))
          swept.push_back(row_of(sweep, method_of(method, at), formulation, weights, at));
    });
    for (json& row : rows) {  // those of the item itself are weighed as the swept ones are
      const json::json_pointer formulation("/cell/formulation"), own("/cell/weights");
      if (!weights.is_null() && row.contains(formulation) && !row.contains(own))
        row[own] = weights_on(weights, get_string(row["cell"], "formulation", where), false, place);
      swept.push_back(row);
    }
    item["rows"] = rows = swept;
    item.erase("sweeps");
  }
  if (!item.contains("plot") || !item["plot"].is_object() || !item["plot"].contains("panels") ||
      !item["plot"]["panels"].is_array())
    return item;
  for (json& panel : item["plot"]["panels"])
    if (panel.is_object() && panel.contains("curves") && panel["curves"].is_object())
      panel["curves"] = curves_of(panel["curves"], rows, top.at("plot").at("curves"));
  return item;
}

}  // namespace daemark
