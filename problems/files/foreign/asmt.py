"""Assemblies of OndselSolver (.asmt): parts, markers, joints and motions into a Model.

A file is a tree by its tabs. Markers are frames of parts or of the ground; joints act along their
third axes, from marker I to marker J.
"""
import math
import re

from model import HERE, Refused, dot, frame_of, moved, number, numbers, transposed, turned

JOINTS = {"RevoluteJoint": ["hinge"], "CylindricalJoint": ["slide", "hinge"], "TranslationalJoint": ["slide"],
          "SphericalJoint": ["ball"], "FixedJoint": [], "UniversalJoint": None, "RackPinionJoint": None,
          "ScrewJoint": None}
APART = 1e-5  # of ends that meet [m], of axes that agree [rad], of matrices: files are rounded
LARGEST_FILE, DEEPEST = 16_000_000, 50
WORD = re.compile(r"\s*(?:(\d+\.?\d*(?:e[+-]?\d+)?)d?|(pi|sin|cos|exp|sqrt|abs)\b|(time)\b|([-+*/()]))")


class Entry:
    def __init__(self, text, place):
        self.text, self.place, self.children = text, place, []

    def all(self, key):
        return [child for child in self.children if child.text == key]

    def one(self, key):
        found = self.all(key)
        if len(found) != 1:
            raise Refused(self.place, f"{self.text[:40]} has {len(found)} {key}; accepted: one")
        return found[0]

    def value(self, key):
        entry = self.one(key)
        if len(entry.children) != 1:
            raise Refused(entry.place, f"{key} has {len(entry.children)} lines; accepted: one")
        return entry.children[0].text

    def only(self, keys):
        for child in self.children:
            if child.text not in keys.split():
                raise Refused(child.place, f"{child.text[:40]} is not read; accepted: {keys}")

    def pose(self):
        """Position3D, and RotationMatrix where there is one."""
        rows = self.one("RotationMatrix").children if self.all("RotationMatrix") else []
        matrix = [numbers(row.text, 3, row.place) for row in rows] or HERE[1]
        gap = max(abs(dot(a, b) - (i == j)) for i, a in enumerate(matrix) for j, b in enumerate(matrix))
        if len(matrix) != 3 or not gap < APART:
            raise Refused(self.place, "RotationMatrix; accepted: three orthogonal rows of length 1")
        return numbers(self.value("Position3D"), 3, self.place), transposed(frame_of(*matrix[:2], self.place))


def tree(path, shown):
    if path.stat().st_size > LARGEST_FILE:
        raise Refused(shown, f"more than {LARGEST_FILE} bytes")
    root = Entry("file", shown)
    open_entries = [root]
    for line, text in enumerate(path.read_text(errors="replace").splitlines(), 1):
        depth = len(text) - len(text.lstrip("\t"))
        if not text.strip() or depth >= len(open_entries):
            if text.strip():
                raise Refused(f"{shown}, line {line}", "is indented by more than one tab")
            continue
        if depth >= DEEPEST:
            raise Refused(f"{shown}, line {line}", f"{DEEPEST} levels deep")
        entry = Entry(text.strip(), f"{shown}, line {line}")
        del open_entries[depth + 1:]
        open_entries[depth].children.append(entry)
        open_entries.append(entry)
    return root.one("Assembly")


def law(text, place):
    """What has changed since time 0, as a formula of t."""
    now, start, at = "", "", 0
    while text[at:].strip():
        word = WORD.match(text, at)
        if not word or len(text) > 1000:
            raise Refused(place, f"'{text[:60]}'; accepted: numbers, + - * / ( ), pi, time, sin cos exp sqrt abs")
        digits, name, time, sign = word.groups()
        now += digits or name or sign or "t"
        start += "0" if time else now[len(now) - len(digits or name or sign):]
        at = word.end()
    return f"({now}) - ({start})"


