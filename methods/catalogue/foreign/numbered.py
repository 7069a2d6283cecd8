"""Tableaus whose entries are single numbers, a21, a32, c2, b1, or lists of them by row, a1, a2.

Letters mean different things to different authors. What each list is follows from the numbers: the
nodes are the row sums of the matrix, weights add up to 1, differences of two sets of weights to 0;
without weights those of a last row with the node 1 are them. Values are told apart to 1e-6; what is
proved later are the numbers as they stand.
"""
import ast
import math
import operator
import re
from fractions import Fraction

from values import NoLiteral, Unreadable, combined, filled

NEAR = 1e-6
OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul,
             ast.Div: operator.truediv, ast.Pow: operator.pow}
FUNCTIONS = {"sqrt": math.sqrt, "cos": math.cos, "sin": math.sin}


def approximate(value):
    """The number that an expression of ours stands for."""
    def of(node):
        if isinstance(node, ast.BinOp):
            return OPERATORS[type(node.op)](of(node.left), of(node.right))
        if isinstance(node, ast.UnaryOp):
            return -of(node.operand)
        if isinstance(node, ast.Call):
            return FUNCTIONS[node.func.id](of(node.args[0]))
        return math.pi if isinstance(node, ast.Name) else float(node.value)
    if isinstance(value, Fraction):
        return float(value)
    return of(ast.parse(value.replace("^", "**"), mode="eval").body)


def total(values):
    return sum(map(approximate, values))


def near(x, y):
    return abs(x - y) <= NEAR * max(1, abs(x), abs(y))


def indices(digits):
    """"21", "0201", "1001", "101" and "10_1": row and column."""
    row, _, column = digits.partition("_")
    half = (len(row) + 1) // 2
    return (int(row), int(column)) if column else (int(row[:half]), int(row[half:]))


def groups_of(names):
    """By letter: its single numbers, by what follows the letter. b1tilde is btilde1."""
    groups = {}
    for name, value in names.items():
        found = re.fullmatch(r"([^\W\d_]+?)_?(\d+(?:_\d+)?)([a-z]*)", name)
        if found and not isinstance(value, list):
            groups.setdefault(found[1] + found[3], {})[found[2]] = value
    return groups


def is_matrix(group):
    """Strictly below the diagonal, with the entry that follows the first stage."""
    if any(len(digits) < 2 for digits in group):
        return False
    places = [indices(digits) for digits in group]
    return all(i > j for i, j in places) and bool({(2, 1), (1, 0)} & set(places))


def matrix_of(group, letter):
    places = {indices(digits): value for digits, value in group.items()}
    base = 0 if any(j == 0 for _, j in places) else 1
    size = max(i for i, _ in places) + 1 - base
    if size > 100:
        raise Unreadable(f"{letter} has more than 100 rows")
    A = filled(Fraction(0), size, size)
    for (i, j), value in places.items():
        A[i - base][j - base] = readable(value)
    return A


def readable(value):
    if isinstance(value, Unreadable):
        raise value
    return value


def fits(vector, at, A):
    """Whether these are the row sums when index `at` is the first stage."""
    sums = dict(enumerate(map(total, A), at))
    return all(k in sums and near(approximate(vector[k]), sums[k]) for k in vector) and any(
        not near(approximate(x), 0) for x in vector.values())


EMBEDDED = re.compile("hat|tilde|star")  # in names of weights: those of the embedded formula


class Roles:
    """What each of the lists, by name and index, is of the matrix."""

    def __init__(self, A, lists):
        self.A, self.lists = A, lists
        self.c = self.nodes()
        self.first = 1 if all(0 not in values for values in lists.values()) else 0
        self.b, self.b_hat = self.weights()

    def nodes(self):
        for name, values in sorted(self.lists.items()):
            for first in (1, 0):
                if fits(values, first, self.A):
                    del self.lists[name]
                    return [values.get(k + first, Fraction(round(total(row))))  # left out: 0 or 1
                            for k, row in enumerate(self.A)]
        raise Unreadable("no list is that of the row sums of the matrix, so nodes are not told: no "
                         "explicit Runge-Kutta method, or an entry of it is not given")

    def of_sum(self, value):
        """Lists of that sum by name, the shortest name first."""
        size = len(self.A)
        return {name: [values.get(k + self.first, Fraction(0)) for k in range(size)]
                for name, values in sorted(self.lists.items(), key=lambda l: (len(l[0]), l[0]))
                if max(values) < size + self.first and near(total(values.values()), value)}

    def weights(self):
        sets = self.of_sum(1)
        b = next((values for name, values in sets.items() if not EMBEDDED.search(name)), None)
        others = [values for values in sets.values() if values is not b]
        if b is None and near(total(self.A[-1]), 1):
            b = self.A[-1]
        if b is None:
            raise Unreadable("no list adds up to 1: weights are not told")
        differences = list(self.of_sum(0).values())
        if others or not differences:
            return b, others[0] if others else None
        return b, combined("-", b, differences[0])


def numbered_tableau(names):
    """A, b, c and b_hat of the numbered names, NoLiteral where there are hardly any."""
    groups = groups_of(names)
    many = {letter: group for letter, group in groups.items() if len(group) > 1}
    if sum(map(len, many.values())) < 4:
        raise NoLiteral("hardly any numbers")
    matrices = [letter for letter, group in groups.items() if is_matrix(group)]
    shown = ", ".join(f"{letter}{next(iter(group))}" for letter, group in many.items())
    if len(matrices) != 1:
        raise Unreadable(f"of the numbers {shown} ... none are a matrix below its diagonal"
                         if not matrices else "the single numbers "
                         f"{' and '.join(matrices)} are more than one matrix")
    A = matrix_of(groups.pop(matrices[0]), matrices[0])
    lists = {letter: {int(digits): readable(value) for digits, value in group.items()}
             for letter, group in groups.items() if all(len(digits) < 3 for digits in group)}
    roles = Roles(A, lists)
    return roles.A, roles.b, roles.c, roles.b_hat


def listed_tableaus(arrays):
    """Of arrays by name, with their lines, rows PREFIX_a1, PREFIX_a2, ... and lists PREFIX_b, ...:
    name, line and what gives A, b, c and b_hat."""
    for name, (line, _) in arrays.items():
        prefix, _, last = name.rpartition("_")
        if re.fullmatch(r"[^\W\d]+1", last):
            yield prefix, line, lambda prefix=prefix, letter=last[:-1]: of_arrays(
                {key[len(prefix) + 1:]: values for key, (_, values) in arrays.items()
                 if key.startswith(prefix + "_")}, letter)


def of_arrays(arrays, letter):
    rows = []
    while (row := arrays.get(f"{letter}{len(rows) + 1}")) is not None:
        rows.append(row)
    size = len(rows) + 1
    A = [row + [Fraction(0)] * (size - len(row)) for row in [[]] + rows]
    roles = Roles(A, {name: dict(enumerate(values)) for name, values in arrays.items()
                      if not name.startswith(letter)})
    return roles.A, roles.b, roles.c, roles.b_hat
