"""Rosenbrock methods: orders on y' = f(y) and, by trees of two kinds of vertices, of index 1."""
import math
from fractions import Fraction as Q
from functools import lru_cache

from certificate.algebra import add, dot, image, inverse, padded
from certificate.reading import require
from certificate.runge_kutta import Method
from certificate.stability import check_stability
from certificate.trees import check_named, density, tree_of, trees, vertices

KEYS = ["A", "gamma", "b", "embedded", "stiffly_accurate", "order", "order_on_index_1",
        "stability"]


def forests(total, below=None):
    """Multisets of coloured trees with `total` vertices of y; `below`: none stands after it."""
    if total == 0:
        yield ()
        return
    for size in range(min(total, below[0]) if below else total, 0, -1):
        for i, tree in enumerate(coloured(size)):
            if below is None or (size, i) <= below:
                for others in forests(total - size, (size, i)):
                    yield (tree,) + others


@lru_cache(maxsize=None)
def coloured(size):
    """Trees (of_z, branches) with so many vertices of y: a vertex of z has two branches, or one of y.

    Those of y come first; of z with two or more branches, each of them is smaller.
    """
    of_y = [(False, f) for f in forests(size - 1)]
    branched = [(True, f) for f in branchings(size)]
    return of_y + [(True, (tree,)) for tree in of_y] + branched


def branchings(size):
    """Forests of two or more trees, so that each has fewer vertices of y."""
    for first in range(size - 1, 0, -1):
        for i, tree in enumerate(coloured(first)):
            for others in forests(size - first, (first, i)):
                yield (tree,) + others


def vertices_of_y(tree):
    return (not tree[0]) + sum(map(vertices_of_y, tree[1]))


def coloured_density(tree):
    return (1 if tree[0] else vertices_of_y(tree)) * math.prod(map(coloured_density, tree[1]))


class Coefficients:
    def __init__(self, alpha, beta):
        self.alpha, self.beta, self.omega, self.known = alpha, beta, inverse(beta), {}
        require(self.omega is not None, "gamma: alpha + gamma is singular")

    def function(self, tree):
        if tree not in self.known:
            of_z, branches = tree
            u = [Q(1)] * len(self.alpha)
            for branch in branches:
                f = image(self.beta if len(branches) == 1 else self.alpha, self.function(branch))
                u = [x * y for x, y in zip(u, f)]
            self.known[tree] = image(self.omega, u) if of_z else u
        return self.known[tree]

    def weight(self, b, tree):
        return dot(b, self.function(tree))


def plain(tree):
    return False, tuple(map(plain, tree))


def check_plain_order(part, k, b):
    part.keys(["order", "failing_tree", "weight", "target"])
    p, tree = part.whole("order"), tree_of(part.text("failing_tree"))
    require(vertices(tree) == p + 1, "failing_tree: not of the order after it")
    part.equal("target", Q(1, density(tree)))
    part.equal("weight", k.weight(b, plain(tree)))
    fails = lambda t: k.weight(b, plain(t)) != Q(1, density(t))
    check_named(tree, fails)
    require(not any(fails(t) for n in range(1, p + 1) for t in trees(n)),
            "order: a condition of this order does not hold")


def order_on_index_1(k, b, most):
    """p with trees of y up to p and of z up to p - 1, at most the plain order."""
    def hold(size, of_z):
        return all(k.weight(b, t) == Q(1, coloured_density(t))
                   for t in coloured(size) if t[0] == of_z)
    p = 0
    while p < most and hold(p + 1, False) and (p == 0 or hold(p, True)):
        p += 1
    return p


def check_rosenbrock(cert):
    b = cert.row("b")
    size = len(b)
    alpha, gamma = cert.square("A", size), cert.square("gamma", size)
    for i in range(size):
        require(not any(alpha[i][i:]) and not any(gamma[i][i + 1:]),
                "A: stages do not follow each other")
        require(gamma[i][i] == gamma[0][0] and gamma[0][0] > 0, "gamma: not one on its diagonal")
    beta = [padded(add(x, y), size) for x, y in zip(alpha, gamma)]
    k, linear = Coefficients(alpha, beta), Method(beta, b, image(beta, [Q(1)] * size))
    cert.same("stiffly_accurate", beta[-1] == b)
    check_plain_order(cert.object("order"), k, b)
    cert.same("order_on_index_1", order_on_index_1(k, b, cert.object("order").whole("order")))
    check_stability(cert.object("stability"), linear, b)
    if cert.raw("embedded"):
        embedded = cert.row("embedded", size)
        check_plain_order(cert.object("embedded_order"), k, embedded)
        check_stability(cert.object("embedded_stability"), linear, embedded)
