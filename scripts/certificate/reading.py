"""Strict reading: a number is written in one way, an object has the keys of its kind."""
import ast
import json
import re
from fractions import Fraction as Q


class Refused(Exception):
    """A statement that does not hold; its field stands first."""


def require(holds, statement):
    if not holds:
        raise Refused(statement)


def same(name, stated, derived):
    # As texts: Python takes True for 1.
    require(json.dumps(stated) == json.dumps(derived), f"{name}: derived {derived}")


def once(pairs):
    """An object whose keys are all different."""
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError(f"a key stands twice among {', '.join(key for key, _ in pairs)}")
    return found


def load(file):
    return json.loads(file.read_text(), object_pairs_hook=once)


def number(text, name):
    require(isinstance(text, str) and re.fullmatch(r"-?(0|[1-9]\d*)(/[1-9]\d*)?", text),
            f"{name}: no fraction")
    value = Q(text)
    require(str(value) == text, f"{name}: not in lowest terms")
    return value


def row(values, name, size=None):
    require(isinstance(values, list) and size in (None, len(values)), f"{name}: not the size")
    return [number(x, name) for x in values]


def poly(values, name):
    out = row(values, name)
    require(not out or out[-1] != 0, f"{name}: padded with zeros")
    return out


def square(values, name, size):
    require(isinstance(values, list) and len(values) == size, f"{name}: not square")
    return [row(x, name, size) for x in values]


def keys(value, name, wanted):
    require(isinstance(value, dict) and sorted(value) == sorted(wanted), f"{name}: other keys")


def expression(text, name):
    """A fraction as tableau files write it: + - * / ^ of integers."""
    def value(node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Q(node.value)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, (ast.USub, ast.UAdd)):
            return value(node.operand) * (-1 if isinstance(node.op, ast.USub) else 1)
        if isinstance(node, ast.BinOp):
            a, b = value(node.left), value(node.right)
            if isinstance(node.op, ast.Pow):
                require(b.denominator == 1 and abs(b) <= 1000, f"{name}: no integer power")
                return a ** int(b)
            ops = {ast.Add: a.__add__, ast.Sub: a.__sub__, ast.Mult: a.__mul__,
                   ast.Div: a.__truediv__}
            if type(node.op) in ops:
                return ops[type(node.op)](b)
        raise Refused(f"{name}: '{text}' is no rational expression")
    try:
        return value(ast.parse(str(text).replace("^", "**"), mode="eval").body)
    except (SyntaxError, ZeroDivisionError):
        raise Refused(f"{name}: '{text}' is no rational expression") from None


def member(text):
    """"name(key=value,...)" as name and arguments; a list in brackets is one value."""
    found = re.fullmatch(r"(\w+)(?:\((.*)\))?", text)
    require(found, "id: no name")
    parts = re.findall(r"(\w+)=(\[[^\]]*\]|[^,\[]+)(?:,|$)", found[2] or "")
    arguments = dict(parts)
    require(",".join("=".join(p) for p in parts) == (found[2] or "") and
            len(arguments) == len(parts), "id: no list of arguments")
    return found[1], arguments
