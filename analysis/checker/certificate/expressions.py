"""Expressions of tableau files and ids: + - * / ^ of integers, 2^(1/3), sqrt, cos, sin and root.

A radical is not computed but recognised: the certificate lists its value, which must satisfy what
defines the radical. Hence equality with the expression is exact.
"""
import ast
import re
from fractions import Fraction as Q

from certificate.algebra import add, at, mul, power, roots_between
from certificate.field import Number, enclosure
from certificate.interval import Interval
from certificate.reading import Refused, require

DIGITS = 31415926535897932384626433832795028841971  # of pi, the first 41
PI = Interval(Q(DIGITS, 10 ** 40), Q(DIGITS + 1, 10 ** 40))


def cosine(turns):
    """cos(pi turns), by Taylor's series: close enough to tell conjugates apart."""
    x = PI * Interval(turns % 2)
    total = term = Interval(1)
    for k in range(0, 60, 2):
        term = term * x * x * Interval(Q(-1, (k + 1) * (k + 2)))
        total = total + term
    return total + Interval(Q(-1, 2 ** 80), Q(1, 2 ** 80))  # the next term is below 7^62/62!


def chebyshev_at(n, y):
    before, here = 1, y
    for _ in range(n - 1):
        before, here = here, 2 * y * here - before
    return here if n else before


def whole_root(n, k):
    """The integer with k-th power n, if there is one."""
    low, high = 0, 1 << (n.bit_length() // k + 1)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if middle ** k <= n else (low, middle - 1)
    return low if low ** k == n else None


class Radicals:
    def __init__(self, values):
        self.values, self.used = values, set()

    def find(self, what, holds):
        for i, y in enumerate(self.values):
            if holds(y):
                self.used.add(i)
                return y
        raise Refused(f"radicals: none is {what}")

    def root_of(self, x):
        return self.find(f"the square root of {x}", lambda y: y * y == x and y > 0) if x else x

    def cosine(self, turns):
        require(turns.denominator <= 1000, "radicals: an angle with too large a denominator")
        near, sign = cosine(turns), -1 if turns.numerator % 2 else 1
        def holds(y):
            low, high = enclosure(y, 80)
            return (high >= near.low and low <= near.high and
                    chebyshev_at(turns.denominator, y) == sign)
        return self.find(f"cos({turns}*pi)", holds)

    def root(self, p, lower, upper):
        return self.find(f"the root in ({lower}, {upper})",
                         lambda y: lower < y < upper and at(p, y) == 0)

    def fractional_power(self, x, p, q):
        """x^(p/q) as a power of the root of x that is in the least field."""
        for k in range(2, q + 1):
            while q % k == 0:
                roots = whole_root(x.numerator, k), whole_root(x.denominator, k)
                if None in roots:
                    break
                x, q = Q(*roots), q // k
        if q == 1:
            return x ** p
        y = self.find(f"the positive root of y^{q} = {x}", lambda y: y > 0 and y ** q == x)
        return y ** p

    def require_all_used(self):
        for i, y in enumerate(self.values):
            require(i in self.used, f"radicals: entry {i + 1} stands for none")
            require(all(x != y for x in self.values[:i]), "radicals: two entries are equal")


def decimal(text):
    """A number is written with a point or an exponent."""
    return bool(re.search(r"\.|[0-9][eE]", text))


def expression(text, radicals, name):
    """The value of an expression, exactly."""
    wrong = Refused(f"{name}: '{str(text)[:60]}' is no expression")
    if not isinstance(text, (str, int)) or isinstance(text, bool):
        raise wrong
    text = str(text).strip(" ")
    if len(text) > 10000 or not re.fullmatch(r"[-+*/^(), 0-9a-z]+", text) or \
            re.search(r"\*\*|//|[0-9][a-z]|[a-z][0-9]", text):
        raise wrong

    def constant(p):
        if len(p) > 1:
            raise wrong
        return p[0] if p else Q(0)

    def rational(p):
        value = constant(p)
        if isinstance(value, Number):
            raise wrong
        return value

    def call(word, arguments):
        if word == "root" and len(arguments) == 3:
            p = value(arguments[0], "x")
            lower, upper = (rational(value(a, "")) for a in arguments[1:])
            if len(p) > 1 and lower < upper and roots_between(p, lower, upper) == 1:
                return radicals.root(p, lower, upper)
        elif word == "sqrt" and len(arguments) == 1:
            return radicals.root_of(constant(value(arguments[0], "")))
        elif word in ("cos", "sin") and len(arguments) == 1:
            angle = value(arguments[0], "pi")
            if not angle or (len(angle) == 2 and not angle[0] and not isinstance(angle[1], Number)):
                turns = angle[1] if angle else Q(0)
                return radicals.cosine(turns if word == "cos" else Q(1, 2) - turns)
        raise wrong

    def value(node, variable):
        """A polynomial in the variable known where it stands."""
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return [Q(node.value)] if node.value else []
        if isinstance(node, ast.Name) and node.id == variable:
            return [Q(0), Q(1)]
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            p = value(node.operand, variable)
            return [-c for c in p] if isinstance(node.op, ast.USub) else p
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
            x = call(node.func.id, node.args)
            return [x] if x != 0 else []
        if not isinstance(node, ast.BinOp):
            raise wrong
        p = value(node.left, variable)
        if isinstance(node.op, ast.Pow):
            exponent = node.right
            if isinstance(exponent, ast.BinOp) and isinstance(exponent.op, ast.Div):
                b, e = (rational(value(n, "")) for n in (node.left, exponent))
                if b < 0 or max(abs(e.numerator), e.denominator) > 1000 or (b == 0 and e <= 0):
                    raise wrong
                x = radicals.fractional_power(b, e.numerator, e.denominator) if b else Q(0)
                return [x] if x != 0 else []
            minus = isinstance(exponent, ast.UnaryOp) and isinstance(exponent.op, ast.USub)
            exponent = exponent.operand if isinstance(exponent, ast.UnaryOp) else exponent
            n = exponent.value if isinstance(exponent, ast.Constant) else None
            if type(n) is not int or n > 1000 or (minus and not constant(p)):
                raise wrong
            if minus:
                return [constant(p) ** -n]
            return power(p, n)
        q = value(node.right, variable)
        if isinstance(node.op, ast.Div):
            if not constant(q):
                raise wrong
            return [c / q[0] for c in p]
        if isinstance(node.op, ast.Mult):
            return mul(p, q)
        if isinstance(node.op, (ast.Add, ast.Sub)):
            return add(p, q, 1 if isinstance(node.op, ast.Add) else -1)
        raise wrong

    try:
        return constant(value(ast.parse(text.replace("^", "**"), mode="eval").body, ""))
    except (SyntaxError, ValueError, MemoryError, RecursionError):
        raise wrong from None
