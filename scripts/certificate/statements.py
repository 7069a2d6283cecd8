"""Families with a statement for all rho: bathe, msstc, mssth with n = 3, lms and ss."""
import math
from fractions import Fraction as Q
from itertools import product as tuples

from certificate.algebra import add, at, complex_at, dot, hurwitz, image, modulus, mul, trim
from certificate.reading import keys, number, poly, require, row, same


def check_statement(cert, family, interval, n, rho, more):
    fact = cert["for_all_rho"]
    keys(fact, "for_all_rho", ["range", "family", "n"] + more)
    for key, wanted in (("family", family), ("range", interval), ("n", n)):
        same(key, fact[key], wanted)
    require(number(cert["rho_infinity"], "rho_infinity") == rho, "rho_infinity: not of the id")
    return fact


def positive(p, low, high, depth=0):
    """p > 0 on [low, high] by its Bernstein coefficients."""
    n, local = len(p) - 1, [Q(0)] * len(p)
    for c in reversed(p):
        local = [x * low + (high - low) * y for x, y in zip(local, [Q(0)] + local)]
        local[0] += c
    if p and all(sum(Q(math.comb(i, j), math.comb(n, j)) * local[j] for j in range(i + 1)) > 0
                 for i in range(n + 1)):
        return True
    middle = (low + high) / 2
    return bool(p) and depth < 12 and positive(p, low, middle, depth + 1) and \
        positive(p, middle, high, depth + 1)


def last_row(maps, numerator):
    return [dot(form, numerator) for form in maps]


def check_spectral(cert, n, rho, m):
    require(2 <= n <= 40, "id: n out of range")
    fact = check_statement(cert, "spectral_factor", "[0, 1]", n, rho,
                           ["modulus_of_N", "last_row", "third_order"])
    modulus_ = [poly(p, "modulus_of_N") for p in fact["modulus_of_N"]]
    require(len(modulus_) == n + 1 and all(len(p) <= 3 and min(p, default=0) >= 0
                                           for p in modulus_), "modulus_of_N: a negative sign")
    for k, p in enumerate(modulus_):  # (1+x)^n - (1-rho^2) x^n
        wanted = add([Q(math.comb(n, k))], [Q(1), Q(0), Q(-1)] if k == n else [], -1)
        require(p == wanted, "modulus_of_N: another polynomial")
    maps = [row(r, "last_row", n + 1) for r in fact["last_row"]]
    require(len(maps) == n, "last_row: not n forms")
    plus, minus = [Q(1), Q(1)], [Q(1), Q(-1)]
    power = lambda p, k: mul(power(p, k - 1), p) if k else [Q(1)]
    for k in range(n + 1):
        numerator = [Q(int(i in (0, k))) for i in range(n + 1)]
        total = power(minus, n - 1)
        for j, q in enumerate(last_row(maps, numerator)):
            total = add(total, mul([Q(0), q], mul(power(plus, j), power(minus, n - 1 - j))))
        require(total == trim(numerator), "last_row: another R")
    for first, other in tuples(range(4), range(2, n + 1)):
        numerator = [Q(1), Q(first), Q(first ** 2 - n, 2)] + [Q(0)] * (n - 2)
        numerator[other] = Q(7) if other > 2 else numerator[other]
        q, ends = last_row(maps, numerator), n + first
        require(sum(q) + 1 == ends and 2 * (sum(2 * j * x for j, x in enumerate(q)) + ends) ==
                ends ** 2, "last_row: not of stage order 2")
    third = poly(fact["third_order"], "third_order")  # (4u^3+3u+1)^2 - 9u^2(4u^2+1)
    left = [Q(1), Q(3), Q(0), Q(4)]
    require(third == add(mul(left, left), [Q(0), Q(0), Q(9), Q(0), Q(36)], -1),
            "third_order: another polynomial")
    shifted = [sum(Q(math.comb(i, k)) * c for i, c in enumerate(third)) for k in range(7)]
    require(min(shifted) > 0 and positive(third, Q(0), Q(1)), "third_order: not positive")
    check_spectral_member(cert, n, rho, m, maps)


def check_spectral_member(cert, n, rho, m, maps):
    require(len(m.b) == n + 1, "A: not of the stages of the family")
    gamma = m.a[1][1]
    require(gamma > 0, "A: gamma is not positive")
    numerator = [c / gamma ** i for i, c in enumerate(poly(cert["stability"]["num"], "num"))]
    rows = [[Q(0) if i == 0 or j > i else gamma if j in (0, i) else 2 * gamma
             for j in range(n + 1)] for i in range(n)]
    padded = numerator + [Q(0)] * (n + 1 - len(numerator))
    rows.append([gamma * q for q in last_row(maps, padded)] + [gamma])
    require(m.a == rows and m.b == rows[-1], "A: the tableau is not of the family")
    wanted = [Q(math.comb(n, k)) for k in range(n + 1)]
    wanted[n] -= 1 - rho ** 2
    require(modulus(numerator) == trim(wanted) and hurwitz(numerator), "num: not Hurwitz's factor")
    require(image(m.a, m.one) == m.c, "c: not the row sums")


