// What `verify` says of a structural method, and its certificate.
#include <fmt/format.h>

#include "analysis/exact/proof/certificate.hpp"
#include "analysis/exact/proof/code_theory.hpp"
#include "analysis/exact/proof/report_parts.hpp"
#include "analysis/exact/theory/second_order.hpp"
#include "methods/catalogue/registry.hpp"

namespace daemark::exact {

namespace {

/// v̇ + c v + k q = 0, q̇ = v.
class DampedOscillator final : public ImplicitSystem<rational> {
 public:
  DampedOscillator(rational c, rational k) : c_(std::move(c)), k_(std::move(k)) {
    this->components_ = {{"q", Component::Kind::integral, 1}, {"v", Component::Kind::differential}};
    this->finish_components();
    this->row_power_ = {0};
    this->pattern_y_ = {1, 2, {{0, 0}, {0, 1}}};
    this->pattern_rate_ = {1, 2, {{0, 1}}};
  }
  void evaluate(const SystemPoint<rational>& p, rational* r, rational* jacobian_y,
                rational* jacobian_rate) override {
    r[0] = p.rate[1] + c_ * p.y[1] + k_ * p.y[0];
    if (jacobian_y) jacobian_y[0] = k_, jacobian_y[1] = c_, jacobian_rate[0] = 1;
  }
  bool explicit_rates(rational* y, rational* rate, const rational&, const rational*) override {
    rate[0] = y[1];
    rate[1] = -c_ * y[1] - k_ * y[0];
    return true;
  }

 private:
  rational c_, k_;
};

Matrix at(const ExactSecondOrder::Matrix& m, const rational& c, const rational& k) {
  Matrix out;
  for (const auto& row : m) {
    out.emplace_back();
    for (const auto& e : row)
      out.back().emplace_back(rational(e.constant + c * e.damping + k * e.stiffness));
  }
  return out;
}

/// Steps of the program in rational numbers are N x₊ = P x, h = 1; else where they differ.
std::string code_differs(const std::string& call, const ExactSecondOrder& step) {
  const auto method = method_registry().make(call);
  for (const auto& [c, k] : {std::pair<rational, rational>{0, 1},
                             {rational(1) / 3, 2},
                             {5, 7},
                             {0, rational(13) / 2},
                             {rational(7) / 5, rational(1) / 9}}) {
    DampedOscillator system(c, k);
    const auto stepper = method->stepper(Target<rational>{&system, &system}, Settings());
    State<rational> state;
    state.t = 0;
    state.y = {rational(2) / 3, rational(-1) / 5};
    state.rate.resize(2);
    system.explicit_rates(state.y.data(), state.rate.data(), 0, nullptr);
    stepper->start(state, 1);
    Vector x{Number(state.y[0]), Number(state.y[1]), Number(state.rate[1])};
    for (int i = 1; i <= 4; ++i) {
      if (stepper->step().status != Status::ok ||
          !solve(at(step.next, c, k), multiply(at(step.previous, c, k), x), x))
        return fmt::format("step {} fails", i);
      if (!(x[0] == Number(stepper->state().y[0])) || !(x[1] == Number(stepper->state().y[1])))
        return fmt::format("q or v after step {} at c = {}, k = {}", i, c.str(), k.str());
    }
  }
  return "";
}

void add_notes(VerifyReport& report, const ExactSecondOrder& step, const SecondOrderProof& proof) {
  report.notes.push_back(fmt::format(
      "order {} on any problem; roots: order {} on linear equations, {} without damping",
      proof.order, proof.linear_order, proof.undamped_order));
  report.has_no_stages("a structural method solves for one point a step");
  report.notes.push_back(
      a_note(proof.a_stable ? word(*proof.a_stable) : "undecided", proof.reason));
  if (proof.undamped_limit)
    report.notes.push_back(
        fmt::format("without damping stable up to omega h = {:.15g}", *proof.undamped_limit));
  if (!proof.at_infinity.is_zero())
    report.notes.push_back("roots for omega h -> infinity: those of " +
                           proof.at_infinity.text("s"));
  for (const auto& [what, roots] :
       {std::pair{"index 3", &step.position_roots}, std::pair{"index 2", &step.velocity_roots}})
    if (!roots->empty())
      report.notes.push_back(fmt::format(
          "along a constraint on {}: spectral radius {:.4g}, roots of {}", what,
          largest_root(*roots), Poly({roots->begin(), roots->end()}).monic().text("s")));
}

Json matrices(const ExactSecondOrder::Matrix& m) {
  Json rows = Json::array();
  for (const auto& row : m) {
    Json entries = Json::array();
    for (const auto& e : row)
      entries.push_back(
          {rational_text(e.constant), rational_text(e.damping), rational_text(e.stiffness)});
    rows.push_back(entries);
  }
  return rows;
}

Json second_order_certificate(const ExactSecondOrder& step, const SecondOrderProof& proof) {
  Json out = certificate_head(step.id, "second_order");
  out["field"] = nullptr;
  out["A"] = {{"next", matrices(step.next)}, {"previous", matrices(step.previous)}};
  out["order"] = proof.order;
  out["linear_order"] = proof.linear_order;
  out["undamped_order"] = proof.undamped_order;
  out["roots_at_infinity"] = json_of(proof.at_infinity);
  out["A_stable"] = or_null(proof.a_stable);
  out["L_stable"] = or_null(proof.l_stable);
  out["half_plane"] = nullptr;
  if (proof.a_stable && *proof.a_stable) {
    Json list = Json::array();
    for (const DampedPoly& q : proof.half_plane) {
      Json terms = Json::array();  // [power of c, power of k, coefficient], in that order
      for (const auto& [powers, value] : q)
        terms.push_back({powers.first, powers.second, rational_text(value)});
      list.push_back(terms);
    }
    out["half_plane"] = list;
  }
  out["witness"] = proof.witness ? Json(rational_text(*proof.witness)) : Json(nullptr);
  return out;
}

}  // namespace

VerifyReport verify_second_order(const std::string& call, const ExactSecondOrder& step) {
  const SecondOrderProof proof = prove_second_order(step);
  VerifyReport report;
  report.id = step.id;
  report.order = proof.order;
  report.a_stable = proof.a_stable;
  report.l_stable = proof.l_stable;
  if (proof.undamped_limit) report.facts.imaginary_interval = proof.undamped_limit;
  add_notes(report, step, proof);
  const std::string differs = code_differs(call, step);
  if (differs.empty())
    report.notes.emplace_back("code = theory: exactly, 5 equations, 4 steps each");
  else
    report.failures.push_back("code is not the theory: " + differs);
  check_claim(report, "order", step.claims.order, proof.order,
              "the linear order is " + std::to_string(proof.linear_order));
  if (proof.a_stable)
    check_claim(report, "A_stable", step.claims.a_stable, *proof.a_stable, proof.reason);
  if (proof.l_stable)
    check_claim(report, "L_stable", step.claims.l_stable, *proof.l_stable, proof.reason);
  check_undecided(report, step.claims);
  certify(report, second_order_certificate(step, proof));
  return report;
}

}  // namespace daemark::exact
