// What an id stands for: the coefficients of a family from its definition, or those of a tableau
// file, against the ones in the certificate.
#include <algorithm>

#include "analysis/certcheck/families.hpp"
#include "analysis/certcheck/grammar.hpp"

namespace daemark::certcheck {

namespace {

/// P_n(2x - 1) = Σ_k (-1)^(n+k) C(n,k) C(n+k,k) x^k.
Row legendre(int n) {
  Row out;
  for (int k = 0; k <= n; ++k)
    out.push_back(binomial(n, k) * binomial(n + k, k) * Number((n + k) % 2 == 0 ? 1 : -1));
  return out;
}

/// T_n(2x - 1) = Σ_k (-1)^(n+k) 4^k n/(n+k) C(n+k, 2k) x^k.
Row chebyshev(int n) {
  if (n == 0) return {Number(1)};
  Row out;
  for (int k = 0; k <= n; ++k) {
    out.push_back(binomial(n + k, 2 * k) * raised(Number(4), k) * Number(rational(n) / (n + k)) *
                  Number((n + k) % 2 == 0 ? 1 : -1));
  }
  return out;
}

Row sum(Row p, const Row& q, int sign) {
  p.resize(std::max(p.size(), q.size()));
  for (std::size_t i = 0; i < q.size(); ++i) p[i] += q[i] * Number(sign);
  return trimmed(p);
}

Row monic(const Row& p) { return scaled(p, p.back().inverse()); }

Row without(const Row& p, const Row& factor) {
  Row rest;
  return divided(p, factor, rest);
}

const Row x_itself{Number(0), Number(1)}, x_minus_1{Number(-1), Number(1)};

/// b integrates 1, ..., x^(s-1), and A follows from the conditions that define the family.
void check_collocation(const Id& id, const Method& m) {
  const int s = id.integer("s");
  require(static_cast<int>(m.b.size()) == s, "b: not of the stages of the id");
  Row nodes = legendre(s);
  if (id.name == "radau_ia") nodes = sum(nodes, legendre(s - 1), 1);
  if (id.name == "radau_iia") nodes = sum(nodes, legendre(s - 1), -1);
  if (id.name.starts_with("lobatto")) {
    require(s >= 2, "id: s below 2");
    nodes = sum(nodes, legendre(s - 2), -1);
  }
  require(monic(nodes) == m.nodes, "nodes: not those of the id");
  require(quadrature_order(m, m.b, s) == s, "b: not the interpolatory weights");
  if (id.name == "radau_ia") {
    require(adjoint_order_of(m, m.b, s) == s, "A: D(s) does not hold");
  } else if (id.name == "lobatto_iiic") {
    Row at_zero = without(m.nodes, x_itself);
    at_zero = scaled(at_zero, at_zero[0].inverse());  // 1 at the node 0, 0 at the others
    at_zero.resize(m.b.size());
    require(stage_order_of(m, s - 1) == s - 1 &&
                image(m.a, at_zero) == scaled(m.one, dot(m.b, at_zero)),
            "A: C(s-1) and a_i1 = b_1 do not hold");
  } else {
    require(stage_order_of(m, s) == s, "A: C(s) does not hold");
  }
}

Row listed_nodes(const std::string& list, Radicals& radicals) {
  require(list.size() > 2 && list.back() == ']', "id: nodes are no list");
  Row out{Number(1)};
  std::string entry;
  int depth = 0;
  for (const char c : list.substr(1)) {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth > 0 || (c != ',' && c != ']')) {
      entry += c;
      continue;
    }
    out = product(out, {-evaluated(entry, radicals, "id"), Number(1)});
    entry.clear();
  }
  return out;
}

Row block_nodes(const std::string& word, int r, Radicals& radicals) {
  if (word.starts_with('[')) return listed_nodes(word, radicals);
  if (word == "equidistant") {
    Row out{Number(1)};
    for (int i = 1; i <= r; ++i) out = product(out, {Number(rational(-i) / r), Number(1)});
    return out;
  }
  if (word == "chebyshev") return monic(product(chebyshev(r - 1), x_minus_1));
  if (word == "legendre") return monic(product(legendre(r - 1), x_minus_1));
  if (word == "radau") return monic(sum(legendre(r), legendre(r - 1), -1));
  require(word == "lobatto", "id: unknown nodes");
  return monic(without(sum(legendre(r + 1), legendre(r - 1), -1), x_itself));
}

void check_pade_block(const Reader& reader, const Json& certificate, const Id& id,
                      const Method& m) {
  const int r = id.integer("r"), k = id.integer("k"), j = id.has("j") ? id.integer("j") : r;
  require(static_cast<int>(m.b.size()) == r + 1, "b: not of the stages of the id");
  Radicals radicals(certificate.contains("radicals") ? reader.row(certificate, "radicals") : Row());
  require(product(block_nodes(id.argument("nodes"), r, radicals), x_itself) == m.nodes,
          "nodes: not those of the id");
  radicals.require_all_used();
  check_block(reader, certificate, m);
  require(certificate.at("pade") == Json({k, j}), "pade: not the degrees of the id");
  const auto pade = [](long top, long other, long sign) {
    Row p;
    rational c = 1;
    for (long i = 0; i <= top; ++i) {
      p.emplace_back(c);
      if (i < top) c = c * rational(sign * (top - i)) / rational((top + other - i) * (i + 1));
    }
    return p;
  };
  const Json& stability = certificate.at("stability");
  require(reader.polynomial(stability, "num") == pade(k, j, 1), "num: not the Pade approximant");
  require(reader.polynomial(stability, "den") == pade(j, k, -1), "den: not the Pade approximant");
}

void check_bdf(const Reader& reader, const Json& certificate, const Id& id) {
  const int k = id.integer("k");
  const Row rho = reader.polynomial(certificate, "rho");
  const Row sigma = reader.polynomial(certificate, "sigma");
  Row power(static_cast<std::size_t>(k) + 1);
  power.back() = 1;
  bool equal = static_cast<int>(rho.size()) == k + 1;
  for (int point = 1; equal && point <= k + 1; ++point) {
    const Number s(point);
    Number wanted;
    for (int j = 1; j <= k; ++j) wanted += raised(s, k - j) * raised(s - Number(1), j) / Number(j);
    equal = value(rho, s) == wanted;
  }
  require(equal, "rho: not that of the id");
  require(sigma == power, "sigma: not that of the id");
}

/// pade_block_rk: the same coefficients as a Runge–Kutta method.
bool is_block(const Id& id) { return id.name == "pade_block" || id.name == "pade_block_rk"; }

/// A number is written with a point or an exponent.
bool has_decimal(const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool power = (text[i] == 'e' || text[i] == 'E') && i > 0 && digit(text[i - 1]);
    if (text[i] == '.' || power) return true;
  }
  return false;
}

