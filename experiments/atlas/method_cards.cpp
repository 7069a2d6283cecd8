// The pages of methods, with pictures of what a method does to linear equations.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <functional>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/linear/analyse.hpp"
#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/roots/eigenvalues.hpp"
#include "analysis/tags/tags.hpp"
#include "base/text/bad_input.hpp"
#include "base/text/shell_word.hpp"
#include "experiments/atlas/cards.hpp"
#include "experiments/bibliography/bibliography.hpp"
#include "experiments/report/explore.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark {

namespace {

using Complex = std::complex<double>;

/// A square part of the plane, seen by cells; the picture is symmetric about the real axis.
struct Window {
  double re_min, re_max, im_max;
  int columns = 120;
  double cell() const { return (re_max - re_min) / columns; }
  int half_rows() const { return static_cast<int>(std::lround(im_max / cell())); }
};

constexpr double picture = 240;

/// Runs of cells where `inside` holds as strokes of width 1, in the upper half plane, a cell one
/// unit.
std::string filled(const Window& window, const std::function<bool(Complex)>& inside) {
  std::string d;
  for (int row = 0; row < window.half_rows(); ++row) {
    int begin = -1;
    for (int column = 0; column <= window.columns; ++column) {
      const Complex z(window.re_min + (column + 0.5) * window.cell(), (row + 0.5) * window.cell());
      const bool in = column < window.columns && inside(z);
      if (in && begin < 0) begin = column;
      if (in || begin < 0) continue;
      d += fmt::format("M{} {}.5h{}", begin, row, column - begin);
      begin = -1;
    }
  }
  return d;
}

std::string plane(const Window& window, const std::string& region, const std::string& caption,
                  int family) {
  const double scale = picture / (window.re_max - window.re_min);
  const double height = 2 * window.im_max * scale, zero = -window.re_min * scale;
  const auto whole = [](double pixels) { return fmt::format("{:.0f}", pixels); };
  PageData ticks = PageData::array();
  const double step = window.im_max > 8 ? 5 : window.im_max > 3 ? 2 : 1;
  for (double x = std::ceil(window.re_min / step) * step; x <= window.re_max; x += step)
    if (x != 0)
      ticks.push_back({{"x", whole((x - window.re_min) * scale)},
                       {"y", whole(height / 2 + 12)},
                       {"centred", true},
                       {"label", fmt::format("{:g}", x)}});
  for (double y = step; y < window.im_max; y += step)
    ticks.push_back({{"x", whole(zero + 3)},
                     {"y", whole(height / 2 - y * scale + 4)},
                     {"centred", false},
                     {"label", fmt::format("{:g}i", y)}});
  return fill_template("plane", {{"family", family},
                                 {"width", whole(picture)},
                                 {"height", whole(height)},
                                 {"middle", whole(height / 2)},
                                 {"scale", fmt::format("{:.4g}", picture / window.columns)},
                                 {"zero", fmt::format("{:.1f}", zero)},
                                 {"region", region},
                                 {"caption", caption},
                                 {"ticks", ticks}});
}

std::vector<double> in_double(const std::vector<wide>& values) {
  std::vector<double> out;
  for (const wide& value : values) out.push_back(to_double(value));
  return out;
}
Complex at(const std::vector<double>& polynomial, Complex z) {
  Complex sum = 0;
  for (std::size_t k = polynomial.size(); k-- > 0;) sum = sum * z + polynomial[k];
  return sum;
}

/// How far the picture reaches: explicit methods are stable near the origin, others far to the
/// left.
Window window_of(const Method& method) {
  const double stages = method.tableau() ? method.tableau()->stages() : 4;
  if (method.is_explicit()) {
    const double size = std::min(4 + stages, 20.0);
    return {-size, size / 4, 0.625 * size};
  }
  const double size = std::min(5 + 2 * stages, 25.0);
  return {-size / 2, size / 2, size / 2};
}

std::string by_function(const Method& method) {
  const WideFunction wide_function = stability_function(*method.tableau());
  const std::vector<double> num = in_double(wide_function.num), den = in_double(wide_function.den);
  const auto R = [&](Complex z) { return std::abs(at(num, z) / at(den, z)); };
  Window window = window_of(method);
  std::string text = plane(window, filled(window, [&](Complex z) { return R(z) <= 1; }),
                           "Stability region: |R(z)| ≤ 1 (filled)", 0);
  const double size = std::max(4.0, window.im_max);
  window = {-size, size, size};
  return text + plane(window, filled(window, [&](Complex z) { return R(z) > std::exp(z.real()); }),
                      "Order star: |R(z)| > |e^z| (filled)", 1);
}

/// With the stepper: root moduli of one step.
std::string by_steps(const std::string& call, const Method& method) {
  Window window = window_of(method);
  window.columns = 40;
  StabilityRegion region;
  region.re_min = window.re_min + window.cell() / 2;
  region.re_max = window.re_max - window.cell() / 2;
  region.im_min = window.cell() / 2;
  region.im_max = window.im_max - window.cell() / 2;
  region.columns = window.columns, region.rows = window.half_rows();
  fill_region(call, region);
  const auto stable = [&](Complex z) {
    const int column = static_cast<int>((z.real() - window.re_min) / window.cell());
    const int row = static_cast<int>(z.imag() / window.cell());
    return region.modulus[static_cast<std::size_t>(row * region.columns + column)] <= 1 + 1e-9;
  };
  return plane(window, filled(window, stable),
               "Stability region: all roots of a step in the unit disc (filled), z = λh of a pair "
               "of complex eigenvalues",
               0);
}

/// Decay, elongation and spectral radius over Δt/(nT).
std::string over_the_step(const std::string& call) {
  AnalyseRequest request;
  request.method = call;
  for (int i = 1; i <= 25; ++i) request.x.emplace_back(rational(i, 50));
  const AnalyseResult found = analyse(request);
  constexpr double round_off = 1e-12;
  std::string text;
  int family = 2;
  for (const auto& [label, values] :
       {std::pair("amplitude decay, %", &found.amplitude_decay_percent),
        std::pair("period elongation, %", &found.period_elongation_percent),
        std::pair("spectral radius", &found.spectral_radius)}) {
    ExplorePlot plot;
    plot.title = fmt::format("{} of an undamped oscillator of period T, n = {}", label, found.n);
    plot.x_label = "Δt/(nT)";
    plot.log_x = plot.log_y = false;
    std::vector<double> y = *values;
    for (double& value : y)
      if (std::abs(value) < round_off) value = 0;
    plot.parts.push_back({label, label, {{found.method, "", family++, true, false, found.x, y}}});
    text += explore_figure(plot);
  }
  return text;
}

const MethodInfo& info_of(const std::string& call) {
  return method_registry().info(parse_call(call, "method").id);
}

std::string shown(const nlohmann::ordered_json& value) {
  constexpr std::size_t longest = 60;
  std::string text = value.is_string()         ? value.get<std::string>()
                     : value.is_boolean()      ? (value.get<bool>() ? "yes" : "no")
                     : value.is_number_float() ? fmt::format("{:.10g}", value.get<double>())
                                               : value.dump();
  if (text.size() > longest) text = text.substr(0, longest) + " … (in the certificate)";
  return text;
}

std::string yes_no(const std::optional<bool>& value) {
  return value ? (*value ? "yes" : "no") : "undecided";
}

PageData proved_data(const std::string& call, const CardSources& sources, const PageFrame& page) {
  const exact::CatalogueLine& line = proved(call);
  std::vector<std::vector<std::string>> rows = {
      {"verdict", line.verdict}, {"order", line.order ? std::to_string(*line.order) : "undecided"}};
  if (line.has_stages)
    rows.push_back(
        {"stage order", line.stage_order ? std::to_string(*line.stage_order) : "undecided"});
  rows.push_back({"A-stable", yes_no(line.a_stable)});
  rows.push_back({"L-stable", yes_no(line.l_stable)});
  // By name, whether they come from a proof or from the catalogue's file.
  if (const nlohmann::json facts = line.facts; facts.is_object())
    for (const auto& [key, value] : facts.items())
      if (!value.is_null()) {
        const std::string name = spaced(key);
        rows.push_back({name == "A alpha" ? "A(α), α in degrees" : name, shown(value)});
      }
  const std::string certificate = "certificates/" + exact::certificate_name(call);
  const bool there = std::filesystem::exists(sources.results / certificate);
  return {{"class", "facts"},         {"flat", true},
          {"rows", table_rows(rows)}, {"failures", {{"lines", line.failures}}},
          {"lines", line.notes},      {"certificate", there ? page.link(certificate) : ""}};
}

/// A cell with how many there are.
PageData median(std::vector<double> values) {
  if (values.empty()) return {{"text", ""}};
  std::sort(values.begin(), values.end());
  const std::string text = fmt::format("{:.1f}", values[values.size() / 2]);
  return {{"text", text == "-0.0" ? "0.0" : text}, {"note", fmt::format("({})", values.size())}};
}

std::string order_text(const std::optional<int>& order, bool at_least = false) {
  return order ? (at_least ? "≥ " : "") + std::to_string(*order) : "";
}

PageData orders_data(const std::string& call, const CardSources& sources) {
  PageData heads = {"formulation"}, rows = PageData::array();
  const auto found = sources.places.observed.find(call);
  const bool any_seen = found != sources.places.observed.end();
  for (const char* part : {"q", "v", "λ"}) {
    heads.push_back(std::string(part) + " expected");
    if (any_seen) heads.push_back("observed");
  }
  heads.push_back("why");
  for (const char* formulation : {"index1", "index2", "index3", "ggl"}) {
    const MethodPlaces::Observed* seen = nullptr;
    if (any_seen)
      for (const auto& observed : found->second)
        if (observed.formulation == formulation) seen = &observed;
    ExpectedOrders expected;
    try {
      if (method_registry().make(call)->refusal(Formulation::parse(formulation).info).empty())
        expected = slopes_expected(call, formulation);
      else if (!seen)
        continue;
    } catch (const BadInput&) {
      continue;
    }
    PageData cells = {{{"head", true}, {"text", formulation}}};
    const std::string wanted[] = {order_text(expected.q, expected.q_at_least),
                                  order_text(expected.v), order_text(expected.lambda)};
    for (int part = 0; part < 3; ++part) {
      cells.push_back({{"text", wanted[part]}});
      if (any_seen) cells.push_back(median(seen ? seen->slopes[part] : std::vector<double>()));
    }
    cells.push_back({{"text", expected.reason}});
    rows.push_back({{"cells", cells}});
  }
  if (rows.empty()) return {};
  return {{"flat", true}, {"heads", heads}, {"rows", rows}, {"observed", any_seen}};
}

PageData place_data(const std::string& call, const CardSources& sources) {
  const auto found = sources.places.places.find(call);
  if (found == sources.places.places.end()) return {};
  std::vector<std::vector<std::string>> rows;
  for (const MethodPlaces::Place& place : found->second)
    rows.push_back(
        {place.formulation, place.accuracy, place.name,
         fmt::format("{} of {}", place.spread.reached, place.spread.of),
         std::to_string(place.spread.quartile(0)), std::to_string(place.spread.quartile(2)),
         std::to_string(place.spread.quartile(4)), fmt::format("{:.2f}", place.spread.area)});
  const auto fronts = sources.places.fronts.find(call);
  return {{"class", "sortable"},
          {"heads",
           {"formulation", "accuracy", "sweep", "reached", "best rank", "median", "worst",
            "profile area"}},
          {"rows", table_rows(rows)},
          {"fronts", fronts == sources.places.fronts.end()
                         ? ""
                         : fmt::format("{}", fmt::join(fronts->second, "; "))}};
}

/// What is wrong in its source.
std::vector<std::string> errata_of(const MethodInfo& info, const CardSources& sources) {
  std::vector<std::string> lines;
  for (const exact::Erratum& erratum : sources.errata)
    if (erratum.paper == info.source.key && erratum.kind == exact::ErratumKind::wrong)
      lines.push_back(erratum.place + ": " + erratum.condition);
  return lines;
}

}  // namespace

