"""What the assignments of a source set, kept until the next function begins."""
import re
from fractions import Fraction

from statements import NAME, closing, split_outside
from values import Evaluator, Unreadable


class Names(dict):
    """By name; what Julia declares as const outlives the function."""

    def __init__(self):
        super().__init__()
        self.constants = set()

    def forget(self):
        for name in [name for name in self if name not in self.constants]:
            del self[name]


def sides_of(statement, dialect):
    """Target and value of an assignment, or two empty texts."""
    if dialect == "julia" and (pushed := re.fullmatch(rf"push!\(({NAME}+), (.*)\)",
                                                      statement.text, re.S)):
        return f"{pushed[1]}[end+1]", pushed[2]
    sides = split_outside(statement.text, "=")
    if len(sides) != 2:
        return "", ""
    if dialect == "python":  # "x: type = value"
        sides[0] = split_outside(sides[0], ":")[0]
    if dialect == "c":  # Eigen's x.A( 1, 0 ) is x.A[1][0]
        sides[0] = sides[0].replace("(*this)", "this")
        if place := re.fullmatch(rf"([\w.>-]+)\(([^()]*)\)", sides[0]):
            sides[0] = place[1] + "".join(f"[{i.strip()}]" for i in place[2].split(","))
    return sides


def assign(names, statement, dialect):
    """Keeps what an assignment sets; other statements are passed over."""
    target, value = sides_of(statement, dialect)
    if not target:
        return
    # Of "const PetscReal A[2][2]" and "B->A[1][0]" the name begins behind the last blank.
    head, bracket, _ = target.partition("[")
    words = re.split(r"[ \t\n*)]", head.strip())
    name, declared = words[-1], len(words) > 1 and dialect == "c"
    if not re.fullmatch(rf"(?:{NAME}|[->.])+", name):
        return
    if words[0] == "const" and dialect == "julia":
        names.constants.add(name)
    try:
        if statement.conditional and not (declared and not statement.in_loop):
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
        if where == ["end+1"] and isinstance(known, list):
            names[name] = known + [found]
        elif not where:
            names[name] = found
        elif not isinstance(known, Unreadable):
            names[name] = evaluator.stored(known, where, found)
    except Unreadable as reason:
        if not isinstance(names.get(name), Unreadable):
            names[name] = Unreadable(f"line {statement.line}: {reason}")
