#include "experiments/cli/method_notes.hpp"

#include <ostream>

#include "analysis/exact/rounding.hpp"
#include "methods/core/registry.hpp"
#include "methods/core/tableau_file.hpp"

namespace daemark {

std::vector<std::string> method_defects(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  if (info.exact)
    return info.exact->decimal ? exact::rounded(*info.exact).defects : tableau_defects(*info.exact);
  std::vector<std::string> defects;
  if (info.multistep) {
    if (info.multistep->decimal)
      exact::rounded(*info.multistep, defects);
    else
      defects = tableau_defects(*info.multistep);
    return defects;
  }
  const Arguments arguments = method_registry().bind(call);
  for (const Parameter& p : info.parameters)
    if (p.type == Parameter::Type::call) return method_defects(arguments.call(p.name).text());
  return defects;
}

void warn_of_defects(const std::string& verb, const std::vector<std::string>& calls,
                     std::ostream& err) {
  for (const std::string& call : calls)
    for (const std::string& defect : method_defects(call))
      err << "daemark " << verb << ": warning: " << call << ": " << defect << "\n";
}

}  // namespace daemark
