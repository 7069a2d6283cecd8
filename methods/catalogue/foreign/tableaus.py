"""Tableaus as other programs state them in their sources, as JSON on standard output.

    python3 tableaus.py FILE

  .def .c .h   SUNDIALS' arkode_butcher_*.def, PETSc's rk.c and arkimex.c
  .jl          OrdinaryDiffEq and DiffEqDevTools, RungeKutta.jl; numbers that its functions take
               from a file in the same folder, *tableaus.jl, are looked for there
  .py          nodepy

One object each: name, line, then either "unreadable", the reason, or A, b, c, b_hat as texts of
exact expressions and claims. A value set in a loop or under a condition, or by a function that
values.py does not list, is unreadable.
"""
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

from statements import NAME, Statements, closing, split_outside
from values import Evaluator, NoLiteral, Unreadable, assign, combined, count_of, filled

MOST_STAGES = 100


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
