#include "analysis/tags/tags.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <map>

#include "analysis/linear/stability_function.hpp"
#include "analysis/orders/expected_orders.hpp"
#include "analysis/orders/inside_orders.hpp"
#include "base/input/strict_json.hpp"
#include "base/program/digest.hpp"
#include "base/program/interrupt.hpp"
#include "base/program/once.hpp"
#include "base/program/paths.hpp"
#include "base/program/write_file.hpp"
#include "base/text/bad_input.hpp"
#include "methods/catalogue/coefficients.hpp"
#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {

struct MethodSubject {
  std::string call;  ///< canonical
  const MethodInfo& info;
  std::shared_ptr<const Method> method;
  const WideTableau* tableau() const { return method->tableau(); }
  const exact::CatalogueLine& line() const { return proved(call); }
};

namespace {

using Value = std::optional<double>;
using Subject = MethodSubject;

/// A property of a tableau; methods without one do not have it.
template <class Holds>
Value of_tableau(const Subject& m, Holds holds) {
  const WideTableau* tableau = m.tableau();
  return tableau != nullptr && holds(*tableau) ? 1 : 0;
}

/// The largest j with a_ij ≠ 0 is at most i.
bool is_lower_triangular(const WideTableau& t) {
  for (int i = 0; i < t.stages(); ++i)
    for (int j = i + 1; j < t.stages(); ++j)
      if (t.A[i][j] != 0) return false;
  return true;
}
bool is_diagonally_implicit(const WideTableau& t) {
  return is_lower_triangular(t) && !is_explicit(t);
}
/// Equal entries on the diagonal from stage `first` on, apart from rounding in the 130 digits.
bool has_one_diagonal(const WideTableau& t, int first) {
  const wide round_off("1e-100");
  for (int i = first; i < t.stages(); ++i)
    if (abs(t.A[i][i] - t.A[first][first]) > round_off || t.A[i][i] == 0) return false;
  return first < t.stages();
}
bool is_sdirk(const WideTableau& t) { return is_lower_triangular(t) && has_one_diagonal(t, 0); }
bool is_esdirk(const WideTableau& t) {
  return is_diagonally_implicit(t) && t.A[0][0] == 0 && has_one_diagonal(t, 1);
}
bool is_fully_implicit(const WideTableau& t) { return !is_lower_triangular(t); }

Value of_kind(const Subject& m, MethodKind kind) { return m.method->coefficients(kind) ? 1 : 0; }

Value as_number(const std::optional<int>& value) { return value ? Value(*value) : std::nullopt; }
Value as_number(const std::optional<bool>& value) {
  return value ? Value(*value ? 1 : 0) : std::nullopt;
}

/// A number or truth value of the facts other than order and stability.
Value fact(const Subject& m, const char* key) {
  const nlohmann::ordered_json& facts = m.line().facts;
  if (!facts.is_object() || !facts.contains(key)) return std::nullopt;
  const nlohmann::ordered_json& value = facts.at(key);
  if (value.is_boolean()) return value.get<bool>() ? 1 : 0;
  if (value.is_number()) return value.get<double>();
  if (value == "unbounded") return std::numeric_limits<double>::infinity();
  return std::nullopt;
}
Value takes(const Subject& m, int index) {
  return m.method->refusal(SystemTraits(index)).empty() ? 1 : 0;
}

Value modulus_far_out(const Subject& m) {
  if (const WideTableau* tableau = m.tableau()) return modulus_at_infinity(*tableau);
  if (const auto* formula = m.method->coefficients(MethodKind::multistep))
    return modulus_at_infinity(*formula);
  return std::nullopt;
}

bool is_proved(const Subject& m) { return m.line().order.has_value(); }

/// Derived; where nothing is, what the sources of the method state, unless its steps refute it.
Value order(const Subject& m) {
  if (is_proved(m)) return as_number(m.line().order);
  return m.line().failures.empty() ? as_number(cited_order(m.call)) : std::nullopt;
}
Value symplectic(const Subject& m) {
  const Value derived = fact(m, "symplectic");
  return derived ? derived : as_number(m.info.claims.symplectic);
}
Value stiffly_accurate(const Subject& m) {
  const WideTableau* tableau = m.tableau();
  return tableau ? Value(is_stiffly_accurate(*tableau) ? 1 : 0) : fact(m, "stiffly_accurate");
}

Value inside_order(const Subject& m) {
  int least = 0;
  for (const auto& [formulation, orders] : inside_orders(m.call))
    least = least == 0 ? orders.q : std::min(least, orders.q);
  return least;
}

// clang-format off
const std::vector<Tag> all_tags = {
    {"explicit", "no equations are solved for stages", false,
     [](const Subject& m) -> Value { return m.method->is_explicit() ? 1 : 0; }},
    {"runge_kutta", "a tableau A, b, c", false,
     [](const Subject& m) { return of_tableau(m, [](const auto&) { return true; }); }},
    {"dirk", "A is lower triangular with a diagonal", false,
     [](const Subject& m) { return of_tableau(m, is_diagonally_implicit); }},
    {"sdirk", "the same with equal entries on the diagonal", false,
     [](const Subject& m) { return of_tableau(m, is_sdirk); }},
    {"esdirk", "the same behind an explicit first stage", false,
     [](const Subject& m) { return of_tableau(m, is_esdirk); }},
    {"fully_implicit", "A is not lower triangular", false,
     [](const Subject& m) { return of_tableau(m, is_fully_implicit); }},
    {"block", "given in the block form of Li 2019", false,
     [](const Subject& m) -> Value {
       const auto* form = m.method->as<RungeKuttaForm>();
       return form && form->block ? 1 : 0; }},
    {"multistep", "a formula over several points, sum of alpha_j y_j = h sum of beta_j y'_j", false,
     [](const Subject& m) { return of_kind(m, MethodKind::multistep); }},
    {"structural", "one step of second-order equations, with accelerations in its memory", false,
     [](const Subject& m) -> Value { return m.method->as<ExactSecondOrder>() ? 1 : 0; }},
    {"partitioned", "one tableau for positions, one for velocities", false,
     [](const Subject& m) { return of_kind(m, MethodKind::partitioned); }},
    {"nystrom", "a Runge-Kutta-Nystroem method of q'' = f", false,
     [](const Subject& m) { return of_kind(m, MethodKind::nystrom); }},
    {"additive", "an explicit and an implicit tableau on the same stages", false,
     [](const Subject& m) { return of_kind(m, MethodKind::additive); }},
    {"half_explicit", "explicit for states, constraints at the next stage", false,
     [](const Subject& m) { return of_kind(m, MethodKind::half_explicit); }},
    {"rosenbrock", "one linear system for every stage in place of an iteration", false,
     [](const Subject& m) { return of_kind(m, MethodKind::rosenbrock); }},
    {"external", "a solver of others, which chooses steps itself", false,
     [](const Subject& m) -> Value { return m.method->owns_loop() ? 1 : 0; }},
    {"wrapping", "built around another method", false,
     [](const Subject& m) -> Value { return inner_method(m.call) ? 1 : 0; }},
    {"library", "of methods/tableaus/library, which runs only when it is named", false,
     [](const Subject& m) -> Value {
       return m.info.library ? 1 : 0; }},
    {"stiffly_accurate", "the last row of A is b", false,
     stiffly_accurate},
    {"symplectic", "on equations without constraints: b_i a^_ij + b^_j a_ji = b_i b^_j proved, composed of such steps, or stated by its source", false,
     symplectic},
    {"symmetric", "on equations without constraints it is its own adjoint, proved", false,
     [](const Subject& m) { return fact(m, "symmetric"); }},
    {"algebraically_stable", "b >= 0 and M semidefinite, proved", false,
     [](const Subject& m) { return fact(m, "algebraically_stable"); }},
    {"A_stable", "proved", false,
     [](const Subject& m) { return as_number(m.line().a_stable); }},
    {"L_stable", "proved", false,
     [](const Subject& m) { return as_number(m.line().l_stable); }},
    {"embedded", "it estimates its error, control.tol works", false,
     [](const Subject& m) -> Value {
       return m.method->estimate_order() > 0 || (m.tableau() && !m.tableau()->embedded.empty()) ? 1 : 0; }},
    {"dense_output", "values inside steps under control, on one formulation at least", false,
     [](const Subject& m) -> Value { return *inside_order(m) > 0 ? 1 : 0; }},
    {"constant_step", "its coefficients need a constant step", false,
     [](const Subject& m) -> Value { return m.method->constant_step() ? 1 : 0; }},
    {"index1", "takes equations of index 1", false, [](const Subject& m) { return takes(m, 1); }},
    {"index2", "takes equations of index 2", false, [](const Subject& m) { return takes(m, 2); }},
    {"index3", "takes equations of index 3", false, [](const Subject& m) { return takes(m, 3); }},
    {"cited", "its order is stated by its source, not derived here", false,
     [](const Subject& m) -> Value {
       return !is_proved(m) && order(m) ? 1 : 0; }},
    {"order", "derived, or as its source states (cited)", true, order},
    {"stage_order", "B(q) and C(q) hold, proved", true,
     [](const Subject& m) { return as_number(m.line().stage_order); }},
    {"embedded_order", "of the embedded formula, proved", true,
     [](const Subject& m) { return fact(m, "embedded_order"); }},
    {"interpolant_order", "of the published interpolant at every theta, proved", true,
     [](const Subject& m) { return fact(m, "interpolant_order"); }},
    {"dense_order", "power of h in the error of positions inside steps, the least of the formulations", true,
     [](const Subject& m) { const Value order = inside_order(m); return *order > 0 ? order : Value(); }},
    {"stages", "of the tableau", true,
     [](const Subject& m) -> Value { return m.tableau() ? Value(m.tableau()->stages()) : Value(); }},
    {"steps", "points that the formula goes back", true,
     [](const Subject& m) -> Value {
       const auto* formula = m.method->coefficients(MethodKind::multistep);
       return formula ? Value(static_cast<double>(formula->list("alpha").size() - 1)) : Value(); }},
    {"rho", "spectral radius at infinity", true, modulus_far_out},
    {"A_alpha", "half the angle of the stable wedge [degrees]", true,
     [](const Subject& m) { return fact(m, "A_alpha"); }},
    {"real_interval", "stable on [-x, 0]", true,
     [](const Subject& m) { return fact(m, "real_stability_interval"); }},
    {"imaginary_interval", "stable on i [0, y]", true,
     [](const Subject& m) { return fact(m, "imaginary_stability_interval"); }},
};
// clang-format on

std::string lower(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

MethodSubject subject(const std::string& call) {
  return {method_registry().bind(call).canonical(),
          method_registry().info(parse_call(call, "method").id), method_registry().make(call)};
}

}  // namespace

const std::vector<Tag>& tags() { return all_tags; }

const Tag* find_tag(const std::string& name) {
  for (const Tag& tag : all_tags)
    if (lower(tag.name) == lower(name)) return &tag;
  return nullptr;
}

std::optional<double> tag_value(const std::string& call, const Tag& tag) {
  return tag.value(subject(call));
}

std::vector<std::pair<std::string, double>> tag_values(const std::string& call) {
  const MethodSubject method = subject(call);
  std::vector<std::pair<std::string, double>> values;
  for (const Tag& tag : all_tags)
    if (const Value value = tag.value(method)) values.emplace_back(tag.name, *value);
  return values;
}

std::vector<std::string> tags_of(const std::string& call) {
  std::vector<std::string> texts;
  for (const auto& [name, value] : tag_values(call)) {
    if (find_tag(name)->is_number)
      texts.push_back(std::isinf(value) ? name + "=unbounded"
                                        : fmt::format("{}={:.6g}", name, value));
    else if (value == 1)
      texts.push_back(name);
  }
  return texts;
}

namespace {

using exact::CatalogueLine;

/// By canonical call, of the results at hand and of those that the program came with; empty where
/// there is no such file, or one that is damaged: then it is as if nothing had been proved.
std::map<std::string, CatalogueLine> committed() {
  std::map<std::string, CatalogueLine> lines;
  for (const std::filesystem::path& folder :
       {known_result("catalogue.json").parent_path(), source_root() / "results"})
    for (const auto read : {exact::read_catalogue, exact::read_library}) try {
        for (CatalogueLine& line : read(folder)) lines.emplace(line.method, std::move(line));
      } catch (const BadInput&) {
      }
  return lines;
}

/// Of everything that proofs are made with.
const std::string& prover_digest() {
  static const std::string known = [] {
    std::string text;
    for (const auto& [path, digest] :
         source_graph().closure({"analysis/exact/proof/catalogue.hpp"}))
      text += digest;
    return digest(text);
  }();
  return known;
}

std::filesystem::path kept_file(const std::string& print) {
  return results_root() / ".cache" / "proved" / (digest(print + prover_digest()) + ".json");
}

CatalogueLine prove(const std::string& canonical, const std::string& print) {
  const std::filesystem::path file = kept_file(print);
  if (std::filesystem::exists(file)) try {
      return exact::read_line(parse_json_file(file.string()));
    } catch (const nlohmann::json::exception&) {  // damaged: proved again
    } catch (const BadInput&) {
    }
  try {
    const Watch watch(prove_seconds);
    const CatalogueLine line = exact::printed_line(exact::verify_method(canonical));
    KeptFailure nothing_lost;
    nothing_lost.guard([&] { write_if_changed(file, exact::json_of(line).dump(1) + "\n"); });
    return line;
  } catch (const Stopped& stopped) {
    if (stopped.cause == StopCause::interrupted) throw;
    CatalogueLine line;
    line.method = canonical, line.verdict = "undecided", line.print = print;
    return line;
  }
}

}  // namespace

const CatalogueLine& proved(const std::string& call) {
  static const std::map<std::string, CatalogueLine> known = committed();
  static OncePerKey<CatalogueLine> lines;
  const std::string canonical = method_registry().bind(call).canonical();
  return *lines.get(canonical, [&] {
    const std::string print = coefficient_digest(canonical, *method_registry().make(canonical));
    const auto found = known.find(canonical);
    return found != known.end() && found->second.print == print ? found->second
                                                                : prove(canonical, print);
  });
}

}  // namespace daemark
