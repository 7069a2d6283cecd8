"""Strict reading: a number is written in one way, an object has the keys of its kind."""
import json
import math
import re
from fractions import Fraction as Q

from certificate.field import LARGEST_DEGREE, Field
from certificate.irreducible import irreducible

LONGEST_LIST = 400  # bounds the time of a hostile file


class Refused(Exception):
    """A statement that does not hold; its field stands first."""


def require(holds, statement):
    if not holds:
        raise Refused(statement)


def once(pairs):
    """An object whose keys are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return found


def load(file):
    def no_number(text):
        raise ValueError(f"{text} is no number of JSON")
    return json.loads(file.read_text(encoding="utf-8"), object_pairs_hook=once,
                      parse_constant=no_number)


def fraction(text, name):
    require(isinstance(text, str) and re.fullmatch(r"-?(0|[1-9][0-9]*)(/[1-9][0-9]*)?", text),
            f"{name}: no fraction")
    value = Q(text)
    require(str(value) == text, f"{name}: not in lowest terms")
    return value


class Reader:
    """Numbers of one field; None for the rationals."""

    def __init__(self, field):
        self.field, self.needed = field, False

    def number(self, value, name):
        if isinstance(value, str):
            return fraction(value, name)
        require(isinstance(value, list) and self.field and
                1 < len(value) <= self.field.degree, f"{name}: no number of the field")
        c = [fraction(x, name) for x in value]
        require(c[-1] != 0, f"{name}: a number with a last coefficient 0")
        self.needed = True
        return self.field.of(c)

    def row(self, values, name, size=None):
        require(isinstance(values, list) and len(values) <= LONGEST_LIST, f"{name}: no list")
        require(size in (None, len(values)), f"{name}: has not {size} entries")
        return [self.number(x, name) for x in values]

    def poly(self, values, name):
        out = self.row(values, name)
        require(not out or out[-1] != 0, f"{name}: padded with zeros")
        return out


class Part:
    """An object of the certificate, read by its keys; refusals name them."""

    def __init__(self, value, name, reader):
        require(isinstance(value, dict), f"{name}: no object")
        self.value, self.name, self.reader = value, name, reader

    def keys(self, wanted):
        for key in wanted:
            require(key in self.value, f"{key}: missing")
        for key in self.value:
            require(key in wanted, f"{key[:60]}: unknown key in {self.name}")
        return self

    def raw(self, key):
        require(key in self.value, f"{key}: missing")
        return self.value[key]

    def list(self, key):
        value = self.raw(key)
        require(isinstance(value, list) and len(value) <= LONGEST_LIST, f"{key}: no list")
        return value

    def object(self, key):
        return Part(self.raw(key), key, self.reader)

    def part(self, key, wanted):
        return self.object(key).keys(wanted)

    def text(self, key):
        require(isinstance(self.raw(key), str), f"{key}: no text")
        return self.value[key]

    def truth(self, key):
        require(isinstance(self.raw(key), bool), f"{key}: neither true nor false")
        return self.value[key]

    def whole(self, key):
        value = self.raw(key)
        require(type(value) is int and abs(value) <= 1000, f"{key}: no integer, or beyond 1000")
        return value

    def number(self, key):
        return self.reader.number(self.raw(key), key)

    def fraction(self, key):
        return fraction(self.raw(key), key)

    def row(self, key, size=None):
        return self.reader.row(self.raw(key), key, size)

    def rows(self, key, size=None):
        return [self.reader.row(x, key, size) for x in self.list(key)]

    def poly(self, key):
        return self.reader.poly(self.raw(key), key)

    def polys(self, key):
        return [self.reader.poly(x, key) for x in self.list(key)]

    def square(self, key, size):
        require(0 < size == len(self.list(key)), f"{key}: not square, or not of the others' size")
        return self.rows(key, size)

    def same(self, key, derived):
        """A word, an integer, a truth or null. As texts: Python takes True for 1."""
        require(json.dumps(self.raw(key)) == json.dumps(derived), f"{key}: derived {derived}")

    def equal(self, key, derived):
        """A number."""
        require(self.number(key) == derived, f"{key}: derived {derived}")


def read_field(value, roots_between):
    """The field of a certificate: irreducible, theta in the shortest decimal cell."""
    if value is None:
        return None
    part = Part(value, "field", Reader(None)).keys(["minimal", "lower", "upper"])
    minimal = part.row("minimal")
    require(all(c.denominator == 1 for c in minimal), "minimal: no list of integers")
    minimal = [c.numerator for c in minimal]
    require(2 <= len(minimal) - 1 <= LARGEST_DEGREE,
            f"field: of degree 2 to {LARGEST_DEGREE} is the minimal polynomial")
    require(minimal[-1] > 0 and math.gcd(*minimal) == 1 and irreducible(minimal),
            "field: minimal is not primitive and irreducible")
    lower, upper = part.fraction("lower"), part.fraction("upper")
    count = lambda low, high: roots_between(list(map(Q, minimal)), low, high)
    require(lower < upper and count(lower, upper) == 1,
            "field: the interval must hold exactly one root of minimal")
    scale = next((10 ** d for d in range(200) if (upper - lower) * 10 ** d == 1), None)
    require(scale and (lower * scale).denominator == 1,
            "field: lower and upper are no decimal cell")
    if scale > 1:
        tenth = Q((lower * scale).numerator // 10 * 10, scale)
        require(count(tenth, tenth + Q(10, scale)) != 1, "field: a wider decimal cell isolates theta")
    return Field(minimal, lower, upper)


def member(text):
    """"name(key=value,...)" as name and arguments; a list in brackets is one value."""
    found = re.fullmatch(r"(\w+)(?:\((.+)\))?", text, re.ASCII) if len(text) <= 4000 else None
    require(found, "id: no name")
    parts = re.findall(r"(\w+)=(\[[^\]]*\]|[^,\[]+)(?:,|$)", found[2] or "", re.ASCII)
    arguments = dict(parts)
    require(",".join("=".join(p) for p in parts) == (found[2] or "") and
            len(arguments) == len(parts), "id: no list of arguments")
    return found[1], arguments
