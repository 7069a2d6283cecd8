"""A mechanism as readers of other programs' models collect it: in space, where it starts.

Bodies are gathered from rigid pieces, each with its mass centre and inertia in space; their frames
are those of space at the start. Joints are freedoms in the order from a to b. What is left out is a
note, what cannot be read is Refused with its place.
"""
import math
import re

LARGEST = 1e15  # what a number may be; beyond, products leave the range of double
NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


class Refused(Exception):
    def __init__(self, place, what):
        super().__init__(f"{place}: {what}")


def number(text, place):
    word = text.strip()
    value = float(word) if len(word) < 400 and NUMBER.fullmatch(word) else math.nan
    if not abs(value) <= LARGEST:
        raise Refused(place, f"'{word[:40]}'; accepted: a number of magnitude up to {LARGEST:g}")
    return value


def numbers(text, count, place):
    words = text.split()
    if count is not None and len(words) != count:
        raise Refused(place, f"{len(words)} numbers; accepted: {count}")
    return [number(word, place) for word in words]


# Vectors are lists, matrices lists of rows, quaternions (w, x, y, z), poses (point, matrix).
ONE = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]
HERE = ([0.0, 0.0, 0.0], ONE)


def dot(a, b):
    return sum(x * y for x, y in zip(a, b))


def cross(a, b):
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def plus(a, b, s=1.0):
    return [x + s * y for x, y in zip(a, b)]


def unit(a, place, what="axis"):
    size = math.sqrt(dot(a, a))
    if not size > 1e-12:
        raise Refused(place, f"{what} is zero; accepted: a direction")
    return [x / size for x in a]


def times(A, b):
    return [dot(row, b) for row in A]


def product(A, B):
    return [[dot(row, column) for column in zip(*B)] for row in A]


def transposed(A):
    return [list(row) for row in zip(*A)]


def turned(R, J):
    """R J R^T: an inertia in space."""
    return product(product(R, J), transposed(R))


def moved(pose, inner):
    """The pose `inner` of the frame `pose`, in space."""
    return plus(pose[0], times(pose[1], inner[0])), product(pose[1], inner[1])


def quaternion_matrix(q, place):
    w, x, y, z = unit(q, place, "quaternion")
    return [[1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)]]


def axis_matrix(axis, angle, place):
    half = angle / 2
    return quaternion_matrix([math.cos(half)] + [math.sin(half) * x for x in unit(axis, place)],
                             place)


def frame_of(x, y, place):
    """Columns: x, y made normal to it, and their cross product."""
    x = unit(x, place)
    y = unit(plus(y, x, -dot(x, y)), place, "the second axis, normal to the first,")
    return transposed([x, y, cross(x, y)])


def onto(z, place):
    """The smallest turn that takes the third axis onto z."""
    axis = cross([0.0, 0.0, 1.0], z)
    sine = math.sqrt(dot(axis, axis))
    if sine < 1e-10:
        return ONE if z[2] > 0 else axis_matrix([1.0, 0.0, 0.0], math.pi, place)
    return axis_matrix(axis, math.atan2(sine, z[2]), place)


def no_body(J):
    """Whether no distribution of mass has this inertia: tr J / 2 - J has a negative value."""
    half = sum(J[i][i] for i in range(3)) / 2
    slack = 1e-9 * half
    P = [[(half + slack if i == j else 0) - J[i][j] for j in range(3)] for i in range(3)]
    minor = P[0][0] * P[1][1] - P[0][1] * P[1][0]
    return P[0][0] < 0 or minor < 0 or dot(P[0], cross(P[1], P[2])) < 0


