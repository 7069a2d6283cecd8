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
#include "base/text/bad_input.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/tableau_option.hpp"
#include "experiments/cli/text.hpp"
#include "experiments/cli/verb.hpp"
#include "methods/core/registry.hpp"
#include "methods/core/tableau_file.hpp"
#include "methods/multistep/multistep_stepper.hpp"

namespace daemark {
namespace {

using exact::Erratum;
using exact::VerifyReport;

namespace fs = std::filesystem;

struct VerifyOptions {
  std::vector<std::string> targets;
  std::string certificate;  ///< file or folder; empty: the results, or beside the file
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

/// The id of a tableau file of the catalogue, "" for files from outside.
std::string catalogue_id(const std::string& file) {
  const std::string id = fs::path(file).stem().string();
  if (from_outside(file) || !method_registry().has(id)) return "";
  std::error_code ignored;
  return fs::equivalent(file, method_registry().info(id).file, ignored) ? id : "";
}

Work work_of(const std::vector<std::string>& targets) {
  Work work;
  if (targets.empty()) {
    work.whole = true;
    work.methods = method_registry().examples();
  }
  for (const std::string& target : targets) {
    if (target.ends_with(".json")) {
      const std::string id = catalogue_id(target);
      id.empty() ? work.files.push_back(target) : work.methods.push_back(id);
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
  const auto& formula = std::get<ExactMultistep>(loaded);
  VerifyReport report = exact::verify_multistep(formula);
  exact::add_start(report, *multistep_method(form_of(formula)));
  return report;
}

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "?";
}
std::string number(const std::optional<int>& value) { return value ? std::to_string(*value) : "?"; }

const char* verdict_of(const VerifyReport& report) {
  if (!report.verified()) return "FAILS";
  if (!report.exact) return "holds to rounding";
  return report.order ? "verified" : "undecided";
}

std::vector<std::vector<std::string>> table_of(const std::vector<VerifyReport>& reports) {
  std::vector<std::vector<std::string>> rows = {
      {"method", "order", "stage order", "A-stable", "L-stable", "verdict"}};
  for (const VerifyReport& r : reports)
    rows.push_back({r.id, number(r.order), r.no_stage_order.empty() ? number(r.stage_order) : "-",
                    yes_no(r.a_stable), yes_no(r.l_stable), verdict_of(r)});
  return rows;
}

/// Exact numbers of a field may be long: they stand in full in the certificate.
std::string shortened(const std::string& exact) {
  constexpr std::size_t most = 40;
  if (exact.size() <= most) return exact;
  return exact.substr(0, most - 3) + "...";
}

/// The facts that --json gives, one row a method.
std::string facts_table(const std::vector<VerifyReport>& reports) {
  std::string text;
  for (const VerifyReport& report : reports) {
    std::vector<std::string> row{report.id};
    std::vector<std::string> head{"method"};
    const nlohmann::ordered_json facts = report.facts.to_json();
    for (const auto& [key, value] : facts.items()) {
      head.push_back(key);
      row.push_back(value.is_null()     ? ""
                    : value.is_string() ? shortened(value.get<std::string>())
                                        : value.dump());
    }
    if (text.empty()) {
      text = fmt::format("| {} |\n|", fmt::join(head, " | "));
      for (std::size_t i = 0; i < head.size(); ++i) text += "---|";
      text += "\n";
    }
    text += fmt::format("| {} |\n", fmt::join(row, " | "));
  }
  return text;
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
  text += "\n# Facts beside them\n\n" + facts_table(reports);
  text += "\n# Padé approximants: Ehle's theorem as a map\n\n" + exact::ehle_map();
  write_if_changed(results_root() / "certificates" / "catalogue.md", text);
}

/// As seen from the project's root where it lies below it.
std::string shown(const fs::path& file) {
  const std::string inside = file.lexically_relative(source_root()).generic_string();
  return inside.empty() || inside.starts_with("..") ? file.generic_string() : inside;
}

/// `origin`: the tableau file of a method from outside, whose certificate stays beside it.
fs::path certificate_path(const VerifyOptions& options, const VerifyReport& report,
                          const fs::path& origin) {
  if (options.certificate.empty()) {
    return origin.empty() ? results_root() / "certificates" / report.certificate
                          : fs::path(origin).replace_extension(".certificate.json");
  }
  const fs::path wanted = options.certificate;
  const bool folder =
      fs::is_directory(wanted) || !wanted.has_filename() || options.targets.size() != 1;
  return folder ? wanted / report.certificate : wanted;
}

void write_certificate(const VerifyReport& report, const fs::path& file, bool from_outside) {
  if (report.certificate_data.is_null()) return;
  const fs::path folder = fs::weakly_canonical(fs::absolute(file).parent_path());
  const std::string inside =
      folder.lexically_relative(fs::weakly_canonical(results_root())).generic_string();
  if (from_outside && !inside.empty() && !inside.starts_with(".."))
    throw BadInput(file.string() +
                   ": the results hold certificates of the catalogue; accepted: --certificate "
                   "FILE.json|FOLDER elsewhere");
  write_if_changed(file, report.certificate_data.dump(1) + "\n");
}

/// The tableau file of a method that --tableau added, empty for the catalogue.
fs::path origin_of(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  return from_outside(info.file) ? fs::path(info.file) : fs::path();
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

std::vector<VerifyReport> run_all(const Work& work, const VerifyOptions& options,
                                  std::vector<fs::path>& certificates) {
  std::vector<VerifyReport> reports;
  const auto add = [&](VerifyReport report, const fs::path& origin) {
    certificates.push_back(certificate_path(options, report, origin));
    write_certificate(report, certificates.back(), !origin.empty());
    reports.push_back(std::move(report));
  };
  for (const std::string& call : work.methods) add(exact::verify_method(call), origin_of(call));
  for (const std::string& file : work.files) add(verify_file(file), file);
  return reports;
}

int verify_verb(const VerifyOptions& options, std::ostream& out, std::ostream& err) {
  const Work work = work_of(options.targets);
  if (work.whole && !options.certificate.empty())
    throw BadInput("--certificate goes with a method or a file; accepted: one of them named");
  std::vector<fs::path> certificates;
  const std::vector<VerifyReport> reports = run_all(work, options, certificates);
  bool all_hold = true;
  for (const VerifyReport& report : reports) all_hold = all_hold && report.verified();
  if (work.whole) write_catalogue(reports);
  if (options.json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < reports.size(); ++i)
      list.push_back(reports[i].to_json(shown(certificates[i])));
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
  app.add_option("--certificate", options->certificate,
                 "where the certificate goes; without it certificates of the catalogue go to the "
                 "results, those of a file beside it")
      ->type_name("FILE.json|FOLDER");
  add_json_flag(app, options->json);
  return
      [options](std::ostream& out, std::ostream& err) { return verify_verb(*options, out, err); };
}

}  // namespace daemark
