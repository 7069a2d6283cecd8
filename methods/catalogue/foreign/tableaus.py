"""Tableaus as other programs state them in their sources, as JSON on standard output.

    python3 tableaus.py FILE

  .def .c .h .cpp .hpp   SUNDIALS' arkode_butcher_*.def, PETSc's rk.c and arkimex.c, OpenModelica's
                         gbode_tableau.c, tudat's rungeKuttaCoefficients.cpp, steppers of odeint
  .jl                    OrdinaryDiffEq and DiffEqDevTools, RungeKutta.jl, Theseus; numbers that its
                         functions take from a file in the same folder, *tableaus.jl, are looked
                         for there
  .py                    nodepy, diffrax, daceypy

One object each: name, line, then either "unreadable", the reason, or kind and its parts as texts of
exact expressions, and claims. A value set in a loop or under a condition, or by a function that
values.py does not list, is unreadable. So is a function whose numbers are no method of these kinds.
"""
import json
import re
import sys
from fractions import Fraction
from pathlib import Path

from assignments import Names, assign
from forms import (CALLS, OTHER_KINDS, Words, butcher_form, is_zero, other_kind, structured,
                   tableau_of)
from numbered import listed_tableaus, numbered_tableau
from statements import NAME, Statements, closing, split_outside
from values import Evaluator, NoLiteral, Unreadable, combined, count_of, filled

FUNCTION = {  # where one begins, and its name
    "c": re.compile(r"(?:template\s*<[^()]*>\s*)?(?:(?:struct|class)\s+(\w+)\s*(?=:|<|$)|"
                    r"(?:[\w:]+[\s&*]+)+(\w+)\([^;=]*\)$)", re.S),
    "julia": re.compile(rf"function (?:RKTableau\(alg::)?({NAME}+)"),
    "python": re.compile(rf"def __init__|(?:def|class) ({NAME}+)")}


