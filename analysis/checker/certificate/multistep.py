"""Linear multistep formulas: order, root conditions, the boundary locus."""
import math
from fractions import Fraction as Q

from certificate.algebra import (add, at, changes, complex_at, divide, dot, gcd, root_condition,
                                 schur)
from certificate.reading import require
from certificate.stability import read_parity

KEYS = ["rho", "sigma", "order", "error_constant", "zero_stable", "common_factor", "locus",
        "circle", "A_stable", "L_stable", "witness"]


def check_multistep(cert):
    rho, sigma = cert.poly("rho"), cert.poly("sigma")
    require(len(rho) > 1 and 0 < len(sigma) <= len(rho), "rho: of a lower degree than sigma")

    def defect(q):
        total = sum((c * Q(j) ** q for j, c in enumerate(rho)), Q(0))
        if q:
            total -= q * sum((c * Q(j) ** (q - 1) for j, c in enumerate(sigma)), Q(0))
        return total / math.factorial(q)

    # No formula of k steps has an order above 2k.
    p = next((q for q in range(2 * len(rho) + 1) if defect(q)), 2 * len(rho) + 1) - 1
    cert.same("order", p)
    cert.equal("error_constant", defect(p + 1) / (at(sigma, 1) or 1))
    cert.same("zero_stable", root_condition(rho))
    common = cert.poly("common_factor")
    require(common == gcd(rho, sigma), "common_factor: not the greatest common divisor")
    sign = 1 if rho[-1] > 0 else -1
    r, s = ([sign * c for c in divide(f, common)[0]] for f in (rho, sigma))
    locus = cert.poly("locus")
    require(len(locus) <= len(rho), "locus: of too high a degree")
    for t in range(1, len(rho) + 2):  # rational points of the circle
        zeta = Q(1 - t * t, 1 + t * t), Q(2 * t, 1 + t * t)
        require(at(locus, zeta[0]) == dot(complex_at(r, *zeta), complex_at(s, *zeta)),
                "locus: not Re(rho conj sigma)")
    total = add(r, s)
    inside = len(s) == len(r) == len(total) and schur(total)
    a_stable = cert.truth("A_stable")
    if a_stable:
        cert.same("witness", None)
        check_circle(cert, locus)
        require(inside, "A_stable: at z = -1 not all roots lie inside the disc")
        require(root_condition(common), "A_stable: the common factor violates the root condition")
    else:
        cert.same("circle", None)
        if cert.raw("witness") is None:
            require(not inside or not root_condition(common),
                    "A_stable: false, but no condition fails")
        else:
            witness = cert.part("witness", ["cos_phi", "value"])
            x = witness.fraction("cos_phi")
            witness.equal("value", at(locus, x))
            require(-1 < x < 1 and at(locus, x) < 0, "witness: the locus is not negative there")
    cert.same("L_stable", a_stable and len(sigma) == len(rho) and not any(sigma[:-1]))


def check_circle(cert, locus):
    """The locus is >= 0 on (-1, 1)."""
    if not locus:
        return cert.same("circle", "the locus is the imaginary axis")
    odd, whole, chain = read_parity(cert, "circle")
    require(locus == whole, "circle: locus is not odd square^2")
    roots = changes([at(p, -1) for p in chain]) - changes([at(p, 1) for p in chain])
    inner = next(x for x in (at(odd, Q(1, d)) for d in range(2, len(odd) + 3)) if x)
    require(roots == (at(odd, 1) == 0) and inner > 0,
            "A_stable: the locus enters the left half-plane")
