"""Whether a polynomial of integers is irreducible over the rationals (Zassenhaus).

Factors modulo primes give the degrees that a factor could have; where those do not decide, the
factors of one prime are lifted beyond Mignotte's bound and their products tried.
"""
import math
import random
from itertools import combinations

PRIMES = [p for p in range(10007, 10500) if all(p % q for q in range(2, 103))]


def trim(p):
    while p and p[-1] == 0:
        p.pop()
    return p


def add(a, b, m, factor=1):
    size = max(len(a), len(b))
    a, b = a + [0] * (size - len(a)), b + [0] * (size - len(b))
    return trim([(x + factor * y) % m for x, y in zip(a, b)])


def mul(a, b, m):
    out = [0] * max(len(a) + len(b) - 1, 0)
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            out[i + j] += x * y
    return trim([x % m for x in out])


def divmod_(a, b, m):
    """b with a unit in front."""
    a, unit = list(a), pow(b[-1], -1, m)
    out = [0] * max(len(a) - len(b) + 1, 0)
    for shift in range(len(a) - len(b), -1, -1):
        out[shift] = factor = a[shift + len(b) - 1] * unit % m
        for i, y in enumerate(b):
            a[shift + i] = (a[shift + i] - factor * y) % m
    return out, trim(a[:len(b) - 1])


def monic(a, p):
    return [x * pow(a[-1], -1, p) % p for x in a]


def gcd(a, b, p):
    while b:
        a, b = b, divmod_(a, b, p)[1]
    return monic(a, p) if a else a


def power(a, n, f, p):
    out = [1]
    while n:
        if n & 1:
            out = divmod_(mul(out, a, p), f, p)[1]
        a, n = divmod_(mul(a, a, p), f, p)[1], n >> 1
    return out


def by_degree(f, p):
    """(d, product of the factors of degree d) of a squarefree monic f modulo p."""
    out, x, d = [], [0, 1], 0
    h = x
    while len(f) > 2 * d + 2:
        d += 1
        h = power(h, p, f, p)
        common = gcd(f, add(h, x, p, -1), p)
        if len(common) > 1:
            out.append((d, common))
            f = divmod_(f, common, p)[0]
            h = divmod_(h, f, p)[1]
    return out + ([(len(f) - 1, f)] if len(f) > 1 else [])


def split(f, d, p, chance):
    """The factors of degree d of their product f (Cantor and Zassenhaus)."""
    if len(f) == d + 1:
        return [f]
    while True:
        a = trim([chance.randrange(p) for _ in range(len(f) - 1)])
        part = gcd(f, add(power(a, (p ** d - 1) // 2, f, p), [1], p, -1), p)
        if 1 < len(part) < len(f):
            return split(part, d, p, chance) + split(divmod_(f, part, p)[0], d, p, chance)


def cofactors(factors, p):
    """s_i with sum of s_i times the product of the others = 1 modulo p."""
    out = []
    for i, g in enumerate(factors):
        rest = [1]
        for j, h in enumerate(factors):
            rest = divmod_(mul(rest, h, p), g, p)[1] if j != i else rest
        a, b, u, v = g, rest, [], [1]  # Euclid: v rest = b modulo g
        while len(b) > 1:
            q, r = divmod_(a, b, p)
            a, b, u, v = b, r, v, add(u, mul(q, v, p), p, -1)
        out.append(mul(v, [pow(b[0], -1, p)], p))
    return out


def lifted(f, factors, p, bound):
    """The factors of f / lead modulo a power of p above the bound, and that power."""
    inverses, m = cofactors(factors, p), p
    while m <= bound:
        target, product_ = monic(f, m * p), [1]
        for g in factors:
            product_ = mul(product_, g, m * p)
        rest = [x // m for x in add(target, product_, m * p, -1)]
        factors = [add(g, [m * x for x in divmod_(mul(s, rest, p), [y % p for y in g], p)[1]], m * p)
                   for g, s in zip(factors, inverses)]
        m *= p
    return factors, m


def divides(g, f):
    """Of integers, g primitive."""
    f = list(f)
    while len(f) >= len(g):
        if f[-1] % g[-1]:
            return False
        factor, shift = f[-1] // g[-1], len(f) - len(g)
        for i, x in enumerate(g):
            f[shift + i] -= factor * x
        f.pop()
    return not any(f)


def irreducible(f):
    """f: integers without a common divisor, of degree 1 or more."""
    n, possible, fewest, tried = len(f) - 1, None, None, 0
    for p in PRIMES:
        if f[-1] % p == 0 or tried == 8:
            continue
        g = monic([x % p for x in f], p)
        if len(gcd(g, trim([i * x % p for i, x in enumerate(g)][1:]), p)) > 1:
            continue  # a double factor modulo p
        tried += 1
        parts, sums = by_degree(g, p), {0}
        for d, part in parts:
            for _ in range((len(part) - 1) // d):
                sums |= {s + d for s in sums}
        possible = sums if possible is None else possible & sums
        count = sum((len(part) - 1) // d for d, part in parts)
        if fewest is None or count < fewest[0]:
            fewest = count, p, parts
        if possible == {0, n}:
            return True
    if fewest is None or f[0] == 0:
        return False  # no prime without a double factor: f has one itself
    _, p, parts = fewest
    chance = random.Random(1)
    factors = [g for d, part in parts for g in split(part, d, p, chance)]
    norm = math.isqrt(sum(x * x for x in f)) + 1
    factors, m = lifted(f, factors, p, 2 * 2 ** n * norm * abs(f[-1]))
    near = lambda x: x - m if x > m // 2 else x
    for size in range(1, len(factors) // 2 + 1):
        for chosen in combinations(factors, size):
            if sum(len(g) - 1 for g in chosen) not in possible:
                continue
            constant = f[-1]
            for g in chosen:
                constant = constant * g[0] % m
            if near(constant) == 0 or f[-1] * f[0] % near(constant):
                continue
            candidate = [f[-1] % m]
            for g in chosen:
                candidate = mul(candidate, g, m)
            candidate = [near(x) for x in candidate]
            content = math.gcd(*candidate)
            if divides([x // content for x in candidate], f):
                return False
    return True
