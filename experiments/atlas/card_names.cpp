#include "experiments/atlas/card_names.hpp"

#include <algorithm>
#include <set>

#include "analysis/exact/proof/certificate.hpp"
#include "experiments/compare/compare_field.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

const std::vector<std::string>& carded_methods() {
  static const std::vector<std::string> known = [] {
    std::set<std::string> calls(core_members().begin(), core_members().end());
    for (const std::string& id : method_registry().library_ids()) calls.insert(id);
    for (const std::string& call : method_registry().examples())
      calls.insert(method_registry().bind(call).canonical());
    return std::vector<std::string>(calls.begin(), calls.end());
  }();
  return known;
}

std::string method_card(const std::string& call) {
  const std::vector<std::string>& known = carded_methods();
  if (!std::binary_search(known.begin(), known.end(), call)) return "";
  const std::string name = exact::certificate_name(call);  // ends with .json
  return "methods/" + name.substr(0, name.size() - 5) + ".html";
}

std::string problem_card(const std::string& id) { return "problems/" + id + "/index.html"; }

std::vector<ReportLink> atlas_rooms() {
  return {{"methods", "methods/index.html", ""}, {"atlas", "atlas/index.html", ""}};
}

}  // namespace daemark
