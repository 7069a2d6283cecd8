"""Polynomials in ascending powers and matrices by rows, of fractions or numbers of a field."""
from fractions import Fraction as Q

from certificate.field import sign
from certificate.reading import require


def trim(p):
    while p and p[-1] == 0:
        p = p[:-1]
    return p


def at(p, x):
    value = Q(0)
    for c in reversed(p):
        value = value * x + c
    return value


def padded(p, size):
    return p + [Q(0)] * (size - len(p))


def add(p, q, factor=1):
    size = max(len(p), len(q))
    return trim([a + factor * b for a, b in zip(padded(p, size), padded(q, size))])


def mul(p, q):
    out = [Q(0)] * max(len(p) + len(q) - 1, 0)
    for i, a in enumerate(p):
        for j, b in enumerate(q):
            out[i + j] += a * b
    return trim(out)


def power(p, n):
    out = [Q(1)]
    for _ in range(n):
        out = mul(out, p)
    return out


def monic(p):
    return [c / p[-1] for c in p]


def divide(p, q):
    """Quotient and rest."""
    rest, out = trim(p), [Q(0)] * max(len(p) - len(q) + 1, 0)
    while len(rest) >= len(q):
        shift, factor = len(rest) - len(q), rest[-1] / q[-1]
        out[shift] = factor
        rest = trim(rest[:shift] + [c - factor * x for c, x in zip(rest[shift:-1], q)])
    return trim(out), rest


def gcd(p, q):
    """Monic; remainders are scaled, as their digits would double at each step."""
    while q:
        p, q = q, divide(p, q)[1]
        q = monic(q) if q else q
    return monic(p)


def derivative(p):
    return [i * c for i, c in enumerate(p)][1:]


def modulus(p):
    """|p(iy)|^2 as a polynomial in x = y^2."""
    signed = [c * (1, 1, -1, -1)[i % 4] for i, c in enumerate(p)]
    even, odd = trim(signed[::2]), trim(signed[1::2])
    return add(mul(even, even), mul([Q(0), Q(1)], mul(odd, odd)))


def complex_at(p, re, im):
    a = b = Q(0)
    for c in reversed(p):
        a, b = a * re - b * im + c, a * im + b * re
    return a, b


def changes(values):
    """Changes of sign."""
    signs = [s for s in map(sign, values) if s]
    return sum(a != b for a, b in zip(signs, signs[1:]))


def roots_between(p, low, high):
    """Distinct roots in the open interval, by Sturm's chain."""
    p = divide(p, gcd(p, derivative(p)))[0]
    chain = [p, derivative(p)]
    while chain[-1]:
        rest = divide(chain[-2], chain[-1])[1]
        chain.append([-c / abs(rest[-1]) for c in rest])
    count = changes([at(q, low) for q in chain]) - changes([at(q, high) for q in chain])
    return count - (at(p, high) == 0)


def check_chain(chain, start):
    """A Sturm chain of a squarefree start, remainders scaled to the leading coefficient +-1."""
    require(chain and start and chain[0] == start, "chain: another start")
    require(len(start) == 1 or (len(chain) > 1 and chain[1] == derivative(start)),
            "chain: no derivative")
    for a, b, c in zip(chain, chain[1:], chain[2:]):
        rest = divide(a, b)[1] if b else []
        require(rest and c == [-x / abs(rest[-1]) for x in rest], "chain: another remainder")
    require(len(chain[-1]) == 1 and (len(start) > 1 or len(chain) == 1), "chain: does not end")


def positive(p, low, high, depth=0):
    """p > 0 on [low, high] by coefficients in Bernstein's basis, b_i = sum C(i,j)/C(n,j) t_j."""
    local = [Q(0)] * len(p)  # powers of t, x = low + (high - low) t
    for c in reversed(p):
        local = [x * low + (high - low) * y for x, y in zip(local, [Q(0)] + local)]
        local[0] += c
    n = len(p) - 1
    row = [c / q for c, q in zip(local, binomials(n))]
    above = bool(p)
    while row and above:  # running sums: b_0, then b_1, ...
        above = row[0] > 0
        row = [a + b for a, b in zip(row, row[1:])]
    if above or not p or depth == 12:
        return above
    middle = (low + high) / 2
    return positive(p, low, middle, depth + 1) and positive(p, middle, high, depth + 1)


def binomials(n):
    out = [1]
    for k in range(n):
        out.append(out[-1] * (n - k) // (k + 1))
    return out


def solve(m, b):
    """The solution of m x = b, None where m is singular."""
    m = [list(r) + [x] for r, x in zip(m, b)]
    for k in range(len(m)):
        pivot = next((i for i in range(k, len(m)) if m[i][k] != 0), None)
        if pivot is None:
            return None
        m[k], m[pivot] = m[pivot], m[k]
        head = m[k][k]
        entries = [(j, x / head) for j, x in enumerate(m[k]) if j >= k and x != 0]
        for j, x in entries:
            m[k][j] = x
        for i, row in enumerate(m):
            factor = row[k]
            if i != k and factor != 0:
                for j, x in entries:
                    row[j] -= factor * x
    return [r[-1] for r in m]


def inverse(m):
    """None where m is singular."""
    columns = [solve(m, unit) for unit in units(len(m))]
    return None if None in columns else [list(r) for r in zip(*columns)]


def units(size):
    return [[Q(int(i == j)) for i in range(size)] for j in range(size)]


def dot(a, b):
    return sum((x * y for x, y in zip(a, b) if x and y), Q(0))


def image(m, x):
    return [dot(r, x) for r in m]


def semidefinite(m):
    """No negative pivot in symmetric elimination, no entry beside a zero pivot."""
    while m:
        head = m[0][0]
        if head < 0 or (head == 0 and any(m[0])):
            return False
        m = [[m[i][j] - (m[i][0] * m[0][j] / head if head else 0) for j in range(1, len(m))]
             for i in range(1, len(m))]
    return True


def hurwitz(p):
    """All roots in Re z < 0: leading minors of Hurwitz's matrix, as pivots. Also of intervals."""
    p, n = [c * (1 if p[-1] > 0 else -1) for c in p], len(p) - 1
    get = lambda i: p[i] if 0 <= i <= n else Q(0)
    m = [[get(n - 2 * (j + 1) + i + 1) for j in range(n)] for i in range(n)]
    for k in range(n):
        if m[k][k] <= 0:
            return False
        for i in range(k + 1, n):
            factor = m[i][k] / m[k][k]
            m[i] = [x - factor * y for x, y in zip(m[i], m[k])]
    return p[-1] > 0


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
