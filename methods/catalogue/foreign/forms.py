"""What calls and structures of other projects say of a method: where its parts stand, and the parts
in the shape in which tableau files have them."""
import re
from fractions import Fraction

from statements import split_outside
from values import NoLiteral, Unreadable, combined, filled, row_sums

MOST_STAGES = 100


def entries(values, size, what):
    if isinstance(values, list) and len(values) == 1 and isinstance(values[0], list):
        return entries(values[0], size, what)  # a row where a list is due
    if not isinstance(values, list) or len(values) != size:
        raise Unreadable(f"{what} is no list of {size} entries")
    if any(isinstance(value, list) for value in values):
        raise Unreadable(what + " holds lists")
    return [str(value) for value in values]


def square(A, b):
    """A of s weights from its s^2 entries by rows, or the s (s - 1) / 2 below the diagonal, by rows
    or in rows of 1, 2, ... entries."""
    A = A if isinstance(A, list) else [A]
    s = len(b) if isinstance(b, list) else 0
    if s > 1 and len(A) == s - 1 and all(isinstance(row, list) for row in A):
        A = [entry for i, row in enumerate(A) for entry in padded(row, i + 1)]
    flat = not any(isinstance(row, list) for row in A)
    if flat and s > 1 and len(A) == s * s:
        return [A[s * i:s * i + s] for i in range(s)]
    if flat and s > 1 and len(A) == s * (s - 1) // 2:
        return [padded(A[i * (i - 1) // 2:i * (i + 1) // 2], s) for i in range(s)]
    if not flat and all(isinstance(row, list) and len(row) == len(A) - 1 for row in A):
        return [padded(row, len(A)) for row in A]  # without the last column, of zeros
    return [A] if len(A) == 1 and flat else A


def padded(row, size):
    return row + [Fraction(0)] * (size - len(row)) if isinstance(row, list) else row


def nodes(c, s):
    """With the 0 of an explicit first stage where it is left out."""
    return [Fraction(0)] + c if isinstance(c, list) and len(c) == s - 1 else c


def tableau_of(A, b, c, b_hat, diagonal=None):
    """b and c may be missing: the last row of A, the row sums."""
    A = square(A, b)
    if diagonal is not None:
        A = [[entry if k != i else diagonal[i] for k, entry in enumerate(row)]
             for i, row in enumerate(A)]
    s = len(A)
    if not 1 <= s <= MOST_STAGES:
        raise Unreadable("a matrix of no or more than 100 stages")
    out = {"A": [entries(row, s, "a row of A") for row in A],
           "b": entries(A[-1] if b is None else b, s, "b"),
           "c": entries(row_sums(A) if c is None else nodes(c, s), s, "c")}
    if b_hat is not None:
        out["b_hat"] = entries(b_hat, s, "b_hat")
    return out


def butcher_form(alpha, beta):
    """Shu and Osher's u_i = sum of alpha_ij u_j + h beta_ij f_j, i = 0..s, as A with b below it."""
    rows = len(alpha) if isinstance(alpha, list) else 0
    if rows < 2 or not isinstance(beta, list) or len(beta) != rows:
        raise Unreadable("alpha and beta of different sizes")
    A = filled(Fraction(0), rows, rows - 1)
    for i in range(1, rows):
        if any(not isinstance(m[i], list) or len(m[i]) != rows - 1 for m in (alpha, beta)):
            raise Unreadable("alpha and beta need s + 1 rows of s entries")
        for j in range(i):
            A[i] = combined("+", A[i], combined("*", alpha[i][j], A[j]))
            A[i][j] = combined("+", A[i][j], beta[i][j])
    return A


def other_kind(kind, given):
    """A Nystrom or Rosenbrock method of the arguments that are given; of embedded weights the
    difference to the weights is."""
    A = given.pop("A")
    s = len(A) if isinstance(A, list) else 0
    out = {"kind": kind, "A": [entries(row, s, "a row of A") for row in A]}
    for key in ("A_velocity", "C"):
        if key in given:
            rows = [row if isinstance(row, list) else [row] for row in given.pop(key)]
            out[key] = [entries(padded(row, s), s, "a row of " + key) for row in rows]
    if "gamma" in given:
        out["gamma"] = str(given.pop("gamma"))
    for key, value in given.items():
        if key.startswith("b_hat"):
            value = combined("-", given[key.replace("_hat", "")], value)
        out[key] = entries(nodes(value, s), s, key)
    return out


FIELDS = [  # structures: suffixes of the names of A, b (or b and b_hat), c, b_hat; claims
    ("aCoefficients", "bCoefficients", "cCoefficients", None,
     {"order": "lowerOrder", "embedded_order": "higherOrder"}),
    ("_alpha", "_beta", "_gamma", "_beta_star", {"order": "_RK_order"})]


def structured(names):
    """Parts and claims of the structure among the names, or None."""
    for A, b, c, b_hat, claims in FIELDS:
        for name in names:
            if name.endswith(A) and name[:len(name) - len(A)] + b in names:
                of = {part: names.get(name[:len(name) - len(A)] + (suffix or "?"))
                      for part, suffix in (("A", A), ("b", b), ("c", c), ("b_hat", b_hat))}
                for value in of.values():
                    if isinstance(value, Unreadable):
                        raise value
                if isinstance(of["b"][0], list):
                    of["b"], of["b_hat"] = (of["b"] + [None])[:2]
                stem = name[:len(name) - len(A)]
                return of, {key: names[stem + claim] for key, claim in claims.items()
                            if isinstance(names.get(stem + claim), Fraction)}
    return None


def call(names, dialect, suffix="", name=None, order=None, A=None, b=None, c=None, b_hat=None,
         embedded_order=None, difference="", other_b=None, other_A=None, diagonal=None):
    """Where the parts of a tableau stand among the arguments of a call: a position or a keyword.
    `difference`: b_hat - b ("+") or b - b_hat ("-") is given; a missing b is other_b, or the last
    row of other_A. An order may be a name that was set: "tableau->order_b"."""
    return dict(locals(), names=names.split())


CALLS = [
    call("TSRKRegister TSDIRKRegister", "c", "", 0, 1, 3, 4, 5, 6),
    call("TSARKIMEXRegister", "c", "_im", 0, 1, 3, 4, 5, 9),
    call("TSARKIMEXRegister", "c", "_ex", 0, 1, 6, 7, 8, 10, other_b=4, other_A=3),
    call("ExplicitRKTableau ImplicitRKTableau", "julia", "", None, 3, 0, 2, 1, "αEEst",
         "adaptiveorder"),
    call("ESDIRKIMEXTableau", "julia", "_im", None, 8, 0, 1, 4, 5, difference="+"),
    call("ESDIRKIMEXTableau", "julia", "_ex", None, 8, 2, 3, "ce", 6, difference="+"),
    call("_pure_esdirk_to_imex_tableau", "julia", "", None, 3, 0, None, 1, 2, difference="+"),
    call("Tableau{T}", "julia", "", 0, 1, 2, 3, 4),
    call("ExplicitRungeKuttaPair", "python", "", "shortname", "order", (0, "A"), (1, "b"), None,
         (2, "bhat")),
    call("ExplicitRungeKuttaMethod RungeKuttaMethod", "python", "", "shortname", "order", (0, "A"),
         (1, "b")),
    call("setButcherTableau", "c", "", None, "tableau->order_b", 2, 3, 1, 4, "tableau->order_bt"),
    call("ButcherTableau", "python", "", None, None, "a_lower", "b_sol", "c", "b_error",
         difference="-", diagonal="a_diagonal"),
    call("DIRKButcher", "julia", "", None, None, 0, 1, 2),
    call("IMEXButcher", "julia", "_ex", None, None, 0, 1, 2),
    call("IMEXButcher", "julia", "_im", None, None, 3, 4, 5)]

OTHER_KINDS = {  # of Julia: kind, and the positions of its parts
    "NystromVITableau": ("nystrom", {"A": 0, "b": 1, "b_velocity": 2, "b_hat": 3,
                                     "b_hat_velocity": 4, "c": 5}),
    "NystromVDTableau": ("nystrom", {"A": 0, "A_velocity": 1, "b": 2, "b_velocity": 3, "b_hat": 4,
                                     "b_hat_velocity": 5, "c": 6}),
    "RosenbrockButcher": ("rosenbrock", {"A": 0, "C": 1, "b": 2, "gamma": 3}),
    "RodasTableau": ("rosenbrock", {"A": 0, "C": 1, "gamma": 2, "b": 6, "b_hat": 7})}


class Words:
    """The arguments of a call in its source's own words."""

    def __init__(self, text):
        self.positional, self.keywords, behind = [], {}, False
        for part, end in split_outside(text, ",;", True):
            sides = split_outside(part, "=")
            if len(sides) > 1:
                self.keywords[sides[0]] = sides[-1]
            elif behind and part:
                self.keywords[part] = part  # "; b" of Julia is "; b = b"
            elif part and not part.startswith("Val("):
                self.positional.append(part)
            behind = behind or end == ";"

    def at(self, place):
        for one in place if isinstance(place, tuple) else (place,):
            if isinstance(one, str) and one in self.keywords:
                return self.keywords[one]
        for one in place if isinstance(place, tuple) else (place,):
            if isinstance(one, int) and one < len(self.positional):
                word = self.positional[one]
                if word.startswith("&"):  # &A[0][0] of C
                    word = word[1:].partition("[")[0]
                return "" if word in ("NULL", "nothing", "nullptr") else word
        return ""


def is_zero(value):
    return all(map(is_zero, value)) if isinstance(value, list) else value == 0
