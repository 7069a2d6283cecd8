"""Tableaus as other programs state them in their sources, as JSON on standard output.

    python3 foreign_tableaus.py FILE

  .def .c .h   SUNDIALS' arkode_butcher_*.def, PETSc's rk.c and arkimex.c
  .jl          OrdinaryDiffEq and DiffEqDevTools, RungeKutta.jl; numbers that its functions take
               from a file in the same folder, *tableaus.jl, are looked for there
  .py          nodepy
  .txt         rows of A, then b, then b_hat if any

One object each: name, line, then either "unreadable", the reason, or A, b, c, b_hat as texts of
exact expressions and claims. Nothing is executed: a value set in a loop or under a condition, or by
a function that is not listed here, is unreadable. Numbers are the Fraction they are, or text where
roots or decimals of more than three places are in them; lists are lists.
"""
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

NAME = r"[A-Za-z0-9_\u0080-\U0010ffff]"
MOST_ENTRIES, MOST_STAGES, LONGEST_EXPRESSION = 1000, 100, 9000


class Unreadable(Exception):
    """The value cannot be told from the source."""


class NoLiteral(Unreadable):
    """... because a name in it is none that was set."""


# ---- Values -------------------------------------------------------------------------------------

def written(text):
    """A literal: short decimals are the fractions they read as, longer ones stay text."""
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
    if exponent.denominator != 1 or abs(exponent) > 100:
        raise Unreadable("a power that is neither 1/2 nor an integer up to 100")
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


# ---- Texts --------------------------------------------------------------------------------------

def string_end(text, at):
    """Of the string that begins at `at`: its closing quote, or the end of the line."""
    end = re.compile(r"(?:\\.|[^\\\n%s])*" % text[at], re.S).match(text, at + 1).end()
    return min(end, len(text) - 1)


def closing(text, at):
    """Where the bracket that opens at `at` closes, or -1."""
    depth = 0
    for found in re.compile(r'["()\[\]{}]').finditer(text, at):
        if found.start() < at:
            continue
        c, at = found[0], found.start() + 1
        if c == '"':
            at = string_end(text, at - 1) + 1
        elif c in "([{":
            depth += 1
        else:
            depth -= 1
            if depth == 0:
                return found.start()
    return -1


def split_outside(text, separators, with_ends=False):
    """The stripped parts between separators that stand in no bracket and no string."""
    parts, start, at = [], 0, 0
    special = re.compile("[%s\"'(\\[{]" % re.escape(separators))
    while found := special.search(text, at):
        c, at = found[0], found.start() + 1
        if c in separators:
            parts.append((text[start:at - 1].strip(), c))
            start = at
        elif c in "\"'":
            at = string_end(text, at - 1) + 1
        else:
            end = closing(text, at - 1)
            at = end + 1 if end >= 0 else at
    parts.append((text[start:].strip(), ""))
    return parts if with_ends else [part for part, _ in parts]


COMMENTS = {
    "c": r"/\*.*?(?:\*/|\Z)|//[^\n]*",
    "julia": r'#=.*?(?:=#|\Z)|#[^\n]*|""".*?(?:"""|\Z)',
    "python": r"#[^\n]*|\"\"\".*?(?:\"\"\"|\Z)|'''.*?(?:'''|\Z)"}


def without_comments(text, dialect):
    quotes = '"' if dialect == "julia" else "\"'"
    pattern = re.compile(COMMENTS[dialect] + "|[%s]" % quotes, re.S)
    out, at = [], 0
    while found := pattern.search(text, at):
        end = found.end()
        if found[0] in ('"', "'"):
            end = string_end(text, found.start()) + 1
            out.append(text[at:end])
        else:
            out.append(text[at:found.start()] + re.sub(r"[^\n]", " ", found[0]))
        at = end
    return "".join(out) + text[at:]


def expanded(text, macros, active=()):
    def word(found):
        name = found[0]
        if name not in macros or name in active:
            return name
        return expanded(macros[name], macros, active + (name,))
    return re.sub(NAME + "+", word, text)


def preprocessed(text):
    """Macros without arguments replaced; what stands under #if 0 is dropped, of other conditions
    both branches stay."""
    macros, dropped, out, directive = {}, [], [], ""
    for line in text.split("\n"):
        line = line.strip()
        if not line.startswith("#") and not directive:
            out.append("" if any(dropped) else expanded(line, macros))
            continue
        out.append("")
        directive += line
        if directive.endswith("\\"):
            directive = directive[:-1] + " "
            continue
        word, rest = re.fullmatch(r"#\s*(\w*)(.*)", directive, re.S).groups()
        rest, directive = rest.strip(), ""
        if word.startswith("if"):
            dropped.append(word == "if" and rest == "0")
        elif word.startswith("else") and dropped:
            dropped[-1] = False
        elif word.startswith("endif") and dropped:
            dropped.pop()
        if any(dropped):
            continue
        name = re.match(NAME + "*", rest)[0]
        if word == "undef":
            macros.pop(name, None)
        if word == "define" and not rest[len(name):].startswith("("):
            macros[name] = rest[len(name):].strip()
    return "\n".join(out)


