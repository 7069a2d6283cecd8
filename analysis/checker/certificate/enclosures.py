"""Coefficients in intervals: spectral factors and free nodes, by Krawczyk's operator."""
import math
from collections import Counter
from fractions import Fraction as Q
from itertools import combinations_with_replacement as pairs

from certificate.algebra import hurwitz, image, inverse
from certificate.field import enclosure
from certificate.interval import Interval, contracted
from certificate.reading import fraction, require
from certificate.runge_kutta import Method
from certificate.stability import check_stability, is_stability_function
from certificate.trees import density, tree_of, trees

GRID = 10 ** 40
SPECTRAL_KEYS = ["n", "N", "gamma", "order", "stage_order", "error_constant", "R_at_infinity",
                 "A_stable", "L_stable"]
FREE_KEYS = ["n", "objective", "gamma", "order", "stage_order", "conditions", "free_nodes",
             "stability"]


def cell(value, name):
    """A point, or one cell (m +- 1/2) 10^-40: no other interval states where a number is."""
    require(isinstance(value, list) and len(value) == 2, f"{name}: no pair of fractions")
    low, high = (fraction(x, name) for x in value)
    twice = 2 * low * GRID
    require(low == high or ((high - low) * GRID == 1 and twice.denominator == 1 and
                            twice.numerator % 2),
            f"{name}: neither a point nor a cell (m +- 1/2) 1e-40")
    return Interval(low, high)


def check_spectral_enclosure(cert, n, rho):
    """msstc: the boxes of N hold one factor N(s) N(-s) of the modulus, a Hurwitz polynomial."""
    cert.same("n", n)
    box = [cell(x, "N") for x in cert.list("N")]
    require(len(box) == n + 1, "N: not of degree n")
    require(all(x.low == x.high == wanted for x, wanted in ((box[0], 1), (box[n], rho))),
            "N: N(0) = 1 and N_n = rho")
    middle = [Interval(x.middle()) for x in box]
    inner = range(1, n)
    gaps = [sum(((-1) ** i * middle[i] * middle[2 * k - i]
                 for i in range(max(0, 2 * k - n), min(n, 2 * k) + 1)),
                Interval((-1) ** (k + 1) * math.comb(n, k))) for k in inner]
    slopes = [[(-1) ** m * 2 * box[2 * k - m] if 0 <= 2 * k - m <= n else Interval(0)
               for m in inner] for k in inner]
    near = inverse([[x.middle() for x in r] for r in slopes])
    require(near is not None, "N: a singular Jacobian")
    found = contracted(box[1:n], gaps, slopes, near)
    require(found is not None, "N: not one spectral factor in the box")
    numerator = [box[0], *found, box[n]]
    require(hurwitz(numerator if rho else numerator[:-1]), "N: no Hurwitz polynomial")

    gamma, first, second = 1 / (n + numerator[1]), numerator[1], numerator[2]
    require(gamma.within(cell(cert.raw("gamma"), "gamma")), "gamma: 1/(n + N_1) lies elsewhere")
    cubes = first * first * first - 3 * first * second + n
    cubes = cubes + 3 * numerator[3] if n > 2 else cubes
    claimed = cell(cert.raw("error_constant"), "error_constant")
    require((-(cubes * gamma * gamma * gamma / 3)).within(claimed) and not claimed.has_zero(),
            "error_constant: the coefficient of z^3 lies elsewhere, or may be 0")
    for key, derived in (("order", 2), ("stage_order", 2), ("A_stable", True),
                         ("L_stable", rho == 0)):
        cert.same(key, derived)
    require(cert.fraction("R_at_infinity") == (-1) ** n * rho, "R_at_infinity: derived otherwise")


# ---- Free nodes ---------------------------------------------------------------------------------