class Reader:
    def __init__(self, assembly, model):
        self.assembly, self.model, self.frames, self.joints = assembly, model, {}, {}

    def run(self):
        top, here = "/" + self.assembly.value("Name"), self.assembly.pose()
        self.model.assemble = True  # velocities, where the parts' do not fit
        self.markers(self.assembly, -1, here, top)
        for part in self.assembly.one("Parts").children:
            self.part(part, here, top)
        sets = self.assembly.one("ConstraintSets")
        sets.only("Joints Motions Limits GeneralConstraintSets")
        for joint in sets.one("Joints").children:
            self.joint(joint, top)
        for motion in [m for section in sets.all("Motions") for m in section.children]:
            self.motion(motion, top)
        for word, sections in (("Limits", sets), ("GeneralConstraintSets", sets), ("ForceTorques", self.assembly)):
            for entry in [e for section in sections.all(word) for e in section.children]:
                self.model.leave_out(word, entry.place, entry.text[:40])
        gravity = self.assembly.all("ConstantGravity")
        if gravity:
            self.model.gravity = numbers(self.assembly.value("ConstantGravity"), 3, gravity[0].place)
        self.model.note(f"markers of joints may be {APART:g} m apart: they meet where marker J is")
        self.model.note("left out: shapes, times")

    def markers(self, owner, body, pose, path):
        for point in [p for section in owner.all("RefPoints") for p in section.children]:
            at = moved(pose, point.pose())
            for marker in [m for section in point.all("Markers") for m in section.children]:
                self.frames[f"{path}/{marker.value('Name')}"] = (body, moved(at, marker.pose()))

    def part(self, part, here, top):
        name, pose, mass = part.value("Name"), moved(here, part.pose()), part.one("PrincipalMassMarker")
        body = self.model.body(name, part.place)
        centre, R = moved(pose, mass.pose())
        x, y, z = numbers(mass.value("MomentOfInertias"), 3, mass.place)
        self.model.piece(body, number(mass.value("Mass"), mass.place), centre,
                         turned(R, [[x, 0.0, 0.0], [0.0, y, 0.0], [0.0, 0.0, z]]), mass.place)
        vector = lambda key: numbers(part.value(key), 3, part.place)
        self.model.bodies[body]["velocity"] = (pose[0], vector("Velocity3D"), vector("Omega3D"))
        self.markers(part, body, pose, f"{top}/{name}")

    def end(self, joint, key):
        if joint.value(key) not in self.frames:
            raise Refused(joint.one(key).place, f"names no marker: '{joint.value(key)[:60]}'")
        return self.frames[joint.value(key)]

    def joint(self, joint, top):
        if joint.text not in JOINTS:
            return self.model.leave_out(joint.text, joint.place, f"the joint {joint.text[:40]}")
        joint.only("Name MarkerI MarkerJ pitchRadius pitch")
        (a, (p, P)), (b, (q, Q)) = self.end(joint, "MarkerI"), self.end(joint, "MarkerJ")
        (x, _, z), (_, _, other) = transposed(P), transposed(Q)
        self.joints[f"{top}/{joint.value('Name')}"] = (a, b, q, z)
        way = lambda axis, factor: (a, b, [{"kind": "slide", "axis": axis, "at": q}], 0, factor)
        angle = lambda factor: (a, b, [{"kind": "hinge", "axis": z, "at": q}], 0, factor)
        if joint.text == "RackPinionJoint":
            return self.model.couple([way(x, 1.0), angle(number(joint.value("pitchRadius"), joint.place))],
                                     joint.place)
        if joint.text == "ScrewJoint":
            return self.model.couple([way(z, 2 * math.pi), angle(-number(joint.value("pitch"), joint.place))],
                                     joint.place)
        kinds = JOINTS[joint.text]
        gap = [s - r for r, s in zip(p, q)]
        apart = math.sqrt(max(0.0, dot(gap, gap) - ("slide" in (kinds or "")) * dot(gap, z) ** 2))
        if apart > APART:
            raise Refused(joint.place, f"its markers are {apart:.3g} m apart; accepted: below {APART:g}")
        if kinds is None:
            return self.model.element("universal", a, b, at=q, axes=[z, other])
        if kinds and kinds != ["ball"] and math.sqrt(max(0.0, 1 - dot(z, other) ** 2)) > APART:
            raise Refused(joint.place, "the third axes of its markers differ; accepted: parallel ones")
        self.model.joint(a, b, [{"kind": kind, "at": q, "axis": z} for kind in kinds], joint.place)

    def motion(self, motion, top):
        kinds = {"RotationalMotion": "RotationZ", "TranslationalMotion": "TranslationZ"}
        if motion.text not in kinds:
            return self.model.leave_out(motion.text, motion.place, f"the motion {motion.text[:40]}")
        if motion.value("MotionJoint") not in self.joints:
            raise Refused(motion.place, f"names no joint: '{motion.value('MotionJoint')[:60]}'")
        a, b, at, z = self.joints[motion.value("MotionJoint")]
        change = law(motion.value(kinds[motion.text]), motion.place)
        if motion.text == "RotationalMotion":
            return self.model.element("turn", a, b, axis=z, angle=change)
        self.model.element("slide", a, b, at=at, axis=z, way=change)


def read_asmt(path, shown, model):
    assembly = tree(path, shown)
    Reader(assembly, model).run()
    return assembly.value("Name")
