#include "experiments/atlas/cards.hpp"

#include <algorithm>
#include <set>

#include "analysis/report/template.hpp"
#include "base/program/digest.hpp"
#include "base/program/source_digests.hpp"
#include "base/program/write_file.hpp"
#include "experiments/atlas/atlas_files.hpp"
#include "experiments/atlas/card_names.hpp"
#include "problems/system/registry.hpp"

namespace daemark {
namespace {

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

void write_cards(const fs::path& results, const AtlasBook& book, const ReportModel& model) {
  const MethodPlaces places(book);
  const std::vector<PublishedState> published = published_references();
  const CardSources sources{book, places, model.errata, published, results};
  write_shared(results, book);
  for (const std::string& call : carded_methods())
    write_if_changed(results / method_card(call), method_card_page(call, sources));
  write_if_changed(results / "methods" / "index.html", methods_page());
  for (const ReportProblem& problem : model.problems)
    write_if_changed(results / problem_card(problem.id), problem_card_page(problem, sources));
}

}  // namespace

void find_cards(const fs::path& results, ReportModel& model) {
  std::vector<ReportLink> methods, problems;
  for (const std::string& call : carded_methods())
    methods.push_back(
        {call, method_card(call), family_names[static_cast<std::size_t>(family_of(call))]});
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
  const AtlasBook book = read_atlas(results, services);
  write_atlas_files(results, book);
  write_cards(results, book, model);
  write_if_changed(stamp, inputs);
}

}  // namespace daemark
