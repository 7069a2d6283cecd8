"""What an id stands for: collocation, Pade blocks and backward differences by definition."""
import math
import re
from fractions import Fraction as Q

from certificate.algebra import (add, divide, dot, image, monic, mul, padded, power, solve)
from certificate.expressions import Radicals, expression
from certificate.reading import fraction, require

X, END = [Q(0), Q(1)], [Q(-1), Q(1)]


def legendre(n):
    """P_n(2x - 1)."""
    return [Q((-1) ** (n + k) * math.comb(n, k) * math.comb(n + k, k)) for k in range(n + 1)]


def chebyshev(n):
    """T_n(2x - 1)."""
    return [Q((-1) ** (n + k) * math.comb(n + k, 2 * k) * 4 ** k * n, n + k)
            for k in range(n + 1)] if n else [Q(1)]


def natural(arguments, key, low=1):
    value = arguments[key]
    require(re.fullmatch(r"0|[1-9][0-9]{0,2}", value), f"id: {key} is no integer")
    require(low <= int(value) <= 200, f"id: {key} outside [{low}, 200]")
    return int(value)


def within(arguments, key, low=Q(0), high=Q(1)):
    value = fraction(arguments[key], f"id: {key}")
    require(low <= value <= high, f"id: {key} outside [{low}, {high}]")
    return value


def takes(name, arguments, *wanted):
    for key in wanted:
        require(key in arguments, f"id: {key} is missing")
    for key in arguments:
        require(key in wanted, f"id: {name} has no argument {key[:60]}")


def check_collocation(name, arguments, m):
    """b integrates 1, ..., x^(s-1), and A follows from the conditions that define the family."""
    takes(name, arguments, "s")
    s = natural(arguments, "s")
    require(len(m.b) == s, "b: not of the stages of the id")
    nodes = legendre(s)
    if name == "radau_ia":
        nodes = add(nodes, legendre(s - 1))
    elif name == "radau_iia":
        nodes = add(nodes, legendre(s - 1), -1)
    elif name.startswith("lobatto"):
        require(s >= 2, "id: s below 2")
        nodes = add(nodes, legendre(s - 2), -1)
    require(monic(nodes) == m.nodes, "nodes: not those of the id")
    require(m.quadrature(m.b, s) == s, "b: not the interpolatory weights")
    if name == "radau_ia":
        require(m.adjoint(m.b, s) == s, "A: D(s) does not hold")
    elif name == "lobatto_iiic":
        first = divide(m.nodes, X)[0]
        first = m.fill([c / first[0] for c in first])  # 1 at the node 0, 0 at the others
        require(m.stages(s - 1) == s - 1 and
                image(m.a, first) == [x * dot(m.b, first) for x in m.one],
                "A: C(s-1) and a_i1 = b_1 do not hold")
    else:
        require(m.stages(s) == s, "A: C(s) does not hold")


def listed(text):
    """The entries of [a,b,...]; commas within parentheses belong to an entry."""
    require(len(text) > 2 and text.endswith("]"), "id: nodes are no list")
    out, depth = [""], 0
    for c in text[1:-1]:
        depth += (c == "(") - (c == ")")
        if c == "," and depth <= 0:
            out.append("")
        else:
            out[-1] += c
    return out


def block_nodes(word, r, radicals):
    if word.startswith("["):
        out = [Q(1)]
        for entry in listed(word):
            out = mul(out, [-expression(entry, radicals, "id"), Q(1)])
        return out
    if word == "equidistant":
        out = [Q(1)]
        for i in range(1, r + 1):
            out = mul(out, [Q(-i, r), Q(1)])
        return out
    require(word in ("chebyshev", "legendre", "radau", "lobatto"), "id: unknown nodes")
    return monic(mul(chebyshev(r - 1), END) if word == "chebyshev" else
                 mul(legendre(r - 1), END) if word == "legendre" else
                 add(legendre(r), legendre(r - 1), -1) if word == "radau" else
                 divide(add(legendre(r + 1), legendre(r - 1), -1), X)[0])


def pade(top, below, sign):
    return [Q(sign ** i * math.comb(top, i) * math.factorial(top + below - i),
              math.factorial(top + below)) for i in range(top + 1)]


def check_block(cert, name, arguments, m):
    takes(name, arguments, "r", "k", "nodes", *(["j"] if "j" in arguments else []))
    r, k = natural(arguments, "r"), natural(arguments, "k", 0)
    j = natural(arguments, "j", 0) if "j" in arguments else r
    require(len(m.b) == r + 1, "b: not of the stages of the id")
    radicals = Radicals(cert.row("radicals") if "radicals" in cert.value else [])
    require(mul(block_nodes(arguments["nodes"], r, radicals), X) == m.nodes,
            "nodes: not those of the id")
    radicals.require_all_used()
    mu = cert.poly("mu")
    require(len(mu) <= r + 1 and (not mu or mu[0] == 0), "mu: no polynomial of the block")
    mu = padded(mu, r + 1)
    a = [[mu[i] / (r + 1) if q == r else Q(1, i) if i == q + 1 else Q(0) for q in range(r + 1)]
         for i in range(r + 1)]
    require(m.a == a and m.b == [sum(x[q] for x in a) for q in range(r + 1)],
            "mu: A and b do not follow from eq. (9) with it")
    cert.same("B_singular", solve([x[1:] for x in a[1:]], [Q(1)] * r) is None)
    cert.same("pade", [k, j])
    stability = cert.object("stability")
    for key, wanted in (("num", pade(k, j, 1)), ("den", pade(j, k, -1))):
        require(stability.poly(key) == wanted, f"{key}: not the Pade approximant")


def check_bdf(cert, arguments):
    takes("bdf", arguments, "k")
    k = natural(arguments, "k")
    rho = []
    for j in range(1, k + 1):  # zeta^(k-j) (zeta-1)^j / j
        rho = add(rho, mul([Q(0)] * (k - j) + [Q(1, j)], power(END, j)))
    require(cert.poly("rho") == rho, "rho: not that of the id")
    require(cert.poly("sigma") == [Q(0)] * k + [Q(1)], "sigma: not that of the id")
