// daemark verify: exact orders, stability certificates and errata.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <ostream>

#include "analysis/exact/catalogue.hpp"
#include "analysis/exact/errata.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/tableau_option.hpp"
#include "experiments/cli/text.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/core/registry.hpp"
#include "methods/core/tableau_file.hpp"

namespace daemark {
namespace {

using exact::Erratum;
using exact::VerifyReport;

struct VerifyOptions {
  std::vector<std::string> targets;
  bool json = false;
};

struct Work {
  std::vector<std::string> methods;
  std::vector<std::string> files;
  std::vector<std::string> papers;  ///< errata of these; with `whole` all
  bool whole = false;
};

bool is_paper(const std::string& target) {
  return std::filesystem::exists(source_root() / "analysis" / "exact" / "errata" /
                                 (target + ".json"));
}

Work work_of(const std::vector<std::string>& targets) {
  Work work;
  if (targets.empty()) {
    work.whole = true;
    work.methods = method_registry().examples();
  }
  for (const std::string& target : targets) {
    if (target.ends_with(".json")) {
      work.files.push_back(target);
    } else if (is_paper(target)) {
      work.papers.push_back(target);
      for (const std::string& call : method_registry().examples())
        if (method_registry().info(parse_call(call, "method").id).source.key == target)
          work.methods.push_back(call);
    } else {
      method_registry().bind(target);  // refuse all bad input before anything is proved
      work.methods.push_back(target);
    }
  }
  return work;
}

VerifyReport verify_file(const std::string& file) {
  const MethodFile loaded = load_method_file(file);
  if (const auto* tableau = std::get_if<ExactTableau>(&loaded))
    return exact::verify_tableau(*tableau);
  return exact::verify_multistep(std::get<ExactMultistep>(loaded));
}

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "?";
}
std::string number(const std::optional<int>& value) { return value ? std::to_string(*value) : "?"; }

std::vector<std::vector<std::string>> table_of(const std::vector<VerifyReport>& reports) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "order", "stage order", "A-stable", "L-stable", "verdict"}};
  for (const VerifyReport& r : reports)
    rows.push_back({r.id, number(r.order), number(r.stage_order), yes_no(r.a_stable),
                    yes_no(r.l_stable),
                    r.verified() ? (r.order ? "verified" : "undecided") : "FAILS"});
  return rows;
}

/// results/certificates/catalogue.md: what the whole catalogue was found to be.
void write_catalogue(const std::vector<VerifyReport>& reports) {
  std::string text = "# The catalogue, decided exactly\n\n";
  bool header = true;
  for (const auto& row : table_of(reports)) {
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
    if (header) text += "|---|---|---|---|---|---|\n";
    header = false;
  }
  text += "\n# Padé approximants: Ehle's theorem as a map\n\n" + exact::ehle_map();
  write_if_changed(results_root() / "certificates" / "catalogue.md", text);
}

/// With a separator at its end; as seen from the project's root where it lies below it.
std::string shown(const std::filesystem::path& folder) {
  const std::string inside = folder.lexically_relative(source_root()).generic_string();
  return (inside.empty() || inside.starts_with("..") ? folder.generic_string() : inside) + "/";
}

/// Returns whether every entry's evidence carries its kind.
bool report_errata(const Work& work, std::ostream& out, std::ostream& err, bool quiet) {
  const std::vector<Erratum> all =
      exact::run_errata(source_root() / "analysis" / "exact" / "errata");
  exact::write_errata(all, results_root());
  std::vector<Erratum> wanted;
  for (const Erratum& e : all)
    if (work.whole || std::count(work.papers.begin(), work.papers.end(), e.paper) != 0)
      wanted.push_back(e);
  bool sound = true;
  for (const Erratum& e : wanted) {
    if (e.refusal.empty()) continue;
    sound = false;
    err << fmt::format("daemark verify: errata of {}, {}: called {}: {}\n", e.paper, e.place,
                       exact::word(e.kind), e.refusal);
  }
  if (quiet) return sound;
  out << fmt::format("\nerrata, in full in results/errata.md: {}.\n{}\n",
                     exact::errata_counts(wanted), exact::errata_rule);
  for (const exact::ErratumKind kind : exact::erratum_kinds) {
    std::vector<std::vector<std::string>> rows = {{"paper", "place", "exact check"}};
    for (const Erratum& e : wanted)
      if (e.kind == kind) rows.push_back({e.paper, e.place, e.condition});
    out << fmt::format("\n{} ({})\n", exact::heading(kind), rows.size() - 1);
    if (rows.size() > 1) out << columns(rows);
  }
  return sound;
}

int verify_verb(const VerifyOptions& options, std::ostream& out, std::ostream& err) {
  const Work work = work_of(options.targets);
  const std::filesystem::path folder = results_root() / "certificates";
  std::vector<VerifyReport> reports;
  for (const std::string& call : work.methods) reports.push_back(exact::verify_method(call));
  for (const std::string& file : work.files) reports.push_back(verify_file(file));
  bool all_hold = true;
  for (const VerifyReport& report : reports) {
    exact::write_certificate(report, folder);
    all_hold = all_hold && report.verified();
  }
  if (work.whole) write_catalogue(reports);
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const VerifyReport& report : reports) list.push_back(report.to_json(shown(folder)));
    out << list.dump(2) << "\n";
  } else {
    out << columns(table_of(reports));
    if (reports.size() == 1)
      for (const std::string& note : reports.front().notes) out << "  " << note << "\n";
  }
  for (const VerifyReport& report : reports)
    for (const std::string& failure : report.failures)
      err << fmt::format("daemark verify: {}: {}\n", report.id, failure);
  if ((work.whole || !work.papers.empty()) && !report_errata(work, out, err, options.json))
    all_hold = false;
  return all_hold ? 0 : 1;
}

}  // namespace

VerbAction declare_verify(OptionSet& app) {
  auto options = std::make_shared<VerifyOptions>();
  app.add_option("target", options->targets,
                 "methods, papers or tableau files; none: the whole catalogue and all errata")
      ->type_name("M|PAPER|FILE.json");
  add_json_flag(app, options->json);
  return
      [options](std::ostream& out, std::ostream& err) { return verify_verb(*options, out, err); };
}

}  // namespace daemark
