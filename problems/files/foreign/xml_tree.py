"""XML as a tree with lines. Document types, and with them entities, are refused."""
from xml.parsers import expat

from model import Refused

DEEPEST, MOST, MOST_BYTES = 200, 200000, 16 << 20


class Node:
    def __init__(self, tag, attributes, file, line):
        self.tag, self.attributes, self.file, self.line = tag, attributes, file, line
        self.children = []

    @property
    def place(self):
        name = self.attributes.get("name")
        return f"{self.file}, line {self.line}: <{self.tag[:40]}>" + (f" '{name[:40]}'" if name else "")

    def get(self, key, fallback=None):
        return self.attributes.get(key, fallback)

    def need(self, key):
        if key not in self.attributes:
            raise Refused(self.place, f"{key} is missing")
        return self.attributes[key]

    def all(self, tag):
        return [child for child in self.children if child.tag == tag]

    def one(self, tag):
        found = self.all(tag)
        if len(found) > 1:
            raise Refused(found[1].place, "stands twice; accepted: once")
        return found[0] if found else None

    def check(self, read, harmless=""):
        """Refuses attributes that are in neither list."""
        for key in self.attributes:
            if key not in read.split() and key not in harmless.split():
                raise Refused(self.place, f"{key} is not read; accepted: {read}")


def read_bytes(path, shown):
    try:
        with open(path, "rb") as file:
            data = file.read(MOST_BYTES + 1)
    except OSError as error:
        raise Refused(shown, f"{error.strerror}; accepted: a readable file") from None
    if len(data) > MOST_BYTES:
        raise Refused(shown, "more than 16 MB")
    return data


def read_xml(path, shown):
    parser, stack, count = expat.ParserCreate(), [], [0]
    top = Node("", {}, shown, 0)
    stack.append(top)

    def begin(tag, attributes):
        count[0] += 1
        node = Node(tag, attributes, shown, parser.CurrentLineNumber)
        if len(stack) > DEEPEST or count[0] > MOST:
            raise Refused(node.place, f"accepted: {MOST} elements, {DEEPEST} levels deep")
        stack[-1].children.append(node)
        stack.append(node)

    def doctype(*_):
        raise Refused(f"{shown}, line {parser.CurrentLineNumber}",
                      "a document type, which may define entities; accepted: XML without <!DOCTYPE")

    parser.StartElementHandler, parser.EndElementHandler = begin, lambda tag: stack.pop()
    parser.StartDoctypeDeclHandler = doctype
    try:
        parser.Parse(read_bytes(path, shown), True)
    except expat.ExpatError as error:
        raise Refused(f"{shown}, line {error.lineno}", expat.ErrorString(error.code)) from None
    return top.children[0]
