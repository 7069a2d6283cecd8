"""Polynomials in ascending powers and matrices by rows, over the rationals."""
from fractions import Fraction as Q

from certificate.reading import require


def trim(p):
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def at(p, x):
    return sum((c * x ** i for i, c in enumerate(p)), Q(0))


def add(p, q, factor=1):
    size = max(len(p), len(q))
    pad = lambda r: r + [Q(0)] * (size - len(r))
    return trim([a + factor * b for a, b in zip(pad(p), pad(q))])


def mul(p, q):
    out = [Q(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] += a * b
    return trim(out)


def divide(p, q):
    p, out = trim(p), [Q(0)] * max(len(p) - len(q) + 1, 0)
    while len(p) >= len(q):
        shift, factor = len(p) - len(q), p[-1] / q[-1]
        out[shift] = factor
        p = trim([c - (factor * q[i - shift] if i >= shift else 0) for i, c in enumerate(p)])
    return trim(out), p


def gcd(p, q):
    while q:
        p, q = q, divide(p, q)[1]
    return [c / p[-1] for c in p]


def derivative(p):
    return [i * c for i, c in enumerate(p)][1:]


def modulus(p):
    """|p(iy)|^2 as a polynomial in x = y^2."""
    signed = [c * (1, 1, -1, -1)[i % 4] for i, c in enumerate(p)]
    even, odd = trim(signed[::2]), trim(signed[1::2])
    return add(mul(even, even), mul([Q(0), Q(1)], mul(odd, odd)))


def changes(signs):
    signs = [s for s in signs if s]
    return sum(a * b < 0 for a, b in zip(signs, signs[1:]))


def check_chain(chain, start):
    """A Sturm chain of a squarefree start, remainders scaled to the leading coefficient +-1."""
    require(chain and chain[0] == start and start, "chain: another start")
    require(len(start) == 1 or (len(chain) > 1 and chain[1] == derivative(start)),
            "chain: no derivative")
    for a, b, c in zip(chain, chain[1:], chain[2:]):
        rest = divide(a, b)[1]
        require(rest and c == [-x / abs(rest[-1]) for x in rest], "chain: another remainder")
    require(len(chain[-1]) == 1 and (len(start) > 1 or len(chain) == 1), "chain: does not end")


def solve(m, b):
    """The solution of m x = b, None where m is singular."""
    m = [list(r) + [x] for r, x in zip(m, b)]
    for k in range(len(m)):
        pivot = next((i for i in range(k, len(m)) if m[i][k]), None)
        if pivot is None:
            return None
        m[k], m[pivot] = m[pivot], m[k]
        m[k] = [x / m[k][k] for x in m[k]]
        for i in range(len(m)):
            if i != k and m[i][k]:
                m[i] = [x - m[i][k] * y for x, y in zip(m[i], m[k])]
    return [r[-1] for r in m]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b) if x and y), Q(0))


def image(m, x):
    return [dot(r, x) for r in m]


def semidefinite(m):
    while m:
        head = m[0][0]
        if head < 0 or (head == 0 and any(m[0])):
            return False
        m = [[m[i][j] - (m[i][0] * m[0][j] / head if head else 0) for j in range(1, len(m))]
             for i in range(1, len(m))]
    return True


def hurwitz(p):
    """All roots in Re z < 0: leading minors of Hurwitz's matrix, as pivots."""
    p, n = [c * (1 if p[-1] > 0 else -1) for c in p], len(p) - 1
    get = lambda i: p[i] if 0 <= i <= n else Q(0)
    m = [[get(n - 2 * (j + 1) + i + 1) for j in range(n)] for i in range(n)]
    for k in range(n):
        if m[k][k] <= 0:
            return False
        for i in range(k + 1, n):
            m[i] = [x - m[i][k] / m[k][k] * y for x, y in zip(m[i], m[k])]
    return True


def schur(p):
    """All roots in |z| < 1 (Schur and Cohn)."""
    while len(p) > 1:
        if p[-1] ** 2 <= p[0] ** 2:
            return False
        p = [p[-1] * a - p[0] * b for a, b in zip(p[1:], p[-2::-1])]
    return bool(p)


def root_condition(p):
    """All roots in |z| <= 1, those on the circle simple (Cohn)."""
    while len(p) > 1 and p[0] == 0:
        p = p[1:]
    circle = gcd(p, trim(p[::-1])) if p else []
    return bool(p) and schur(divide(p, circle)[0]) and (len(circle) < 2 or
                                                        schur(derivative(circle)))


def complex_at(p, re, im):
    a = b = Q(0)
    for c in reversed(p):
        a, b = a * re - b * im + c, a * im + b * re
    return a, b


def monic(p):
    return [c / p[-1] for c in p]
