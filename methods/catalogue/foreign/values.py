"""What the statements of a source set: each number is the Fraction it is, or text where roots or
decimals of more than three places are in it; lists are lists. Nothing is executed."""
import re
from fractions import Fraction

from statements import NAME, closing, split_outside

MOST_ENTRIES, LONGEST_EXPRESSION = 10000, 9000


class Unreadable(Exception):
    """The value cannot be told from the source."""


class NoLiteral(Unreadable):
    """... because a name in it is none that was set."""


def written(text):
    """A literal: short decimals are the fractions they read as, longer ones stay text."""
    text = text.replace("_", "")  # of Julia: 10_000
    if not re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text):
        raise Unreadable(f'the malformed number "{text}"')
    value = Fraction(text)
    return text if re.search("[.eE]", text) and (1000 * value).denominator != 1 else value


def expression(text):
    if len(text) > LONGEST_EXPRESSION:
        raise Unreadable("an expression of more than 9000 characters")
    return text


def bracketed(value):
    text = str(value)
    return text if text.startswith("(") or not re.search(r"[-+*/^]", text) else f"({text})"


def quotient(x, y):
    """4358665215084590 // 10000000000000000 is a decimal, rounded as one: no fraction is meant."""
    digits = len(str(y)) - 1
    if digits < 8 or y != 10 ** digits or x.denominator != 1:
        return x / y
    text = str(abs(x)).rjust(digits + 1, "0")
    decimal = written(text[:-digits] + "." + text[-digits:])
    if x >= 0:
        return decimal
    return "-" + decimal if isinstance(decimal, str) else -decimal


def power(base, exponent):
    if not isinstance(exponent, Fraction):
        raise Unreadable("a power that is no number")
    if exponent == Fraction(1, 2):
        return expression(f"sqrt({base})")
    if exponent.denominator != 1 and isinstance(base, Fraction) and base >= 0:
        return expression(f"({base})^({exponent})")
    if exponent.denominator != 1 or abs(exponent) > 100:
        raise Unreadable("a power that is no integer up to 100, and no fraction of a number >= 0")
    out = Fraction(1)
    for _ in range(abs(int(exponent))):
        out = combined("*", out, base)
    return combined("/", Fraction(1), out) if exponent < 0 else out


def combined(op, a, b):
    if op == "^":
        return power(a, b)
    if isinstance(a, list) or isinstance(b, list):
        size = len(a if isinstance(a, list) else b)
        rows = [x if isinstance(x, list) else [x] * size for x in (a, b)]
        if len(rows[0]) != len(rows[1]):
            raise Unreadable("lists of different lengths are combined")
        return [combined(op, x, y) for x, y in zip(*rows)]
    if op == "/" and b == 0:
        raise Unreadable("a division by 0")
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return quotient(a, b) if op == "/" else {"+": a + b, "-": a - b, "*": a * b}[op]
    if op in "+-" and b == 0 or op in "*/" and b == 1 or op in "*/" and a == 0:
        return a
    if op == "+" and a == 0 or op == "*" and (a == 1 or b == 0):
        return b
    if op == "-" and a == 0:
        return expression("-" + bracketed(b))
    return expression(f"({bracketed(a)}{op}{bracketed(b)})")


def row_sums(A):
    sums = []
    for row in A:
        sums.append(Fraction(0))
        for entry in row if isinstance(row, list) else []:
            sums[-1] = combined("+", sums[-1], entry)
    return sums


ROOTS = {"sqrt": 2, "SUNRsqrt": 2, "PetscSqrtReal": 2, "cbrt": 3}
TYPES = set("T T1 T2 T_time RealT".split())
SAME = TYPES | set("RC SUN_RCONST PetscRealConstant convert BigInt Int64 big BigFloat map array "
                   "squeeze Rational float copy collect asarray parse vec".split())


def count_of(value, most):
    if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= most:
        raise Unreadable(f"no number from 0 to {most} where an index is due")
    return int(value)