CONDITIONS = set("if for while else elseif elif switch do try with catch except let case".split())
BLOCKS = set("function struct module begin macro quote mutable baremodule".split())


class Statement:
    def __init__(self, line, text, conditional, opens_scope):
        self.line, self.text = line, text
        self.conditional = conditional  # it stands in a loop or under a condition
        self.opens_scope = opens_scope  # a function begins: what was set before is forgotten


class Statements:
    """A source as a list of statements; line breaks stay: rows of a Julia matrix end there."""

    def __init__(self, text, dialect):
        text = without_comments(text, dialect)
        if dialect == "c":
            text = preprocessed(text)
        if dialect == "python":
            text = text.replace("\\\n", " \n")
        if dialect == "julia":  # "./" divides entry by entry, as every operator does here
            text = re.sub(r"\.(?=[*/+\-^])", " ", text)
        self.text, self.dialect, self.out = text, dialect, []
        self.start, self.line, self.scope = 0, 1, False
        self.blocks, self.indents = [], []  # blocks: whether each is a loop or a condition

    def run(self):
        special = re.compile("[\"';{}]" if self.dialect == "c" else "[\"'(\\[{\n;]")
        at = 0
        while found := special.search(self.text, at):
            c, at = found[0], found.start()
            if c == '"' or c == "'" and self.dialect != "julia":
                at = string_end(self.text, at)
            elif self.dialect == "c":
                at = self.brace(c, at)
            elif c in "([{":
                end = closing(self.text, at)
                at = end if end >= 0 else at
            elif c == "\n" and not self.continues(at) or c == ";" and self.dialect == "julia":
                self.finish(at)
            at += 1
        self.finish(len(self.text))
        return self.out

    def continues(self, at):
        return self.text[self.start:at].strip()[-1:] in tuple("+-*/=,\\")

    def brace(self, c, at):
        """In C a brace behind "=" begins a list, others begin and end blocks."""
        if c == "{":
            before = self.text[self.start:at].strip()
            if before.endswith("="):
                end = closing(self.text, at)
                return end if end >= 0 else at
            self.finish(at)
            self.blocks.append(re.match(NAME + "*", before)[0] in CONDITIONS)
        else:
            self.finish(at)
            if c == "}":
                if self.blocks:
                    self.blocks.pop()
                self.scope = self.scope or not self.blocks
        return at

    def finish(self, end):
        raw = self.text[self.start:end]
        body = raw.strip()
        while self.dialect == "c" and body.startswith(")"):  # of a macro around a block
            body = body[1:].strip()
        lead = len(raw.rstrip()) - len(body) if body else len(raw)
        self.line += raw.count("\n", 0, lead)
        line = self.line
        self.line += self.text.count("\n", self.start + lead, end + 1)
        self.start = min(end + 1, len(self.text))
        if not body:
            return
        word = re.match(NAME + "*", body)[0]
        opens = self.scope or word in ("function", "def")
        self.scope = False
        indent = lead - (raw[:lead].rfind("\n") + 1)
        conditional = self.conditional(word, indent) or word in CONDITIONS
        self.out.append(Statement(line, body, conditional, opens))

    def conditional(self, word, indent):
        if self.dialect == "python":
            while self.indents and indent <= self.indents[-1]:
                self.indents.pop()
            if word in CONDITIONS:
                self.indents.append(indent)
            return bool(self.indents)
        inside = any(self.blocks)
        if self.dialect == "julia":
            if word in BLOCKS or word in CONDITIONS - {"else", "elseif", "catch"}:
                self.blocks.append(word in CONDITIONS)
            if word == "end" and self.blocks:
                self.blocks.pop()
        return inside


# ---- Expressions --------------------------------------------------------------------------------

ROOTS = {"sqrt", "SUNRsqrt", "PetscSqrtReal"}
SAME = set("RC SUN_RCONST PetscRealConstant convert BigInt big BigFloat map array squeeze T Rational "
           "T_time T2 float copy collect asarray".split())