class Reader:
    def __init__(self, text, dialect, structs):
        self.text, self.dialect, self.structs = text, dialect, structs
        self.names, self.found, self.arrays = Names(), [], {}
        self.function, self.begins = "", None  # in which we are, and where it begins
        self.block, self.embedded = "", False  # of SUNDIALS
        # "ARKODE_NAME  SDIRK  Y  N  Y": A- and L-stable, from the list at the head of the file
        row = r"(ARKODE_\w+)[*^]*[ \t]+E?SDIRK[ \t]+([YN])[ \t]+([YN])"
        self.flags = {name: (a == "Y", l == "Y") for name, a, l in re.findall(row, text)}

    def run(self):
        for statement in Statements(self.text, self.dialect).run():
            self.enter(statement)
            words = statement.text
            if self.dialect == "c":
                self.butcher_table(statement)
            if not self.take_struct(words):
                assign(self.names, statement, self.dialect)
            if not words.startswith(("function ", "def ", "class ", "struct ")):
                for known in CALLS:
                    for name in known["names"] if known["dialect"] == self.dialect else []:
                        self.read(known, name, statement)
                for name in OTHER_KINDS if self.dialect == "julia" else []:
                    self.read_other(name, statement)
        self.leave()
        for name, line, values in listed_tableaus(self.arrays):
            self.keep(name, line, lambda out: out.update(tableau_of(*values())))
        return self.found + list(additive_pairs(self.found))

    def enter(self, statement):
        """A function or a class begins, what came before ends."""
        begins = statement.top and FUNCTION[self.dialect].match(statement.text)
        if not begins and not statement.opens_scope:
            return
        self.leave()
        if statement.opens_scope:
            self.names.forget()
        if begins:
            self.function = begins[begins.lastindex] if begins.lastindex else self.function
            self.begins = statement if self.dialect == "c" or statement.opens_scope else None
        if array := begins and re.search(r"array<[^<>]*,\s*(\d+)\s*>$", statement.text):
            self.names["this"] = filled(Fraction(0), count_of(Fraction(array[1]), 100))

    def leave(self):
        """A function ends: if it states no tableau, it may have set numbers that are one."""
        begins, self.begins = self.begins, None
        if begins is None or any(one["line"] >= begins.line for one in self.found):
            return
        if "this" in self.names:
            self.arrays[self.function] = begins.line, self.names.pop("this")
            return

        def parts(out):
            if structure := structured(self.names):
                of, claims = structure
                out["claims"] = {key: int(value) for key, value in claims.items()}
                out.update(tableau_of(**of))
            elif self.dialect == "python":
                raise NoLiteral("numbers of a function of Python")
            else:
                out.update(tableau_of(*numbered_tableau(self.names)))
        self.keep(self.function, begins.line, parts, begins.unsure)

    def take_struct(self, words):
        """"tab = NAME(T, T2)": whether NAME is a struct."""
        sides = split_outside(words, "=") if self.structs else []
        made = re.match(NAME + "*", sides[1])[0] if len(sides) == 2 else None
        if made not in self.structs:
            return False
        for name, value in self.structs[made].items():
            self.names[f"{sides[0]}.{name}"] = value
        return True

    def keep(self, name, line, parts, conditional=False):
        out = {"name": name, "line": line, "claims": {}}
        try:
            if conditional:
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
            self.block = opening[1]
            self.names.clear()
        if "ARKodeButcherTable_Alloc(" in words and self.block:
            arguments = Words(words.partition("ARKodeButcherTable_Alloc(")[2])
            try:
                s = count_of(self.evaluate(arguments.at(0)), 200)
                self.names["B->A"] = filled(Fraction(0), s, s)
                for part in "bcd":
                    self.names["B->" + part] = filled(Fraction(0), s)
                self.embedded = "SUNTRUE" in words
            except Unreadable:
                self.block = ""  # another use of the allocation
        if words != "return B" or not self.block:
            return

        def parts(out):
            self.claim(out, "order", "B->q")
            if self.embedded:
                self.claim(out, "embedded_order", "B->p")
            if self.block in self.flags:
                out["claims"]["A_stable"], out["claims"]["L_stable"] = self.flags[self.block]
            out.update(tableau_of(self.evaluate("B->A"), self.value("B->b"), self.value("B->c"),
                                  self.value("B->d") if self.embedded else None))
        self.keep(self.block, statement.line, parts, statement.unsure)
        self.block = ""

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
        method = re.match(rf"RK\[(.*?)\]|({NAME}+) = ButcherTableau\(", words)
        generator = self.dialect == "python" and not method
        if any("::" in word for word in arguments.positional) or generator or not (
                arguments.at(places["A"]) or shu_osher):
            return
        name = arguments.at(places["name"])
        if self.dialect == "python":
            name = method[method.lastindex]
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
                b_hat = combined(places["difference"], b, b_hat)
            for key in ("order", "embedded_order"):
                word = places[key] if places[key] in self.names else arguments.at(places[key])
                if not isinstance(self.names.get(word), Unreadable):
                    self.claim(out, key, word)
            if self.dialect == "python":
                claims_in(out["claims"], arguments)
            diagonal = self.value(arguments.at(places["diagonal"]))
            out.update(tableau_of(A, b, self.value(arguments.at(places["c"])), b_hat, diagonal))
        self.keep(name + places["suffix"], statement.line, parts, statement.unsure)

    def read_other(self, call_name, statement):
        found = re.search(rf"(?<!{NAME}){call_name}(?:{{.*?}})?\(", statement.text)
        if not found or (end := closing(statement.text, found.end() - 1)) < 0:
            return
        arguments, (kind, places) = Words(statement.text[found.end():end]), OTHER_KINDS[call_name]

        def parts(out):
            given = {key: self.value(arguments.at(place)) for key, place in places.items()}
            out.update(other_kind(kind, {k: v for k, v in given.items() if v is not None}))
        self.keep(self.function, statement.line, parts, statement.unsure)


def additive_pairs(found):
    """Both parts of an implicit-explicit method with the same nodes as one method, which has
    conditions that couple them."""
    parts = {(one["name"], one["line"]): one for one in found if "unreadable" not in one}
    for (name, line), implicit in parts.items():
        explicit = parts.get((name[:-3] + "_ex", line))
        if not name.endswith("_im") or explicit is None or implicit["c"] != explicit["c"]:
            continue
        both = {"name": name[:-3], "line": line, "kind": "additive", "c": implicit["c"],
                "claims": dict(implicit["claims"])}
        for key in ("A", "b", "b_hat") if "b_hat" in implicit and "b_hat" in explicit else "Ab":
            both[key + "_implicit"], both[key + "_explicit"] = implicit[key], explicit[key]
        if "b_hat_implicit" not in both:
            both["claims"].pop("embedded_order", None)
        yield both


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
    names, function = Names(), ""
    for statement in Statements(text, "julia").run():
        if statement.opens_scope:
            names.forget()
        assign(names, statement, "julia")
        if statement.text.startswith("function "):
            function = re.match(NAME + "*", statement.text[9:])[0]
        if statement.text.startswith("return ") and function:
            structs[function] = dict(names)


DIALECTS = {".jl": "julia", ".py": "python"}  # others: C


def text_of(file):
    return file.read_bytes().decode(errors="surrogateescape")


def tableaus_of(file):
    text, dialect = text_of(file), DIALECTS.get(file.suffix, "c")
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