/// The entries of `found` are the values of the expressions.
void check_entries(const Json& expressions, const Row& found, Radicals& radicals,
                   const std::string& name) {
  require(expressions.is_array() && expressions.size() == found.size(),
          name + ": not of the size of the tableau's");
  for (std::size_t i = 0; i < found.size(); ++i) {
    const Json& e = expressions[i];
    require(e.is_string() || e.is_number_integer(), name + ": the tableau holds no expression");
    const std::string text = e.is_string() ? e.get<std::string>() : e.dump();
    require(!has_decimal(text), name + ": decimals approximate, they are never certified");
    require(
        evaluated(text, radicals, name) == found[i],
        name + ": entry " + std::to_string(i + 1) + " is not the tableau's " + text.substr(0, 60));
  }
}

/// An interpolant is certified with the tableau where its entries are exact.
void check_dense(const Reader& reader, const Json& certificate, const Json& tableau,
                 Radicals& radicals) {
  const Json theirs = tableau.value("dense", Json(Json::object()));
  const bool exact = !theirs.empty() && theirs.is_object() && !has_decimal(theirs.dump());
  require(certificate.contains("dense") == exact, "dense: not as in the tableau file");
  if (!exact) return;
  const Json& ours = certificate.at("dense");
  const auto compare = [&](const Json& lists, const Table& found, const char* name) {
    require(lists.is_array() && lists.size() == found.size(),
            std::string("dense: ") + name + ": not of the size of the tableau's");
    for (std::size_t i = 0; i < found.size(); ++i)
      check_entries(lists[i], found[i], radicals, name);
  };
  compare(theirs.value("A", Json::array()), reader.rows(ours, "A"), "A");
  compare(theirs.value("weights", Json::array()), reader.rows(ours, "weights"), "weights");
  check_entries(theirs.value("c", Json::array()), reader.row(ours, "c"), radicals, "c");
}

}  // namespace

