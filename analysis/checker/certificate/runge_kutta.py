"""Runge-Kutta methods: orders over rooted trees, simplifying assumptions, quadratic forms."""
import math
from fractions import Fraction as Q
from operator import mul as times

from certificate.algebra import (at, derivative, divide, dot, gcd, image, mul, padded, semidefinite,
                                 solve, trim, units)
from certificate.field import Number
from certificate.reading import require
from certificate.stability import check_stability
from certificate.trees import check_named, density, tree_of, trees, vertices

KEYS = ["A", "b", "embedded", "row_sums_hold", "B", "C", "D", "stage_order", "order", "stability",
        "A_invertible", "symplectic", "stiffly_accurate", "algebraically_stable"]
MOST_PRODUCTS = 30000000  # trees of one order times (stages times degree of the field)^2
TREES = {11: 1842, 12: 4766, 13: 12486, 14: 32973}
MOST_CHAINS = 8000


def rational(values):
    return not any(isinstance(x, Number) for x in values)


class Method:
    """Stage functions: A, the function 1, c and a product; at the stages, or modulo `nodes`."""

    def __init__(self, a, b, c=None, nodes=None):
        self.a, self.b, self.nodes, self.images = a, b, nodes, {}
        if nodes is None:
            self.one, self.c = [Q(1)] * len(b), c
        else:
            self.one, self.c = self.fill([Q(1)]), self.fill([Q(0), Q(1)])
        # Rational stages: trees over integers, a tree of n vertices times scale^(n-1).
        entries = [x for r in a for x in r]
        whole = nodes is None and rational(entries)
        self.scale = math.lcm(*(x.denominator for x in entries)) if whole else 1
        self.rows = [[(j, int(x * self.scale) if whole else x) for j, x in enumerate(r) if x != 0]
                     for r in a]
        self.start = [1] * len(b) if whole else self.one

    def fill(self, p):
        return padded(divide(p, self.nodes)[1], len(self.b))

    def times(self, f, g):
        if self.nodes is None:
            return [x * y for x, y in zip(f, g)]
        return self.fill(mul(trim(f), trim(g)))

    def quadrature(self, b, limit):
        """The largest p <= limit with B(p)."""
        f, k = self.one, 0
        while k < limit and dot(b, f) == Q(1, k + 1):
            f, k = self.times(f, self.c), k + 1
        return k

    def stages(self, limit):
        """The largest k <= limit with C(k)."""
        f = self.one
        for k in range(1, limit + 1):
            following = self.times(f, self.c)
            if [k * x for x in image(self.a, f)] != following:
                return k - 1
            f = following
        return limit

    def adjoint(self, b, limit):
        """The largest k <= limit with D(k), on every function of a basis."""
        f = self.one
        for k in range(1, limit + 1):
            following = self.times(f, self.c)
            for u in units(len(self.b)):
                if k * dot(b, self.times(f, image(self.a, u))) != \
                        dot(b, u) - dot(b, self.times(following, u)):
                    return k - 1
            f = following
        return limit

    def function(self, tree):
        """The stage function of a tree, times scale^(vertices - 1)."""
        u = self.start
        for branch in tree:
            if branch not in self.images:
                f = self.function(branch)
                self.images[branch] = [sum((x * f[j] for j, x in r), 0) for r in self.rows]
            u = self.times(u, self.images[branch])
        return u

    def weight(self, b):
        """The weight of a tree with b, as a function of the tree."""
        if self.scale == 1 or not rational(b):
            return lambda tree: dot(b, self.function(tree)) / self.scale ** (vertices(tree) - 1)
        common = math.lcm(*(x.denominator for x in b))
        whole = [int(x * common) for x in b]
        return lambda tree: Q(sum(map(times, whole, self.function(tree))),
                              common * self.scale ** (vertices(tree) - 1))

    def tree_limit(self):
        """Trees are tried to 10 vertices, and beyond where there are few enough products."""
        degree = max((x.field.degree for r in self.a for x in r if isinstance(x, Number)), default=1)
        size = (degree * len(self.b)) ** 2
        return max([10] + [n for n in TREES
                           if all(TREES[k] * size <= MOST_PRODUCTS for k in TREES if k <= n)])