TYPES = {"T", "T2", "T_time"}


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
            value = written(self.take(r"[0-9.]*(?:[eE][+-]?[0-9]+)?"))
            if self.dialect != "julia":
                self.take("[LfF]*")
            elif re.match(NAME + r"|\(", self.here()):
                value = combined("*", value, self.postfix(self.primary()))
            return value
        if c == "(":
            return self.inner(self.bracket())
        if c and c in "[{":
            return self.list(self.bracket())
        if c == "@" and self.accept("@big"):
            return self.primary()
        if not c or not re.match(NAME, c):
            raise self.unexpected() if c else Unreadable("an unexpected end")
        return self.named()

    def list(self, body):
        """Rows of Julia end at a line or ";", its columns at blanks; other lists have commas."""
        rows, text = [], ""
        julia = self.dialect == "julia"
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
                raise Unreadable("a list of more than 1000 entries")
        return rows

    def named(self):
        name = self.take(rf"(?:{NAME}|\.)*")
        if name.startswith("√"):
            return combined("^", self.inner(name[1:]) if name[1:] else self.primary(),
                            Fraction(1, 2))
        while self.accept("->"):
            name += "->" + self.take(NAME + "*")
        if name == "big" and self.here() == '"':
            body = self.take('"[^"]*"')
            if not body:
                raise Unreadable("a text that is not closed")
            return self.inner(body[1:-1])
        if self.here() == "[" and name in TYPES:
            return self.list(self.bracket())
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
        if name in ("zeros", "ones", "fill", "Matrix", "Vector"):
            return self.filled(name, arguments)
        if name not in ROOTS | SAME | {"PetscSqr", "cos", "sin"}:
            raise NoLiteral(f'the function "{printable(name)}" is not read')
        last = self.inner(arguments[-1])
        if name in ROOTS:
            return combined("^", last, Fraction(1, 2))
        if name in ("cos", "sin"):
            return f"{name}({last})"
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


def assign(names, statement, dialect):
    """Keeps what an assignment sets; other statements are passed over."""
    if statement.opens_scope:
        names.clear()
    sides = split_outside(statement.text, "=")
    if len(sides) != 2 or not sides[0]:
        return
    target, value = sides
    # Of "const PetscReal A[2][2]" and "B->A[1][0]" the name begins behind the last blank.
    head, bracket, _ = target.partition("[")
    words = re.split(r"[ \t\n*)]", head.strip())
    name, declared = words[-1], len(words) > 1 and dialect == "c"
    if not re.fullmatch(rf"(?:{NAME}|[->.])+", name):
        return
    try:
        if statement.conditional:
            raise Unreadable("set in a loop or under a condition")
        evaluator = Evaluator(value, dialect, names)
        found = evaluator.run()
        where, at = [], len(head) if bracket and not declared else len(target)
        while at < len(target):
            end = closing(target, at)
            if target[at] != "[" or end < 0:
                raise Unreadable("a place that is not read")
            where += split_outside(target[at + 1:end], ",")
            at = end + 1
        known = names.setdefault(name, Fraction(0))
        if not where:
            names[name] = found
        elif not isinstance(known, Unreadable):
            names[name] = evaluator.stored(known, where, found)
    except Unreadable as reason:
        if not isinstance(names.get(name), Unreadable):
            names[name] = Unreadable(f"line {statement.line}: {reason}")


# ---- Tableaus -----------------------------------------------------------------------------------

def entries(values, size, what):
    if isinstance(values, list) and len(values) == 1 and isinstance(values[0], list):
        return entries(values[0], size, what)  # a row where a list is due
    if not isinstance(values, list) or len(values) != size:
        raise Unreadable(f"{what} is no list of {size} entries")
    if any(isinstance(value, list) for value in values):
        raise Unreadable(what + " holds lists")
    return [str(value) for value in values]


def row_sums(A):
    sums = []
    for row in A:
        sums.append(Fraction(0))
        for entry in row if isinstance(row, list) else []:
            sums[-1] = combined("+", sums[-1], entry)
    return sums


def tableau_of(A, b, c, b_hat):
    """b and c may be missing: the last row of A, the row sums."""
    if not isinstance(A, list):
        A = [A]
    if len(A) == 1 and not isinstance(A[0], list):
        A = [A]
    s = len(A)
    if not 1 <= s <= MOST_STAGES:
        raise Unreadable("a matrix of no or more than 100 stages")
    out = {"A": [entries(row, s, "a row of A") for row in A],
           "b": entries(A[-1] if b is None else b, s, "b"),
           "c": entries(row_sums(A) if c is None else c, s, "c")}
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


