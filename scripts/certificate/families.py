"""What an id stands for: collocation and Pade blocks from their definitions."""
import math
import re
from fractions import Fraction as Q

from certificate.algebra import add, divide, dot, image, monic, mul, solve
from certificate.reading import expression, number, poly, require, same


def legendre(n):
    return [Q((-1) ** (n + k) * math.comb(n, k) * math.comb(n + k, k)) for k in range(n + 1)]


def chebyshev(n):
    return [Q((-1) ** (n + k) * math.comb(n + k, 2 * k) * 4 ** k * n, n + k)
            for k in range(n + 1)] if n else [Q(1)]


def natural(arguments, key, low=1):
    require(re.fullmatch(r"0|[1-9]\d{0,2}", arguments.get(key, "")), f"id: {key} is no integer")
    require(low <= int(arguments[key]) <= 200, f"id: {key} out of range")
    return int(arguments[key])


def within_one(arguments, key):
    value = number(arguments.get(key), f"id: {key}")
    require(0 <= value <= 1, f"id: {key} outside [0, 1]")
    return value


def takes(name, arguments, *wanted):
    require(set(arguments) == set(wanted), f"id: {name} takes {', '.join(wanted) or 'nothing'}")


def check_collocation(name, arguments, m):
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
        first = divide(m.nodes, [Q(0), Q(1)])[0]
        first = m.fill([c / first[0] for c in first])
        require(m.stages(s - 1) == s - 1 and
                image(m.a, first) == [x * dot(m.b, first) for x in m.one], "A: not Lobatto IIIC's")
    else:
        require(m.stages(s) == s, "A: C(s) does not hold")


def block_nodes(word, r):
    end = [Q(-1), Q(1)]
    if word.startswith("["):
        out = [Q(1)]
        for entry in word[1:-1].split(","):
            out = mul(out, [-expression(entry, "id"), Q(1)])
        return out
    if word == "equidistant":
        return block_nodes("[" + ",".join(f"{i}/{r}" for i in range(1, r + 1)) + "]", r)
    require(word in ("chebyshev", "legendre", "radau", "lobatto"), "id: unknown nodes")
    return monic(mul(chebyshev(r - 1), end) if word == "chebyshev" else
                 mul(legendre(r - 1), end) if word == "legendre" else
                 add(legendre(r), legendre(r - 1), -1) if word == "radau" else
                 divide(add(legendre(r + 1), legendre(r - 1), -1), [Q(0), Q(1)])[0])


def pade(top, below, sign):
    return [Q(sign ** i * math.comb(top, i) * math.factorial(top + below - i),
              math.factorial(top + below)) for i in range(top + 1)]


def check_block(cert, name, arguments, m):
    takes(name, arguments, "r", "k", "nodes", *(["j"] if "j" in arguments else []))
    r, k = natural(arguments, "r"), natural(arguments, "k", 0)
    j = natural(arguments, "j", 0) if "j" in arguments else r
    require(len(m.b) == r + 1, "b: not of the stages of the id")
    require(mul(block_nodes(arguments["nodes"], r), [Q(0), Q(1)]) == m.nodes,
            "nodes: not those of the id")
    mu = poly(cert["mu"], "mu")
    require(len(mu) <= r + 1 and (not mu or mu[0] == 0), "mu: no polynomial of the block")
    mu += [Q(0)] * (r + 1 - len(mu))
    a = [[mu[i] / (r + 1) if q == r else Q(1, i) if i == q + 1 else Q(0) for q in range(r + 1)]
         for i in range(r + 1)]
    require(m.a == a and m.b == [sum(x[q] for x in a) for q in range(r + 1)], "mu: another A")
    inner = [x[1:] for x in a[1:]]
    same("B_singular", cert["B_singular"], solve(inner, [Q(1)] * r) is None)
    same("pade", cert["pade"], [k, j])
    for key, wanted in (("num", pade(k, j, 1)), ("den", pade(j, k, -1))):
        require(poly(cert["stability"][key], key) == wanted, f"{key}: not the approximant's")
