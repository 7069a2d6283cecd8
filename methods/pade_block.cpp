// Block methods of Li, Ding & Li 2019: Y = e⊗y_k + h d⊗ẏ_k + h B⊗Ẏ (eq. 5) with B, d from eq. (9)
// and the constants μ for which R(z) (eq. 7) is the (k, j)-Padé approximant of exp.
//
// Order of R: k + j; A-stable for k ≤ j ≤ k + 2, L-stable for k < j ≤ k + 2 (Ehle). Departures from
// the paper: μ comes from a closed form instead of a comparison of coefficients
// (methods/runge_kutta/pade.hpp), any node list is taken, j may differ from r. `pade_block_rk` is
// the same tableau read as a Runge–Kutta method (eq. 17): its first-stage derivative is recomputed
// from (q_k, v_k) instead of carried over from the last stage.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "methods/catalogue/registry.hpp"
#include "methods/runge_kutta/pade.hpp"
#include "methods/runge_kutta/runge_kutta.hpp"

namespace daemark {
namespace {

std::vector<wide> nodes_of(const Arguments& arguments, int r) {
  const CallValue& value = arguments.value("nodes");
  if (value.kind == CallValue::Kind::word) return node_set(value.text, r);
  if (value.kind != CallValue::Kind::list)
    throw BadInput(fmt::format("pade_block: nodes = '{}' is not accepted: {} or a list", value.text,
                               fmt::join(node_set_names(), ", ")));
  if (static_cast<int>(value.list.size()) != r)
    throw BadInput(
        fmt::format("pade_block: nodes has {} entries, accepted: r = {}", value.list.size(), r));
  std::vector<wide> nodes;
  for (const Expression& e : value.list) nodes.push_back(e.eval<wide>());
  return nodes;
}

/// The nodes where all are rational, empty otherwise.
std::vector<rational> rational_nodes(const CallValue& value, int r) {
  std::vector<rational> nodes;
  if (value.kind == CallValue::Kind::word) {
    if (value.text == "equidistant")
      for (int i = 1; i <= r; ++i) nodes.push_back(rational(i) / r);
    return nodes;
  }
  for (const Expression& e : value.list) {
    if (!e.is_rational()) return {};
    nodes.push_back(e.as_rational());
  }
  return nodes;
}

/// Every degree on equidistant nodes to r = 6, the paper's (Tables 5-7, eqs. 14, 15) on all node
/// sets.
std::vector<std::string> examples_of(const std::string& id) {
  std::vector<std::string> calls;
  for (int r = min_block_size; r <= 6; ++r)
    for (int k = 0; k <= r; ++k) calls.push_back(fmt::format("{}(r={},k={})", id, r, k));
  for (const std::string& nodes : node_set_names())
    for (const auto& [r, k] : {std::pair(3, 1), std::pair(3, 2), std::pair(4, 2)})
      if (nodes != "equidistant")
        calls.push_back(fmt::format("{}(r={},k={},nodes={})", id, r, k, nodes));
  return calls;
}

std::shared_ptr<const Method> block_method(const Arguments& arguments, bool first_same_as_last) {
  const int r = static_cast<int>(arguments.integer("r", min_block_size, max_block_size));
  const int k = static_cast<int>(arguments.integer("k", 0, r));
  const int j = arguments.given("j") ? static_cast<int>(arguments.integer("j", 0, r)) : r;
  const CallValue& value = arguments.value("nodes");
  const bool named = value.kind == CallValue::Kind::word;
  const WideBlock block = pade_block(nodes_of(arguments, r), k, j);
  RungeKuttaForm form{as_tableau(block), first_same_as_last};
  const std::vector<rational> nodes = rational_nodes(value, r);
  if (!nodes.empty()) form.exact = as_tableau(exact_pade_block(nodes, k, j));
  form.block = block;
  return runge_kutta_method(std::move(form),
                            PadeBlock{r, k, j, named ? value.text : "", value.list});
}

}  // namespace

void register_pade_block(MethodRegistry& registry) {
  using Type = Parameter::Type;
  for (const bool carry : {true, false}) {
    MethodInfo info;
    info.id = carry ? "pade_block" : "pade_block_rk";
    info.kind = "block";
    info.summary = carry ? "block method whose stability function is the (k, j)-Padé approximant"
                         : "the same coefficients read as a Runge–Kutta method (eq. 17)";
    info.parameters = {
        {"r", Type::integer, "4", fmt::format("integer {}..{}", min_block_size, max_block_size)},
        {"k", Type::integer, "2", "integer 0..r with k + j >= r: numerator degree"},
        {"nodes", Type::nodes, "equidistant",
         fmt::format("{} or a list of r nodes, ascending in (0, 1], the last 1",
                     fmt::join(node_set_names(), ", "))},
        {"j", Type::integer, "", "integer 0..r, default r: denominator degree", true}};
    if (carry) info.examples = examples_of(info.id);
    info.source = {"li2019", "eqs. 5-17"};
    registry.add(info,
                 [carry](const Arguments& arguments) { return block_method(arguments, carry); });
  }
}

}  // namespace daemark
