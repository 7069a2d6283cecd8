"""One step of q'' + (c/h) q' + (k/h^2) q = 0: next x+ = previous x."""
import json
import math
from fractions import Fraction as Q
from itertools import product as tuples

from certificate.algebra import monic, mul, power, root_condition, trim
from certificate.families import takes, within
from certificate.reading import fraction, require

KEYS = ["A", "order", "linear_order", "undamped_order", "roots_at_infinity", "A_stable",
        "L_stable", "half_plane", "witness"]


def newmark(gamma, beta, m, f):
    e = lambda *x: [Q(c) for c in x]
    nil = e(0, 0, 0)
    return ([[e(1, 0, 0), nil, e(-beta, 0, 0)], [nil, e(1, 0, 0), e(-gamma, 0, 0)],
             [e(0, 0, 1 - f), e(0, 1 - f, 0), e(1 - m, 0, 0)]],
            [[e(1, 0, 0), e(1, 0, 0), e(Q(1, 2) - beta, 0, 0)],
             [nil, e(1, 0, 0), e(1 - gamma, 0, 0)], [e(0, 0, -f), e(0, -f, 0), e(-m, 0, 0)]])


def step_of(name, arguments):
    members = {"average_acceleration": Q(1, 4), "linear_acceleration": Q(1, 6),
               "fox_goodwin": Q(1, 12), "central_difference": Q(0)}
    if name in members:
        takes(name, arguments)
        return newmark(Q(1, 2), members[name], 0, 0)
    if name in ("newmark", "augmented_lagrangian"):
        takes(name, arguments, "gamma", "beta", *(["penalty"] if name != "newmark" else []))
        penalty = fraction(arguments.get("penalty", "1"), "id: penalty")
        require(penalty > 0, "id: penalty not above 0")  # without constraints it is Newmark's
        return newmark(within(arguments, "gamma"), within(arguments, "beta"), 0, 0)
    if name in ("hht", "hht_i3"):
        takes(name, arguments, "alpha")
        alpha = within(arguments, "alpha", -Q(1, 3), Q(0) if name == "hht" else -Q(1, 1000))
        return newmark(Q(1, 2) - alpha, (1 - alpha) ** 2 / 4, 0, -alpha)
    require(name == "generalized_alpha", "id: no family of the checker; name its tableau file")
    takes(name, arguments, "rho", "variant")
    require(arguments["variant"] in ("chung_hulbert", "arnold_bruls"), "id: unknown variant")
    rho = within(arguments, "rho")
    m, f = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    return newmark(Q(1, 2) + f - m, (1 + f - m) ** 2 / 4, m, f)


class Terms(dict):
    """A polynomial in several variables: exponents to coefficients."""
    def __add__(self, other):
        out = Terms(self)
        for k, c in other.items():
            out[k] = out.get(k, 0) + c
        return Terms({k: c for k, c in out.items() if c})

    def __mul__(self, other):
        out = Terms()
        for (k, c), (l, d) in tuples(self.items(), other.items()):
            key = tuple(a + b for a, b in zip(k, l))
            out[key] = out.get(key, 0) + c * d
        return Terms({k: c for k, c in out.items() if c})


def determinant(m):
    if not m:
        return Terms({(0, 0, 0): Q(1)})
    out = Terms()
    for j, entry in enumerate(m[0]):
        if entry:
            sign = Terms({(0, 0, 0): Q((-1) ** j)})
            out = out + sign * entry * determinant([r[:j] + r[j + 1:] for r in m[1:]])
    return out


def characteristic(following, previous):
    """det(zeta N - P) in the exponents of c, k, zeta."""
    def entry(n, p):
        total = Terms()
        for i, exponents in enumerate(((0, 0), (1, 0), (0, 1))):
            total = total + Terms({exponents + (1,): n[i]}) + Terms({exponents + (0,): -p[i]})
        return total
    return determinant([[entry(*e) for e in zip(*rows)] for rows in zip(following, previous)])


