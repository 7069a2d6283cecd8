#include "experiments/atlas/cards.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/exact/proof/certificate.hpp"
#include "analysis/linear/mode_table.hpp"
#include "analysis/report/animation.hpp"
#include "analysis/report/mathml.hpp"
#include "analysis/report/template.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "analysis/variation/horizon.hpp"
#include "base/program/digest.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "experiments/cells/support/cell_kind.hpp"
#include "experiments/compare/compare_field.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/system/registry.hpp"

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

namespace {

std::string problem_card(const std::string& id) { return "problems/" + id + "/index.html"; }

/// The pages over all methods and over the atlas, for the bar on top.
std::vector<ReportLink> atlas_rooms() {
  return {{"methods", "methods/index.html", ""}, {"atlas", "atlas/index.html", ""}};
}

/// The modes where the motion begins.
PageData frequencies(const std::string& id) {
  constexpr std::size_t most = 12;
  try {
    ModeRequest request;
    request.problem = id;
    const ModeTable table = mode_table(request);
    std::vector<std::vector<std::string>> rows;
    for (std::size_t k = 0; k < std::min(most, table.modes.size()); ++k) {
      const double frequency = table.modes[k].frequency();
      rows.push_back({std::to_string(k + 1), fmt::format("{:.5g}", frequency),
                      fmt::format("{:.3g}", frequency > 0 ? table.modes[k].damping() : 0.0)});
    }
    if (rows.empty()) return {};
    return {{"flat", true},
            {"heads", {"mode", "frequency [rad/s]", "damping"}},
            {"rows", table_rows(rows)},
            {"modes", std::to_string(table.modes.size())},
            {"highest", table.modes.size() > most ? fmt::format("{:.5g}", table.highest) : ""},
            {"accelerated", table.acceleration > 0}};
  } catch (const BadInput&) {
  } catch (const NoReference&) {
  } catch (const NumericalFailure&) {
  }
  return {};
}

/// A table without what stands around it; nothing where it has no row.
PageData small_table(const std::vector<std::string>& heads, const PageData& rows) {
  if (rows.empty()) return {};
  return {{"flat", true}, {"heads", heads}, {"rows", rows}};
}

/// Published states, of which nothing has to be computed.
PageData reference(const std::string& id, const std::vector<PublishedState>& published) {
  const std::string name = problem_shape(id)->name;
  std::vector<std::vector<std::string>> rows;
  for (const PublishedState& state : published) {
    if (state.problem != name || !state.is_current) continue;
    const ReferenceState known =
        reference_states(problem_registry().make(id), {state.t}, 1, false, false).front();
    const int proved = proved_digits(name, state.t);
    rows.push_back({state.t, fmt::format("{}", known.agreed_digits),
                    proved > 0 ? fmt::format("{}", proved) : "", known.first_route,
                    known.second_route});
  }
  if (problem_shape(id)->closed_form) rows.push_back({"any", "50", "", "closed form", ""});
  return small_table({"t [s]", "digits that agree", "proved", "first route", "second route"},
                     table_rows(rows));
}

/// When digits are lost in double, and in a motion of data known to 6 digits.
PageData horizon_table(const std::string& id) {
  constexpr long most_work = 20000000;  // below a second
  constexpr double longest = 100, data_digits = 6;
  const Problem problem = problem_registry().make(id);
  const auto told = [&](const std::optional<double>& t, double reached) {
    return fmt::format("{}{:.3g}", t ? "" : "beyond ", t.value_or(reached));
  };
  std::vector<std::vector<std::string>> rows;
  try {
    const Horizon found =
        horizon(problem, {problem.start.eval<double>() + longest, 0, true, most_work});
    for (const int k : {9, 6, 3, 1})
      rows.push_back({fmt::format("{}", k), told(found.in_double(k), found.reached),
                      k >= data_digits ? "" : told(found.of_data(data_digits, k), found.reached)});
  } catch (const BadInput&) {  // no motion that can be followed
  }
  return small_table({"digits", "in double [s]", "data of 6 digits [s]"}, table_rows(rows));
}

PageData best_methods(const std::string& id, const CardSources& sources, const PageFrame& page) {
  PageData rows = PageData::array();
  for (const Compared& one : sources.atlas) {
    if (parse_call(one.field.motion.problem, "problem").id != id) continue;
    PageData cells = {{{"head", true}, {"text", one.field.formulation}}};
    for (std::size_t k = 0; k < 3; ++k) {
      const auto ranked = one.by_rank(k);
      cells.push_back({{"text", "none"}});
      if (ranked.empty()) continue;
      cells.back() = sweep_cell(ranked.front()->name(), page);
      cells.back()["note"] = text_of(*ranked.front()->reached[k]);
    }
    rows.push_back({{"cells", cells}});
  }
  return small_table({"formulation", "least work for q to 1e-3", "1e-6", "1e-9"}, rows);
}

/// `problem` as the report shows it, with its animation.
std::string problem_card_page(const ReportProblem& problem, const CardSources& sources) {
  const PageFrame page{problem_card(problem.id), problem.id};
  const auto shape = problem_shape(problem.id);
  std::string forms;
  for (const char* formulation : {"index3", "index2", "index1"})
    forms += formulation_formula(formulation);
  std::vector<std::vector<std::string>> data;
  for (const auto& row : problem.data) data.emplace_back(row.begin(), row.end());
  return card_page(
      page, "problem",
      {{"id", problem.id},
       {"summary", problem.summary},
       {"moving", animation_figure(problem.animation)},
       {"caption", problem.caption},
       {"command", problem.command},
       {"equations", mathml_sentence(problem.equations)},
       {"coordinates", shape->coordinates.size()},
       {"constraints", shape->constraints},
       {"forms", forms},
       {"parameters", small_table({"name", "value", "unit", "source"}, table_rows(data))},
       {"source", problem.source},
       {"lines", problem.references},
       {"reference", reference(problem.id, sources.published)},
       {"horizon", horizon_table(problem.id)},
       {"frequencies", frequencies(problem.id)},
       {"best", best_methods(problem.id, sources, page)}});
}

namespace fs = std::filesystem;

/// Everything that decides the cards and the pages of the atlas.
std::string inputs_of(const fs::path& results, const ReportModel& model) {
  std::string text;
  for (const SourceFile& file : source_files()) text += file.digest;
  for (const auto& [name, skeleton] : assets()) text += skeleton;
  for (const char* name : {"catalogue.json", "library.json"})
    text += read_text(results / name).value_or("");
  for (const std::string& id : problem_registry().catalogue_ids())
    text += read_text(results / "atlas" / (id + ".jsonl")).value_or("");
  for (const ReportProblem& problem : model.problems)
    text += problem.id + problem.summary + problem.equations + problem.animation + problem.caption;
  for (const exact::Erratum& erratum : model.errata) text += erratum.place + erratum.condition;
  return digest(text);
}

std::vector<std::string> paths_of(const ReportModel& model) {
  std::vector<std::string> paths = {"methods/index.html", "assets/tags.js", "assets/report.css"};
  for (const std::string& call : carded_methods()) paths.push_back(method_card(call));
  for (const ReportProblem& problem : model.problems) paths.push_back(problem_card(problem.id));
  return paths;
}

void write_cards(const fs::path& results, const Atlas& atlas, const ReportModel& model) {
  const MethodPlaces places(atlas);
  const std::vector<PublishedState> published = published_references();
  const CardSources sources{atlas, places, model.errata, published, results};
  write_shared(results, atlas);
  for (const std::string& call : carded_methods())
    write_if_changed(results / method_card(call), method_card_page(call, sources));
  write_if_changed(results / "methods" / "index.html", methods_page());
  for (const ReportProblem& problem : model.problems)
    write_if_changed(results / problem_card(problem.id), problem_card_page(problem, sources));
}

}  // namespace

