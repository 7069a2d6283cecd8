"""Frames, joints and springs of MBDyn, as constraints and laws of a Model."""
import math

from mbdyn_text import plain
from mbdyn_words import CLOSE, ZERO
from model import HERE, ONE, Refused, cross, dot, frame_of, plus, product, times, transposed, unit

GLOBAL = (*HERE, ZERO, ZERO)  # position, orientation, velocity, angular velocity in space
GROUND = "ground"
APART = 1e-6  # ends of a joint may be rounded in the file; MBDyn moves them together
AXIS, ALL, CARDANO = "axis", "all", "cardano"
JOINTS = {  # directions of the first frame that are held, and what of its orientation
    "revolute hinge": ("xyz", AXIS), "revolute pin": ("xyz", AXIS), "revolute rotation": ("", AXIS),
    "spherical hinge": ("xyz", None), "spherical pin": ("xyz", None), "pin": ("xyz", None),
    "universal hinge": ("xyz", CARDANO), "cardano hinge": ("xyz", CARDANO), "universal pin": ("xyz", CARDANO),
    "cardano pin": ("xyz", CARDANO), "prismatic": ("", ALL), "in line": ("xy", None)}


def column(R, i):
    return [row[i] for row in R]


class Joints:
    def __init__(self, model):
        self.model = model
        self.frames, self.nodes, self.drives = {}, {}, {}
        self.home, self.numbers, self.ties, self.laws, self.hinges = {}, {}, [], [], []

    def frame(self, a, usual, near):
        if not a.key("reference"):
            return usual
        name = a.key("global", "node", "other node", "other position", "other orientation")
        if name == "global":
            return GLOBAL
        found = near.get(name) if name else self.frames.get(a.whole())
        if found is None:
            raise Refused(a.place, f"'{plain(a.words[a.k - 1])[:40]}' is no reference frame here")
        return found

    def point(self, a, usual=GLOBAL, near={}):
        a.key("position")
        x, R = self.frame(a, usual, near)[:2]
        return plus(x, times(R, a.vector()))

    def turn(self, a, usual=GLOBAL, near={}):
        return product(self.frame(a, usual, near)[1], a.rotation())

    def node_of(self, a):
        text = a.words[a.k] if a.k < len(a.words) else ""
        label = a.whole()
        if label not in self.nodes:
            raise Refused(a.place, f"'{plain(text)[:40]}' is no structural node; accepted: one that stands above")
        return label

    def end_of(self, a, first=None, always=True, position=("position",), turns=("orientation", "hinge"), turned=False):
        """(node, point, orientation): one end of a joint; `always`, `turned`: the word before may be missing."""
        node = self.node_of(a)
        F = self.nodes[node]
        near = {"node": F}
        if first:
            G, (_, at, R) = self.nodes[first[0]], first
            near |= {"other node": G, "other position": (at, G[1]), "other orientation": (at, R)}
        at = self.point(a, F, near) if a.key(*position) or always else F[0]
        return node, at, self.turn(a, F, near) if a.key(*turns) or turned else F[1]

    def fixed_end(self, a):
        at = self.point(a)
        return GROUND, at, self.turn(a) if a.key("orientation", "hinge") else ONE

    def tie(self, a, first, second, along, turning):
        """Directions that the first end holds; turning: None, ALL, an axis or two of a cardano joint."""
        (one, at, _), (other, end, _) = first, second
        self.check_nodes(a, one, other)
        gap = max([abs(dot(e, plus(end, at, -1))) for e in along], default=0.0)
        if gap > APART:
            raise Refused(a.place, f"its ends are {gap:.3g} m apart; accepted: below {APART:g}")
        if gap > CLOSE:
            self.model.note(f"ends of joints that are up to {APART:g} m apart meet where the second one is")
        self.ties.append((one, other, end, along, turning, a.place))

    @staticmethod
    def check_nodes(a, one, other):
        if one == other:
            raise Refused(a.place, "both ends are at one node; accepted: two nodes")

    def same(self, a, x, y):
        if math.dist(x, y) > CLOSE:
            raise Refused(a.place, f"its axes differ by {math.dist(x, y):.3g}; accepted: below {CLOSE:g}")
        return x

    def all_same(self, a, R, S):
        for i in range(3):
            self.same(a, column(R, i), column(S, i))
        return ALL

    def read_joint(self, kind, a):
        """One of JOINTS: two nodes, or one and a frame of space."""
        along, turning = JOINTS[kind]
        first = self.end_of(a, always=along != "", turned=kind == "in line")
        if kind.endswith("pin"):
            first, second = self.fixed_end(a), first
        else:
            second = self.end_of(a, first, along == "xyz", ("offset", "position"))
        if a.key("initial theta"):
            a.real()
        if turning == AXIS:
            turning = self.same(a, column(first[2], 2), column(second[2], 2))
        elif turning == ALL:
            turning = self.all_same(a, first[2], second[2])
        elif turning == CARDANO:
            turning = column(first[2], 2), column(second[2], 1)
            if abs(dot(*turning)) > CLOSE:
                raise Refused(a.place, "its axes are not perpendicular at the start")
        self.tie(a, first, second, [column(first[2], "xyz".index(x)) for x in along], turning)

    def read_clamp(self, a):
        node = self.node_of(a)
        F = self.nodes[node]
        a.key("position")
        at = F[0] if a.key("node") else self.point(a)
        a.key("orientation")
        R = F[1] if a.key("node") else self.turn(a)
        self.tie(a, (GROUND, at, R), (node, F[0], F[1]), ONE, self.all_same(a, R, F[1]))

    def read_in_plane(self, a):
        node = self.node_of(a)
        F = self.nodes[node]
        near = {"node": F}
        at = self.point(a, F, near)
        normal = unit(times(self.frame(a, F, near)[1], a.vector()), a.place)
        first = node, at, F[1]
        self.tie(a, first, self.end_of(a, first, False, ("offset", "position")), [normal], None)

    def total_end(self, a, pin=None, first=None):
        """(node, point, orientation of positions), orientation of rotations."""
        node, F, near = GROUND, GLOBAL, {}
        if not pin:
            node = self.node_of(a)
            F = self.nodes[node]
            near = {"node": F}
        if first:
            (_, at, R), S = first
            near |= {"other node": self.nodes[first[0][0]], "other position": (at, R), "other orientation": (at, R)}
        at = self.point(a, F, near) if a.key("position") else F[0]
        R = self.turn(a, F, near) if a.key("position orientation") else F[1]
        if first:
            near["other orientation"] = at, S
        return (node, at, R), self.turn(a, F, near) if a.key("rotation orientation") else F[1]

    def status(self, a, word):
        """Which components are held, and at which values."""
        if not a.key(word):
            return [False] * 3, ZERO
        held = []
        for _ in range(3):
            state = a.key("active", "inactive")
            held.append(state == "active" if state else a.whole() != 0)
        return held, a.vector_drive(self.drives)

    def total(self, a, first, second):
        held, offset = self.status(a, "position constraint")
        turning, angle = self.status(a, "orientation constraint")
        (one, at, R), S = first
        if any(x for x, h in zip(angle, turning) if h):
            raise Refused(a.place, "an orientation constraint that is not null")
        if sum(turning) == 1:
            raise Refused(a.place, "one component of the rotation vector is held; accepted: none, two or three")
        at = plus(at, times(R, [x if h else 0.0 for x, h in zip(offset, held)]))
        free = turning.index(False) if sum(turning) == 2 else None
        kept = None
        if all(turning):
            kept = self.all_same(a, S, second[1])
        elif free is not None:
            kept = self.same(a, column(S, free), column(second[1], free))
        self.tie(a, (one, at, R), second[0], [column(R, i) for i in range(3) if held[i]], kept)

    def read_total_joint(self, a):
        first = self.total_end(a)
        self.total(a, first, self.total_end(a, first=first))

    def read_total_pin_joint(self, a):
        second = self.total_end(a)
        self.total(a, self.total_end(a, pin=True), second)

    def two_points(self, a, always=False):
        first = self.end_of(a, always=always, turns=())
        second = self.end_of(a, first, always=always, turns=())
        self.check_nodes(a, first[0], second[0])
        distance = math.dist(first[1], second[1])
        if not distance > CLOSE:
            raise Refused(a.place, "its points coincide; accepted: a distance above 0")
        return first, second, distance

    def read_distance(self, a, always=False):
        first, second, distance = self.two_points(a, always)
        length = distance if a.key("from nodes") else a.drive(self.drives)
        if abs(length - distance) > APART:
            raise Refused(a.place, f"its points are {distance:.9g} m apart at the start, not {length:.9g}")
        self.laws.append(("distance", first, second, {}))

    def read_distance_with_offset(self, a):
        self.read_distance(a, True)

    def read_rod(self, a, always=False):
        first, second, distance = self.two_points(a, always)
        length = distance if a.key("from nodes") else a.real()
        if not length > CLOSE:
            raise Refused(a.place, "a rod without length")
        stiffness, damping = self.law(a, a.real)
        if stiffness:
            self.laws.append(("spring", first, second, {"stiffness": stiffness / length, "free_length": length}))
        if damping:
            self.laws.append(("damper", first, second, {"coefficient": damping / length}))

    def read_rod_with_offset(self, a):
        self.read_rod(a, True)

    def law(self, a, read):
        """Elastic and viscous part (or None) of a linear constitutive law."""
        kinds = ("elastic", "viscous", "viscoelastic")
        form = a.key(*(f"linear{kind}{end}" for kind in kinds for end in ("", "isotropic", "generic")))
        if not form:
            raise Refused(a.place, f"law '{plain(a.word('a law'))[:40]}'; accepted: linear elastic, viscous, "
                          "viscoelastic, also isotropic or generic")
        values = [read()]
        if "viscoelastic" in form:
            if a.key("proportional"):
                factor = a.real()
                scaled = lambda x: [[factor * y for y in row] for row in x] if isinstance(x, list) else factor * x
                values.append(scaled(values[0]))
            else:
                values.append(read())
            return values
        return (None, values[0]) if "viscous" in form else (values[0], None)

    def read_deformable_hinge(self, a):
        first = self.end_of(a, always=False)
        second = self.end_of(a, first, always=False)
        self.check_nodes(a, first[0], second[0])
        isotropic = "isotropic" in plain(a.words[a.k]) if a.k < len(a.words) else False
        read = lambda: [[x * y for y in row] for x in [a.real()] for row in ONE] if isotropic else a.matrix()
        self.hinges.append((first, second, self.law(a, read), a.place))

    def root(self, node):
        while node != GROUND and self.home[node] != node:
            node = self.home[node]
        return node

    def number(self, node):
        root = self.root(node)
        return -1 if root == GROUND else self.numbers[root]

    def constrain(self, one, other, at, along, turning, place):
        a, b = self.number(one), self.number(other)
        if a == b:
            return
        put = lambda kind, **keys: self.model.element(kind, a, b, **keys)
        single = isinstance(turning, list)
        if len(along) == 3 and isinstance(turning, tuple):
            return put("universal", at=at, axes=list(turning))
        if len(along) == 3 and single:
            return put("revolute", at=at, axis=turning)
        if len(along) == 3:
            put("spherical", at=at)
        elif len(along) == 2:
            put("inline_point", at=at, axis=unit(cross(*along), place))
        elif along:
            put("slide", at=at, axis=along[0], way=0.0)
        if turning:
            axis = turning if single else ONE[0]
            put("parallel", axis=axis)
            if not single:
                put("turn", axis=axis, angle=0.0)

    def spring(self, first, second, law, place):
        """A deformable hinge about the axis that another joint leaves free between its bodies."""
        a, b = self.number(first[0]), self.number(second[0])
        axes = [t[4] for t in self.ties if {self.number(t[0]), self.number(t[1])} == {a, b} and isinstance(t[4], list)]
        if a == b:
            return
        if len(axes) != 1:
            return self.model.leave_out("deformable_hinge", place, "one without a hinge between its nodes")
        R, S, e = first[2], second[2], axes[0]
        inner = times(transposed(R), e)
        turn = product(transposed(R), S)
        if math.dist(times(turn, inner), inner) > CLOSE:
            raise Refused(place, "its orientations do not turn about the axis of the hinge")
        across = column(frame_of(inner, min(ONE, key=lambda x: abs(dot(x, inner))), place), 1)
        moved = times(turn, across)
        angle = math.atan2(dot(inner, cross(across, moved)), dot(across, moved))
        k, c = (dot(inner, times(M, inner)) if M else 0.0 for M in law)
        if k:
            self.model.element("torsion_spring", a, b, axis=e, stiffness=k, free_angle=-angle)
        if c:
            self.model.element("torsion_damper", a, b, axis=e, coefficient=c)
