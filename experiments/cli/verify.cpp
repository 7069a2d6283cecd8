// daemark verify: exact orders, stability certificates and errata.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <ostream>

#include "analysis/exact/proof/catalogue.hpp"
#include "base/program/interrupt.hpp"
#include "base/program/paths.hpp"
#include "base/program/progress.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/counted.hpp"
#include "base/text/printable.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/cli/verify_targets.hpp"
#include "experiments/errata/errata.hpp"
#include "experiments/field/collections.hpp"
#include "experiments/terminal/progress_line.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {
namespace {

using exact::Erratum;
using exact::VerifyReport;

namespace fs = std::filesystem;

struct VerifyOptions {
  std::vector<std::string> targets;
  std::string tag;          ///< also the methods of which it holds
  std::string certificate;  ///< file or folder; empty: the results, or beside the file
  double time_limit = 120;  ///< processor time of one method [s]
  bool json = false;
};

fs::path field_file() { return source_root() / "experiments" / "field" / "collections.json"; }

std::vector<std::vector<std::string>> table_of(const std::vector<VerifyReport>& reports) {
  std::vector<std::vector<std::string>> rows = {exact::catalogue_columns};
  for (const VerifyReport& report : reports) rows.push_back(exact::catalogue_line(report).cells());
  return rows;
}

/// Relative to the root of the project where it lies below it.
std::string shown(const fs::path& file) {
  const std::string inside = file.lexically_relative(source_root()).generic_string();
  return inside.empty() || inside.starts_with("..") ? file.generic_string() : inside;
}

/// Whether `call` (canonical) is a member of the catalogue, whose certificate is committed.
bool is_committed(const std::string& call) {
  const std::vector<std::string> members = method_registry().examples();
  return std::any_of(members.begin(), members.end(), [&](const std::string& member) {
    return method_registry().bind(member).canonical() == call;
  });
}

/// Where the certificate `name` of the method `id` goes. `origin`: the tableau file of a method
/// from outside; its certificate is written beside that file.
fs::path certificate_path(const VerifyOptions& options, const std::string& name,
                          const std::string& id, const fs::path& origin) {
  if (options.certificate.empty()) {
    if (!origin.empty()) return fs::path(origin).replace_extension(".certificate.json");
    return results_root() / (is_committed(id) ? "certificates" : ".local/certificates") / name;
  }
  const fs::path wanted = options.certificate;
  const bool folder = fs::is_directory(wanted) || !wanted.has_filename() ||
                      options.targets.size() != 1 || !options.tag.empty();
  return folder ? wanted / name : wanted;
}

/// Throws BadInput where the certificate of a method from outside would go to the results.
void check_place(const VerifyOptions& options, const fs::path& origin) {
  if (origin.empty()) return;
  const fs::path file = certificate_path(options, "certificate.json", "", origin);
  const fs::path folder = fs::weakly_canonical(fs::absolute(file).parent_path());
  const std::string inside =
      folder.lexically_relative(fs::weakly_canonical(results_root())).generic_string();
  if (!inside.empty() && !inside.starts_with(".."))
    throw BadInput(file.string() +
                   ": the results hold certificates of the catalogue; accepted: --certificate "
                   "FILE.json|FOLDER elsewhere");
}

/// The tableau file of a method that --tableau added, empty for the catalogue.
fs::path origin_of(const std::string& call) {
  const MethodInfo& info = method_registry().info(parse_call(call, "method").id);
  return from_outside(info.file) ? fs::path(info.file) : fs::path();
}

/// Sizes of the parts of one call. The errata of the papers and of the field count as so many
/// proofs: guesses, which shape the estimated time remaining and no result.
std::vector<double> part_sizes(std::size_t proofs, bool errata, bool field) {
  constexpr double of_papers = 60, of_field = 300;
  std::vector<double> sizes(proofs, 1.0);
  if (errata) sizes.push_back(of_papers);
  if (field) sizes.push_back(of_field);
  return sizes;
}

/// Returns whether the evidence of every entry supports its kind.
bool report_errata(const VerifyWork& work, ProgressParts& parts, KeptFailure& failure,
                   std::ostream& out, std::ostream& err, bool quiet) {
  const std::vector<Erratum> all = [&] {
    const ProgressShare share = parts.next();
    const ProgressLine line(err, "errata of the papers");
    tell_progress("formulas", 0);
    return exact::run_errata(source_root() / "experiments");
  }();
  failure.guard([&] { exact::write_errata(all, results_root()); });
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
  out << fmt::format("\nerrata, in full in {}: {}.\n{}\n", shown_result("errata.md"),
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

/// Returns whether every entry is an erratum: fails as printed, and only so.
bool report_field(ProgressParts& parts, KeptFailure& failure, std::ostream& out, std::ostream& err,
                  bool quiet) {
  const std::vector<exact::FieldErratum> all = [&] {
    const ProgressShare share = parts.next();
    const ProgressLine line(err, "errata of the field");
    tell_progress("entries", 0);
    return exact::run_field_errata(field_file());
  }();
  failure.guard([&] { exact::write_field_errata(all, results_root()); });
  bool sound = true;
  std::vector<std::vector<std::string>> rows = {{"project", "name", "printed", "right"}};
  for (const exact::FieldErratum& e : all) {
    rows.push_back({e.project, e.name, e.printed, e.right});
    if (e.refusal.empty()) continue;
    sound = false;
    err << fmt::format("daemark verify: errata of the field, {}, {}: {}\n", e.project, e.name,
                       e.refusal);
  }
  if (!quiet)
    out << fmt::format("\nerrata of the field, in full in {} ({})\n{}",
                       shown_result("errata-field.md"), all.size(), columns(rows));
  return sound;
}

struct Proofs {
  std::vector<VerifyReport> reports;
  std::vector<fs::path> certificates;
  bool interrupted = false;
  KeptFailure failure;

  void add_undecided(const std::string& name, double limit) {
    VerifyReport report;
    report.id = name;
    report.failures.push_back(
        fmt::format("not decided within {:g} s of processor time; accepted: a larger "
                    "--time-limit, or a smaller method",
                    limit));
    reports.push_back(std::move(report));
    certificates.emplace_back();
  }
};

void show(const Proofs& proofs, bool json, std::ostream& out, std::ostream& err) {
  const std::vector<VerifyReport>& reports = proofs.reports;
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (std::size_t i = 0; i < reports.size(); ++i)
      list.push_back(reports[i].to_json(shown(proofs.certificates[i])));
    out << list.dump(2) << "\n";
  } else {
    out << columns(table_of(reports));
    if (reports.size() == 1)
      for (const std::string& note : reports.front().notes) out << "  " << note << "\n";
  }
  for (const VerifyReport& report : reports) {
    for (const std::string& failure : report.failures)
      err << fmt::format("daemark verify: {}: {}\n", report.id, failure);
    if (report.is_unstable())
      err << fmt::format(
          "daemark verify: {}: not zero-stable: a root of rho is outside the unit disc or multiple "
          "on its edge, errors grow from step to step however small h is\n",
          report.id);
  }
}

/// What is kept of them where they end early.
std::string proved(const Proofs& proofs) {
  return fmt::format("{} proved", counted(proofs.reports.size(), "method"));
}

std::vector<LoadedMethod> load_all(const VerifyWork& work, const VerifyOptions& options) {
  for (const std::string& call : work.methods) check_place(options, origin_of(call));
  std::vector<LoadedMethod> loaded;
  for (const std::string& file : work.files)
    for (LoadedMethod& one : load_methods(file)) {
      check_place(options, one.origin);
      loaded.push_back(std::move(one));
    }
  return loaded;
}

/// One after the other, each within its time limit; an interrupt keeps finished proofs.
Proofs run_all(const VerifyWork& work, const std::vector<LoadedMethod>& loaded,
               const VerifyOptions& options, ProgressParts& parts, std::ostream& out,
               std::ostream& err) {
  Proofs proofs;
  ProgressLine line(err);
  const std::size_t count = work.methods.size() + loaded.size();
  const auto prove = [&](const std::string& name, const fs::path& origin, auto&& proof) {
    if (proofs.interrupted) return;
    VerifyReport report;
    const auto out_of_time = [&] {
      proofs.add_undecided(name, options.time_limit);
      show(proofs, options.json, out, err);
      err << "daemark verify: the time limit passed within a step that cannot be stopped; what "
             "follows is not tried\n";
      out.flush();
    };
    const ProgressShare share = parts.next();
    line.name(fmt::format("{} ({} of {})", printable(name, 100), proofs.reports.size() + 1, count));
    tell_progress("proof", 0);
    try {
      const OnInterrupt on_interrupt([&] {
        show(proofs, options.json, out, err);
        out.flush();
        return proved(proofs);
      });
      const Watch watch(options.time_limit, out_of_time);
      report = proof();
    } catch (const Stopped& stopped) {
      proofs.interrupted = stopped.cause == StopCause::interrupted;
      if (!proofs.interrupted) proofs.add_undecided(name, options.time_limit);
      return;
    }
    proofs.certificates.push_back(certificate_path(options, report.certificate, report.id, origin));
    if (!report.certificate_data.is_null())
      proofs.failure.guard([&] {
        write_if_changed(proofs.certificates.back(), report.certificate_data.dump(1) + "\n");
      });
    proofs.reports.push_back(std::move(report));
  };
  for (const std::string& call : work.methods)
    prove(call, origin_of(call), [&] { return exact::verify_method(call); });
  for (const LoadedMethod& one : loaded)
    prove(one.name, one.origin, [&] {
      VerifyReport proved = verify_loaded(one);
      if (one.origin.empty() && options.certificate.empty()) proved.certificate_data = nullptr;
      return proved;
    });
  return proofs;
}

int verify_verb(const VerifyOptions& options, std::ostream& out, std::ostream& err) {
  const VerifyWork work = verify_work(options.targets, options.tag);
  if (work.whole && !options.certificate.empty())
    throw BadInput("--certificate goes with a method or a file; accepted: one of them named");
  if (work.whole || work.library || !work.papers.empty()) require_writable(results_root());
  const std::vector<LoadedMethod> loaded = load_all(work, options);  // bad input before any proof
  const bool errata = work.whole || !work.papers.empty();
  ProgressParts parts(part_sizes(work.methods.size() + loaded.size(), errata, work.field));
  Proofs proofs = run_all(work, loaded, options, parts, out, err);
  const std::vector<VerifyReport>& reports = proofs.reports;
  bool all_hold = true, all_decided = !proofs.interrupted;
  for (const VerifyReport& report : reports) {
    // A family of the catalogue may contain unstable members: no failure.
    all_hold = all_hold && report.verified() && (work.whole || !report.is_unstable());
    const bool open =
        (work.whole || work.library) && exact::ran_out(report) && exact::has_form(report.id);
    all_decided = all_decided && !open;
  }
  if (work.whole && all_decided)
    proofs.failure.guard([&] { exact::write_catalogue(reports, results_root()); });
  if (work.library && all_decided)
    proofs.failure.guard([&] { exact::write_library(reports, results_root()); });
  show(proofs, options.json, out, err);
  if (proofs.interrupted) {
    say_interrupted("daemark verify", proved(proofs));
    return interrupted_status();
  }
  if (errata && !report_errata(work, parts, proofs.failure, out, err, options.json))
    all_hold = false;
  if (work.field && !report_field(parts, proofs.failure, out, err, options.json)) all_hold = false;
  proofs.failure.raise();
  return all_hold ? 0 : 1;
}

void declare(OptionSet& app, VerifyOptions& options) {
  app.add_option("target", options.targets, "M|PAPER|field|library|FILE",
                 "methods, papers, field, library, tableau files, or FILE[:NAME] of another "
                 "program's source (.def, .c, .jl, .py, .txt); none: the whole catalogue and all "
                 "errata");
  app.add_option("--tag", options.tag, "EXPR",
                 "the methods with these tags, 'esdirk & order>=3' (daemark list tags)");
  app.add_option("--certificate", options.certificate, "FILE.json|FOLDER",
                 "where the certificate goes; default: for a member of the catalogue "
                 "results/certificates, for another call results/.local/certificates, for a file "
                 "its folder");
  app.add_option("--time-limit", options.time_limit, "SECONDS",
                 "processor time a method may take [s], default 120; then it is undecided")
      ->positive();
  add_json_flag(app, options.json);
}

}  // namespace

void register_verify(Verbs& verbs) {
  verbs.add<VerifyOptions>({"verify", VerbGroup::run, "exact order, stability certificates, errata",
                            "daemark verify 'gauss(2)'"},
                           declare, verify_verb);
}

}  // namespace daemark