class Model:
    def __init__(self, without, form):
        self.without, self.form = set(without), form
        self.bodies, self.elements, self.notes, self.used = [], [], [], set()
        self.gravity = [0.0, 0.0, 0.0]
        self.renamed, self.total_mass, self.assemble = [], None, False

    def note(self, text):
        if text not in self.notes:
            self.notes.append(text)

    def leave_out(self, word, place, what):
        """Refused, unless the user leaves it out by its word."""
        if word not in self.without:
            raise Refused(place, f"{what} is not read; --without {word} leaves it out")
        self.used.add(word)
        self.note(f"left out ({word}): {what}, {place}")

    def body(self, name, place):
        """The number of a new body without mass."""
        plain = re.sub(r"[^A-Za-z0-9_]", "_", name)[:50]
        if not re.match(r"[A-Za-z]", plain) or plain in ("pi", "t", "ground"):
            plain = ("body_" + plain).rstrip("_")
        taken, wanted = {b["name"] for b in self.bodies}, plain
        k = 2
        while plain in taken:
            plain, k = f"{wanted}_{k}", k + 1
        if plain != name:
            self.renamed.append(f"'{name[:50]}' is {plain}")
        self.bodies.append({"name": plain, "place": place, "pieces": [], "velocity": None})
        return len(self.bodies) - 1

    def piece(self, body, mass, centre, J, place):
        """A rigid piece; centre and J, about it, in space."""
        if body < 0:
            return
        if mass < 0 or no_body(J):
            raise Refused(place, "mass or inertia that no body has; accepted: a mass >= 0, principal "
                          "inertias of which none exceeds the sum of the others")
        if mass > 0:
            self.bodies[body]["pieces"].append((mass, centre, J))
        elif any(any(row) for row in J):
            raise Refused(place, "an inertia without a mass")

    def settled(self, body):
        """Mass, mass centre and inertia of a body's pieces."""
        pieces = self.bodies[body]["pieces"]
        mass = sum(m for m, _, _ in pieces)
        if not mass > 0:
            raise Refused(self.bodies[body]["place"], "a body that moves has no mass")
        if len(pieces) == 1:
            return pieces[0]
        centre = [sum(m * c[i] for m, c, _ in pieces) / mass for i in range(3)]
        total = [[0.0] * 3 for _ in range(3)]
        for m, c, J in pieces:
            d = plus(c, centre, -1)
            for i in range(3):
                for j in range(3):
                    total[i][j] += J[i][j] + m * ((dot(d, d) if i == j else 0) - d[i] * d[j])
        return mass, centre, total

    def name(self, body):
        return "ground" if body < 0 else self.bodies[body]["name"]

    def element(self, kind, a, b, **keys):
        self.elements.append({"type": kind, "bodies": [self.name(a), self.name(b)], **keys})

    def joint(self, a, b, freedoms, place):
        """Constraints that leave b the freedoms, and the laws on these; each has kind (hinge,
        slide, ball, free), at, axis, stiffness, rest, damping, rotor. All is in space."""
        hinges = [f for f in freedoms if f["kind"] in ("hinge", "ball")]
        slides = [f for f in freedoms if f["kind"] == "slide"]
        free = any(f["kind"] == "free" for f in freedoms)
        if not free:
            self._constrain(a, b, freedoms, hinges, slides, place)
        for f in freedoms:
            self._laws(a, b, f, freedoms, hinges, slides, place)

    def _constrain(self, a, b, freedoms, hinges, slides, place):
        if not freedoms:
            return self.element("clamp", a, b, at=self.settled(b if b >= 0 else a)[1])
        kinds = [f["kind"] for f in freedoms]
        if sorted(kinds, reverse=kinds[0] == "slide") != kinds:
            raise Refused(place, "slides between hinges; accepted: all slides first, or last")
        at = (hinges or slides)[0]["at"]
        size = max([1e-6] + [abs(x) for f in hinges for x in f["at"]])
        if any(abs(x) > 1e-9 * size for f in hinges for x in plus(f["at"], at, -1)):
            raise Refused(place, "hinges at different points without a body between them; "
                          "accepted: at one point")
        if slides and hinges and kinds[0] != "slide":
            a, b = b, a  # the line or plane turns with b
        ball = "ball" in kinds or len(hinges) == 3
        axes = [f["axis"] for f in hinges]
        if len(axes) > 3 or ("ball" in kinds and len(axes) > 1) or (
                len(axes) == 3 and abs(dot(axes[0], cross(axes[1], axes[2]))) < 1e-6):
            raise Refused(place, "hinges that do not turn independently")
        if len(hinges) == 2 and not ball:
            if abs(dot(*axes)) > 1e-9:
                raise Refused(place, "two hinges whose axes are not perpendicular")
            if slides:
                raise Refused(place, "two hinges with slides")
            return self.element("universal", a, b, at=at, axes=axes)
        if not slides:
            if ball:
                return self.element("spherical", a, b, at=at)
            return self.element("revolute", a, b, at=at, axis=axes[0])
        self._slide(a, b, slides, axes, ball, at, place)

    def _slide(self, a, b, slides, axes, ball, at, place):
        along = [f["axis"] for f in slides]
        if len(along) > 3 or (len(along) == 2 and not any(abs(x) > 1e-6 for x in cross(*along))) or (
                len(along) == 3 and abs(dot(along[0], cross(along[1], along[2]))) < 1e-6):
            raise Refused(place, "slides that do not move independently")
        if len(along) == 1 and not ball and not axes:
            return self.element("prismatic", a, b, at=at, axis=along[0])
        if not ball and axes:
            self.element("parallel", a, b, axis=axes[0])
        elif not ball:
            self.element("parallel", a, b, axis=[1.0, 0.0, 0.0])
            self.element("turn", a, b, axis=[1.0, 0.0, 0.0], angle=0.0)
        if len(along) == 1:
            self.element("inline_point", a, b, at=at, axis=along[0])
        elif len(along) == 2:
            self.element("slide", a, b, at=at, axis=unit(cross(*along), place), way=0.0)

    def _laws(self, a, b, f, freedoms, hinges, slides, place):
        laws = [(kind, key, f[given]) for kind, key, given in (
            ("spring", "stiffness", "stiffness"), ("damper", "coefficient", "damping"),
            ("rotor", "", "rotor")) if f.get(given)]
        if any(value < 0 for _, _, value in laws):
            raise Refused(place, "a stiffness, damping or rotor below 0")
        if not laws:
            return
        sliding = f["kind"] == "slide"
        if f["kind"] == "free" or (f["kind"] == "ball" and any(k != "damper" for k, _, _ in laws)):
            for kind, _, _ in laws:
                self.leave_out(f"{f['kind']}_{kind}", place, f"a {kind} on a {f['kind']}")
            return
        if sliding and any(abs(dot(f["axis"], g["axis"])) > 1e-9 for g in slides if g is not f):
            raise Refused(place, f"a {laws[0][0]} on slides that are not perpendicular")
        rest, extra, axes = f.get("rest", 0.0), {}, [f["axis"]]
        if f["kind"] == "ball":
            axes = ONE
        elif not sliding and len(hinges) > 1:
            first, last = hinges[0]["axis"], hinges[-1]["axis"]
            if len(hinges) == 3 and any(abs(dot(hinges[1]["axis"], x)) > 1e-9 for x in (first, last)):
                raise Refused(place, f"a {laws[0][0]} on three hinges, the second not perpendicular "
                              "to the others")
            if f is hinges[0]:
                extra = {"across": last}
            elif f is hinges[-1]:
                a, b, rest, extra = b, a, -rest, {"across": first}
            else:
                axes, extra = [first], {"to": last}
                rest *= math.copysign(1.0, dot(f["axis"], cross(first, last)))
        elif sliding:
            extra = {"at": (hinges[0] if hinges else f)["at"]}
            if freedoms[0]["kind"] != "slide":
                a, b, rest = b, a, -rest  # the axis turns with b
        for kind, key, value in laws:
            for axis in axes:
                keys = {key or ("mass" if sliding else "inertia"): value}
                if kind == "spring":
                    keys["free_length" if sliding else "free_angle"] = rest
                self.element(f"{'slide' if sliding else 'torsion'}_{kind}", a, b, axis=axis,
                             **extra, **keys)

    def couple(self, terms, place):
        """Sum of factor times value stays zero; terms: (a, b, freedoms of the joint, which, factor)."""
        made = []
        for a, b, freedoms, which, factor in terms:
            f = freedoms[which]
            hinges = [g for g in freedoms if g["kind"] in ("hinge", "ball")]
            if f["kind"] not in ("hinge", "slide") or (f["kind"] == "hinge" and len(hinges) > 1):
                raise Refused(place, "a joint that follows another; accepted: slides, and hinges that "
                              "are the only one of their body")
            if f["kind"] == "slide" and freedoms[0]["kind"] != "slide":
                a, b, factor = b, a, -factor  # the axis turns with b
            at = {"at": (hinges or [f])[0]["at"]} if f["kind"] == "slide" else {}
            made.append({"bodies": [self.name(a), self.name(b)], "axis": f["axis"], **at,
                         "factor": factor})
        self.elements.append({"type": "coupler", "terms": made})

    def mechanism(self, name, file):
        bodies, factor = [], 1.0
        if self.total_mass:
            factor = self.total_mass / sum(self.settled(k)[0] for k in range(len(self.bodies)))
        for k, body in enumerate(self.bodies):
            mass, centre, J = self.settled(k)
            mass, J = mass * factor, [[x * factor for x in row] for row in J]
            for i in range(3):  # a flat body, rounded
                others = sum(J[j][j] for j in range(3) if j != i)
                if others < J[i][i] <= others * (1 + 1e-9):
                    J[i][i] = others * (1 - 1e-15)
            entry = {"name": body["name"], "mass": mass, "position": centre, "inertia": [
                J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]]}
            if body["velocity"]:
                at, velocity, spin = body["velocity"]
                if velocity is not None:  # else it follows from the spin
                    entry["velocity"] = plus(velocity, cross(spin, plus(centre, at, -1)))
                entry["spin"] = spin
            bodies.append(entry)
        if not bodies:
            raise Refused(file, "no body that moves; accepted: one body at least")
        for word in sorted(self.without - self.used):
            raise Refused(f"--without {word}", "nothing of that word is in the model")
        if self.renamed:
            self.note("names changed: " + ", ".join(self.renamed))
        return as_texts({"id": name, "kind": "spatial", "summary": f"a model of {self.form}",
                         "source": "imported", "gravity": self.gravity, "bodies": bodies,
                         "elements": self.elements, **({"assemble": True} if self.assemble else {})})


def as_texts(value):
    """Floats as the texts that mechanism files take."""
    if isinstance(value, dict):
        return {key: as_texts(entry) for key, entry in value.items()}
    if isinstance(value, list):
        return [as_texts(entry) for entry in value]
    if isinstance(value, float):
        return int(value) if value == int(value) and abs(value) < 1e9 else repr(value)
    return value