const std::string& Id::argument(const std::string& key) const {
  require(has(key), "id: " + key + " is missing");
  asked_.insert(key);
  return arguments.at(key);
}

int Id::integer(const std::string& key) const {
  const rational out = fraction(key, key == "k" || key == "j" ? 0 : 1, 200);
  require(mp::denominator(out) == 1, "id: " + key + " is no integer");
  return static_cast<int>(out);
}

rational Id::fraction(const std::string& key, const rational& lower, const rational& upper) const {
  const rational out = fraction_of(argument(key), "id: " + key);
  require(out >= lower && out <= upper,
          "id: " + key + " outside [" + lower.str() + ", " + upper.str() + "]");
  return out;
}

void Id::require_all_asked() const {
  for (const auto& [key, unused] : arguments)
    require(asked_.contains(key), "id: " + name + " has no argument " + key.substr(0, 60));
}

Id parse_id(const std::string& text) {
  Id out;
  const std::size_t open = text.find('(');
  out.name = text.substr(0, open);
  require(!out.name.empty() && text.size() <= 4000, "id: no name");
  if (open == std::string::npos) return out;
  require(text.back() == ')', "id: unbalanced");
  std::string entry;
  int depth = 0;
  for (const char c : text.substr(open + 1)) {
    depth += c == '(' || c == '[' ? 1 : 0;
    if (depth > 0 || (c != ',' && c != ')')) {
      entry += c;
      depth -= c == ')' || c == ']' ? 1 : 0;
      continue;
    }
    const std::size_t equal = entry.find('=');
    require(equal != std::string::npos &&
                out.arguments.emplace(entry.substr(0, equal), entry.substr(equal + 1)).second,
            "id: an argument without a name, or twice");
    entry.clear();
  }
  require(entry.empty() && depth == 0, "id: unbalanced");
  return out;
}

void check_against_tableau(const Reader& reader, const Json& certificate, const Json& tableau) {
  require(tableau.is_object() && tableau.value("id", Json()) == certificate.at("id"),
          "id: not that of the tableau file");
  const std::string kind = text(certificate, "kind");
  require(tableau.value("kind", Json()) == kind, "kind: not that of the tableau file");
  require(tableau.value("decimal", Json(false)) == Json(false),
          "id: the tableau file holds decimals, which are never certified");
  Radicals radicals(certificate.contains("radicals") ? reader.row(certificate, "radicals") : Row());
  const auto check = [&](const char* theirs, const char* ours) {
    check_entries(tableau.value(theirs, Json::array()), reader.row(certificate, ours), radicals,
                  ours);
  };
  if (kind == "multistep") {
    for (const auto& [theirs, ours] : {std::pair("alpha", "rho"), std::pair("beta", "sigma")}) {
      Row found = reader.polynomial(certificate, ours);
      found.resize(std::max(found.size(), tableau.value(theirs, Json::array()).size()));
      check_entries(tableau.value(theirs, Json::array()), found, radicals, ours);
    }
  } else {
    const bool rosenbrock = kind == "rosenbrock";
    require(rosenbrock || kind == "runge_kutta", "kind: not that of a tableau");
    const auto check_rows = [&](const char* theirs, const char* ours, const Json& diagonal) {
      Json rows = tableau.value(theirs, Json::array());
      const Table found = reader.square(certificate, ours, reader.row(certificate, "b").size());
      require(rows.is_array() && rows.size() == found.size(),
              std::string(ours) + ": not of the size of the tableau's");
      for (std::size_t i = 0; i < found.size(); ++i) {
        if (!diagonal.is_null() && rows[i].is_array() && rows[i].size() == found.size())
          rows[i][i] = diagonal;
        check_entries(rows[i], found[i], radicals, ours);
      }
    };
    check_rows(rosenbrock ? "alpha" : "A", "A", Json());
    if (rosenbrock) check_rows("gamma_ij", "gamma", tableau.value("gamma", Json("")));
    check("b", "b");
    if (!rosenbrock) check("c", "c");
    check("b_hat", "embedded");
    check_dense(reader, certificate, tableau, radicals);
  }
  radicals.require_all_used();
}