std::string linear_pictures(const std::string& call) {
  const auto method = method_registry().make(call);
  if (method->owns_loop() || !method->refusal(SystemTraits(0)).empty()) return "";
  std::string text;
  try {
    text = method->tableau() ? by_function(*method) : by_steps(call, *method);
    return "<div class=\"plots linear\">\n" + text + over_the_step(call) + "</div>\n";
  } catch (const BadInput&) {  // no stepper in this precision
  } catch (const NumericalFailure&) {
  }
  return text.empty() ? "" : "<div class=\"plots linear\">\n" + text + "</div>\n";
}

MethodPlaces::MethodPlaces(const Atlas& atlas) {
  for (const RankTable& table : rank_tables(atlas))
    for (const RankSpread& spread : table.methods)
      places[method_of(spread.method)].push_back(
          {table.formulation, atlas_accuracies()[table.k].name(), spread.method, spread});
  for (const Compared& one : atlas) {
    const std::string id = parse_call(one.field.motion.problem, "problem").id;
    for (const CompareLine* line : front_of(one, 0))
      fronts[method_of(line->method)].push_back(id + ", " + one.field.formulation);
    for (const CompareLine& line : one.lines) {
      std::vector<Observed>& all = observed[method_of(line.method)];
      auto at = std::find_if(all.begin(), all.end(), [&](const Observed& o) {
        return o.formulation == one.field.formulation;
      });
      if (at == all.end()) at = all.insert(all.end(), Observed{one.field.formulation, {}});
      for (int part = 0; part < 3; ++part)
        if (std::isfinite(line.slope[static_cast<std::size_t>(part)]))
          at->slopes[part].push_back(line.slope[static_cast<std::size_t>(part)]);
    }
  }
}