class Evaluator:
    def __init__(self, text, dialect, names, depth=0):
        if depth > 100:
            raise Unreadable("nesting deeper than 100")
        self.text, self.dialect, self.names, self.depth, self.at = text, dialect, names, depth, 0

    def run(self):
        value = self.sum()
        if self.peek():
            raise self.unexpected()
        return value

    def unexpected(self):
        return Unreadable(f'unexpected "{self.text[self.at:self.at + 20]}"')

    def inner(self, text):
        return Evaluator(text, self.dialect, self.names, self.depth + 1).run()

    def here(self):
        return self.text[self.at:self.at + 1]

    def peek(self):
        self.take(r"\s*")
        return self.here()

    def take(self, pattern):
        found = re.compile(pattern).match(self.text, self.at)
        if found:
            self.at = found.end()
        return found[0] if found else ""

    def accept(self, token):
        self.peek()
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def chain(self, operators, part):
        value = part()
        while self.peek() and self.here() in operators:
            op = self.take(".")
            value = combined(op, value, part())
        return value

    def sum(self):
        return self.chain("+-", lambda: self.chain("*/", self.factor))

    def factor(self):
        if self.accept("-"):
            return combined("-", Fraction(0), self.factor())
        if self.accept("+") or self.dialect == "julia" and self.accept("/"):  # of "//"
            return self.factor()
        value = self.postfix(self.primary())
        if self.accept("^") or self.dialect == "python" and self.accept("**"):
            return combined("^", value, self.factor())
        return value

    def bracket(self):
        """The body of the bracket that stands here."""
        self.peek()
        end = closing(self.text, self.at)
        if end < 0:
            raise Unreadable("a bracket that is not closed")
        body, self.at = self.text[self.at + 1:end], end + 1
        return body

    def postfix(self, value):
        while self.here() == "[":
            value = self.element(value, split_outside(self.bracket(), ","))
        if self.here() == "." and self.dialect == "python":
            method = self.take(rf"(?:{NAME}|\.)*")
            if method not in (".astype", ".copy"):
                raise NoLiteral("the method " + method)
            self.bracket()
        return value

    def primary(self):
        c = self.peek()
        if re.compile(r"\.?[0-9]").match(self.text, self.at):
            value = written(self.take(r"[0-9][0-9_]*\.?[0-9_]*(?:[eE][+-]?[0-9]+)?|\.[0-9]+(?:[eE][+-]?[0-9]+)?"))
            if self.dialect != "julia":
                self.take("[LfF]*")
            elif re.match(NAME + r"|\(", self.here()):
                value = combined("*", value, self.postfix(self.primary()))
            return value
        if c == "(":
            body = self.bracket()
            tuple_of = self.dialect != "c" and len(split_outside(body, ",")) > 1
            return self.list(body.rstrip(", \n")) if tuple_of else self.inner(body.rstrip(", \n"))
        if c and c in "[{":
            return self.list(self.bracket())
        if c == '"' and self.dialect == "julia":
            return self.quoted()
        if c == "@" and self.accept("@big"):
            return self.primary()
        if not c or not re.match(NAME, c):
            raise self.unexpected() if c else Unreadable("an unexpected end")
        return self.named()

    def list(self, body):
        """Rows of Julia end at a line or ";", its columns at blanks; other lists have commas."""
        rows, text = [], ""
        julia = self.dialect == "julia"
        if julia and (each := re.fullmatch(rf"(.*) for ({NAME}+) in (.*)", body, re.S)):
            return self.comprehension(*each.groups())
        for part, end in split_outside(body, ";,\n" if julia else ",", True):
            text += (" " if text else "") + part
            if not text or julia and end == "\n" and text[-1] in "+-*/^":
                continue
            row = [self.inner(column) for column in (julia_columns(text) if julia else [text])]
            text = ""
            first = row[0]
            if julia and len(row) == 1 and isinstance(first, list) and first and all(
                    isinstance(item, list) for item in first):
                rows += first  # [[1 2]; [3 4]] stands below each other
            else:
                rows.append(first if len(row) == 1 else row)
            if len(rows) > MOST_ENTRIES:
                raise Unreadable("a list of more than 10000 entries")
        return rows

    def quoted(self):
        """The number in a text."""
        body = self.take('"[^"]*"')
        if not body:
            raise Unreadable("a text that is not closed")
        return self.inner(body[1:-1])

    def comprehension(self, item, name, values):
        """x[i] for i in 1:n"""
        ends = [count_of(self.inner(end), MOST_ENTRIES) for end in split_outside(values, ":")]
        if len(ends) != 2:
            raise Unreadable("a range that is not first:last")
        return [Evaluator(item, self.dialect, dict(self.names, **{name: Fraction(i)}),
                          self.depth + 1).run() for i in range(ends[0], ends[1] + 1)]

    def named(self):
        name = self.take(rf"(?:{NAME}|\.)*")
        if name.startswith("√"):
            return combined("^", self.inner(name[1:]) if name[1:] else self.primary(),
                            Fraction(1, 2))
        while self.accept("->"):
            name += "->" + self.take(NAME + "*")
        if name == "big" and self.here() == '"':
            return self.quoted()
        if self.here() == "[" and name in TYPES:
            return self.list(self.bracket())
        if name in ("nothing", "NULL", "nullptr"):
            return []
        if name == "pi" and name not in self.names:
            return name
        head, _, method = name.rpartition(".")
        if self.dialect == "python" and self.peek() == "(" and method in ("astype", "copy"):
            if head in self.names:
                self.bracket()
                return self.known(head)
        if self.here() == "{":
            self.bracket()  # the type of a Julia constructor
        if self.here() == "(":
            if self.dialect == "c" and isinstance(self.names.get(name), list):  # Eigen's x.A( 1, 0 )
                return self.element(self.names[name], split_outside(self.bracket(), ","))
            return self.called(method, [a for a in split_outside(self.bracket(), ",") if a])
        return self.known(name)

    def known(self, name):
        if name not in self.names:
            raise NoLiteral(f'"{printable(name)}" is no literal')
        value = self.names[name]
        if isinstance(value, Unreadable):
            raise Unreadable(str(value))
        return value

    def called(self, name, arguments):
        if name in ("one", "zero"):
            return Fraction(name == "one")
        if not arguments:
            raise NoLiteral("the call of " + name)
        if name in ("zeros", "Zero", "ones", "fill", "Matrix", "Vector"):
            return self.filled(name, arguments)
        if name not in ROOTS.keys() | SAME | {"PetscSqr", "cos", "sin", "cospi", "size", "sum", "inv"}:
            raise NoLiteral(f'the function "{printable(name)}" is not read')
        if name == "sum" and arguments[1:] == ["dims = 2"]:
            return row_sums(self.inner(arguments[0]))
        if name == "size" and len(arguments) == 2 and arguments[1] == "1":
            return Fraction(len(self.inner(arguments[0])))
        last = self.inner(arguments[-1])
        if name in ROOTS:
            return combined("^", last, Fraction(1, ROOTS[name]))
        if name in ("cos", "sin", "cospi"):
            return f"cos(pi*({last}))" if name == "cospi" else f"{name}({last})"
        if name == "inv" and not isinstance(last, list):
            return combined("/", Fraction(1), last)
        if name == "inv":
            raise Unreadable("the inverse of a matrix")
        if name == "PetscSqr":
            return combined("*", last, last)
        if name == "Rational" and len(arguments) == 2:
            return combined("/", self.inner(arguments[0]), last)
        return last

    def filled(self, name, arguments):
        """zeros(T, 3, 3), zeros((3, 3)), fill(1//2, 1, 1), Matrix{T}(undef, 1, 1)"""
        sizes = []
        for text in arguments[1:] if name == "fill" else arguments:
            if text in TYPES | {"undef", "BigFloat"}:
                continue
            value = self.inner(f"[{text[1:-1]}]" if text.startswith("(") else text)
            sizes += [count_of(item, MOST_ENTRIES)
                      for item in (value if isinstance(value, list) else [value])]
        if not 1 <= len(sizes) <= 2:
            raise Unreadable("a list of unknown size")
        value = self.inner(arguments[0]) if name == "fill" else Fraction(name == "ones")
        return filled(value, *sizes)

    def index(self, text, size):
        """First, last (one behind) and whether it is one position and no slice."""
        names = dict(self.names, end=Fraction(size))
        base = 1 if self.dialect == "julia" else 0

        def at(part, without):
            if not part:
                return without
            value = Evaluator(part, self.dialect, names).run()
            if self.dialect == "python" and isinstance(value, Fraction) and value < 0:
                value += size
            return count_of(value, size + base)

        parts = split_outside(text, ":")
        if len(parts) > 2:
            raise Unreadable("a slice with steps")
        first = at(parts[0], base) - base
        if first < 0:
            raise Unreadable("an index below 1")
        last = first + 1 if len(parts) == 1 else at(parts[-1], size)
        if last > size or first > last:
            raise Unreadable("an index outside the list")
        return first, last, len(parts) == 1

    def element(self, value, where):
        if not where:
            return value
        if not isinstance(value, list):
            raise Unreadable("an index of what is no list")
        first, last, one = self.index(where[0], len(value))
        items = [self.element(item, where[1:]) for item in value[first:last]]
        return items[0] if one else items

    def stored(self, target, where, value):
        """`target` with `value` in its place."""
        if not where:  # A[1] of a Julia matrix of one entry
            if isinstance(target, list) and not isinstance(value, list) and len(target) == 1:
                return [self.stored(target[0], where, value)]
            return value
        if not isinstance(target, list):
            raise Unreadable("an index of what is no list")
        first, last, one = self.index(where[0], len(target))
        each = not one and isinstance(value, list)
        if each and len(value) != last - first:
            raise Unreadable("a list of another length than its place")
        out = list(target)
        for i in range(first, last):
            out[i] = self.stored(out[i], where[1:], value[i - first] if each else value)
        return out


def printable(text):
    shown = "".join(chr(b) if 32 <= b < 127 else f"\\x{b:02x}" for b in text.encode()[:40])
    return shown + ("..." if len(text.encode()) > 40 else "")


def filled(value, rows, columns=0):
    return [filled(value, columns) if columns else value for _ in range(rows)]


def julia_columns(row):
    """"1 // 9 (-1 - x) / 18 -2" has three: a blank ends a column unless an operator stands on both
    of its sides or none."""
    columns, at = [""], 0
    while at < len(row):
        c = row[at]
        if c in "([\"":
            end = row.find('"', at + 1) if c == '"' else closing(row, at)
            if end < 0:
                raise Unreadable("a bracket that is not closed")
            columns[-1] += row[at:end + 1]
            at = end + 1
        elif c not in " \t":
            columns[-1] += c
            at += 1
        else:
            at += len(row) - at - len(row[at:].lstrip(" \t"))
            if at == len(row):
                break
            after = columns[-1][-1:] in tuple("+-*/^=")
            before = row[at] in "+-*/^="
            sign = before and row[at + 1:at + 2] not in ("", " ", "/")
            if not after and (not before or sign) and columns[-1]:
                columns.append("")
    return columns