Keys family_keys(const Id& id, const Json& certificate) {
  if (is_block(id) && certificate.contains("radicals")) return {"radicals"};
  const bool flat = id.name == "lms" || id.name == "ss";
  const bool statement = id.name == "bathe" || id.name == "msstc" || id.name == "mssth" ||
                         id.name == "mssth_min" || (flat && id.fraction_in("rho") < 1);
  return statement ? Keys{"for_all_rho", "rho_infinity"} : Keys{};
}

void check_against_family(const Reader& reader, const Json& certificate, const Id& id,
                          const std::optional<Method>& method) {
  const std::string kind = text(certificate, "kind"), &name = id.name;
  require(certificate.value("embedded", Json::array()).empty(),
          "embedded: the family of the id has no embedded formula");
  require(!certificate.contains("dense"), "dense: the family of the id has no interpolant");
  const auto require_kind = [&](bool is) { require(is, "kind: not that of the id"); };
  const auto member = [&] { return Member{id.integer("n"), id.fraction_in("rho")}; };
  if (name == "gauss" || name == "radau_ia" || name == "radau_iia" || name == "lobatto_iiia" ||
      name == "lobatto_iiic") {
    require_kind(kind == "collocation");
    check_collocation(id, *method);
  } else if (is_block(id)) {
    require_kind(kind == "pade_block");
    check_pade_block(reader, certificate, id, *method);
  } else if (name == "bdf") {
    require_kind(kind == "multistep");
    check_bdf(reader, certificate, id);
  } else if (name == "lms" || name == "ss") {
    require_kind(kind == "multistep");
    require(is_flat_formula(member().n, member().rho, reader.polynomial(certificate, "rho"),
                            reader.polynomial(certificate, "sigma")),
            "rho: the formula is not that of the id");
    if (member().rho < 1) check_flat_family(reader, certificate, member());
  } else if (name == "bathe") {
    require_kind(kind == "runge_kutta");
    check_spectral_family(reader, certificate, {2, id.fraction_in("rho")});
  } else if (name == "msstc") {
    require_kind(kind == "runge_kutta" || kind == "spectral_factor");
    check_spectral_family(reader, certificate, member());
    if (kind == "spectral_factor") check_spectral_enclosure(certificate, member());
  } else if (name == "mssth" || name == "mssth_min") {
    require_kind(kind == (member().n == 3 ? "runge_kutta" : "free_nodes"));
    check_high_order_family(reader, certificate, member());
    if (kind == "free_nodes")
      check_free_nodes(reader, certificate, member(), name == "mssth" ? "published" : "error");
  } else if (kind == "second_order") {
    check_second_order(reader, certificate, id);
  } else {
    throw Refused("id: no family of the checker; name its tableau file");
  }
  id.require_all_asked();
}

}  // namespace daemark::certcheck
