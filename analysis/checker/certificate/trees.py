"""Rooted trees as nested tuples of branches, by level sequences (Beyer and Hedetniemi 1980)."""
import math
import re
from functools import cmp_to_key, lru_cache

from certificate.reading import Refused, require

SEARCHED, MOST_SEARCHED, LONGEST_TEXT = 10, 14, 1000


def tree_from(levels):
    """A level sequence holds the depth of each vertex, depth first; the root's is 0."""
    stack = [[]]
    for depth, following in zip(levels, [*levels[1:], 0]):
        for _ in range(depth - following + 1):
            branch = tuple(stack.pop())
            if stack:
                stack[-1].append(branch)
        if following > 0:
            stack.append([])
    return branch


def trees(order):
    """Each rooted tree with so many vertices once."""
    levels = list(range(order))
    while True:
        yield tree_from(levels)
        p = order - 1
        while p > 0 and levels[p] == 1:
            p -= 1
        if p <= 0:
            return
        q = p - 1
        while levels[q] != levels[p] - 1:
            q -= 1
        for i in range(p, order):
            levels[i] = levels[i - (p - q)]


@lru_cache(maxsize=100000)
def vertices(tree):
    return 1 + sum(map(vertices, tree))


@lru_cache(maxsize=100000)
def density(tree):
    return vertices(tree) * math.prod(map(density, tree))


def compare(x, y):
    """Fewer vertices first; of equally many, the one whose last branch that differs stands later."""
    if vertices(x) != vertices(y):
        return -1 if vertices(x) < vertices(y) else 1
    return next((-d for d in map(compare, reversed(x), reversed(y)) if d), 0)


@lru_cache(maxsize=100000)
def ordered(tree):
    return tuple(sorted(map(ordered, tree), key=cmp_to_key(compare)))


def spelled(tree):
    return f"[{','.join(map(spelled, tree))}]" if tree else "t"


def tree_of(text):
    """t, [t,t], [t,t,[t]], ..."""
    require(isinstance(text, str) and len(text) <= LONGEST_TEXT and
            re.fullmatch(r"[t,\[\]]+", text), "failing_tree: no tree")
    open_, done = [], None
    for token in re.findall(r"t|\[|\]", text):  # commas are checked by the spelling
        if token == "[":
            open_.append([])
            continue
        require(token == "t" or (open_ and open_[-1]), "failing_tree: no tree")
        done = () if token == "t" else tuple(open_.pop())
        if not open_:
            break
        open_[-1].append(done)
    try:
        require(done is not None and not open_ and spelled(ordered(done)) == text,
                "failing_tree: not spelled so")
    except RecursionError:
        raise Refused("failing_tree: of too many vertices") from None
    return ordered(done)


def check_named(tree, fails):
    """Up to 10 vertices: the first that fails; more: [t,...,t], else [[...t...]], else the first."""
    n = vertices(tree)
    require(fails(tree), "failing_tree: it holds")
    if n > SEARCHED:
        tall = ()
        for _ in range(n - 1):
            tall = (tall,)
        for named in (((),) * (n - 1), tall):
            if fails(named):
                return require(tree == named, "failing_tree: another one is to be named")
    require(n <= MOST_SEARCHED, "failing_tree: of too many vertices")
    for other in trees(n):
        require(compare(ordered(other), tree) >= 0 or not fails(other),
                "failing_tree: one before it fails")
