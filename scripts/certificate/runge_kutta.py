"""Runge-Kutta methods: order over rooted trees, simplifying assumptions, stability."""
import ast
import math
import re
from fractions import Fraction as Q
from functools import cmp_to_key, lru_cache

from certificate.algebra import (add, at, changes, check_chain, complex_at, derivative, divide, dot,
                                 gcd, hurwitz, image, modulus, mul, semidefinite, solve, trim)
from certificate.reading import Refused, keys, number, poly, require, row, same, square


class Method:
    def __init__(self, cert):
        self.b = row(cert["b"], "b")
        size = len(self.b)
        require(size > 0, "b: empty")
        self.a = square(cert["A"], "A", size)
        self.nodes = None
        if cert["kind"] == "runge_kutta":
            self.one, self.c = [Q(1)] * size, row(cert["c"], "c", size)
            return
        self.nodes = poly(cert["nodes"], "nodes")
        require(len(self.nodes) == size + 1 and self.nodes[-1] == 1, "nodes: not monic")
        require(len(gcd(self.nodes, derivative(self.nodes))) == 1, "nodes: a multiple node")
        self.one, self.c = self.fill([Q(1)]), self.fill([Q(0), Q(1)])

    def fill(self, p):
        rest = divide(p, self.nodes)[1]
        return rest + [Q(0)] * (len(self.b) - len(rest))

    def times(self, f, g):
        if self.nodes is None:
            return [x * y for x, y in zip(f, g)]
        return self.fill(mul(trim(f), trim(g)))

    def quadrature(self, b, limit):
        power, k = self.one, 0
        while k < limit and dot(b, power) == Q(1, k + 1):
            power, k = self.times(power, self.c), k + 1
        return k

    def stages(self, limit):
        power = self.one
        for k in range(1, limit + 1):
            following = self.times(power, self.c)
            if [k * x for x in image(self.a, power)] != following:
                return k - 1
            power = following
        return limit

    def units(self):
        return [[Q(int(i == j)) for i in range(len(self.b))] for j in range(len(self.b))]

    def adjoint(self, b, limit):
        power = self.one
        for k in range(1, limit + 1):
            following = self.times(power, self.c)
            for u in self.units():
                if k * dot(b, self.times(power, image(self.a, u))) != \
                        dot(b, u) - dot(b, self.times(following, u)):
                    return k - 1
            power = following
        return limit

    def weight(self, tree, inner=False):
        """The stage function of a tree, given as the sorted tuple of its branches."""
        u = self.one
        for branch in tree:
            u = self.times(u, self.inner(branch))
        return u

    @lru_cache(maxsize=None)
    def inner(self, tree):
        return image(self.a, self.weight(tree))


@lru_cache(maxsize=None)
def trees(order, largest=None):
    """All rooted trees of an order, each the sorted tuple of its branches."""
    def forests(rest, below):
        if rest == 0:
            yield ()
            return
        for size in range(1, rest + 1):
            for tree in trees(size):
                if below is None or (size, tree) <= below:
                    for others in forests(rest - size, (size, tree)):
                        yield (tree,) + others
    return [ordered(f) for f in forests(order - 1, None)]


def vertices(tree):
    return 1 + sum(map(vertices, tree))


def density(tree):
    return vertices(tree) * math.prod(map(density, tree))


def compare(x, y):
    """Fewer vertices first; of equally many, the one whose last branch that differs stands later."""
    if vertices(x) != vertices(y):
        return -1 if vertices(x) < vertices(y) else 1
    return next((-d for d in map(compare, reversed(x), reversed(y)) if d), 0)


def ordered(tree):
    return tuple(sorted(map(ordered, tree), key=cmp_to_key(compare)))


def spelled(tree):
    return f"[{','.join(map(spelled, tree))}]" if tree else "t"