def read_method(cert):
    b = cert.row("b")
    a = cert.square("A", len(b))
    if cert.text("kind") == "runge_kutta":
        return Method(a, b, cert.row("c", len(b)))
    nodes = cert.poly("nodes")
    require(len(nodes) == len(b) + 1 and nodes[-1] == 1, "nodes: not monic of degree s")
    require(len(gcd(nodes, derivative(nodes))) == 1, "nodes: a multiple node")
    return Method(a, b, nodes=nodes)


def chains_hold(m, b, order, eta):
    """The trees that C(eta) leaves to order 2 eta + 2: c^m A g, g likewise and above eta."""
    roots = []
    for n in range(1, order + 1):
        found = []
        if len(roots) >= MOST_CHAINS:
            return False
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
    """Butcher's theorem, the trees that C(eta) leaves, or all trees."""
    limit = 2 * len(m.b) + 2
    if m.quadrature(b, max(p, 1)) < p:
        return False
    eta, zeta = m.stages(limit), m.adjoint(b, limit)
    if p <= 2 * eta + 2 and (p <= eta + zeta + 1 or chains_hold(m, b, p, eta)):
        return True
    weight = m.weight(b)
    return p <= m.tree_limit() and all(weight(t) == Q(1, density(t))
                                       for n in range(1, p + 1) for t in trees(n))


def check_order(part, m, b):
    name = "order" if "order" in part.value else "at_least"
    part.keys([name, "failing_tree", "weight", "target"])
    p, tree, weight = part.whole(name), tree_of(part.text("failing_tree")), m.weight(b)
    beyond = vertices(tree) - p
    require(p >= 0 and (beyond == 1 if name == "order" else beyond > 1),
            f"{name}: the failing tree is not of the order after it")
    part.equal("target", Q(1, density(tree)))
    part.equal("weight", weight(tree))
    check_named(tree, lambda t: weight(t) != Q(1, density(t)))
    require(order_holds(m, b, p), f"{name}: a condition of this order does not hold")
    if name == "at_least":
        require(p >= m.tree_limit(), "at_least: trees of the next order can be tried")
        require(not order_holds(m, b, p + 1), "at_least: the next order holds")


def check_method(cert, m):
    """Everything of the three kinds but what binds the coefficients to an id."""
    limit, size = 2 * len(m.b) + 2, len(m.b)
    b, c = m.quadrature(m.b, limit), m.stages(limit)
    if m.nodes is None:
        stiff = m.a[-1] == m.b
    else:
        stiff = at(m.nodes, 1) == 0 and [sum(r[j] for r in m.a) for j in range(size)] == m.b
    basis, images = units(size), [image(m.a, u) for u in units(size)]
    gram = [[dot(m.b, m.times(u, v)) for v in basis] for u in basis]
    half = [[dot(m.b, m.times(u, f)) for f in images] for u in basis]
    form = [[half[i][j] + half[j][i] - m.b[i] * m.b[j] for j in range(size)] for i in range(size)]
    for key, derived in {
            "B": b, "C": c, "D": m.adjoint(m.b, limit), "stage_order": min(b, c),
            "row_sums_hold": image(m.a, m.one) == m.c, "stiffly_accurate": stiff,
            "A_invertible": solve(m.a, m.one) is not None,
            "algebraically_stable": semidefinite(gram) and semidefinite(form),
            "symplectic": not any(map(any, form))}.items():
        cert.same(key, derived)
    check_stability(cert.object("stability"), m, m.b)
    check_order(cert.object("order"), m, m.b)
    if cert.raw("embedded"):
        embedded = cert.row("embedded", size)
        check_stability(cert.object("embedded_stability"), m, embedded)
        check_order(cert.object("embedded_order"), m, embedded)
