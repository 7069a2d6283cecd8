"""Input files of MBDyn as statements (name, arguments), and their arithmetic. Nothing is executed."""
import math
import re

from model import LARGEST, Refused
from xml_tree import MOST, MOST_BYTES, read_bytes

DEEPEST, MOST_FILES = 60, 1000
PIECE = re.compile(r'#[^\n]*|//[^\n]*|/\*.*?(?:\*/|\Z)|"[^"]*(?:"|\Z)|[(),:;]|[^#/"(),:;]+|.', re.S)
TOKEN = re.compile(r"\s*(?:(\d+\.?\d*(?:[eEdD][+-]?\d+)?|\.\d+(?:[eEdD][+-]?\d+)?)|([A-Za-z_]\w*)|"
                   r"(<=|>=|==|!=|&&|\|\||[-+*/%^()<>!,]))")
CONSTANTS = {"pi": math.pi, "e": math.e, "deg2rad": math.pi / 180, "rad2deg": 180 / math.pi, "TRUE": 1, "FALSE": 0}
FUNCTIONS = {name: getattr(math, name) for name in "sin cos tan asin acos atan atan2 sinh cosh tanh exp log "
             "log10 sqrt".split()} | {"abs": abs, "max": max, "min": min, "sign": lambda x: (x > 0) - (x < 0)}
LEVELS = [("||",), ("&&",), ("<", ">", "<=", ">=", "==", "!="), ("+", "-"), ("*", "/", "%")]


def plain(text):
    """A keyword as MBDyn compares it."""
    return " ".join(text.split()).lower()


