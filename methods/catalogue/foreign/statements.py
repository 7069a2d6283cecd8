"""Sources of C, Julia and Python as lists of statements, without comments, with the macros of C
replaced where they stand."""
import re

NAME = r"[A-Za-z0-9_\u0080-\U0010ffff]"


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
LOOPS = set("for while do".split())
OUTER = re.compile(r"(?:template.*>\s*)?(?:namespace|class|struct)\b[^()=]*$", re.S)
BLOCKS = set("function struct module begin macro quote mutable baremodule".split())


class Statement:
    def __init__(self, line, text, conditional, opens_scope, top, in_loop):
        self.line, self.text, self.top = line, text, top  # top: in no other function or class
        self.conditional = conditional  # it stands in a loop or under a condition
        self.in_loop = in_loop  # of C: what a branch declares is known in it
        self.unsure = conditional if in_loop is None else in_loop
        self.opens_scope = opens_scope  # a function begins: what was set before is forgotten


class Statements:
    """A source as a list of statements; line breaks stay: rows of a Julia matrix end there."""

    def __init__(self, text, dialect):
        text = without_comments(text, dialect)
        if dialect == "c":
            text = preprocessed(re.sub(r"static_cast\s*<[^<>]*>", "", text).replace("::", "."))
        if dialect == "python":
            text = text.replace("\\\n", " \n")
        if dialect == "julia":  # "./" divides entry by entry, as every operator does here
            text = re.sub(r"\.(?=[*/+\-^=])", " ", text)
        self.text, self.dialect, self.out = text, dialect, []
        self.start, self.line, self.scope = 0, 1, False
        self.blocks, self.indents = [], []  # blocks: 2: a loop, 1: a condition, None: a namespace or class

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
            word = re.match(NAME + "*", before)[0]
            self.blocks.append(None if OUTER.match(before) else word in CONDITIONS and (word in LOOPS) + 1)
        else:
            self.finish(at)
            if c == "}":
                if self.blocks:
                    self.blocks.pop()
                self.scope = self.scope or self.top()
        return at

    def top(self):
        return all(block is None for block in self.blocks)

    def finish(self, end):
        raw = self.text[self.start:end]
        body = raw.strip()
        while self.dialect == "c" and body.startswith(")"):  # of a macro around a block
            body = body[1:].strip()
        if self.dialect == "julia":
            body = re.sub(r"^@\w+\s+(?=function )", "", body)
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
        top = self.dialect != "c" or self.top()
        in_loop = 2 in self.blocks if self.dialect == "c" else None
        conditional = self.conditional(word, indent) or word in CONDITIONS
        self.out.append(Statement(line, body, conditional, opens, top, in_loop))

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
