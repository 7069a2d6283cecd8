// daemark show ID
#include "experiments/cli/show/show.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <ostream>

#include "analysis/enclosure/proof_file.hpp"
#include "analysis/reference/reference.hpp"
#include "analysis/run/measures.hpp"
#include "analysis/setup/bound_run.hpp"
#include "base/program/paths.hpp"
#include "base/text/near.hpp"
#include "base/text/printable.hpp"
#include "base/text/wrap.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/cli/common_options.hpp"
#include "experiments/cli/verb.hpp"
#include "experiments/engine/write/book.hpp"
#include "experiments/terminal/text.hpp"
#include "methods/catalogue/registry.hpp"
#include "problems/formulations/formulation.hpp"
#include "problems/system/registry.hpp"
#include "problems/system/remarks.hpp"

namespace daemark {

using nlohmann::ordered_json;

ordered_json parameters_json(const std::vector<Parameter>& parameters) {
  ordered_json list = ordered_json::array();
  for (const Parameter& p : parameters) {
    ordered_json entry = {{"name", p.name}, {"accepted", p.accepted}};
    if (!p.fallback.empty()) entry["default"] = p.fallback;
    entry["required"] = p.fallback.empty() && !p.optional;
    list.push_back(entry);
  }
  return list;
}

std::string reference_lines(const std::string& source) {
  std::string text;
  for (const std::string& reference : full_references(source))
    text += wrapped(reference, 100, 2) + "\n";
  return text;
}

namespace {

ordered_json row_json(const RowSpec& row) {
  ordered_json out = {{"id", row.id}, {"label", row.label}};
  if (row.cell) {
    out["cell"] = cell_json(*row.cell);
    out["command"] = command(*row.cell);
  }
  if (!row.candidates.empty()) out["candidates"] = row.candidates;
  if (!row.printed.empty()) out["printed"] = row.printed;
  return out;
}

std::string places(const ItemSpec& item) {
  std::string text;
  for (const auto& [edition, place] : item.where)
    text += (text.empty() ? "" : "; ") + edition + ": " + place;
  return text;
}

std::string list_text(const char* title, const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text.empty() ? text : std::string(title) + "\n" + text;
}

Report show_paper(const std::string& id) {
  const Book book = read_book(source_root() / "experiments", id);
  ReportRows editions({{"id"}, {"label"}}), items({{"id"}, {"kind"}, {"title"}});
  for (const EditionSpec& edition : book.paper.editions) editions.add({edition.id, edition.label});
  for (const ItemSpec& item : book.items) items.add({id + "/" + item.id, item.kind, item.title});
  Report shown;
  shown.say(fmt::format("{}: {}\n  {}", id, book.paper.title, book.paper.citation));
  shown.set("id", id).set("what", "paper").set("title", book.paper.title);
  shown.set("citation", book.paper.citation).set("editions", editions.objects());
  shown.rows("items", "items", items).set("notes", book.paper.notes);
  return shown.say(list_text("notes", book.paper.notes));
}

Report show_item(const std::string& paper, const std::string& id) {
  const Book book = read_book(source_root() / "experiments", paper, {id});
  const ItemSpec& item = book.item(id);
  ordered_json rows = ordered_json::array();
  std::vector<std::string> commands, claim_lines;
  for (const RowSpec& row : item.rows) {
    rows.push_back(row_json(row));
    commands.push_back(row.label + ": " +
                       (row.cell ? command(*row.cell) : "compared with its candidates"));
  }
  ReportRows claims({{"id"}, {"text"}, {"own"}, {"conditions"}});
  for (const ClaimSpec& claim : item.claims) {
    ordered_json conditions = ordered_json::array();
    for (const Formula& condition : claim.conditions) conditions.push_back(condition.text());
    claims.add({claim.id, claim.text, claim.own, conditions});
    claim_lines.push_back(claim.id + (claim.own ? " (our own check): " : ": ") + claim.text);
  }
  ReportRows measured({{"id"}, {"measure"}, {"unit"}});
  for (const ColumnSpec& column : item.columns)
    measured.add({column.id, column.measure.text(), column.unit});
  Report shown;
  shown.json = {{"id", paper + "/" + id},
                {"what", "item"},
                {"kind", item.kind},
                {"title", item.title},
                {"where", item.where},
                {"columns", measured.objects()},
                {"rows", rows},
                {"claims", claims.objects()},
                {"assumed", item.assumed},
                {"notes", item.notes}};
  shown.say(fmt::format("{}/{}: {}\n  {}; {}", paper, id, item.title, item.kind, places(item)));
  shown.say(list_text("rows", commands)).say(list_text("claims", claim_lines));
  return shown.say(list_text("assumed", item.assumed)).say(list_text("notes", item.notes));
}

Report show_formulation(const FormulationInfo& info) {
  Report report;
  report.json = {{"id", info.id},
                 {"what", "formulation"},
                 {"summary", info.summary},
                 {"index", info.index},
                 {"parameters", parameters_json(info.parameters)}};
  return report.say(fmt::format("{}: {}\n  differentiation index {}\n{}",
                                signature(info.id, info.parameters), info.summary, info.index,
                                parameter_lines(info.parameters)));
}

Report show_setting(const SettingInfo& info) {
  Report report;
  report.json = {{"id", info.key},
                 {"what", "setting"},
                 {"meaning", info.meaning},
                 {"accepted", info.accepted},
                 {"default", info.fallback}};
  return report.say(fmt::format("{}: {}\n  accepted: {}\n  default: {}\n", info.key, info.meaning,
                                info.accepted, info.fallback));
}

Report show_id(const std::string& text) {
  const std::vector<std::string> papers = paper_ids(source_root() / "experiments");
  const std::size_t slash = text.find('/');
  if (const std::string paper = text.substr(0, slash);
      std::find(papers.begin(), papers.end(), paper) != papers.end())
    return slash == std::string::npos ? show_paper(paper)
                                      : show_item(paper, text.substr(slash + 1));
  for (const SettingInfo& info : setting_infos())
    if (info.key == text) return show_setting(info);
  const std::string hint = edition_hint(source_root() / "experiments", text.substr(0, slash));
  if (!hint.empty()) throw BadInput("no paper " + in_quotes(text.substr(0, slash)) + hint);
  const std::string id = parse_call(text, "show").id;
  if (method_registry().has(id)) return show_method(text);
  if (problem_registry().has(id)) return show_problem(text);
  for (const FormulationInfo& info : formulations())
    if (info.id == id) return show_formulation(info);
  std::vector<std::string> known = method_registry().all_ids();
  for (const auto& list : {problem_registry().ids(), papers})
    known.insert(known.end(), list.begin(), list.end());
  for (const FormulationInfo& info : formulations()) known.push_back(info.id);
  for (const SettingInfo& info : setting_infos()) known.push_back(info.key);
  const std::vector<std::string> common = known_as(id);
  const std::string near = common.empty()
                               ? did_you_mean(id, known)
                               : fmt::format(" (did you mean '{}'?)", fmt::join(common, "' or '"));
  throw BadInput(in_quotes(id) + " is unknown" + near +
                 "; accepted: what daemark list methods, problems, "
                 "formulations, settings or experiments names");
}

struct ShowOptions {
  std::string id;
};

void declare(OptionSet& app, ShowOptions& options) {
  app.add_option(
         "id", options.id, "ID",
         "a method or problem (with arguments), a formulation, setting, PAPER or PAPER/ITEM")
      ->required();
}

Report show(const ShowOptions& options, std::ostream&, std::ostream&) {
  return show_id(options.id);
}

std::string file_of(const ProblemInfo& info) {
  if (!info.of_catalogue) return info.data_file;
  return tree_path(info.data_file.empty() ? info.file : info.data_file);
}

/// Names and initial values in one kind of coordinates.
struct Coordinates {
  StateNames names;
  std::vector<std::string> q, v;
};

template <class S, class Text>
Coordinates coordinates_in(const Problem& problem, bool minimal, Text text) {
  const auto mechanism = problem.make<S>(minimal);
  std::vector<S> q0(mechanism->coordinates()), v0(q0.size()), chart(mechanism->chart_size());
  mechanism->initial(q0.data(), v0.data());
  mechanism->initial_chart(chart.data());
  const auto [q, v] =
      shown_motion<S>(*mechanism, {S(0), q0.data(), v0.data(), nullptr, nullptr, chart.data()});
  Coordinates out{state_names(problem, minimal), {}, {}};
  const auto add = [&](const std::vector<S>& values, std::vector<std::string>& texts) {
    double scale = 1;
    for (const S& value : values) scale = std::max(scale, std::abs(to_double(value)));
    // A zero after sums in 130 (or 16) digits; also -0.
    const double left = std::is_same_v<S, double> ? 1e-15 : 1e-100;
    for (const S& value : values)
      texts.push_back(std::abs(to_double(value)) <= left * scale ? "0" : text(value));
  };
  add(q, out.q);
  add(v, out.v);
  return out;
}

/// To 40 digits, or to those of double where the problem exists in double only.
Coordinates coordinates_of(const Problem& problem, bool minimal) {
  if (!(minimal ? problem.minimal : problem.absolute).in_real50)
    return coordinates_in<double>(problem, minimal, full_digits<double>);
  constexpr int digits = 40;
  return coordinates_in<real50>(problem, minimal,
                                [](const real50& value) { return value.str(digits); });
}

ordered_json coordinates_json(const Coordinates& c) {
  return {
      {"q", c.names.q},
      {"v", c.names.v},
      {"lambda", c.names.lambda},
      {"units", {{"q", c.names.q_units}, {"v", c.names.v_units}, {"lambda", c.names.lambda_units}}},
      {"initial", {{"q", c.q}, {"v", c.v}}}};
}

std::string coordinates_text(const char* title, const Coordinates& c) {
  const auto brief = [](const std::string& value) { return real50(value).str(17); };
  std::vector<std::vector<std::string>> rows;
  for (std::size_t i = 0; i < c.q.size(); ++i)
    rows.push_back({with_unit(c.names.q[i], c.names.q_units[i]), brief(c.q[i]),
                    with_unit(c.names.v[i], c.names.v_units[i]), brief(c.v[i])});
  std::string text = std::string(title) + " and their initial values\n" + columns(rows);
  std::string names;
  for (std::size_t i = 0; i < c.names.lambda.size(); ++i)
    names += (names.empty() ? "" : ", ") + with_unit(c.names.lambda[i], c.names.lambda_units[i]);
  return names.empty() ? text : text + wrapped("multipliers: " + names) + "\n";
}

/// Of the orientations among the coordinates; empty where there are none.
constexpr const char* frames_of_rotations =
    "psi is the rotation vector of R, which takes components in the body's frame to the fixed "
    "frame; Omega is the angular velocity in the body's frame; errors of psi are the rotation "
    "vector from the state's orientation to the reference's, in the body's frame; spin, wx, wy and "
    "wz of mechanism files and `score` are in the fixed frame; e0 (scalar) to e3 of `score` are "
    "the quaternion of R; x, y and z are of the mass centre or of a beam's node";

/// The general form of the equations, where the problem does not state its own.
std::string equations_of(const ProblemInfo& info, const Coordinates& absolute) {
  if (!info.equations.empty()) return info.equations;
  const std::size_t n = absolute.q.size(), m = absolute.names.lambda.size();
  if (m == 0)
    return fmt::format(
        "M(q) a = f(t, q, v) in {} coordinates without constraints, assembled from its declaration "
        "in {}",
        n, file_of(info));
  return fmt::format(
      "M(q) a + G(q)^T lambda = f(t, q, v), Phi(t, q) = 0, G = dPhi/dq, in {} "
      "coordinates with {} constraints, assembled from its declaration in {}",
      n, m, file_of(info));
}

/// Committed states, each with how many of its digits are known by what.
ReportRows stored_states(const Problem& problem) {
  ReportRows rows({{"t", "t [s]"},
                   {"agreed_digits", "digits on which two routes agree"},
                   {"proved_digits", "digits proved"}});
  for (const PublishedState& known : published_references()) {
    if (known.problem != problem.name || !known.is_current) continue;
    const int proved = proved_digits(problem.name, known.t);
    rows.add({known.t, reference_states(problem, {known.t}, 1, false, false).front().agreed_digits,
              proved > 0 ? Report::Json(proved) : Report::Json(nullptr)});
  }
  return rows;
}

}  // namespace

void register_show(Verbs& verbs) {
  verbs.add<ShowOptions>(
      {"show", VerbGroup::look, "what a method, problem, formulation, setting, paper or item is",
       "daemark show 'pade_block(r=3,k=2)'"},
      declare, show);
}

Report show_problem(const std::string& text) {
  const ProblemInfo& info = problem_registry().info(parse_call(text, "show").id);
  const Problem problem = problem_registry().make(text);
  std::vector<std::string> accepted;
  const auto mechanism = problem.make<double>();
  for (const FormulationInfo& formulation : formulations())
    if (formulation.minimal
            ? problem.has_minimal()
            : formulation_refusal(formulation, traits_of(formulation, *mechanism)).empty())
      accepted.push_back(signature(formulation.id, formulation.parameters));
  const Coordinates absolute = coordinates_of(problem, false);
  ReportRows data({{"name"}, {"value"}, {"unit"}, {"source"}});
  for (const Datum& d : problem.data) data.add({d.name, d.text(), d.unit, d.source});
  ReportRows outputs({{"id"}, {"meaning"}, {"unit"}});
  for (const OutputInfo& output : absolute.names.outputs)
    outputs.add({output.id, output.meaning, output.unit});
  Report shown;
  shown.keys({"id", "what", "call", "summary", "source", "references", "equations", "file",
              "parameters", "data", "coordinates", "formulations", "closed_form", "start",
              "outputs"});
  shown.set("id", info.id).set("what", "problem").set("call", problem.name);
  shown.set("summary", info.summary).set("source", with_citations(info.source));
  shown.set("references", full_references(info.source)).set("file", file_of(info));
  shown.set("equations", equations_of(info, absolute)).set("formulations", accepted);
  shown.set("parameters", parameters_json(info.parameters));
  shown.set("coordinates", coordinates_json(absolute));
  shown.set("closed_form", static_cast<bool>(problem.closed_form));
  shown.set("start", problem.start.text());
  shown.say(fmt::format("{}: {}\n  source {}; {}\n{}", problem.name, info.summary,
                        with_citations(info.source), file_of(info), reference_lines(info.source)));
  if (!info.parameters.empty()) shown.say("parameters\n" + parameter_lines(info.parameters));
  shown.say("equations\n  " + equations_of(info, absolute)).rows("data", "data", data);
  shown.say(coordinates_text("coordinates", absolute));
  if (const auto* remarked = dynamic_cast<const Remarked*>(mechanism.get());
      remarked && !remarked->remarks().empty()) {
    shown.set("remarks", remarked->remarks());
    for (const std::string& remark : remarked->remarks()) shown.say(wrapped(remark));
  }
  if (mechanism->chart_size() > 0) {
    shown.set("frames", frames_of_rotations);
    shown.say(wrapped(std::string("frames: ") + frames_of_rotations));
  }
  if (problem.has_minimal()) {
    const Coordinates minimal = coordinates_of(problem, true);
    shown.set("minimal_coordinates", coordinates_json(minimal));
    shown.say(coordinates_text("minimal coordinates", minimal));
  }
  shown.rows("outputs", "outputs", outputs);
  if (problem.start.as_rational() != 0)
    shown.say(fmt::format("the motion starts at t = {:.10g} s", problem.start.eval<double>()));
  shown.say(fmt::format("formulations: {}", fmt::join(accepted, ", ")));
  if (problem.closed_form) shown.say("a closed form is known and serves as a reference");
  return shown.rows("stored_references", "stored reference states", stored_states(problem));
}

}  // namespace daemark