def order_of_pair(det, s):
    """Lowest power of z at zeta = e^z, c = -(1 + s) z, k = s z^2, less 2."""
    series = [Q(0)] * 12
    for (c, k, zeta), value in det.items():
        for i in range(12 - c - 2 * k):
            series[c + 2 * k + i] += value * (-(1 + s)) ** c * s ** k * Q(zeta ** i,
                                                                        math.factorial(i))
    return next(i for i, x in enumerate(series) if x) - 2


def check_second_order(cert, name, arguments):
    following, previous = step_of(name, arguments)
    stated = cert.part("A", ["next", "previous"])
    for key, wanted in (("next", following), ("previous", previous)):
        stated_rows = stated.raw(key)
        require(stated_rows == [[[str(x) for x in e] for e in r] for r in wanted],
                "A: not the step of the id")
    det = characteristic(following, previous)
    equations = sum(any(e[1] or e[2] for e in a + b) for a, b in zip(following, previous))
    order = min(order_of_pair(det, Q(s)) for s in range(2, 3 + equations))
    for key, derived in (("linear_order", order), ("order", min(order, 2)),
                         ("undamped_order", order_of_pair(det, Q(-1)))):
        cert.same(key, derived)
    zeros, top = min(k[2] for k in det), max(k[2] for k in det)
    stiff = max(k[1] for k in det if k[0] == 0)
    infinity = monic(trim([det.get((0, stiff, i), Q(0)) for i in range(zeros, top + 1)]))
    require(cert.poly("roots_at_infinity") == infinity,
            "roots_at_infinity: not those of the step")
    if cert.truth("A_stable"):
        cert.same("witness", None)
        check_half_plane(cert, det, zeros, top)
    else:
        cert.same("half_plane", None)
        check_undamped(cert, det, top)
    cert.same("L_stable", cert.truth("A_stable") and not any(infinity[:-1]))


def check_undamped(cert, det, top):
    """The first of 2^-20, 2^-19, ... for k that is unstable at c = 0."""
    def at_k(x):
        return trim([sum((v * x ** e[1] for e, v in det.items() if e[0] == 0 and e[2] == i), Q(0))
                     for i in range(top + 1)])
    k = Q(1, 2 ** 20)
    while root_condition(at_k(k)):
        k *= 2
        require(k <= 2 ** 40, "witness: none of the powers of two")
    require(cert.fraction("witness") == k, "witness: not the first power of two that is unstable")


def check_half_plane(cert, det, zeros, top):
    d = top - zeros
    q = [Terms() for _ in range(d + 1)]
    for (c, k, zeta), value in det.items():  # (1-w)^d p((1+w)/(1-w))
        factor = mul(power([Q(1), Q(1)], zeta - zeros), power([Q(1), Q(-1)], d - zeta + zeros))
        for w, x in enumerate(factor):
            q[w] = q[w] + Terms({(c, k): value * x} if x else {})
    text = [[[c, k, str(v)] for (c, k), v in sorted(terms.items())] for terms in q]
    while len(text) > len(cert.list("half_plane")) and not text[-1]:
        text.pop()
    require(json.dumps(cert.list("half_plane")) == json.dumps(text),
            "half_plane: not that of the step")
    q = q[:-1] if not q[-1] else q  # the one root -1
    above = lambda p: bool(p) and min(p.values()) > 0 and any(c == 0 for c, _ in p)
    holds = 2 <= len(q) <= 4 and above(q[0]) and above(q[-1])
    if len(q) == 3:
        holds = holds and min(q[1].values(), default=0) >= 0
    if len(q) == 4:
        minor = q[1] * q[2] + Terms({(0, 0): Q(-1)}) * q[0] * q[3]
        holds = holds and above(q[1]) and above(q[2]) and min(minor.values(), default=0) >= 0
    require(holds, "A_stable: the signs of half_plane do not show it")
