"""Intervals of fractions, rounded outwards to a grid so that they stay short."""
from fractions import Fraction as Q

GRID = 2 ** 600


class Interval:
    __slots__ = ("low", "high")

    def __init__(self, low, high=None):
        self.low, self.high = Q(low), Q(low if high is None else high)
        if self.low.denominator > GRID:
            self.low = Q(self.low.numerator * GRID // self.low.denominator, GRID)
        if self.high.denominator > GRID:
            self.high = Q(-(-self.high.numerator * GRID // self.high.denominator), GRID)

    def has_zero(self):
        return self.low <= 0 <= self.high

    def inside(self, other):
        """Strictly."""
        return other.low < self.low and self.high < other.high

    def within(self, other):
        return other.low <= self.low and self.high <= other.high

    def middle(self):
        return (self.low + self.high) / 2

    def __gt__(self, other):
        return self.low > other

    def __le__(self, other):
        """Not shown to be above."""
        return not self > other

    def __neg__(self):
        return Interval(-self.high, -self.low)

    def __add__(self, other):
        other = interval(other)
        return Interval(self.low + other.low, self.high + other.high)

    __radd__ = __add__

    def __sub__(self, other):
        return self + -interval(other)

    def __rsub__(self, other):
        return interval(other) - self

    def __mul__(self, other):
        other = interval(other)
        ends = (self.low * other.low, self.low * other.high, self.high * other.low,
                self.high * other.high)
        return Interval(min(ends), max(ends))

    __rmul__ = __mul__

    def __truediv__(self, other):
        other = interval(other)
        if other.has_zero():
            raise ZeroDivisionError("division by an interval that holds zero")
        return self * Interval(1 / other.high, 1 / other.low)

    def __rtruediv__(self, other):
        return interval(other) / self


def interval(x):
    return x if isinstance(x, Interval) else Interval(x)


def contracted(box, gradient, slope, inverse):
    """Krawczyk's operator on the box: its image, None unless inside the box.

    `gradient`: values at the middle; `slope`: their derivatives over the box; `inverse`: a matrix of
    fractions, near the inverse of the slope. A point of the box may be its own image.
    """
    size, image = range(len(box)), []
    for i in size:
        middle = box[i].middle()
        x = Interval(middle)
        for j in size:
            x = x - inverse[i][j] * gradient[j]
            rest = Interval(int(i == j))
            for k in size:
                rest = rest - inverse[i][k] * slope[k][j]
            x = x + rest * (box[j] - box[j].middle())
        if not (x.inside(box[i]) or (box[i].low == box[i].high and x.within(box[i]))):
            return None
        image.append(x)
    return image
