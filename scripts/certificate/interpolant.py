"""Interpolants of tableau files: order at every theta, and how they meet the ends of a step."""
from copy import copy
from fractions import Fraction as Q

from certificate.algebra import dot, image
from certificate.reading import keys, number, require, row, same
from certificate.runge_kutta import check_named, density, tree_of, trees, vertices

MOST_VERTICES = 10


def equal_points(rows):
    """Classes of the points that no equation tells apart: split by sums over each class."""
    of = [0] * len(rows)
    while True:
        sums = [(of[i], tuple(sum((a for a, k in zip(r, of) if k == j), Q(0))
                              for j in range(max(of) + 1))) for i, r in enumerate(rows)]
        names = {s: k for k, s in enumerate(dict.fromkeys(sums))}
        split = [names[s] for s in sums]
        if max(split) == max(of):
            return split
        of = split


def is_rate_at(point, weights, of):
    sums = [sum((w for w, k in zip(weights, of) if k == j), Q(0)) for j in range(max(of) + 1)]
    return all(total == int(of[point] == j) for j, total in enumerate(sums))


def check_interpolant(dense, method):
    keys(dense, "dense", ["A", "c", "weights", "order", "ends_in_b", "smooth_at_start",
                          "smooth_at_end"])
    m, s = copy(method), len(method.b)
    c = row(dense["c"], "dense: c")
    n = s + len(c)
    more = [row(r, "dense: A", s + i) for i, r in enumerate(dense["A"])]
    weights = [row(r, "dense: weights") for r in dense["weights"]]
    require(len(more) == len(c) and len(weights) == n, "dense: not of the stages")
    m.a = [r + [Q(0)] * (n - len(r)) for r in m.a + more]
    m.b, m.one, m.c = m.b + [Q(0)] * len(c), [Q(1)] * n, m.c + c
    require(image(m.a, m.one)[s:] == c, "dense: c: not the row sums of A")
    degree = max(map(len, weights))
    powers = [[w[k] if k < len(w) else Q(0) for w in weights] for k in range(degree)]

    def failing(tree):
        """(power, weight, target) of the lowest power of theta that fails, None if none does."""
        order, stage = vertices(tree), m.weight(tree)
        for k in range(1, max(degree, order) + 1):
            weight = dot(powers[k - 1], stage) if k <= degree else Q(0)
            target = Q(1, density(tree)) if k == order else Q(0)
            if weight != target:
                return k, weight, target
        return None

    stated = dense["order"]
    exact = isinstance(stated, dict) and "order" in stated
    name = "order" if exact else "at_least"
    keys(stated, "dense: order", [name] + (["failing_tree", "power", "weight", "target"] if exact
                                           else []))
    p = stated[name]
    require(type(p) is int and (0 <= p < MOST_VERTICES if exact else p == MOST_VERTICES),
            "dense: order: not tried")
    require(not any(failing(t) for k in range(1, p + 1) for t in trees(k)),
            "dense: order: a condition does not hold")
    if exact:
        tree = tree_of(stated["failing_tree"])
        require(vertices(tree) == p + 1, "dense: failing_tree: not of the next order")
        check_named(tree, failing)
        power, weight, target = failing(tree)
        same("power", stated["power"], power)
        require(number(stated["weight"], "weight") == weight, f"dense: weight: derived {weight}")
        require(number(stated["target"], "target") == target, f"dense: target: derived {target}")

    of = equal_points(m.a + [m.b, [Q(0)] * n])
    ends = [sum(column) for column in zip(*powers)] == m.b
    slope = [sum((k + 1) * x for k, x in enumerate(column)) for column in zip(*powers)]
    same("ends_in_b", dense["ends_in_b"], ends)
    same("smooth_at_start", dense["smooth_at_start"], is_rate_at(n + 1, powers[0], of))
    same("smooth_at_end", dense["smooth_at_end"], ends and is_rate_at(n, slope, of))
