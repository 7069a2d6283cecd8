"""One step of q'' + (c/h) q' + (k/h^2) q = 0: next x+ = previous x."""
import math
from fractions import Fraction as Q
from itertools import product as tuples

from certificate.algebra import monic, mul, root_condition, trim
from certificate.families import takes, within_one
from certificate.reading import keys, number, poly, require, same


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
        require(number(arguments.get("penalty", "1"), "id: penalty") > 0, "id: penalty")
        return newmark(within_one(arguments, "gamma"), within_one(arguments, "beta"), 0, 0)
    if name in ("hht", "hht_i3"):
        takes(name, arguments, "alpha")
        alpha = number(arguments["alpha"], "id: alpha")
        most = Q(0) if name == "hht" else -Q(1, 1000)
        require(-Q(1, 3) <= alpha <= most, "id: alpha out of range")
        return newmark(Q(1, 2) - alpha, (1 - alpha) ** 2 / 4, 0, -alpha)
    require(name == "generalized_alpha", "id: no family over the rationals")
    takes(name, arguments, "rho", "variant")
    require(arguments["variant"] in ("chung_hulbert", "arnold_bruls"), "id: unknown variant")
    rho = within_one(arguments, "rho")
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
    keys(cert["A"], "A", ["next", "previous"])
    following, previous = step_of(name, arguments)
    for key, wanted in (("next", following), ("previous", previous)):
        require(cert["A"][key] == [[[str(x) for x in e] for e in r] for r in wanted],
                "A: not the step of the id")
    det = characteristic(following, previous)
    equations = sum(any(e[1] or e[2] for e in a + b) for a, b in zip(following, previous))
    order = min(order_of_pair(det, Q(s)) for s in range(2, 3 + equations))
    same("linear_order", cert["linear_order"], order)
    same("order", cert["order"], min(order, 2))
    same("undamped_order", cert["undamped_order"], order_of_pair(det, Q(-1)))
    zeros, top = min(k[2] for k in det), max(k[2] for k in det)
    stiff = max(k[1] for k in det if k[0] == 0)
    infinity = trim([det.get((0, stiff, i), Q(0)) for i in range(zeros, top + 1)])
    infinity = monic(infinity)
    require(poly(cert["roots_at_infinity"], "roots_at_infinity") == infinity,
            "roots_at_infinity: not those of the step")
    if cert["A_stable"] is True:
        require(cert["witness"] is None, "witness: of an A-stable method")
        check_half_plane(cert["half_plane"], det, zeros, top)
    else:
        same("A_stable", cert["A_stable"], False)
        require(cert["half_plane"] is None, "half_plane: of a method that is not A-stable")
        stated, k = number(cert["witness"], "witness"), Q(1, 2 ** 20)
        at_k = lambda x: trim([sum((v * x ** e[1] for e, v in det.items() if e[0] == 0 and
                                    e[2] == i), Q(0)) for i in range(top + 1)])
        while root_condition(at_k(k)):
            k *= 2
            require(k <= 2 ** 40, "witness: none of the powers of two")
        require(stated == k, "witness: not the first unstable power of two")
    same("L_stable", cert["L_stable"], cert["A_stable"] and not any(infinity[:-1]))


def check_half_plane(stated, det, zeros, top):
    d, q = top - zeros, [Terms() for _ in range(top - zeros + 1)]
    for (c, k, zeta), value in det.items():  # (1-w)^d p((1+w)/(1-w))
        i = zeta - zeros
        power = [Q(1)]
        for factor in [[Q(1), Q(1)]] * i + [[Q(1), Q(-1)]] * (d - i):
            power = mul(power, factor)
        for w, x in enumerate(power):
            q[w] = q[w] + Terms({(c, k): value * x} if x else {})
    text = [[[c, k, str(v)] for (c, k), v in sorted(terms.items())] for terms in q]
    while len(text) > len(stated) and not text[-1]:
        text.pop()
    require(stated == text and all(type(x) is int for p in stated for t in p for x in t[:2]),
            "half_plane: not that of the step")
    q = q[:-1] if not q[-1] else q
    above = lambda p: p and min(p.values()) > 0 and any(c == 0 for c, _ in p)
    holds = 2 <= len(q) <= 4 and above(q[0]) and above(q[-1])
    if len(q) == 3:
        holds = holds and min(q[1].values(), default=0) >= 0
    if len(q) == 4:
        minor = q[1] * q[2] + Terms({(0, 0): Q(-1)}) * q[0] * q[3]
        holds = holds and above(q[1]) and above(q[2]) and min(minor.values(), default=0) >= 0
    require(holds, "A_stable: the signs of half_plane do not show it")
