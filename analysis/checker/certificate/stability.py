"""Stability functions: R at points, order against exp, E on the axis, A- and L-stability."""
import math
from fractions import Fraction as Q

from certificate.algebra import (add, at, changes, check_chain, complex_at, dot, gcd, hurwitz,
                                 modulus, mul, solve)
from certificate.field import Number, bits_of
from certificate.reading import require

MOST_WORK = 4000000  # of a Sturm chain: degree^2 times bits, 16 times in a field


def is_stability_function(num, den, m, b):
    """num/den against 1 + z b'(I - zA)^-1 1 at more points than their degrees can fake."""
    size, good, z = len(m.b), 0, 0
    if max(len(num), len(den)) > size + 1:
        return False
    while good < 2 * size + 2:
        z += 1
        x = solve([[int(i == j) - z * y for j, y in enumerate(r)] for i, r in enumerate(m.a)],
                  m.one)
        if x is None:
            continue  # a pole
        if at(num, z) != at(den, z) * (1 + z * dot(b, x)):
            return False
        good += 1
    return True


def too_large(e):
    """Undecided is accepted only beyond the size where the prover gives up as well."""
    degree = len(e) - 1 - next(i for i, c in enumerate(e) if c)
    work = degree ** 2 * max(map(bits_of, e))
    return work * (16 if any(isinstance(c, Number) for c in e) else 1) > MOST_WORK


def check_stability(part, m=None, b=None):
    part.keys(["num", "den", "order_of_R", "error_constant", "R_at_infinity", "A_stable",
               "L_stable", "E", "axis", "witness"])
    num, den = part.poly("num"), part.poly("den")
    require(m is None or is_stability_function(num, den, m, b), "num: num/den is not R")
    require(num and den and den[0] == 1, "den: den(0) is not 1")
    require(len(gcd(num, den)) == 1, "den: has a factor in common with num")
    for p in range(len(num) + len(den) + 1):  # of den e^z - num; Pade's is exact to two below
        term = sum((c / math.factorial(p - i) for i, c in enumerate(den) if i <= p), Q(0))
        term -= num[p] if p < len(num) else 0
        if term:
            break
    part.same("order_of_R", p - 1)
    part.equal("error_constant", term)
    if len(num) > len(den):
        part.same("R_at_infinity", "unbounded")
    else:
        part.equal("R_at_infinity", Q(0) if len(num) < len(den) else num[-1] / den[-1])
    e = part.poly("E")
    require(e == add(modulus(den), modulus(num), -1), "E: not |D(iy)|^2 - |N(iy)|^2")
    poles = hurwitz([c * (-1) ** i for i, c in enumerate(den)])
    if part.raw("A_stable") is None:
        for key in ("L_stable", "axis", "witness"):
            part.same(key, None)
        require(poles and any(c < 0 for c in e) and too_large(e),
                "A_stable: null, but it is decidable")
        return
    a_stable = part.truth("A_stable")
    if a_stable:
        part.same("witness", None)
        require(poles, "A_stable: a pole with Re z <= 0")
        check_axis(part, e)
    else:
        part.same("axis", None)
        if part.raw("witness") is None:
            require(not poles, "witness: missing, and all poles lie in the right half-plane")
        else:
            check_witness(part.part("witness", ["real", "imaginary", "modulus_squared"]), num, den)
    part.same("L_stable", a_stable and len(num) < len(den))


def read_parity(part, key):
    """odd, odd square^2 and the checked chain of odd."""
    axis = part.part(key, ["odd", "square", "chain"])
    odd, square, chain = axis.poly("odd"), axis.poly("square"), axis.polys("chain")
    require(square and square[-1] == 1, "square: not monic")
    check_chain(chain, odd)
    return odd, mul(odd, mul(square, square)), chain


def check_axis(part, e):
    """E >= 0 for x > 0: no negative coefficient, or no change of sign by a Sturm chain."""
    if all(c >= 0 for c in e):
        return part.same("axis", "no coefficient of E is negative")
    odd, whole, chain = read_parity(part, "axis")
    shift = next(i for i, c in enumerate(e) if c)
    require(e[shift:] == whole, "axis: E is not x^m odd square^2")
    require(odd[-1] > 0 and
            changes([at(p, 0) for p in chain]) == changes([p[-1] for p in chain]),
            "A_stable: E changes its sign on the axis")


def check_witness(witness, num, den):
    """A point of the closed left half-plane where |R| > 1; the upper half, R being real."""
    re, im = witness.fraction("real"), witness.fraction("imaginary")
    require(re <= 0 <= im, "witness: not in the upper left quarter")
    above, below = (sum(x * x for x in complex_at(p, re, im)) for p in (num, den))
    require(below != 0, "witness: a pole")
    witness.equal("modulus_squared", above / below)
    require(above > below, "witness: |R| is not above 1")
