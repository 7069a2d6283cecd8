#include "experiments/cli/verify_targets.hpp"

#include <utility>

#include "analysis/exact/theory/rounding.hpp"
#include "analysis/tags/tag_expression.hpp"
#include "base/program/paths.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/printable.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/catalogue/tableau_source.hpp"
#include "methods/multistep/multistep_stepper.hpp"

namespace daemark {
namespace {

using exact::VerifyReport;

namespace fs = std::filesystem;

bool is_paper(const std::string& target) {
  return fs::exists(source_root() / "experiments" / target / "errata.json");
}

/// The id of a tableau file of the catalogue, "" for files from outside.
std::string catalogue_id(const std::string& file) {
  const std::string id = fs::path(file).stem().string();
  if (from_outside(file) || !method_registry().has(id)) return "";
  std::error_code ignored;
  return fs::equivalent(file, method_registry().info(id).file, ignored) ? id : "";
}

}  // namespace

VerifyWork verify_work(const std::vector<std::string>& targets, const std::string& tag) {
  VerifyWork work;
  if (!tag.empty()) work.methods = select_methods(tag, "--tag");
  if (targets.empty() && tag.empty()) {
    work.whole = work.field = true;
    work.methods = method_registry().examples();
    for (const std::string& call : work.methods) method_registry().bind(call);
  }
  for (const std::string& target : targets) {
    if (target.ends_with(".json")) {
      const std::string id = catalogue_id(target);
      id.empty() ? work.files.push_back(target) : work.methods.push_back(id);
    } else if (is_tableau_source(target)) {
      work.files.push_back(target);
    } else if (target == "field") {
      work.field = true;
    } else if (target == "library") {
      work.library = true;
      for (const std::string& id : method_registry().library_ids()) work.methods.push_back(id);
    } else if (is_paper(target)) {
      work.papers.push_back(target);
      for (const std::string& call : method_registry().examples())
        if (method_registry().info(parse_call(call, "method").id).source.key == target)
          work.methods.push_back(call);
    } else if (std::error_code ignored; fs::is_regular_file(target, ignored)) {
      throw BadInput(printable(target, 200) +
                     ": a file of a kind that is not read; accepted: .json, .txt, .def, .c, .h, "
                     ".cpp, .hpp, .cc, .cxx, .hh, .jl, .py");
    } else {
      method_registry().bind(target);  // refuse all bad input before anything is proved
      work.methods.push_back(target);
    }
  }
  return work;
}

std::vector<LoadedMethod> load_methods(const std::string& target) {
  if (!is_tableau_source(target)) return {{target, target, load_method_file(target), ""}};
  std::vector<LoadedMethod> out;
  for (SourceTableau& known : read_tableau_source(target))
    out.push_back({known.name, {}, std::move(known.tableau), std::move(known.unreadable)});
  return out;
}

VerifyReport verify_loaded(const LoadedMethod& loaded) {
  if (!loaded.unreadable.empty()) {
    VerifyReport report;
    report.id = loaded.method.id;
    report.failures.push_back("not read: " + loaded.unreadable);
    return report;
  }
  VerifyReport report = exact::verify_coefficients(loaded.method);
  if (loaded.method.kind == MethodKind::multistep)
    exact::add_start(report, *multistep_method(multistep_form(loaded.method)));
  const bool of_source = loaded.origin.empty();
  if (!of_source || !exact::approximates(loaded.method) ||
      (report.verified() && !report.order_within_rounding))
    return report;
  Coefficients rounded = loaded.method;  // fractions found by continued fractions fail by 1e-26
  rounded.decimal = true;
  VerifyReport judged = exact::verify_coefficients(rounded);
  return judged.verified() || !report.verified() ? judged : report;
}

}  // namespace daemark