def call(names, dialect, suffix="", name=None, order=None, A=None, b=None, c=None, b_hat=None,
         embedded_order=None, difference=False, other_b=None, other_A=None):
    """Where the parts of a tableau stand among the arguments of a call: a position or a keyword.
    `difference`: b_hat - b is given; a missing b is other_b, or the last row of other_A."""
    return dict(locals(), names=names.split())


CALLS = [
    call("TSRKRegister TSDIRKRegister", "c", "", 0, 1, 3, 4, 5, 6),
    call("TSARKIMEXRegister", "c", "_im", 0, 1, 3, 4, 5, 9),
    call("TSARKIMEXRegister", "c", "_ex", 0, 1, 6, 7, 8, 10, other_b=4, other_A=3),
    call("ExplicitRKTableau ImplicitRKTableau", "julia", "", None, 3, 0, 2, 1, "αEEst",
         "adaptiveorder"),
    call("ESDIRKIMEXTableau", "julia", "_im", None, 8, 0, 1, 4, 5, difference=True),
    call("ESDIRKIMEXTableau", "julia", "_ex", None, 8, 2, 3, "ce", 6, difference=True),
    call("_pure_esdirk_to_imex_tableau", "julia", "", None, 3, 0, None, 1, 2, difference=True),
    call("Tableau{T}", "julia", "", 0, 1, 2, 3, 4),
    call("ExplicitRungeKuttaPair", "python", "", "shortname", "order", (0, "A"), (1, "b"), None,
         (2, "bhat")),
    call("ExplicitRungeKuttaMethod RungeKuttaMethod", "python", "", "shortname", "order", (0, "A"),
         (1, "b"))]


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


class Reader:
    def __init__(self, text, dialect, structs):
        self.text, self.dialect, self.structs = text, dialect, structs
        self.names, self.found = {}, []
        self.function, self.embedded = "", False  # in which we are, or the block of SUNDIALS
        # "ARKODE_NAME  SDIRK  Y  N  Y": A- and L-stable, from the list at the head of the file
        row = r"(ARKODE_\w+)[*^]*[ \t]+E?SDIRK[ \t]+([YN])[ \t]+([YN])"
        self.flags = {name: (a == "Y", l == "Y") for name, a, l in re.findall(row, text)}

    def run(self):
        for statement in Statements(self.text, self.dialect).run():
            words = statement.text
            if words.startswith("function "):
                self.function = re.match(NAME + "*", words[9:])[0]
            if self.dialect == "c":
                self.butcher_table(statement)
            if not self.take_struct(words):
                assign(self.names, statement, self.dialect)
            if not words.startswith(("function ", "def ", "class ", "struct ")):
                for known in CALLS:
                    for name in known["names"] if known["dialect"] == self.dialect else []:
                        self.read(known, name, statement)
        return self.found

    def take_struct(self, words):
        """"tab = NAME(T, T2)": whether NAME is a struct."""
        sides = split_outside(words, "=") if self.structs else []
        made = re.match(NAME + "*", sides[1])[0] if len(sides) == 2 else None
        if made not in self.structs:
            return False
        for name, value in self.structs[made].items():
            self.names[f"{sides[0]}.{name}"] = value
        return True

    def keep(self, name, statement, parts):
        out = {"name": name, "line": statement.line, "claims": {}}
        try:
            if statement.conditional:
                raise Unreadable("it stands in a loop or under a condition")
            parts(out)
        except NoLiteral:
            return  # made of the arguments of a function: no tableau is stated here
        except Unreadable as reason:
            out["unreadable"] = str(reason)
        if "b_hat" not in out:
            out["claims"].pop("embedded_order", None)
        self.found.append(out)

    def evaluate(self, word):
        return Evaluator(word, self.dialect, self.names).run()

    def value(self, word):
        found = self.evaluate(word) if word else None
        return None if found == [] else found

    def claim(self, out, key, word):
        if not word:
            return
        value = self.evaluate(word)
        if not isinstance(value, Fraction) or value.denominator != 1 or not 0 <= value <= 200:
            raise Unreadable("an order that is no number from 0 to 200")
        out["claims"][key] = int(value)

    def butcher_table(self, statement):
        words = statement.text
        if opening := re.match(rf"ARK_BUTCHER_TABLE\(({NAME}*)", words):
            self.function = opening[1]
            self.names.clear()
        if "ARKodeButcherTable_Alloc(" in words and self.function:
            arguments = Words(words.partition("ARKodeButcherTable_Alloc(")[2])
            try:
                s = count_of(self.evaluate(arguments.at(0)), 200)
                self.names["B->A"] = filled(Fraction(0), s, s)
                for part in "bcd":
                    self.names["B->" + part] = filled(Fraction(0), s)
                self.embedded = "SUNTRUE" in words
            except Unreadable:
                self.function = ""  # another use of the allocation
        if words != "return B" or not self.function:
            return

        def parts(out):
            self.claim(out, "order", "B->q")
            if self.embedded:
                self.claim(out, "embedded_order", "B->p")
            if self.function in self.flags:
                out["claims"]["A_stable"], out["claims"]["L_stable"] = self.flags[self.function]
            out.update(tableau_of(self.evaluate("B->A"), self.value("B->b"), self.value("B->c"),
                                  self.value("B->d") if self.embedded else None))
        self.keep(self.function, statement, parts)
        self.function = ""

    def read(self, places, call_name, statement):
        words = statement.text
        at = words.find(call_name + "(")
        if at < 0 or at > 0 and re.match(NAME, words[at - 1]):
            return
        opening = at + len(call_name)
        end = closing(words, opening)
        if end < 0:
            return
        arguments = Words(words[opening + 1:end])
        shu_osher = "alpha" in arguments.keywords
        method = re.match(r"RK\[(.*?)\]", words)
        generator = self.dialect == "python" and not method
        if any("::" in word for word in arguments.positional) or generator or not (
                arguments.at(places["A"]) or shu_osher):
            return
        name = arguments.at(places["name"])
        if self.dialect == "python":
            name = method[1]
        name = re.sub("[\"':]", "", name or self.function)
        if self.dialect == "python" and name.startswith("u"):
            name = name[1:]

        def parts(out):
            b = self.value(arguments.at(places["b"]))
            if shu_osher:
                beta, alpha = (self.evaluate(arguments.keywords[k]) for k in ("beta", "alpha"))
                A = butcher_form(alpha, beta)
                b = A.pop()
            else:
                A = self.evaluate(arguments.at(places["A"]))
            if not isinstance(A, list) or not A:
                raise NoLiteral("a method without this part")
            if b is None:
                b = self.value(arguments.at(places["other_b"]))
            if b is None:
                other = self.value(arguments.at(places["other_A"]))
                b = other[-1] if isinstance(other, list) else A[-1]
            if is_zero(A) and is_zero(b):
                raise NoLiteral("a method without this part")
            b_hat = self.value(arguments.at(places["b_hat"]))
            if b_hat is not None and places["difference"]:
                b_hat = combined("+", b, b_hat)
            self.claim(out, "order", arguments.at(places["order"]))
            self.claim(out, "embedded_order", arguments.at(places["embedded_order"]))
            if self.dialect == "python":
                claims_in(out["claims"], arguments)
            out.update(tableau_of(A, b, self.value(arguments.at(places["c"])), b_hat))
        self.keep(name + places["suffix"], statement, parts)