def check_high_order(cert, n, rho, m):
    require(n == 3, "id: over the rationals n = 3 alone")
    fact = check_statement(cert, "high_order_substeps", "[0, 1]", n, rho, ["kappa", "gamma", "E"])
    same("kappa", fact["kappa"], -1)
    same("gamma", fact["gamma"], ["31/100", "11/25"])
    low, high = Q(31, 100), Q(11, 25)
    e = [poly(p, "E") for p in fact["E"]]
    series = lambda k, g: sum(Q(math.comb(n, j) * (-1) ** j, math.factorial(k - j)) * g ** j
                              for j in range(min(n, k) + 1))
    require(len(e) == n + 1 and all(len(p) <= 2 * n + 1 for p in e), "E: of too high a degree")
    for i in range(1, 2 * n + 2):
        g = Q(i, 7)
        num = trim([series(k, g) for k in range(n + 1)])
        den = [math.comb(n, k) * (-g) ** k for k in range(n + 1)]
        require(trim([at(p, g) for p in e]) == add(modulus(den), modulus(num), -1), "E: another")
    require(all(not p or positive(p, low, high) for p in e[:n]), "E: changes its sign")
    last = [Q(math.comb(n, j) * (-1) ** j, math.factorial(n - j)) for j in range(n + 1)]
    error = [c / (n + 1 - j) for j, c in enumerate(last)]
    slope = [-c * (j - n) for j, c in enumerate(last)]
    rho_of = lambda g: -at(last, g) / g ** n
    rising = positive(slope, low, high)
    require(rising or positive([-c for c in slope], low, high), "gamma: rho is not monotone")
    ends = (rho_of(low), rho_of(high)) if rising else (rho_of(high), rho_of(low))
    require(ends[0] < 0 and ends[1] > 1, "gamma: the branch does not cover [0, 1]")
    require(positive(error, low, high) or positive([-c for c in error], low, high),
            "for_all_rho: R may have an order above n")
    gamma = m.a[1][1] if len(m.b) == 4 else Q(0)
    shape = [[gamma if i == j and i else Q(0) for j in range(i, 4)] for i in range(4)]
    require(len(m.b) == 4 and [m.a[i][i:] for i in range(4)] == shape and m.a[3] == m.b and
            m.c[3] == 1 and m.stages(2) == 2 and m.quadrature(m.b, 4) == 4 and low < gamma < high
            and rho_of(gamma) == rho, "A: the tableau is not of the family")
    for key, wanted in (("num", [series(k, gamma) for k in range(n + 1)]),
                        ("den", [math.comb(n, k) * (-gamma) ** k for k in range(n + 1)])):
        require(poly(cert["stability"][key], key) == trim(wanted), f"{key}: not R of the family")


def check_flat(cert, n, rho):
    q = [Q(0)] * (n + 1)  # Q(1 - zeta): coefficients of cos(m phi) in (1 - cos phi)^n
    for m in range(n + 1):
        c = Q(math.comb(2 * n, n + m) * (-1) ** m * (2 if m else 1))
        for k in range(m + 1):
            q[k] += c * math.comb(m, k) * (-1) ** k
    q = [c / q[1] for c in q]
    one, both = [Q(-1), Q(1)], [rho, Q(1)]
    power = lambda p, k: mul(power(p, k - 1), p) if k else [Q(1)]
    alpha = []
    for k in range(1, n + 1):
        factor = (1 + rho) * q[k] * (1 - rho) ** (k - 1)
        alpha = add(alpha, mul([factor], mul(power(one, k), power(both, n - k))))
    require(poly(cert["rho"], "rho") == alpha and
            poly(cert["sigma"], "sigma") == power(both, n), "rho: not that of the id")
    if rho == 1:
        return
    fact = check_statement(cert, "flat_multistep", "[0, 1)", n, rho, ["Q", "gain"])
    require(poly(fact["Q"], "Q") == q, "Q: another polynomial")
    gain = number(fact["gain"], "gain")
    for t in range(1, 2 * n + 2):
        re_, im = Q(2 * t * t, 1 + t * t), Q(-2 * t, 1 + t * t)
        require(complex_at(q, re_, im)[0] == gain * re_ ** n, "gain: another value")
    require(gain > 0 and q[:3] == [0, 1, Q(1, 2)] and (n < 3 or q[3] < Q(1, 3)), "Q: not order 2")
