"""One statement of MBDyn, read in order: numbers, vectors, matrices and rotations."""
import math
import re

from mbdyn_text import plain
from model import ONE, Refused, axis_matrix, cross, dot, frame_of, product, transposed

ZERO = [0.0, 0.0, 0.0]
CLOSE = 1e-9
EULER = {"euler": (0, 1, 2), "euler123": (0, 1, 2), "euler321": (2, 1, 0), "euler313": (2, 0, 2)}


class Words:
    """The arguments of one statement, read in order."""

    def __init__(self, words, place, arithmetic):
        self.words, self.place, self.known, self.k = words, place, arithmetic, 0

    def key(self, *names):
        """The next word without spaces, if it is one of these."""
        word = plain(self.words[self.k]).replace(" ", "") if self.k < len(self.words) else None
        found = next((name for name in names if name.replace(" ", "") == word), None)
        self.k += found is not None
        return found

    def word(self, what):
        if self.k == len(self.words):
            raise Refused(self.place, f"ends where {what} is wanted")
        self.k += 1
        return self.words[self.k - 1]

    def real(self):
        return float(self.known.value(self.word("a number"), self.place))

    def whole(self):
        text = self.word("a label")
        value = self.known.value(text, self.place)
        if not isinstance(value, int):
            raise Refused(self.place, f"'{plain(text)[:40]}'; accepted: an integer")
        return value

    def vector(self):
        v = list(ZERO) if self.key("null") else [self.real() for _ in range(3)]
        return self.scaled([v])[0]

    def scaled(self, rows):
        factor = self.real() if self.key("scale") else 1.0
        return [[factor * x for x in row] for row in rows]

    def matrix(self):
        form = self.key("null", "eye", "diag", "sym", "matr")
        if form in ("null", "eye", "diag"):
            d = [self.real() for _ in range(3)] if form == "diag" else [float(form == "eye")] * 3
            M = [[d[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
        elif form == "sym":
            a, b, c, d, e, f = (self.real() for _ in range(6))
            M = [[a, b, c], [b, d, e], [c, e, f]]
        else:
            M = [[self.real() for _ in range(3)] for _ in range(3)]
        return self.scaled(M)

    def rotation(self):
        form = self.key("eye", "null", "matr", "vector", *EULER)
        if form in ("eye", "null"):
            return ONE
        if form == "vector":
            v = self.vector()
            return axis_matrix(v, math.sqrt(dot(v, v)), self.place) if any(v) else ONE
        if form in EULER:
            R = ONE
            for i in EULER[form]:
                R = product(R, axis_matrix(ONE[i], self.real(), self.place))
            return R
        if form == "matr":
            R = [[self.real() for _ in range(3)] for _ in range(3)]
            off = max(abs(x - float(i == j)) for i, row in enumerate(product(R, transposed(R)))
                      for j, x in enumerate(row))
            if off > CLOSE or dot(R[0], cross(R[1], R[2])) < 0:
                raise Refused(self.place, "a matrix that is no rotation")
            return R
        return self.two_axes()

    def two_axes(self):
        i, first = self.whole(), [self.real() for _ in range(3)]
        j = self.whole()
        if {i, j} - {1, 2, 3} or i == j:
            raise Refused(self.place, f"axes {i} and {j}; accepted: two of 1, 2, 3")
        if self.key("guess"):  # as MBDyn does
            low, high = min(range(3), key=lambda k: abs(first[k])), max(range(3), key=lambda k: abs(first[k]))
            second = [1.0 if k == low else -first[low] / first[high] if k == high and first[high] else 0.0
                      for k in range(3)]
        else:
            second = [self.real() for _ in range(3)]
        a, b, c = transposed(frame_of(first, second, self.place))
        if (j - i) % 3 != 1:
            c = [-x for x in c]
        axes = {i: a, j: b, 6 - i - j: c}
        return transposed([axes[1], axes[2], axes[3]])

    def end(self):
        """Only what concerns output may be left."""
        if self.k < len(self.words) and not self.key("output"):
            raise Refused(self.place, f"'{plain(self.words[self.k])[:40]}' is not read")


    def drive(self, drives):
        """The value of a drive, which must be constant; `drives`: those with a label."""
        named = self.key("null", "one", "unit")
        if named:
            return 0.0 if named == "null" else 1.0
        if self.key("reference"):
            label = self.whole()
            if drives.get(label) is None:
                raise Refused(self.place, f"drive {label} is not constant; accepted: const")
            return drives[label]
        if not self.key("const") and self.k < len(self.words):
            word = self.words[self.k].strip()
            if re.fullmatch("[A-Za-z ]+", word) and word not in self.known.known:
                raise Refused(self.place, f"a drive '{word[:40]}'; accepted: const")
        return self.real()

    def vector_drive(self, drives):
        if self.key("null", "zero"):
            return ZERO
        if self.key("component"):
            return [0.0 if self.key("inactive") else self.drive(drives) for _ in range(3)]
        self.key("single")
        v = self.vector()
        factor = self.drive(drives)
        return [factor * x for x in v]