def tree_of(text):
    """t, [t,t], [t,t,[t]], ..."""
    require(isinstance(text, str) and len(text) <= 1000, "failing_tree: no tree")
    nested = text.replace("t", "[]").replace("[", "(").replace("]", ",)").replace("(,)", "()")
    require(re.fullmatch(r"t|\[[t,\[\]]+\]", text), "failing_tree: no tree")
    try:
        tree = ordered(ast.literal_eval(nested))
    except SyntaxError:
        raise Refused("failing_tree: no tree") from None
    require(spelled(tree) == text, "failing_tree: not spelled so")
    return tree


def check_named(tree, fails):
    """Of up to 10 vertices the first that fails; of more [t,...,t], else [[...t...]], else the first."""
    n = vertices(tree)
    tall = ()
    for _ in range(n - 1):
        tall = (tall,)
    for named in (((),) * (n - 1), tall) if n > 10 else ():
        if fails(named):
            return require(tree == named, "failing_tree: another one is to be named")
    require(n <= 14 and fails(tree), "failing_tree: it holds")
    require(not any(compare(t, tree) < 0 and fails(t) for t in trees(n)),
            "failing_tree: one before it fails")


def chains_hold(m, b, order, eta):
    """The trees that C(eta) leaves below order 2 eta + 3: c^m A g, g likewise and above eta."""
    roots = []
    for n in range(1, order + 1):
        found = []
        for f, gamma, size in [(m.one, 1, 0)] + roots:
            u = f
            for _ in range(n - 1 - size):
                u = m.times(u, m.c)
            if dot(b, u) != Q(1, gamma * n):
                return False
            found.append((u, gamma * n, n))
        if n > eta:
            roots += [(image(m.a, u), gamma, n) for u, gamma, n in found]
    return True


def order_holds(m, b, p):
    limit = 2 * len(m.b) + 2
    if m.quadrature(b, max(p, 1)) < p:
        return False
    eta, zeta = m.stages(limit), m.adjoint(b, limit)
    if p <= 2 * eta + 2 and (p <= eta + zeta + 1 or chains_hold(m, b, p, eta)):
        return True
    require(p <= 12, "order: too many trees for this check")
    return all(dot(b, m.weight(t)) == Q(1, density(t)) for n in range(1, p + 1) for t in trees(n))


def check_order(stated, m, b):
    keys(stated, "order", ["order", "failing_tree", "weight", "target"])
    p, tree = stated["order"], tree_of(stated["failing_tree"])
    require(type(p) is int and vertices(tree) == p + 1, "failing_tree: not of the next order")
    weight, target = dot(b, m.weight(tree)), Q(1, density(tree))
    require(number(stated["target"], "target") == target, f"target: derived {target}")
    require(number(stated["weight"], "weight") == weight != target, f"weight: derived {weight}")
    check_named(tree, lambda t: dot(b, m.weight(t)) != Q(1, density(t)))
    require(order_holds(m, b, p), "order: a condition does not hold")


def check_stability(stated, m=None, b=None):
    keys(stated, "stability", ["num", "den", "order_of_R", "error_constant", "R_at_infinity",
                               "A_stable", "L_stable", "E", "axis", "witness"])
    num, den = poly(stated["num"], "num"), poly(stated["den"], "den")
    require(num and den and den[0] == 1 and len(gcd(num, den)) == 1, "den: not reduced")
    if m is not None:
        size, good, z = len(m.b), 0, 0
        require(max(len(num), len(den)) <= size + 1, "num: of too high a degree")
        while good < 2 * size + 2:
            z += 1
            x = solve([[Q(int(i == j)) - z * m.a[i][j] for j in range(size)]
                       for i in range(size)], m.one)
            if x is not None:
                require(at(num, z) == at(den, z) * (1 + z * dot(b, x)), "num: not R")
                good += 1
    for power in range(len(num) + len(den) + 1):
        term = sum((c / math.factorial(power - i) for i, c in enumerate(den) if i <= power), Q(0))
        term -= num[power] if power < len(num) else 0
        if term:
            break
    same("order_of_R", stated["order_of_R"], power - 1)
    require(number(stated["error_constant"], "error_constant") == term, "error_constant: another")
    ends = Q(0) if len(num) < len(den) else num[-1] / den[-1]
    same("R_at_infinity", stated["R_at_infinity"],
         "unbounded" if len(num) > len(den) else str(ends))
    e = poly(stated["E"], "E")
    require(e == add(modulus(den), modulus(num), -1), "E: not |D(iy)|^2 - |N(iy)|^2")
    poles = hurwitz([c * (-1) ** i for i, c in enumerate(den)])
    a_stable, witness = stated["A_stable"], stated["witness"]
    if a_stable is True:
        require(witness is None and poles, "A_stable: a pole with Re z <= 0")
        check_axis(stated["axis"], e)
    else:
        require(a_stable is False and stated["axis"] is None, "A_stable: undecided here")
        if witness is None:
            require(not poles, "witness: missing")
        else:
            check_witness(witness, num, den)
    same("L_stable", stated["L_stable"], a_stable and len(num) < len(den))