class FreeNodes:
    """The ESDIRK with free nodes c_3, ..., c_n in any scalar, row by row from moments; b is the last."""

    def __init__(self, n, gamma, nodes):
        self.gamma, self.c = gamma, [0, gamma + gamma, *nodes, 1]
        self.a = [[0] * (n + 1) for _ in range(n + 1)]
        self.a[1][0] = self.a[1][1] = gamma
        self.set_row(n, [Q(1, k + 1) for k in range(n)])
        self.set_stage(2, [])
        b, c = self.a[n], self.c
        # b Ac^2 = 1/12 and, for n = 5, b (c Ac^2) = 1/15 give (Ac^2)_i of the rows 3, ..., n-1.
        first, second = Q(1, 12), Q(1, 15)
        for i in (1, 2, n):
            first, second = first - b[i] * self.image(i, 2), second - b[i] * c[i] * self.image(i, 2)
        if n == 4:
            self.set_stage(3, [first / b[3]])
            return
        gap = c[4] - c[3]
        self.set_stage(3, [(first * c[4] - second) / (b[3] * gap)])
        third = Q(1, 20)  # b Ac^3
        for i in (1, 2, 3, n):
            third = third - b[i] * self.image(i, 3)
        self.set_stage(4, [(second - first * c[3]) / (b[4] * gap), third / b[4]])

    def power(self, i, k):
        out = 1
        for _ in range(k):
            out = out * self.c[i]
        return out

    def image(self, i, k):
        """(A c^k)_i of a finished row."""
        return sum(self.a[i][j] * self.power(j, k) for j in range(len(self.c)))

    def set_row(self, i, moments):
        """Row i from sum_j a_ij c_j^k, the diagonal gamma among them, by Lagrange's polynomials."""
        nodes = self.c[:len(moments)]
        moments = [x - self.gamma * self.power(i, k) for k, x in enumerate(moments)]
        for j, node in enumerate(nodes):
            p, scale = [1], 1
            for other in nodes[:j] + nodes[j + 1:]:
                p = [y - other * x for x, y in zip(p + [0], [0] + p)]
                scale = scale * (node - other)
            self.a[i][j] = sum(x * y for x, y in zip(p, moments)) / scale
        self.a[i][i] = self.gamma

    def set_stage(self, i, beyond):
        """By C(1), C(2) and what is given beyond."""
        self.set_row(i, [self.c[i], Q(1, 2) * self.c[i] * self.c[i], *beyond])


class Jet:
    """A value with its first and second derivatives in one or two variables, of intervals."""

    __slots__ = ("f", "g", "h")

    def __init__(self, f, g, h):
        self.f, self.g, self.h = f, g, h

    @staticmethod
    def variable(x, index, size):
        zero = Interval(0)
        return Jet(x, [Interval(int(i == index)) for i in range(size)],
                   [zero for _ in pairs(range(size), 2)])

    def constant(self, x):
        zero = Interval(0)
        return x if isinstance(x, Jet) else Jet(x if isinstance(x, Interval) else Interval(x),
                                                [zero] * len(self.g), [zero] * len(self.h))

    def __add__(self, other):
        other = self.constant(other)
        return Jet(self.f + other.f, [x + y for x, y in zip(self.g, other.g)],
                   [x + y for x, y in zip(self.h, other.h)])

    __radd__ = __add__

    def __neg__(self):
        return Jet(-self.f, [-x for x in self.g], [-x for x in self.h])

    def __sub__(self, other):
        return self + -self.constant(other)

    def __rsub__(self, other):
        return self.constant(other) - self

    def __mul__(self, other):
        a, b = self, self.constant(other)
        places = pairs(range(len(a.g)), 2)
        return Jet(a.f * b.f, [a.f * y + x * b.f for x, y in zip(a.g, b.g)],
                   [a.f * y + x * b.f + a.g[p] * b.g[q] + a.g[q] * b.g[p]
                    for (p, q), x, y in zip(places, a.h, b.h)])

    __rmul__ = __mul__

    def __truediv__(self, other):
        b = self.constant(other)
        one = 1 / b.f
        two = one * one
        three = 2 * two * one
        return self * Jet(one, [-(two * x) for x in b.g],
                          [three * b.g[p] * b.g[q] - two * x
                           for (p, q), x in zip(pairs(range(len(b.g)), 2), b.h)])

    def __rtruediv__(self, other):
        return self.constant(other) / self


def reduced(tree):
    """(what Ac = c^2/2 leaves of a tree, the number of reductions): a branch [t] becomes t, t."""
    branches, count = [], 0
    for branch in tree:
        inner, steps = reduced(branch)
        count += steps
        if inner == ((),):
            branches += [(), ()]
            count += 1
        else:
            branches.append(inner)
    return tuple(sorted(branches)), count


def symmetry(tree):
    return math.prod(math.factorial(k) * symmetry(branch) ** k
                     for branch, k in Counter(map(canonical, tree)).items())


def canonical(tree):
    return tuple(sorted(map(canonical, tree)))


def weight(s, tree):
    """b of the stage function."""
    def function(tree):
        u = [1] * len(s.c)
        for branch in tree:
            f = function(branch)
            f = [sum(s.a[i][j] * f[j] for j in range(i + 1)) for i in range(len(f))]
            u = [x * y for x, y in zip(u, f)]
        return u
    return sum(x * y for x, y in zip(s.a[-1], function(tree)))


