"""Interpolants of tableau files: order at every theta, and how they meet the ends of a step."""
from fractions import Fraction as Q

from certificate.algebra import image, padded
from certificate.reading import require
from certificate.runge_kutta import Method
from certificate.trees import check_named, density, tree_of, trees, vertices

MOST_VERTICES = 10


def equal_points(rows):
    """Classes of the points that no equation tells apart: split by sums over each class."""
    of = [0] * len(rows)
    while True:
        sums = [[of[i]] + [sum((a for a, k in zip(r, of) if k == j), Q(0))
                           for j in range(max(of) + 1)] for i, r in enumerate(rows)]
        split = [sums.index(s) for s in sums]
        names = sorted(set(split))
        split = [names.index(k) for k in split]
        if max(split) == max(of):
            return split
        of = split


def is_rate_at(point, weights, of):
    sums = [sum((w for w, k in zip(weights, of) if k == j), Q(0)) for j in range(max(of) + 1)]
    return all(total == int(of[point] == j) for j, total in enumerate(sums))


def check_interpolant(dense, method):
    dense.keys(["A", "c", "weights", "order", "ends_in_b", "smooth_at_start", "smooth_at_end"])
    s, c, more = len(method.b), dense.row("c"), dense.rows("A")
    n, weights = s + len(c), dense.rows("weights")
    require(len(more) == len(c) and all(len(r) == s + i for i, r in enumerate(more)),
            "dense: A: not the stages before")
    require(len(weights) == n, "dense: weights: not a list for each stage")
    a = [padded(r, n) for r in method.a + more]
    m = Method(a, padded(method.b, n), method.c + c)
    require(image(m.a, m.one)[s:] == c, "dense: c: not the row sums of A")
    degree = max(map(len, weights))
    powers = [[w[k] if k < len(w) else Q(0) for w in weights] for k in range(degree)]
    check_order_inside(dense.object("order"), m, powers)

    of = equal_points(m.a + [m.b, [Q(0)] * n])
    columns = list(zip(*powers)) or [()] * n
    ends = [sum(column, Q(0)) for column in columns] == m.b
    slope = [sum(((k + 1) * x for k, x in enumerate(column)), Q(0)) for column in columns]
    start = powers[0] if powers else [Q(0)] * n
    dense.same("ends_in_b", ends)
    dense.same("smooth_at_start", is_rate_at(n + 1, start, of))
    dense.same("smooth_at_end", ends and is_rate_at(n, slope, of))


def check_order_inside(part, m, powers):
    conditions = [m.weight(b) for b in powers]

    def failing(tree):
        """(power, weight, target) of the lowest power of theta that fails, None if none does."""
        order = vertices(tree)
        for k in range(1, max(len(powers), order) + 1):
            weight = conditions[k - 1](tree) if k <= len(powers) else Q(0)
            target = Q(1, density(tree)) if k == order else Q(0)
            if weight != target:
                return k, weight, target
        return None

    exact = "order" in part.value
    name = "order" if exact else "at_least"
    part.keys([name, "failing_tree", "power", "weight", "target"] if exact else [name])
    p = part.whole(name)
    require(0 <= p < MOST_VERTICES if exact else p == MOST_VERTICES, "dense: order: not tried")
    require(not any(failing(t) for k in range(1, p + 1) for t in trees(k)),
            "dense: order: a condition of this order does not hold")
    if exact:
        tree = tree_of(part.text("failing_tree"))
        require(vertices(tree) == p + 1, "failing_tree: not of the next order")
        check_named(tree, failing)
        power, weight, target = failing(tree)
        part.same("power", power)
        part.equal("weight", weight)
        part.equal("target", target)