def check_axis(axis, e):
    if all(c >= 0 for c in e):
        return same("axis", axis, "no coefficient of E is negative")
    keys(axis, "axis", ["odd", "square", "chain"])
    odd, square_ = poly(axis["odd"], "odd"), poly(axis["square"], "square")
    chain = [poly(p, "chain") for p in axis["chain"]]
    shift = next(i for i, c in enumerate(e) if c)
    require(square_ and square_[-1] == 1 and e[shift:] == mul(odd, mul(square_, square_)),
            "axis: E is not x^m odd square^2")
    check_chain(chain, odd)
    require(odd[-1] > 0 and changes([at(p, Q(0)) for p in chain]) ==
            changes([p[-1] for p in chain]), "A_stable: E changes its sign")


def check_witness(witness, num, den):
    keys(witness, "witness", ["real", "imaginary", "modulus_squared"])
    re_, im = number(witness["real"], "real"), number(witness["imaginary"], "imaginary")
    above, below = (sum(x * x for x in complex_at(p, re_, im)) for p in (num, den))
    require(re_ <= 0 <= im and above > below > 0, "witness: |R| is not above 1")
    require(number(witness["modulus_squared"], "modulus_squared") == above / below,
            "modulus_squared: another value")


METHOD_KEYS = ["A", "b", "embedded", "row_sums_hold", "B", "C", "D", "stage_order", "order",
               "stability", "A_invertible", "symplectic", "stiffly_accurate",
               "algebraically_stable"]


def check_method(cert, m):
    limit, size = 2 * len(m.b) + 2, len(m.b)
    b, c = m.quadrature(m.b, limit), m.stages(limit)
    if m.nodes is None:
        stiff = m.a[-1] == m.b
    else:
        stiff = at(m.nodes, 1) == 0 and [sum(r[j] for r in m.a) for j in range(size)] == m.b
    units, images = m.units(), [image(m.a, u) for u in m.units()]
    gram = [[dot(m.b, m.times(u, v)) for v in units] for u in units]
    form = [[dot(m.b, m.times(units[i], images[j])) + dot(m.b, m.times(units[j], images[i])) -
             m.b[i] * m.b[j] for j in range(size)] for i in range(size)]
    for key, derived in {
            "B": b, "C": c, "D": m.adjoint(m.b, limit), "stage_order": min(b, c),
            "row_sums_hold": image(m.a, m.one) == m.c, "stiffly_accurate": stiff,
            "A_invertible": solve(m.a, m.one) is not None,
            "algebraically_stable": semidefinite(gram) and semidefinite(form),
            "symplectic": not any(map(any, form))}.items():
        same(key, cert[key], derived)
    check_stability(cert["stability"], m, m.b)
    check_order(cert["order"], m, m.b)
    if cert["embedded"]:
        embedded = row(cert["embedded"], "embedded", size)
        check_stability(cert["embedded_stability"], m, embedded)
        check_order(cert["embedded_order"], m, embedded)
