#include "analysis/exact/certificate.hpp"

#include <cctype>

namespace daemark::exact {

namespace {

Json field_of(std::initializer_list<const Matrix*> matrices) {
  for (const Matrix* m : matrices) {
    for (const Vector& row : *m) {
      for (const Number& x : row) {
        if (x.is_rational()) continue;
        Json minimal = Json::array();
        for (const rational& c : x.field()->minimal()) minimal.push_back(rational_text(c));
        return {{"minimal", minimal},
                {"lower", rational_text(x.field()->lower())},
                {"upper", rational_text(x.field()->upper())}};
      }
    }
  }
  return nullptr;
}

Json json_of(const std::vector<Poly>& chain) {
  Json out = Json::array();
  for (const Poly& p : chain) out.push_back(json_of(p));
  return out;
}

Json signs(const std::vector<Poly>& chain, const Number* x) {
  Json out = Json::array();
  for (const Poly& p : chain)
    out.push_back(p.is_zero() ? 0 : x ? p(*x).sign() : p.leading().sign());
  return out;
}

}  // namespace

Json interval_json(const Ball& x) {
  const integer scale = mp::pow(integer(10), 40);
  const auto rounded = [&](const rational& end, int step) {
    integer q(mp::numerator(rational(end * scale)) / mp::denominator(rational(end * scale)));
    return rational_text(rational(integer(q + step), scale));
  };
  const rational low = x.lower(), high = x.upper();
  if (low == high && mp::denominator(low) <= scale) {
    return {rational_text(low), rational_text(high)};
  }
  return {rounded(low, -1), rounded(high, 1)};  // division truncates: one step covers both signs
}

Json json_of(const Number& x) {
  if (x.is_rational()) return rational_text(x.to_rational());
  Json out = Json::array();
  for (const rational& c : x.coefficients()) out.push_back(rational_text(c));
  return out;
}

Json json_of(const Vector& v) {
  Json out = Json::array();
  for (const Number& x : v) out.push_back(json_of(x));
  return out;
}

Json json_of(const Poly& p) { return json_of(p.coefficients()); }

Json json_of(const Matrix& m) {
  Json out = Json::array();
  for (const Vector& row : m) out.push_back(json_of(row));
  return out;
}

Json json_of(const StabilityProof& proof) {
  Json out;
  out["num"] = json_of(proof.function.num);
  out["den"] = json_of(proof.function.den);
  out["order_of_R"] = proof.order;
  out["error_constant"] = json_of(proof.error_constant);
  out["E"] = json_of(proof.e);
  out["E_zero_multiplicity"] = proof.zero_multiplicity;
  out["E_odd"] = json_of(proof.odd);
  out["E_square"] = json_of(proof.square);
  out["sturm_chain"] = json_of(proof.chain);
  const Number zero = 0;
  out["signs_at_zero"] = signs(proof.chain, &zero);
  out["signs_at_infinity"] = signs(proof.chain, nullptr);
  out["axis_holds"] = proof.axis_holds;
  out["routh"] = json_of(Vector(proof.routh));
  out["poles_hold"] = proof.routh.empty() ? Json(nullptr) : Json(proof.poles_hold);
  out["R_at_infinity"] = proof.at_infinity ? json_of(*proof.at_infinity) : Json("unbounded");
  const bool decided = proof.undecided.empty();
  out["A_stable"] = decided ? Json(proof.a_stable) : Json(nullptr);
  out["L_stable"] = decided ? Json(proof.l_stable) : Json(nullptr);
  if (!decided) out["undecided"] = proof.undecided;
  out["witness"] = nullptr;
  if (proof.witness) {
    out["witness"] = {{"real", rational_text(proof.witness->real)},
                      {"imaginary", rational_text(proof.witness->imaginary)},
                      {"modulus_squared", json_of(proof.witness->modulus_squared)}};
  }
  return out;
}

Json json_of(const OrderProof& proof) {
  Json out;
  out["order"] = proof.order;
  out["route"] = proof.route;
  out["trees_checked_to"] = proof.checked;
  out["failing_tree"] = proof.failing_tree;
  out["weight"] = json_of(proof.weight);
  out["target"] = rational_text(proof.target);
  out["failing_trees_of_that_order"] = proof.failing;
  return out;
}

Json field_json(const Vector& numbers) {
  const Matrix row{numbers};
  return field_of({&row});
}

Json method_certificate(const MethodProof& proof, const Vector& embedded, const Poly* nodes) {
  Json out;
  out["format"] = certificate_format;
  out["id"] = proof.id;
  out["kind"] = nodes ? "collocation" : "runge_kutta";
  const Matrix weights{proof.method.b, embedded};
  out["field"] = field_of({&proof.method.a, &weights, &proof.method.c});
  if (nodes) out["nodes"] = json_of(*nodes);
  out["A"] = json_of(proof.method.a);
  out["b"] = json_of(proof.method.b);
  if (!nodes) {
    Vector c;
    for (std::size_t i = 0; i < proof.method.c.size(); ++i) c.push_back(proof.method.c[i][i]);
    out["c"] = json_of(c);
  }
  out["embedded"] = json_of(embedded);
  out["row_sums_hold"] = proof.row_sums_hold;
  out["B"] = proof.simplifying.b;
  out["C"] = proof.simplifying.c;
  out["D"] = proof.simplifying.d;
  out["stage_order"] = proof.stage_order;
  out["stiffly_accurate"] = proof.stiffly_accurate;
  out["A_invertible"] = proof.a_invertible;
  out["algebraically_stable"] = proof.algebraic.holds;
  out["symplectic"] = proof.algebraic.symplectic;
  out["order"] = json_of(proof.order);
  out["stability"] = json_of(proof.stability);
  if (proof.embedded_order) out["embedded_order"] = json_of(*proof.embedded_order);
  if (proof.embedded_stability) out["embedded_stability"] = json_of(*proof.embedded_stability);
  return out;
}

Json block_certificate(const MethodProof& proof, const BlockDerivation& block, const Poly& nodes) {
  const Poly all = nodes * Poly::monomial(1, 1);
  Json out = method_certificate(proof, {}, &all);
  out["kind"] = "pade_block";
  out["pade"] = {block.k, block.j};
  out["mu"] = json_of(block.mu);
  out["uniqueness_determinant"] = json_of(block.uniqueness);
  out["det_I_minus_zB"] = json_of(block.determinant);
  out["matches_pade"] = block.matches;
  out["B_singular"] = block.singular;
  return out;
}

Json multistep_certificate(const std::string& id, const MultistepProof& proof) {
  Json out;
  out["format"] = certificate_format;
  out["id"] = id;
  out["kind"] = "multistep";
  const Matrix both{proof.rho.coefficients(), proof.sigma.coefficients()};
  out["field"] = field_of({&both});
  out["rho"] = json_of(proof.rho);
  out["sigma"] = json_of(proof.sigma);
  out["order"] = proof.order;
  out["error_constant"] = json_of(proof.error_constant);
  out["zero_stable"] = proof.zero_stable;
  out["common_factor"] = json_of(proof.common);
  out["locus"] = json_of(proof.locus);
  out["locus_odd"] = json_of(proof.odd);
  out["locus_square"] = json_of(proof.square);
  out["sturm_chain"] = json_of(proof.chain);
  const Number left = -1, right = 1;
  out["signs_at_minus_one"] = signs(proof.chain, &left);
  out["signs_at_one"] = signs(proof.chain, &right);
  out["roots_inside"] = proof.roots_inside;
  out["locus_holds"] = proof.locus_holds;
  out["inside_at_minus_one"] = proof.inside_at_minus_one;
  out["common_factor_holds"] = proof.common_holds;
  out["A_stable"] = proof.a_stable;
  out["L_stable"] = proof.l_stable;
  out["witness_cos_phi"] = nullptr;
  if (proof.witness) out["witness_cos_phi"] = rational_text(*proof.witness);
  return out;
}

std::string certificate_name(const std::string& id) {
  std::string out;
  for (const char c : id) {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      out += c;
    } else if (!out.empty() && out.back() != '_') {
      out += '_';
    }
  }
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.size() <= 100) return out + ".json";
  unsigned long digest = 1469598103934665603UL;  // FNV-1a: long node lists stay distinct
  for (const char c : id) digest = (digest ^ static_cast<unsigned char>(c)) * 1099511628211UL;
  return out.substr(0, 80) + "_" + std::to_string(digest) + ".json";
}

}  // namespace daemark::exact
