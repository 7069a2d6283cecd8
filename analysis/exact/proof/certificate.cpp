#include "analysis/exact/proof/certificate.hpp"

#include <cctype>
#include <stdexcept>

#include "base/program/digest.hpp"

namespace daemark::exact {

namespace {

Json field_of(std::initializer_list<const Matrix*> matrices) {
  for (const Matrix* m : matrices) {
    for (const Vector& row : *m) {
      for (const Number& x : row) {
        if (x.is_rational()) continue;
        return {{"minimal", json_of(x.field()->minimal())},
                {"lower", rational_text(x.field()->lower())},
                {"upper", rational_text(x.field()->upper())}};
      }
    }
  }
  return nullptr;
}

/// f = odd square², with a Sturm chain of odd.
Json parity_json(const Poly& odd, const Poly& square, const std::vector<Poly>& chain) {
  return {{"odd", json_of(odd)}, {"square", json_of(square)}, {"chain", json_of(chain)}};
}

/// What "digest" must be: SHA-256 of the id and the coefficients, keys of objects sorted.
std::string digest_of(const nlohmann::json& certificate) {
  using nlohmann::json;
  json out = {certificate.at("id"), certificate.at("kind")};
  const json field = certificate.value("field", json());
  out.push_back(field.is_object()
                    ? json({field.at("minimal"), field.at("lower"), field.at("upper")})
                    : json());
  for (const char* key :
       {"A", "b", "c", "nodes", "embedded", "rho", "sigma", "gamma", "N", "c5", "free_nodes"})
    out.push_back(certificate.value(key, json()));
  if (const json dense = certificate.value("dense", json()); dense.is_object())
    for (const char* key : {"A", "c", "weights"}) out.push_back(dense.value(key, json()));
  return digest(out.dump());
}

}  // namespace

Json interval_json(const Ball& x) {
  const integer scale = mp::pow(integer(10), 40);
  const rational low = x.lower(), high = x.upper();
  if (low == high && mp::denominator(low) <= scale)
    return {rational_text(low), rational_text(high)};
  // Cells have short decimals in their middle: an enclosure of one does not lie across two.
  const auto cell_of = [&](const rational& end) {
    const rational scaled = end * scale + rational(1) / 2;
    integer q, r;
    mp::divide_qr(integer(mp::numerator(scaled)), integer(mp::denominator(scaled)), q, r);
    return r < 0 ? integer(q - 1) : q;
  };
  const integer cell = cell_of(low);
  if (cell != cell_of(high)) throw std::domain_error("an enclosure across two cells of 1e-40");
  return {rational_text(rational(integer(2 * cell - 1), integer(2 * scale))),
          rational_text(rational(integer(2 * cell + 1), integer(2 * scale)))};
}

Json json_of(const rational& x) { return rational_text(x); }

Json json_of(const Number& x) {
  if (x.is_rational()) return rational_text(x.to_rational());
  return json_of(x.coefficients());
}

Json json_of(const Poly& p) { return json_of(p.coefficients()); }

Json json_of(const StabilityProof& proof) {
  const bool decided = proof.undecided.empty();
  Json out;
  out["num"] = json_of(proof.function.num);
  out["den"] = json_of(proof.function.den);
  out["order_of_R"] = proof.order;
  out["error_constant"] = json_of(proof.error_constant);
  out["R_at_infinity"] = proof.at_infinity ? json_of(*proof.at_infinity) : Json("unbounded");
  out["A_stable"] = decided ? Json(proof.a_stable) : Json(nullptr);
  out["L_stable"] = decided ? Json(proof.l_stable) : Json(nullptr);
  out["E"] = json_of(proof.e);
  out["axis"] = nullptr;
  if (proof.a_stable) {
    out["axis"] = proof.no_negative ? Json("no coefficient of E is negative")
                                    : parity_json(proof.odd, proof.square, proof.chain);
  }
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
  out[proof.exact() ? "order" : "at_least"] = proof.order;
  out["failing_tree"] = proof.failing_tree;
  out["weight"] = json_of(proof.weight);
  out["target"] = rational_text(proof.target);
  return out;
}

Json field_json(const Vector& numbers) {
  const Matrix row{numbers};
  return field_of({&row});
}

Json certificate_head(const std::string& id, const char* kind) {
  return {{"format", certificate_format}, {"id", id}, {"kind", kind}, {"digest", nullptr}};
}

void bind_certificate(Json& certificate, const std::string& id) {
  certificate["id"] = id;
  certificate["digest"] = digest_of(nlohmann::json::parse(certificate.dump()));
}

Json method_certificate(const MethodProof& proof, const Vector& embedded, const Poly* nodes,
                        const Vector& radicals) {
  Json out = certificate_head(proof.id, nodes ? "collocation" : "runge_kutta");
  const Matrix weights{proof.method.b, embedded, radicals};
  out["field"] = field_of({&proof.method.a, &weights, &proof.method.c});
  if (!radicals.empty()) out["radicals"] = json_of(radicals);
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

Json block_certificate(const MethodProof& proof, const BlockDerivation& block, const NodeSet& set) {
  const Poly all = set.polynomial * Poly::monomial(1, 1);
  Json out = method_certificate(proof, {}, &all, set.radicals);
  out["kind"] = "pade_block";
  out["pade"] = {block.k, block.j};
  out["mu"] = json_of(block.mu);
  out["B_singular"] = block.singular;
  return out;
}

Json multistep_certificate(const std::string& id, const MultistepProof& proof,
                           const Vector& radicals) {
  Json out = certificate_head(id, "multistep");
  const Matrix all{proof.rho.coefficients(), proof.sigma.coefficients(), radicals};
  out["field"] = field_of({&all});
  if (!radicals.empty()) out["radicals"] = json_of(radicals);
  out["rho"] = json_of(proof.rho);
  out["sigma"] = json_of(proof.sigma);
  out["order"] = proof.order;
  out["error_constant"] = json_of(proof.error_constant);
  out["zero_stable"] = proof.zero_stable;
  out["common_factor"] = json_of(proof.common);
  out["locus"] = json_of(proof.locus);
  out["A_stable"] = proof.a_stable;
  out["L_stable"] = proof.l_stable;
  out["circle"] = nullptr;
  if (proof.a_stable) {
    out["circle"] = proof.locus.is_zero() ? Json("the locus is the imaginary axis")
                                          : parity_json(proof.odd, proof.square, proof.chain);
  }
  out["witness"] = nullptr;
  if (proof.witness) {
    out["witness"] = {{"cos_phi", rational_text(*proof.witness)},
                      {"value", json_of(proof.locus(Number(*proof.witness)))}};
  }
  return out;
}

Json rosenbrock_certificate(const std::string& id, const RosenbrockProof& proof) {
  const auto& [alpha, beta, b, embedded, radicals] = proof.coefficients;
  Matrix gamma = beta;
  for (std::size_t i = 0; i < gamma.size(); ++i)
    for (std::size_t j = 0; j < gamma.size(); ++j) gamma[i][j] -= alpha[i][j];
  Json out = certificate_head(id, "rosenbrock");
  const Matrix weights{b, embedded, radicals};
  out["field"] = field_of({&alpha, &gamma, &weights});
  if (!radicals.empty()) out["radicals"] = json_of(radicals);
  out["A"] = json_of(alpha);
  out["gamma"] = json_of(gamma);
  out["b"] = json_of(b);
  out["embedded"] = json_of(embedded);
  out["stiffly_accurate"] = proof.stiffly_accurate;
  out["order"] = json_of(proof.order);
  out["order_on_index_1"] = proof.index_one;
  out["stability"] = json_of(proof.stability);
  if (proof.embedded_order) out["embedded_order"] = json_of(*proof.embedded_order);
  if (proof.embedded_stability) out["embedded_stability"] = json_of(*proof.embedded_stability);
  return out;
}

std::string certificate_name(const std::string& id) {
  std::string out;
  for (const char c : id)
    if (std::isalnum(static_cast<unsigned char>(c)))
      out += c;
    else if (!out.empty() && out.back() != '_')
      out += '_';
  while (!out.empty() && out.back() == '_') out.pop_back();
  if (out.size() <= 100) return out + ".json";
  return out.substr(0, 80) + "_" + digest(id).substr(0, 16) + ".json";  // long lists of nodes
}

}  // namespace daemark::exact