def shortened(a, b):
    """Integers divide as in C."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def applied(operator, a, b):
    whole = isinstance(a, int) and isinstance(b, int)
    if operator == "^":
        if a < 0 and b <= 0:
            raise ValueError
        value = math.pow(a, b)
        return int(value) if whole else value
    if operator == "/":
        return shortened(a, b) if whole else a / b
    if operator == "%":
        return a - b * shortened(a, b)
    return {"+": lambda: a + b, "-": lambda: a - b, "*": lambda: a * b, "<": lambda: int(a < b),
            ">": lambda: int(a > b), "<=": lambda: int(a <= b), ">=": lambda: int(a >= b), "==": lambda: int(a == b),
            "!=": lambda: int(a != b), "&&": lambda: int(bool(a and b)), "||": lambda: int(bool(a or b))}[operator]()


class Arithmetic:
    """Expressions of MBDyn: a sign binds closer than ^, as there."""

    def __init__(self):
        self.known = dict(CONSTANTS)

    def value(self, text, place):
        self.place, self.text, self.depth = place, plain(text), 0
        self.tokens, at = [], 0
        while at < len(text.rstrip()):
            match = TOKEN.match(text, at)
            if not match or len(self.tokens) > 10000:
                self.fail()
            self.tokens.append((match.lastindex, match.group(match.lastindex)))
            at = match.end()
        self.tokens.append((0, ""))
        try:
            value = self.level(0)
        except (ArithmeticError, ValueError, TypeError):
            self.fail("which has no value")
        if self.tokens[0][0]:
            self.fail()
        return value

    def fail(self, why="; accepted: arithmetic of numbers and variables that are set"):
        raise Refused(self.place, f"'{self.text[:60]}'{why if why[0] == ';' else ', ' + why}")

    def next(self, *wanted):
        if wanted and self.tokens[0][1] not in wanted:
            return None
        return self.tokens.pop(0)[1]

    def level(self, k):
        if k == len(LEVELS):
            return self.power()
        a = self.level(k + 1)
        while operator := self.next(*LEVELS[k]):
            a = self.checked(applied(operator, a, self.level(k + 1)))
        return a

    def checked(self, value):
        if not abs(value) <= LARGEST:
            self.fail(f"; accepted: magnitudes up to {LARGEST:g}")
        return value

    def power(self):
        self.depth += 1
        if self.depth > DEEPEST:
            self.fail("nested too deeply")
        sign = self.next("-", "+", "!")
        a = self.atom()
        a = -a if sign == "-" else int(not a) if sign == "!" else a
        if self.next("^"):
            a = self.checked(applied("^", a, self.power()))
        self.depth -= 1
        return a

    def atom(self):
        kind, text = self.tokens.pop(0)
        if kind == 1:
            text = text.replace("d", "e").replace("D", "e")
            return self.checked(int(text) if text.isdigit() and len(text) < 17 else float(text))
        if text == "(":
            value = self.level(0)
            return value if self.next(")") else self.fail()
        if kind == 2 and self.next("("):
            given = [self.level(0)]
            while self.next(","):
                given.append(self.level(0))
            if text not in FUNCTIONS or not self.next(")"):
                self.fail(f"; '{text[:40]}' is no function; accepted: {' '.join(FUNCTIONS)}")
            return self.checked(FUNCTIONS[text](*given))
        if kind == 2 and text in self.known:
            return self.known[text]
        return self.fail(f"; '{text[:40]}' is not set" if kind == 2 else "; accepted: arithmetic")


def statements(path, shown, folder, above=(), count=None):
    """(name, arguments, file and line) of the file and of those that it includes."""
    count = count if count is not None else [0, 0, 0]
    data = read_bytes(path, shown)
    count[0], count[1] = count[0] + 1, count[1] + len(data)
    if count[0] > MOST_FILES or count[1] > MOST_BYTES:
        raise Refused(shown, f"accepted: {MOST_FILES} files, 16 MB together")
    text = data.decode("latin-1").replace("\0", "?")
    line, start, inside, name, words, parts = 1, 0, 0, None, [], []
    for match in PIECE.finditer(text):
        piece = match.group()
        comment = piece[0] == "#" or piece[:2] in ("//", "/*")
        here = line + piece[:len(piece) - len(piece.lstrip())].count("\n")
        if piece.startswith("#beginpreprocess"):
            raise Refused(f"{shown}, line {line}", "a program for the Python preprocessor")
        if piece[:2] == "/*" and not piece.endswith("*/") or piece[0] == '"' and (len(piece) < 2 or piece[-1] != '"'):
            raise Refused(f"{shown}, line {line}", f"{piece[:2].strip()} that does not end")
        start = start or (here if piece.strip() and not comment else 0)
        inside += (piece == "(") - (piece == ")")
        if comment:
            parts.append(" ")
        elif piece == ";" and inside <= 0:
            place = f"{shown}, line {start}"
            count[2] += 1
            if count[2] > MOST:
                raise Refused(place, f"accepted: {MOST} statements")
            words.append("".join(parts))
            if name is None:
                name, words = words[0], []
            if plain(name) == "include":
                yield from included("".join(words), path, place, shown, folder, above, count)
            elif name.strip() or words:
                yield plain(name), [word.strip() for word in words], place
            start, inside, name, words, parts = 0, 0, None, [], []
        elif piece == ":" and name is None:
            name, words, parts = ",".join([*words, "".join(parts)]), [], []
        elif piece == "," and inside <= 0:
            words.append("".join(parts))
            parts = []
        else:
            parts.append(piece)
        line += piece.count("\n")
    if name is not None or "".join(words + parts).strip():
        raise Refused(f"{shown}, line {start}", "ends without ';'")


def included(word, path, place, shown, folder, above, count):
    inner = (path.parent / word.strip().strip('"')).resolve()
    if not inner.is_relative_to(folder):
        raise Refused(place, "leads out of the model's folder; accepted: a file in it")
    if inner in above or inner == path.resolve() or len(above) > 50:
        raise Refused(place, "includes itself; accepted: no circle, 50 levels")
    yield from statements(inner, f"{shown.rsplit('/', 1)[0]}/{inner.name}" if "/" in shown else inner.name,
                          folder, (*above, path.resolve()), count)