def objective(s, n, published):
    """What the nodes minimise; "published" are the sums of Zhang 2022, in which the tree b(Ac)^2
    stands for bA(c Ac) and, for n = 5, trees are missing."""
    gap = lambda tree: weight(s, tree) - Q(1, density(tree))
    square = lambda x: x * x
    if not published:
        factors = Counter()  # reduced tree -> sum of (2^-r / symmetry)^2
        for tree in trees(n + 1):
            left, steps = reduced(tree)
            factors[left] += Q(1, 2 ** steps * symmetry(tree)) ** 2
        return sum(factor * square(gap(tree)) for tree, factor in factors.items())
    t = ()
    bushy = gap((t,) * n)
    if n == 4:
        third = gap(((t, t, t),))
        return (Q(37, 576) * square(bushy) + Q(1, 2) * square(gap((t, (t, t)))) +
                Q(10, 36) * square(third) + Q(1, 16) * square(third - Q(1, 20)))
    third = gap(((t, t, t, t),))
    return (Q(101, 14400) * square(bushy) + Q(1, 8) * square(gap((t, t, (t, t)))) +
            Q(37, 576) * square(third) + square(Q(1, 4) * third - Q(1, 180)) +
            Q(1, 2) * square(gap(((t, (t, t)),))))


def holds_one_minimum(n, published, gamma, given, box):
    """The error has exactly one stationary point in the box of the free nodes, a minimum."""
    size = range(len(box))

    def error_at(place):
        nodes = [Jet.variable(x, i, len(box)) for i, x in enumerate(place)]
        constant = nodes[0].constant
        if n == 5:
            nodes = [constant(given[0]), nodes[0], constant(given[1])]
        return objective(FreeNodes(n, constant(gamma), nodes), n, published)

    try:  # every division is by a difference of nodes or by b_4, b_5: the conditions are regular
        middle, over = error_at([Interval(x.middle()) for x in box]), error_at(box)
    except ZeroDivisionError:
        return False
    slope = [[over.h[i + j] for j in size] for i in size]
    det = slope[0][0] if len(box) == 1 else \
        slope[0][0] * slope[1][1] - slope[0][1] * slope[0][1]
    near = inverse([[x.middle() for x in r] for r in slope])
    return (slope[0][0] > 0 and det > 0 and all(x.low < x.high for x in box) and
            contracted(box, middle.g, slope, near) is not None)


def sample_holds(n, gamma, nodes, num, den):
    """The sample tableau has every property claimed of all tableaus of the construction."""
    s = FreeNodes(n, gamma, nodes)
    a, c = [[x + Q(0) for x in r] for r in s.a], [x + Q(0) for x in s.c]
    m = Method(a, a[-1], c)
    weight = m.weight(m.b)
    return (image(m.a, m.one) == m.c and m.stages(n) == 2 and
            all(weight(t) == Q(1, density(t)) for k in range(1, n + 1) for t in trees(k)) and
            is_stability_function(num, den, m, m.b))


def check_free_nodes(cert, n, which):
    require(n in (4, 5), "n: not 4 or 5")
    for key, derived in (("n", n), ("objective", which), ("order", n), ("stage_order", 2)):
        cert.same(key, derived)
    stability, gamma = cert.object("stability"), cert.number("gamma")
    stability.same("order_of_R", n)
    stated = [canonical(tree_of(text)) for text in cert.list("conditions")]
    wanted = {canonical(t) for k in range(1, n + 1) for t in trees(k) if reduced(t)[1] == 0}
    require(set(stated) == wanted and len(stated) == len(wanted),
            "conditions: not the trees that C(2) leaves, each once")
    check_stability(stability)
    num, den = stability.poly("num"), stability.poly("den")
    c3, c5, held, i = Q(1, 10), cert.number("c5") if n == 5 else Q(0), 0, 5
    while held < 4:  # n = 5: degree 3 in c_4, four values decide
        c4 = Q(i, 11)
        i += 1
        if c4 in (gamma + gamma, c5):
            continue
        nodes = [c4, c4 + Q(2, 7)] if n == 4 else [c3, c4, c5]
        require(sample_holds(n, gamma, nodes, num, den), "order: it fails at sample nodes")
        held += 1
    box = [cell(x, "free_nodes") for x in cert.list("free_nodes")]
    require(len(box) == 6 - n, "free_nodes: another number of them")
    exact = [Interval(*enclosure(x, 500)) for x in (gamma, c3, c5)]
    require(holds_one_minimum(n, which == "published", exact[0], exact[1:], box),
            "free_nodes: not one minimum and regular conditions in the box")