def claims_in(claims, arguments):
    """nodepy states orders in names and descriptions: "RK5(4)7", "2nd-order, L-stable"."""
    for keyword in ("name", "description"):
        text = arguments.at(keyword)
        if pair := re.search(r"(\d+)\((\d+)\)", text):
            claims["order"], claims["embedded_order"] = int(pair[1]), int(pair[2])
        if order := re.search(r"(\d)(st|nd|rd|th)[- ]order", text):
            claims["order"] = int(order[1])
        if "-stable" in text and re.search("L-[sS]table", text):
            claims["L_stable"] = True


def add_structs(text, structs):
    """What functions of Julia that return a struct of numbers have set by then; of two of one name
    the last, which is that for any type of numbers."""
    names, function = {}, ""
    for statement in Statements(text, "julia").run():
        assign(names, statement, "julia")
        if statement.text.startswith("function "):
            function = re.match(NAME + "*", statement.text[9:])[0]
        if statement.text.startswith("return ") and function:
            structs[function] = dict(names)


DIALECTS = {".def": "c", ".c": "c", ".h": "c", ".jl": "julia", ".py": "python"}


def text_of(file):
    return file.read_bytes().decode(errors="surrogateescape")


def tableaus_of(file):
    text, dialect = text_of(file), DIALECTS[file.suffix]
    found = Reader(text, dialect, {}).run()
    if dialect != "julia" or all("unreadable" not in one for one in found):
        return found
    structs = {}
    for other in sorted(file.parent.glob("*tableaus.jl")) + [file]:
        add_structs(text_of(other), structs)
    return Reader(text, dialect, structs).run()


if __name__ == "__main__":
    sys.setrecursionlimit(10000)
    json.dump(tableaus_of(Path(sys.argv[1])), sys.stdout)
