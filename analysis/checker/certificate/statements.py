"""Families with a statement for all rho: bathe, msstc, mssth, lms and ss."""
import math
from fractions import Fraction as Q
from itertools import product as tuples

from certificate.algebra import (add, at, complex_at, dot, hurwitz, image, modulus, mul, padded,
                                 positive, power, trim)
from certificate.reading import require

BRANCHES = {  # n: where gamma lies for rho in [0, 1], the sign of N_n/(rho gamma^n) there
    3: (Q(31, 100), Q(11, 25), -1), 4: (Q(39, 100), Q(29, 50), 1), 5: (Q(49, 200), Q(7, 25), 1)}


def read_statement(cert, family, interval, n, rho, more):
    fact = cert.part("for_all_rho", ["range", "family", "n", *more])
    for key, wanted in (("family", family), ("range", interval), ("n", n)):
        fact.same(key, wanted)
    require(cert.fraction("rho_infinity") == rho, "rho_infinity: not that of the id")
    return fact


def either_sign(p, low, high):
    return positive(p, low, high) or positive([-c for c in p], low, high)


def last_row(maps, numerator):
    """q_j / gamma for given N_0 = 1, ..., N_n."""
    return [dot(form, numerator) for form in maps]


def check_spectral(cert, n, rho, m):
    """m: the method, None where its coefficients lie in intervals."""
    require(2 <= n <= 40, "id: n outside [2, 40]")
    fact = read_statement(cert, "spectral_factor", "[0, 1]", n, rho,
                          ["modulus_of_N", "last_row", "third_order"])
    wanted = [[Q(math.comb(n, k))] for k in range(n)] + [[Q(0), Q(0), Q(1)]]
    require(fact.polys("modulus_of_N") == wanted, "modulus_of_N: not (1+x)^n - (1-rho^2) x^n")
    maps = fact.rows("last_row", n + 1)
    check_last_row(maps, n)
    third, left = fact.poly("third_order"), [Q(1), Q(3), Q(0), Q(4)]
    require(third == add(mul(left, left), [Q(0), Q(0), Q(9), Q(0), Q(36)], -1),
            "third_order: not (4u^3+3u+1)^2 - 9u^2(4u^2+1)")
    shifted = [sum(Q(math.comb(i, k)) * c for i, c in enumerate(third)) for k in range(7)]
    require(min(shifted) > 0 and positive(third, Q(0), Q(1)), "third_order: not positive")
    if m is not None:
        check_spectral_member(cert, n, rho, m, maps)


def check_last_row(maps, n):
    """R = N/(1-s)^n and stage order 2, affine in N except for N_1; stages are ((1+s)/(1-s))^j."""
    require(len(maps) == n, "last_row: not n forms")
    plus, minus = [Q(1), Q(1)], [Q(1), Q(-1)]
    for k in range(n + 1):
        numerator = [Q(int(i in (0, k))) for i in range(n + 1)]
        total = power(minus, n - 1)
        for j, q in enumerate(last_row(maps, numerator)):
            total = add(total, mul([Q(0), q], mul(power(plus, j), power(minus, n - 1 - j))))
        require(total == trim(numerator), "last_row: another R of the tableau")
    for first, other in tuples(range(4), range(2, n + 1)):
        numerator = padded([Q(1), Q(first), Q(first ** 2 - n, 2)], n + 1)
        numerator[other] = Q(7) if other > 2 else numerator[other]
        q, ends = last_row(maps, numerator), n + first
        moment = sum(2 * j * x for j, x in enumerate(q))
        require(sum(q) + 1 == ends and 2 * (moment + ends) == ends ** 2,
                "last_row: not of stage order 2")


def check_spectral_member(cert, n, rho, m, maps):
    """The tableau: gamma, trapezoidal rows, the last row by the forms; N is Hurwitz's factor."""
    require(len(m.b) == n + 1, "A: not of the stages of the family")
    gamma = m.a[1][1]
    require(gamma > 0, "A: gamma is not positive")
    numerator = [c / gamma ** i for i, c in enumerate(cert.object("stability").poly("num"))]
    rows = [[Q(0) if i == 0 or j > i else gamma if j in (0, i) else 2 * gamma
             for j in range(n + 1)] for i in range(n)]
    rows.append([gamma * q for q in last_row(maps, padded(numerator, n + 1))] + [gamma])
    require(m.a == rows and m.b == rows[-1], "A: the tableau is not of the family")
    wanted = [Q(math.comb(n, k)) for k in range(n + 1)]
    wanted[n] -= 1 - rho ** 2
    require(modulus(numerator) == trim(wanted) and hurwitz(numerator),
            "num: not Hurwitz's factor for this rho")
    require(image(m.a, m.one) == m.c, "c: not the row sums")


