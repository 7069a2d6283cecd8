"""Linear multistep formulas: order, root conditions, the boundary locus."""
import math
from fractions import Fraction as Q

from certificate.algebra import (at, changes, check_chain, complex_at, divide, dot, gcd, mul,
                                 root_condition, schur)
from certificate.reading import keys, number, poly, require, same


def check_multistep(cert):
    rho, sigma = poly(cert["rho"], "rho"), poly(cert["sigma"], "sigma")
    require(len(rho) > 1 and 0 < len(sigma) <= len(rho), "rho: of a lower degree than sigma")
    def defect(q):
        total = sum((c * Q(j) ** q for j, c in enumerate(rho)), Q(0))
        if q:
            total -= q * sum((c * Q(j) ** (q - 1) for j, c in enumerate(sigma)), Q(0))
        return total / math.factorial(q)
    p = next(q for q in range(2 * len(rho) + 2) if defect(q)) - 1
    same("order", cert["order"], p)
    require(number(cert["error_constant"], "error_constant") ==
            defect(p + 1) / (at(sigma, 1) or 1), "error_constant: another value")
    same("zero_stable", cert["zero_stable"], root_condition(rho))
    common = poly(cert["common_factor"], "common_factor")
    require(common == gcd(rho, sigma), "common_factor: not the greatest common divisor")
    sign = 1 if rho[-1] > 0 else -1
    r, s = ([sign * c for c in divide(f, common)[0]] for f in (rho, sigma))
    locus = poly(cert["locus"], "locus")
    require(len(locus) <= len(rho), "locus: of too high a degree")
    for t in range(1, len(rho) + 2):
        zeta = Q(1 - t * t, 1 + t * t), Q(2 * t, 1 + t * t)
        u, v = complex_at(r, *zeta), complex_at(s, *zeta)
        require(at(locus, zeta[0]) == dot(u, v), "locus: not Re(rho conj sigma)")
    total = [a + b for a, b in zip(r, s + [Q(0)] * (len(r) - len(s)))]
    inside = len(s) == len(r) and total[-1] != 0 and schur(total)
    a_stable, witness = cert["A_stable"], cert["witness"]
    require(type(a_stable) is bool, "A_stable: neither true nor false")
    if a_stable:
        require(witness is None and inside and root_condition(common), "A_stable: at z = -1")
        check_circle(cert["circle"], locus)
    else:
        require(cert["circle"] is None, "circle: of a formula that is not A-stable")
        if witness is None:
            require(not inside or not root_condition(common), "witness: missing")
        else:
            keys(witness, "witness", ["cos_phi", "value"])
            x = number(witness["cos_phi"], "cos_phi")
            require(-1 < x < 1 and number(witness["value"], "value") == at(locus, x) < 0,
                    "witness: the locus is not negative there")
    same("L_stable", cert["L_stable"], a_stable and len(sigma) == len(rho) and
         not any(sigma[:-1]))


def check_circle(circle, locus):
    if not locus:
        return same("circle", circle, "the locus is the imaginary axis")
    keys(circle, "circle", ["odd", "square", "chain"])
    odd, square_ = poly(circle["odd"], "odd"), poly(circle["square"], "square")
    chain = [poly(p, "chain") for p in circle["chain"]]
    require(square_ and square_[-1] == 1 and locus == mul(odd, mul(square_, square_)),
            "circle: locus is not odd square^2")
    check_chain(chain, odd)
    roots = changes([at(p, Q(-1)) for p in chain]) - changes([at(p, Q(1)) for p in chain])
    inner = next(x for x in (at(odd, Q(1, d)) for d in range(2, len(odd) + 3)) if x)
    require(roots == (at(odd, 1) == 0) and inner > 0, "A_stable: the locus enters the left side")


def check_bdf(cert, k):
    rho = [Q(0)] * (k + 1)
    for j in range(1, k + 1):
        for i in range(j + 1):  # E^(k-j) (E-1)^j / j
            rho[k - j + i] += Q(math.comb(j, i) * (-1) ** (j - i), j)
    require(poly(cert["rho"], "rho") == rho and
            poly(cert["sigma"], "sigma") == [Q(0)] * k + [Q(1)], "rho: not that of the id")
