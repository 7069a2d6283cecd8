#include "analysis/exact/certcheck/check.hpp"

#include "analysis/exact/certcheck/families.hpp"

namespace daemark::certcheck {

Reader::Reader(const Json& certificate) {
  const Json& field = certificate.at("field");
  if (field.is_null()) return;
  std::vector<rational> minimal;
  for (const Json& c : field.at("minimal")) minimal.push_back(fraction(c));
  // Field::make refuses anything but an irreducible polynomial with one root in the interval.
  field_ = exact::Field::make(minimal, fraction(field.at("lower")), fraction(field.at("upper")));
}

rational Reader::fraction(const Json& from) { return rational(from.get<std::string>()); }

Number Reader::number(const Json& from) const {
  if (from.is_string()) return Number(fraction(from));
  std::vector<rational> c;
  for (const Json& x : from) c.push_back(fraction(x));
  return Number(c, field_);
}

Row Reader::row(const Json& from) const {
  Row out;
  for (const Json& x : from) out.push_back(number(x));
  return out;
}

Table Reader::table(const Json& from) const {
  Table out;
  for (const Json& x : from) out.push_back(row(x));
  return out;
}

Row Method::multiply(const Row& f, const Row& g) const {
  Row out;
  if (nodes.empty()) {
    for (std::size_t i = 0; i < f.size(); ++i) out.push_back(f[i] * g[i]);
    return out;
  }
  divided(product(trimmed(f), trimmed(g)), nodes, out);
  out.resize(b.size());
  return out;
}

Method read_method(const Reader& reader, const Json& certificate) {
  Method m;
  m.a = reader.table(certificate.at("A"));
  m.b = reader.row(certificate.at("b"));
  const std::size_t s = m.b.size();
  if (m.a.size() != s || s == 0) throw std::invalid_argument("A and b differ in size");
  for (const Row& row : m.a) {
    if (row.size() != s) throw std::invalid_argument("A is not square");
  }
  if (!certificate.contains("nodes")) {
    m.one.assign(s, Number(1));
    m.c = reader.row(certificate.at("c"));
    if (m.c.size() != s) throw std::invalid_argument("b and c differ in size");
    return m;
  }
  m.nodes = reader.row(certificate.at("nodes"));
  if (m.nodes.size() != s + 1 || !(m.nodes.back() == Number(1))) {
    throw std::invalid_argument("nodes: not monic of degree s");
  }
  if (common_divisor(m.nodes, derivative(m.nodes)).size() != 1) {
    throw std::invalid_argument("nodes: a multiple node");
  }
  m.one.assign(s, Number(0));
  m.one[0] = 1;
  Row x{Number(0), Number(1)};
  divided(x, m.nodes, m.c);
  m.c.resize(s);
  return m;
}

void check_block(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Method m = read_method(reader, certificate);
  const long r = static_cast<long>(m.b.size()) - 1;
  Row mu = reader.row(certificate.at("mu"));
  mu.resize(static_cast<std::size_t>(r) + 1);
  bool form = mu[0].is_zero();
  for (long k = 0; k <= r; ++k) {  // column k of A: the image of x^k
    for (long i = 0; i <= r; ++i) {
      const Number wanted = k == r       ? mu[i] / Number(r + 1)
                            : i == k + 1 ? Number(1) / Number(k + 1)
                                         : Number(0);
      form = form && m.a[i][k] == wanted;
    }
    Number at_end;
    for (long i = 0; i <= r; ++i) at_end += m.a[i][k];
    form = form && m.b[k] == at_end;
  }
  out.require(form, "A and b follow from eq. (9) with mu");
  const long k = certificate.at("pade").at(0).get<long>(),
             j = certificate.at("pade").at(1).get<long>();
  const auto pade = [](long top, long other, long sign) {
    Row p;
    rational c = 1;
    for (long i = 0; i <= top; ++i) {
      p.emplace_back(c);
      if (i < top) c = c * rational(sign * (top - i)) / rational((top + other - i) * (i + 1));
    }
    return p;
  };
  const Row num = reader.row(certificate.at("stability").at("num"));
  const Row den = reader.row(certificate.at("stability").at("den"));
  out.require(
      certificate.at("matches_pade").get<bool>() == (num == pade(k, j, 1) && den == pade(j, k, -1)),
      "R is the Pade approximant");
  const Row full = reader.row(certificate.at("det_I_minus_zB"));
  out.require(
      certificate.at("B_singular").get<bool>() == (static_cast<long>(full.size()) < r + 1) &&
          full == den,
      "det(I - zB)");
}

void check_multistep(const Reader& reader, const Json& certificate, Verdicts& out) {
  const Row rho = trimmed(reader.row(certificate.at("rho")));
  Row sigma = trimmed(reader.row(certificate.at("sigma")));
  const int p = certificate.at("order").get<int>();
  const auto defect = [&](int q) {  // q! C_q = Σ j^q alpha - q Σ j^(q-1) beta
    Number sum;
    rational factorial = 1;
    for (int i = 2; i <= q; ++i) factorial *= i;
    for (std::size_t j = 0; j < rho.size(); ++j) {
      const Number node(static_cast<long>(j));
      sum += rho[j] * pow(node, q);
      if (q > 0 && j < sigma.size()) sum -= sigma[j] * Number(q) * pow(node, q - 1);
    }
    return sum / Number(factorial);
  };
  bool order = true;
  for (int q = 0; q <= p; ++q) order = order && defect(q).is_zero();
  const Number scale = value(sigma, Number(1));
  const Number last = scale.is_zero() ? defect(p + 1) : defect(p + 1) / scale;
  out.require(order && !last.is_zero() && last == reader.number(certificate.at("error_constant")),
              "order and error constant");
  out.require(certificate.at("zero_stable").get<bool>() == root_condition(rho), "zero-stability");

  const Row common = reader.row(certificate.at("common_factor"));
  Row rest_rho, rest_sigma;
  Row r = divided(rho, common, rest_rho), s = divided(sigma, common, rest_sigma);
  out.require(rest_rho.empty() && rest_sigma.empty() && common_divisor(r, s).size() == 1,
              "common factor");
  if (rho.back().sign() < 0) {
    for (Number& x : r) x = -x;
    for (Number& x : s) x = -x;
  }
  const Row locus = reader.row(certificate.at("locus"));
  bool equal = true;
  for (long t = 1; t <= static_cast<long>(rho.size()) + 1; ++t) {  // rational points of the circle
    const Number n(1 + t * t);
    const Complex zeta{Number(1 - t * t) / n, Number(2 * t) / n};
    const Complex a = value(r, zeta), b = value(s, zeta);
    equal = equal && value(locus, zeta.re) == a.re * b.re + a.im * b.im;
  }
  out.require(equal, "boundary locus polynomial");
  if (certificate.at("A_stable").get<bool>()) {
    bool proved = locus.empty();
    if (!proved) {
      const Row odd = reader.row(certificate.at("locus_odd"));
      const Row square = reader.row(certificate.at("locus_square"));
      const Table chain = reader.table(certificate.at("sturm_chain"));
      const int roots = valid_sturm_chain(chain)
                            ? variations(chain, Number(-1)) - variations(chain, Number(1)) -
                                  (value(odd, Number(1)).is_zero() ? 1 : 0)
                            : -1;
      proved = roots == 0 && chain.front() == odd && locus == product(odd, product(square, square));
      int sign = 0;
      for (long d = 2; proved && sign == 0; ++d) {
        sign = value(odd, Number(1) / Number(d)).sign();
      }
      proved = proved && sign > 0;
    }
    Row sum = r;
    for (std::size_t i = 0; i < s.size() && i < sum.size(); ++i) sum[i] += s[i];
    out.require(proved, "A_stable: the locus");
    out.require(s.size() == r.size() && !sum.back().is_zero() && schur(sum),
                "A_stable: roots inside the disc at z = -1");
    out.require(root_condition(common), "A_stable: the common factor");
  } else if (!certificate.at("witness_cos_phi").is_null()) {
    const rational x = Reader::fraction(certificate.at("witness_cos_phi"));
    out.require(x > -1 && x < 1 && value(locus, Number(x)).sign() < 0, "A_stable false: witness");
  } else {
    Row sum = r;
    for (std::size_t i = 0; i < s.size() && i < sum.size(); ++i) sum[i] += s[i];
    out.require(s.size() < r.size() || !schur(sum) || !root_condition(common),
                "A_stable false: no condition fails");
  }
}

std::vector<std::string> check_certificate(const Json& certificate) {
  Verdicts out;
  try {
    const std::string kind = certificate.at("kind").get<std::string>();
    out.require(certificate.at("format") == "daemark certificate 1", "format");
    const Reader reader(certificate);
    if (kind == "multistep") {
      check_multistep(reader, certificate, out);
    } else if (kind == "runge_kutta" || kind == "collocation" || kind == "pade_block") {
      check_method(reader, certificate, out);
      if (kind == "pade_block") check_block(reader, certificate, out);
    } else if (kind == "spectral_factor") {
      check_spectral_enclosure(certificate, out);
    } else if (kind == "free_nodes") {
      check_free_nodes(reader, certificate, out);
    } else {
      out.require(false, "kind");
    }
    if (certificate.contains("for_all_rho")) check_family(reader, certificate, out);
  } catch (const std::exception& problem) {
    out.refused.push_back(std::string("malformed: ") + problem.what());
  }
  return out.refused;
}

}  // namespace daemark::certcheck