def numerator_at(n, k, gamma):
    """N_k of the numerator of (1 - gamma z)^n e^z."""
    return sum((Q(math.comb(n, j) * (-1) ** j, math.factorial(k - j)) * gamma ** j
                for j in range(min(n, k) + 1)), Q(0))


def check_high_order(cert, n, rho, m):
    """m: the method, None where its nodes lie in intervals and gamma is a key."""
    require(n in BRANCHES, "id: n outside [3, 5]")
    low, high, kappa = BRANCHES[n]
    fact = read_statement(cert, "high_order_substeps", "[0, 1]", n, rho, ["kappa", "gamma", "E"])
    fact.same("kappa", kappa)
    fact.same("gamma", [str(low), str(high)])
    series = lambda g: [numerator_at(n, k, g) for k in range(n + 1)]
    below = lambda g: [math.comb(n, k) * (-g) ** k for k in range(n + 1)]
    e = fact.polys("E")
    require(len(e) == n + 1 and all(len(p) <= 2 * n + 1 for p in e), "E: of too high a degree")
    for i in range(1, 2 * n + 2):  # degree 2n in gamma
        g = Q(i, 7)
        require(trim([at(p, g) for p in e]) ==
                add(modulus(below(g)), modulus(trim(series(g))), -1), "E: another polynomial")
    require(all(not p or positive(p, low, high) for p in e[:n]), "E: a coefficient changes its sign")
    check_branch(n, kappa, low, high)
    gamma = gamma_of(m) if m is not None else cert.number("gamma")
    require(low < gamma < high and numerator_at(n, n, gamma) == rho * kappa * gamma ** n,
            "gamma: not that of the branch for this rho")
    stability = cert.object("stability")
    for key, wanted in (("num", series(gamma)), ("den", below(gamma))):
        require(stability.poly(key) == trim(wanted), f"{key}: not R of the family")


def check_branch(n, kappa, low, high):
    """rho is monotone in gamma and covers [0, 1]; the coefficient of z^(n+1) has no zero."""
    last = [Q(math.comb(n, j) * (-1) ** j, math.factorial(n - j)) for j in range(n + 1)]
    slope = [kappa * c * (j - n) for j, c in enumerate(last)]
    rising = positive(slope, low, high)
    require(rising or positive([-c for c in slope], low, high), "gamma: rho is not monotone in it")
    start, end = (kappa * at(last, g) / g ** n for g in ((low, high) if rising else (high, low)))
    require(start < 0 and end > 1, "gamma: the branch does not cover [0, 1]")
    require(either_sign([c / (n + 1 - j) for j, c in enumerate(last)], low, high),
            "for_all_rho: R may have an order above n")


def gamma_of(m):
    """n = 3: an ESDIRK with C(2), B(4) and this gamma; there is one."""
    require(len(m.b) == 4, "A: not of the stages of the family")
    gamma = m.a[1][1]
    shape = [[gamma if i == j and i else Q(0) for j in range(i, 4)] for i in range(4)]
    require([m.a[i][i:] for i in range(4)] == shape and m.a[3] == m.b and m.c[3] == 1 and
            m.stages(2) == 2 and m.quadrature(m.b, 4) == 4, "A: the tableau is not of the family")
    return gamma


def check_flat(cert, n, rho):
    """lms and ss: the formula of Q at this rho, and for rho < 1 that Q is what it should be."""
    q = [Q(0)] * (n + 1)  # Q(1 - zeta) has the coefficients of cos(m phi) in (1 - cos phi)^n
    for m in range(n + 1):
        c = Q(math.comb(2 * n, n + m) * (-1) ** m * (2 if m else 1))
        for k in range(m + 1):
            q[k] += c * math.comb(m, k) * (-1) ** k
    q = [c / q[1] for c in q]
    one, both, alpha = [Q(-1), Q(1)], [rho, Q(1)], []
    for k in range(1, n + 1):
        factor = (1 + rho) * q[k] * (1 - rho) ** (k - 1)
        alpha = add(alpha, mul([factor], mul(power(one, k), power(both, n - k))))
    require(cert.poly("rho") == alpha and cert.poly("sigma") == power(both, n),
            "rho: the formula is not that of the id")
    if rho == 1:
        return
    fact = read_statement(cert, "flat_multistep", "[0, 1)", n, rho, ["Q", "gain"])
    require(fact.poly("Q") == q, "Q: another polynomial")
    gain = fact.number("gain")
    for t in range(1, 2 * n + 2):  # rational points of the circle
        re, im = Q(2 * t * t, 1 + t * t), Q(-2 * t, 1 + t * t)
        require(complex_at(q, re, im)[0] == gain * re ** n, "gain: another value")
    require(gain > 0 and q[:3] == [0, 1, Q(1, 2)] and (n < 3 or q[3] < Q(1, 3)),
            "Q: not order 2 and no more")
