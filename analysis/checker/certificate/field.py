"""Numbers of a field Q(theta): equality by coefficients, signs by enclosures, nothing rounded.

A rational number is always a Fraction; a Number has a power of theta in it.
"""
import math
from fractions import Fraction as Q
from functools import lru_cache

LARGEST_DEGREE = 32


class Field:
    """Q(theta), theta the one root in (lower, upper) of an irreducible polynomial of integers."""

    def __init__(self, minimal, lower, upper):
        self.minimal, self.degree = minimal, len(minimal) - 1
        self.lower, self.upper = lower, upper
        self.rising = self.at(upper) > 0

    def at(self, x):
        value = Q(0)
        for c in reversed(self.minimal):
            value = value * x + c
        return value

    def number(self, numerator, denominator):
        """sum numerator[i] theta^i / denominator, of integers; powers up to any."""
        c, lead, degree = list(numerator), self.minimal[-1], self.degree
        while len(c) > degree:
            top = c.pop()
            if top == 0:
                continue
            if lead != 1:
                c, denominator = [lead * x for x in c], denominator * lead
            shift = len(c) - degree
            for i in range(degree):
                c[shift + i] -= top * self.minimal[i]
        while c and c[-1] == 0:
            c.pop()
        if len(c) < 2:
            return Q(c[0], denominator) if c else Q(0)
        divisor = math.gcd(denominator, *c)
        return Number(self, tuple(x // divisor for x in c), denominator // divisor)

    def of(self, coefficients):
        """The number with these fractions as coefficients."""
        common = math.lcm(*(x.denominator for x in coefficients))
        return self.number([int(x * common) for x in coefficients], common)

    def enclose(self, bits):
        """theta in an interval at most 2^-bits wide, by bisection of the last one."""
        while (self.upper - self.lower) * 2 ** bits > 1:
            middle = (self.lower + self.upper) / 2
            if (self.at(middle) > 0) == self.rising:
                self.upper = middle
            else:
                self.lower = middle
        return self.lower, self.upper


class Number:
    __slots__ = ("field", "c", "d")

    def __init__(self, field, numerator, denominator):
        self.field, self.c, self.d = field, numerator, denominator

    def _parts(self, other):
        """Numerator and denominator of another number, None of what is none."""
        if isinstance(other, Number):
            return other.c, other.d
        if isinstance(other, (int, Q)):
            return (other.numerator,), other.denominator
        return None

    def __eq__(self, other):
        return isinstance(other, Number) and self.c == other.c and self.d == other.d

    __hash__ = None

    def __neg__(self):
        return Number(self.field, tuple(-x for x in self.c), self.d)

    def __add__(self, other):
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        c, d = parts
        out = [x * d for x in self.c] + [0] * (len(c) - len(self.c))
        for i, x in enumerate(c):
            out[i] += x * self.d
        return self.field.number(out, self.d * d)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -other

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        parts = self._parts(other)
        if parts is None:
            return NotImplemented
        c, d = parts
        out = [0] * (len(self.c) + len(c) - 1)
        for i, x in enumerate(self.c):
            if x:
                for j, y in enumerate(c):
                    out[i + j] += x * y
        return self.field.number(out, self.d * d)

    __rmul__ = __mul__

    def inverse(self):
        return inverse_of(self.field, self.c, self.d)

    def __truediv__(self, other):
        return self * (other.inverse() if isinstance(other, Number) else 1 / Q(other))

    def __rtruediv__(self, other):
        return other * self.inverse()

    def __pow__(self, exponent):
        base, out = self if exponent >= 0 else self.inverse(), Q(1)
        for _ in range(abs(exponent)):
            out = out * base
        return out

    def enclose(self, bits):
        """An interval around the number, by Horner's rule on one around theta."""
        low, high = self.field.enclose(bits)
        a = b = Q(0)
        for x in reversed(self.c):
            ends = (a * low, a * high, b * low, b * high)
            a, b = min(ends) + x, max(ends) + x
        return a / self.d, b / self.d

    def sign(self):
        bits = 40
        while True:
            low, high = self.enclose(bits)
            if low > 0 or high < 0:
                return 1 if low > 0 else -1
            bits *= 2

    def __lt__(self, other):
        return sign(self - other) < 0

    def __gt__(self, other):
        return sign(self - other) > 0

    def __le__(self, other):
        return not self > other

    def __ge__(self, other):
        return not self < other

    def __abs__(self):
        return self if self.sign() > 0 else -self

    def __str__(self):
        return f"{list(map(str, (Q(x, self.d) for x in self.c)))}"


@lru_cache(maxsize=1000)
def inverse_of(field, c, d):
    """By Euclid on the minimal polynomial: u c = constant modulo it."""
    def reduced(p, factor, q, shift):
        p = p + [Q(0)] * (len(q) + shift - len(p))
        for i, x in enumerate(q):
            p[i + shift] -= factor * x
        while p and p[-1] == 0:
            p.pop()
        return p
    r, u = [list(map(Q, field.minimal)), list(map(Q, c))], [[], [Q(1)]]
    while len(r[1]) > 1:
        while len(r[0]) >= len(r[1]):
            factor, shift = r[0][-1] / r[1][-1], len(r[0]) - len(r[1])
            r[0], u[0] = reduced(r[0], factor, r[1], shift), reduced(u[0], factor, u[1], shift)
        scale = 1 / r[0][-1]  # few digits; there is a remainder, as the polynomial is irreducible
        r, u = [r[1], [x * scale for x in r[0]]], [u[1], [x * scale for x in u[0]]]
    return field.of([x * d / r[1][0] for x in u[1]])


def sign(x):
    return x.sign() if isinstance(x, Number) else (x > 0) - (x < 0)


def enclosure(x, bits):
    return x.enclose(bits) if isinstance(x, Number) else (Q(x), Q(x))


def bits_of(x):
    """Of the longest integer in it."""
    whole = (*x.c, x.d) if isinstance(x, Number) else (x.numerator, x.denominator)
    return max(y.bit_length() for y in whole)
