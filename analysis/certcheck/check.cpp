#include "analysis/certcheck/check.hpp"

#include "analysis/certcheck/families.hpp"
#include "base/program/digest.hpp"

namespace daemark::certcheck {

namespace {

Keys keys_of(const std::string& kind, const Json& certificate) {
  Keys out = {"format", "id", "kind", "digest", "field"};
  const auto add = [&](const Keys& more) { out.insert(out.end(), more.begin(), more.end()); };
  if (kind == "runge_kutta" || kind == "collocation" || kind == "pade_block") {
    add({"A", "b", "embedded", "row_sums_hold", "B", "C", "D", "stage_order", "order", "stability",
         "A_invertible", "symplectic", "stiffly_accurate", "algebraically_stable",
         kind == "runge_kutta" ? "c" : "nodes"});
    if (kind == "pade_block") add({"pade", "mu", "B_singular"});
    if (kind == "runge_kutta" && certificate.contains("dense")) add({"dense"});
    if (!certificate.value("embedded", Json::array()).empty())
      add({"embedded_order", "embedded_stability"});
  } else if (kind == "multistep") {
    add({"rho", "sigma", "order", "error_constant", "zero_stable", "common_factor", "locus",
         "circle", "A_stable", "L_stable", "witness"});
  } else if (kind == "rosenbrock") {
    add({"A", "gamma", "b", "embedded", "stiffly_accurate", "order", "order_on_index_1",
         "stability"});
    if (!certificate.value("embedded", Json::array()).empty())
      add({"embedded_order", "embedded_stability"});
  } else if (kind == "second_order") {
    add({"A", "order", "linear_order", "undamped_order", "roots_at_infinity", "A_stable",
         "L_stable", "half_plane", "witness"});
  } else if (kind == "spectral_factor") {
    add({"n", "N", "gamma", "order", "stage_order", "error_constant", "R_at_infinity", "A_stable",
         "L_stable"});
  } else if (kind == "free_nodes") {
    add({"n", "objective", "gamma", "order", "stage_order", "conditions", "free_nodes",
         "stability"});
    if (certificate.value("n", Json()) == 5) add({"c5"});
  } else {
    throw Refused("kind: unknown");
  }
  return out;
}

void check(const Json& certificate, const Json& tableau) {
  require(certificate.is_object(), "certificate: no object");
  require_value(certificate, "format", "daemark certificate 2");
  const std::string kind = text(certificate, "kind");
  const Id id = parse_id(text(certificate, "id"));
  Keys keys = keys_of(kind, certificate);
  if (tableau.is_null())
    for (const std::string& key : family_keys(id, certificate)) keys.push_back(key);
  else if (certificate.contains("radicals"))
    keys.emplace_back("radicals");
  require_keys(certificate, "the certificate", keys);
  require(!certificate.contains("radicals") || !certificate.at("radicals").empty(),
          "radicals: an empty list");
  require_value(certificate, "digest", digest_of(certificate).c_str());

  const Reader reader(certificate);
  std::optional<Method> method;
  if (kind == "runge_kutta" || kind == "collocation" || kind == "pade_block")
    method = read_method(reader, certificate);
  if (tableau.is_null())
    check_against_family(reader, certificate, id, method);
  else
    check_against_tableau(reader, certificate, tableau);
  if (method) check_method(reader, certificate, *method);
  if (certificate.contains("dense")) check_interpolant(reader, certificate.at("dense"), *method);
  if (kind == "multistep") check_multistep(reader, certificate);
  if (kind == "rosenbrock") check_rosenbrock(reader, certificate);
  reader.require_field_needed();
}

}  // namespace

std::string digest_of(const Json& certificate) {
  Json out = Json::array();
  for (const char* key : {"id", "kind"}) out.push_back(certificate.value(key, Json()));
  const Json field = certificate.value("field", Json());
  out.push_back(field.is_object()
                    ? Json({field.value("minimal", Json()), field.value("lower", Json()),
                            field.value("upper", Json())})
                    : Json());
  for (const char* key :
       {"A", "b", "c", "nodes", "embedded", "rho", "sigma", "gamma", "N", "c5", "free_nodes"})
    out.push_back(certificate.value(key, Json()));
  if (const Json dense = certificate.value("dense", Json()); dense.is_object())
    for (const char* key : {"A", "c", "weights"}) out.push_back(dense.value(key, Json()));
  return daemark::digest(out.dump(-1, ' ', false, Json::error_handler_t::replace));
}

std::optional<std::string> refusal_of(const Json& certificate, const Json& tableau) {
  try {
    check(certificate, tableau);
    return std::nullopt;
  } catch (const std::exception& problem) {
    return problem.what();
  }
}

}  // namespace daemark::certcheck