std::string card_page(const PageFrame& page, const std::string& skeleton, const PageData& data) {
  ReportModel bar;
  bar.rooms = atlas_rooms();
  bar.rooms.insert(bar.rooms.begin(), {"problems", "problems/index.html", ""});
  return html_page(bar, {page.path, page.title, true}, fill_template(skeleton, data));
}

PageData sweep_cell(const std::string& sweep, const PageFrame& page, bool head) {
  std::string name = sweep;
  constexpr std::string_view earlier = " †";
  if (name.ends_with(earlier)) name.resize(name.size() - earlier.size());
  const std::string path = method_card(method_of(name));
  return {{"head", head}, {"text", sweep}, {"link", path.empty() ? "" : page.link(path)}};
}

void find_cards(const fs::path& results, ReportModel& model) {
  std::vector<ReportLink> methods, problems;
  for (const std::string& call : carded_methods())
    methods.push_back(
        {call, method_card(call), family_names[static_cast<std::size_t>(method_family(call))]});
  for (ReportProblem& problem : model.problems) {
    problem.card = problem_card(problem.id);
    problems.push_back({problem.id, problem.card, problem.summary});
  }
  model.found = {{"Problems", std::move(problems)}, {"Methods", std::move(methods)}};
  model.rooms = atlas_rooms();
  std::error_code none;
  if (!fs::exists(results / "atlas", none)) model.rooms.pop_back();
}

void drop_cards(const fs::path& results) {
  std::set<std::string> kept = {"methods/index.html"};
  for (const std::string& call : carded_methods()) kept.insert(method_card(call));
  std::vector<fs::path> left;
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(results / "methods", none))
    if (const fs::path& page = entry.path();
        page.extension() == ".html" && !kept.contains("methods/" + page.filename().string()))
      left.push_back(page);
  for (const fs::path& page : left) fs::remove(page);
}

void renew_cards(const fs::path& results, const Services& services, const ReportModel& model) {
  const fs::path stamp = results / ".cache" / "cards.stamp";
  const std::string inputs = inputs_of(results, model);
  const std::vector<std::string> paths = paths_of(model);
  drop_cards(results);
  const bool there = std::all_of(paths.begin(), paths.end(), [&](const std::string& path) {
    return fs::exists(results / path);
  });
  if (there && read_text(stamp) == inputs) return;
  const Atlas atlas = read_atlas(results, services);
  write_atlas_files(results, atlas);
  write_cards(results, atlas, model);
  write_if_changed(stamp, inputs);
}

}  // namespace daemark
