"""Input files of MBDyn: structural nodes, rigid bodies, joints, constant forces and gravity into a Model."""
import math

from mbdyn_joints import GLOBAL, GROUND, JOINTS, Joints
from mbdyn_text import Arithmetic, plain, statements
from mbdyn_words import CLOSE, Words
from model import Refused, cross, plus, product, times, transposed, turned

ASIDE = {"remark", "scalar function", "template drive caller", "constitutive law", "print symbol table", "c81 data",
         "hydraulic fluid", "module load", "output", "air properties", "inertia", "stream output", "print", "eval"}


class Reader(Joints):
    def __init__(self, model):
        super().__init__(model)
        self.known, self.block = Arithmetic(), ""
        self.static, self.bodies, self.pieces, self.forces = set(), {}, [], []
        self.methods = {("body", ""): self.read_body, ("force", "absolute"): self.force,
                        ("couple", "absolute"): lambda a: self.force(a, True)}
        for kind in JOINTS:
            self.methods["joint", kind.replace(" ", "")] = lambda a, kind=kind: self.read_joint(kind, a)
        for name in ("clamp", "in_plane", "total_joint", "total_pin_joint", "distance", "distance_with_offset", "rod",
                     "rod_with_offset", "deformable_hinge"):
            self.methods["joint", name.replace("_", "")] = getattr(self, "read_" + name)

    def placed(self, a):
        """Position, orientation and velocities of a node or reference."""
        x = self.point(a)
        a.key("orientation")
        R = self.turn(a)
        a.key("velocity")
        F = self.frame(a, GLOBAL, {})
        v = plus(plus(F[2], times(F[1], a.vector())), cross(F[3], plus(x, F[0], -1)))
        a.key("angular velocity")
        F = self.frame(a, GLOBAL, {})
        return x, R, v, plus(F[3], times(F[1], a.vector()))

    def read(self, name, words, place):
        a = Words(words, place, self.known)
        if name in ("begin", "end"):
            self.block = plain(a.word("a block")) if name == "begin" else ""
        elif name == "set":
            self.set(",".join(words), place)
        elif self.block == "data":
            if name in ("problem", "integrator") and not a.key("initial value"):
                raise Refused(place, f"problem '{plain(a.word('a problem'))[:40]}'; accepted: initial value")
        elif self.block == "control data":
            if name in ("model", "rigid body kinematics"):
                raise Refused(place, f"{name}: '{', '.join(words)[:40]}' changes the motion; accepted: none")
        elif self.block in ("initial value", "multistep"):
            if name in ("initial time", "final time", "time step"):
                self.model.note(f"{name} {plain(', '.join(words))[:40]}: left to the run")
        elif name in ASIDE or self.block == "drivers":
            self.model.note(f"left out: {name if self.block != 'drivers' else 'drivers'}")
        elif name == "reference":
            label = a.whole()
            self.frames[label] = self.placed(a)
        elif name == "drive caller":
            label = a.whole()
            constant = a.key("const", "null", "one")
            self.drives[label] = {"null": 0.0, "one": 1.0}.get(constant, a.real() if constant == "const" else None)
        elif name == "structural" and self.block == "nodes":
            self.node(a)
        elif self.block == "elements":
            self.element(name, a)
        else:
            raise Refused(place, f"'{name[:40]}' is not read here; accepted: reference, set, include, structural "
                          "nodes, elements")

    def set(self, text, place):
        text = text.strip()
        parts = text[1:].rsplit(")", 1)[0].split(";") if text.startswith("(") else [text]
        for part in parts:
            words, _, formula = part.partition("=")
            words = words.split()
            if plain(part).replace(".", "").isdigit():  # what MBDyn wants last in parentheses
                continue
            if not words or not formula or not words[-1].isidentifier() or \
                    set(words[:-1]) - {"const", "real", "integer", "bool", "string", "ifndef"}:
                raise Refused(place, f"'{plain(part)[:40]}'; accepted: TYPE NAME = value")
            name, kinds = words[-1], words[:-1]
            if "ifndef" in kinds and name in self.known.known or "string" in kinds:
                continue
            if not kinds and name not in self.known.known:
                raise Refused(place, f"'{name[:40]}' has no type; accepted: TYPE NAME = value")
            value = self.known.value(formula, place)
            real = "real" in kinds or not kinds and isinstance(self.known.known.get(name), float)
            self.known.known[name] = float(value) if real else int(value)

    def node(self, a):
        text = a.words[0] if a.words else ""
        label = a.whole()
        if a.key("name"):
            text = a.word("a name").strip('"')
        a.place += f": structural node {text[:40]}"
        kind = a.key("static", "dynamic", "dummy", "modal", "static displacement", "dynamic displacement")
        if kind == "dummy":
            return self.model.note("left out: dummy nodes")
        if kind not in ("static", "dynamic"):
            raise Refused(a.place, "accepted: static or dynamic")
        if label in self.nodes:
            raise Refused(a.place, "its label is taken; accepted: one of each label")
        self.nodes[label], self.home[label] = self.placed(a), label
        if kind == "static":
            self.static.add(label)
        name = text if text.isidentifier() else f"node_{label}"
        self.bodies[label] = (name, a.place)
        while a.key("assembly", "orientation description", "accelerations"):
            while a.k < len(a.words) and plain(a.words[a.k]) != "output":
                a.k += 1
        a.end()

    def element(self, name, a):
        if name == "gravity":
            a.place += ": gravity"
            if a.key("central"):
                raise Refused(a.place, "central; accepted: uniform")
            a.key("uniform")
            self.model.gravity = a.vector_drive(self.drives)
            return a.end()
        label = " ".join(a.words[0].split())[:40] if a.words else ""
        a.whole()
        if a.key("name"):
            a.word("a name")
        kind = plain(a.word("a type")) if name in ("joint", "force", "couple") else ""
        a.place += f": {name} {label}" + (f", {kind[:40]}" if kind else "")
        method = self.methods.get((name, kind.replace(" ", "")))
        if method is None:
            return self.model.leave_out((kind or name).replace(" ", "_"), a.place, "the element")
        method(a)
        if a.key("friction"):
            self.model.leave_out("friction", a.place, "friction of a joint")
            a.k = len(a.words)
        a.end()

    def read_body(self, a):
        node = self.node_of(a)
        F = self.nodes[node]
        near = {"node": F}
        for _ in range(min(a.whole(), 1000) if a.key("condense") else 1):
            mass = a.real()
            centre = self.point(a, F, near)
            a.key("inertia")
            R = self.frame(a, F, near)[1]
            J = a.matrix()
            if a.key("inertial", "orientation") and not a.key("node"):
                R = product(self.turn(a, F, near), product(transposed(F[1]), R))
            self.pieces.append((node, mass, centre, turned(R, J), a.place))

    def force(self, a, couple=False):
        node = self.node_of(a)
        F = self.nodes[node]
        at = self.point(a, F, {"node": F}) if not couple or a.key("position") else None
        at = None if couple else at
        self.forces.append((node, at, a.vector_drive(self.drives)))

    def finish(self):
        for one, other, _, along, turning, _ in self.ties:
            if turning == "all" and len(along) == 3:  # one body
                a, b = self.root(one), self.root(other)
                if a != b:
                    a, b = (b, a) if b == GROUND else (a, b)
                    self.home[b] = a
        self.numbers = {node: self.model.body(*self.bodies[node]) for node in self.nodes if self.root(node) == node}
        for node, mass, centre, J, place in self.pieces:
            if node in self.static and self.root(node) != GROUND:
                raise Refused(place, "a body on a static node; accepted: on a dynamic one")
            self.model.piece(self.number(node), mass, centre, J, place)
        rates = {k: (self.nodes[node][0], *self.nodes[node][2:]) for node, k in self.numbers.items()}
        moving = [k for k, (_, v, w) in rates.items() if any(v) or any(w)]
        for k in moving:
            follows = len(moving) < len(rates) and self.follows(k, *rates[k])
            self.model.bodies[k]["velocity"] = (rates[k][0], None, rates[k][2]) if follows else rates[k]
            self.model.assemble = True
        for tie in self.ties:
            self.constrain(*tie)
        for kind, (one, at, _), (other, end, _), keys in self.laws:
            if self.number(one) != self.number(other):
                self.model.element(kind, self.number(one), self.number(other), points=[at, end], **keys)
        for hinge in self.hinges:
            self.spring(*hinge)
        self.forces_of_model()

    def follows(self, k, x, v, w):
        """Whether the velocity follows from a spin about one coordinate axis and a joint with the ground."""
        points = [at for one, other, at, along, _, _ in self.ties
                  if {self.number(one), self.number(other)} == {-1, k} and len(along) == 3]
        return sum(map(bool, w)) == 1 and any(math.dist(v, cross(w, plus(x, at, -1))) < CLOSE for at in points)

    def forces_of_model(self):
        for node, at, value in self.forces:
            k = self.number(node)
            if k >= 0:
                more = {"on_body": plus(at, self.model.settled(k)[1], -1)} if at else {}
                self.model.elements.append({"type": "force" if at else "moment", "body": self.model.name(k),
                                            "value": value, **more})


def read_mbdyn(path, shown, model):
    reader, found = Reader(model), False
    for name, words, place in statements(path, shown, path.parent.resolve()):
        found = found or (name == "begin" and plain(words[0] if words else "") == "data")
        reader.read(name, words, place)
    if not found:
        raise Refused(shown, "accepted: an input file of MBDyn, with begin: data;")
    reader.finish()
    if model.assemble:
        model.note("velocities at the start are put onto the constraints where they violate them; MBDyn weighs "
                   "them in its own way")
    return path.stem