std::string method_card_page(const std::string& call, const CardSources& sources) {
  const MethodInfo& info = info_of(call);
  const PageFrame page{method_card(call), call};
  const std::string source = citation(info.source.key, info.source.where);
  const PageData place = place_data(call, sources);
  const char* unplaced =
      info.library ? "A published tableau of the library: the atlas includes it only on request."
                   : "The atlas holds no sweep of it yet.";
  const std::vector<std::string> errata = errata_of(info, sources);
  return card_page(
      page, "method",
      {{"call", call},
       {"word", shell_word(call)},
       {"summary", info.summary.empty() ? info.kind : info.summary},
       {"kind", info.kind},
       {"tags", tags_of(call)},
       {"source", source.empty() ? "" : with_citations(source)},
       {"lines", source.empty() ? std::vector<std::string>() : full_references(source)},
       {"formula", method_formula(call)},
       {"proved", proved_data(call, sources, page)},
       {"linear", linear_pictures(call)},
       {"orders", orders_data(call, sources)},
       {"place", place},
       {"unplaced", place.is_null() ? unplaced : ""},
       {"errata", errata.empty() ? PageData() : PageData{{"lines", errata}}}});
}

std::string methods_page() {
  const PageFrame page{"methods/index.html", "daemark: methods"};
  PageData rows = PageData::array();
  for (const std::string& call : carded_methods()) {
    std::vector<std::string> texts = proved(call).cells();
    texts.front() = "`" + call + "`";
    texts.insert(texts.begin() + 1, {family_names[static_cast<std::size_t>(method_family(call))],
                                     info_of(call).summary});
    rows.push_back(table_rows({texts}).front());
    rows.back()["method"] = call;
    rows.back()["cells"][0]["link"] = page.link(method_card(call));
  }
  return card_page(page, "methods",
                   {{"class", "sortable"},
                    {"flat", true},
                    {"anchor", "methods"},
                    {"heads",
                     {"method", "family", "what it is", "order", "stage order", "A-stable",
                      "L-stable", "verdict"}},
                    {"rows", rows}});
}

}  // namespace daemark
