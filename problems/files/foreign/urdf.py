"""URDF: links, joints and closed loops (<loop_joint>) into a Model."""
import math

from model import HERE, Refused, axis_matrix, moved, number, numbers, plus, product, times, turned, unit

ZERO = "0 0 0"
FREEDOMS = {"revolute": ["hinge"], "continuous": ["hinge"], "prismatic": ["slide"], "fixed": [],
            "floating": ["free"], "planar": ["slide", "slide", "hinge"]}
ASIDE = {"limit": "limits of joints", "safety_controller": "limits of joints",
         "calibration": "calibrations", "visual": "shapes and contact", "collision": "shapes and contact",
         "material": "shapes and contact", "contact": "shapes and contact",
         "self_filter": "shapes and contact", "transmission": "motors", "ros2_control": "motors",
         "gazebo": "settings for Gazebo", "sensor": "sensors", "mujoco": "settings for MuJoCo"}


def pose_of(node):
    if node is None:
        return HERE
    node.check("xyz rpy")
    roll, pitch, yaw = numbers(node.get("rpy", ZERO), 3, node.place)
    R = axis_matrix([0, 0, 1], yaw, node.place)
    for axis, angle in (([0, 1, 0], pitch), ([1, 0, 0], roll)):
        R = product(R, axis_matrix(axis, angle, node.place))
    return numbers(node.get("xyz", ZERO), 3, node.place), R


def read_parts(node, accepted, model):
    """Refuses children that are not known, notes those that do not move anything."""
    for child in node.children:
        if child.tag in ASIDE:
            model.note(f"left out: {ASIDE[child.tag]}")
        elif child.tag not in accepted.split():
            raise Refused(child.place, f"is not read; accepted in <{node.tag}>: {accepted}")


def mass_of(link, pose):
    """Mass, centre and inertia in space, or None."""
    inertial = link.one("inertial")
    if inertial is None:
        return None
    for child in inertial.children:
        if child.tag not in ("origin", "mass", "inertia"):
            raise Refused(child.place, "is not read; accepted in <inertial>: origin mass inertia")
    mass, inertia = inertial.one("mass"), inertial.one("inertia")
    if mass is None or inertia is None:
        raise Refused(inertial.place, "accepted: with <mass> and <inertia>")
    mass.check("value"), inertia.check("ixx iyy izz ixy ixz iyz")
    xx, yy, zz = (number(inertia.need(key), inertia.place) for key in ("ixx", "iyy", "izz"))
    xy, xz, yz = (number(inertia.get(key, "0"), inertia.place) for key in ("ixy", "ixz", "iyz"))
    centre, R = moved(pose, pose_of(inertial.one("origin")))
    return (number(mass.need("value"), mass.place), centre,
            turned(R, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), inertial.place)


class Reader:
    def __init__(self, robot, model):
        self.robot, self.model = robot, model
        self.links = self.named("link")
        self.joints, self.below, self.at, self.ties = self.named("joint"), {}, {}, {}

    def named(self, tag):
        found = {}
        for node in self.robot.all(tag):
            if node.need("name") in found:
                raise Refused(node.place, "its name is taken; accepted: one of each name")
            found[node.get("name")] = node
        return found

    def link_named(self, node, key):
        if node is None or node.need(key) not in self.links:
            raise Refused(node.place if node else self.robot.place, "names no <link> of the model")
        return node.get(key)

    def run(self):
        read_parts(self.robot, "link joint loop_joint", self.model)
        self.model.gravity = [0.0, 0.0, -9.81]
        self.model.note("URDF states no gravity: 9.81 m/s^2 along -z")
        children = set()
        for joint in self.joints.values():
            read_parts(joint, "origin parent child axis dynamics mimic", self.model)
            if joint.need("type") not in FREEDOMS:
                raise Refused(joint.place, f"type '{joint.get('type')[:40]}'; accepted: "
                              + ", ".join(FREEDOMS))
            parent, child = (self.link_named(joint.one(tag), "link") if joint.one(tag) else
                             self.refuse_joint(joint, tag) for tag in ("parent", "child"))
            if child in children:
                raise Refused(joint.place, f"a second joint above link '{child[:40]}'; accepted: "
                              "<loop_joint> where loops close")
            children.add(child)
            self.below.setdefault(parent, []).append((joint, child))
        roots = [name for name in self.links if name not in children]
        if len(roots) != 1:
            raise Refused(self.robot.place, f"{len(roots)} links without a parent; accepted: one")
        self.model.note(f"link '{roots[0][:40]}' is held by the ground: URDF does not say; "
                        "a joint of type floating above it frees it")
        self.descend(roots[0])
        for loop in self.robot.all("loop_joint"):
            self.close(loop)

    @staticmethod
    def refuse_joint(joint, tag):
        raise Refused(joint.place, f"<{tag}> is missing")

    def descend(self, root):
        self.at[root] = (-1, HERE)
        stack, ties = [root], []
        while stack:
            name = stack.pop()
            body, pose = self.at[name]
            link = self.links[name]
            read_parts(link, "inertial", self.model)
            mass = mass_of(link, pose)
            if mass:
                self.model.piece(body, *mass)
            for joint, child in reversed(self.below.get(name, [])):
                place = moved(pose, pose_of(joint.one("origin")))
                below = body
                if FREEDOMS[joint.get("type")]:
                    below = self.model.body(child, self.links[child].place)
                    ties.append((body, below, self.freedoms(joint, place), joint.place))
                    self.ties[joint.get("name")] = ties[-1]
                self.at[child] = (below, place)
                stack.append(child)
        if len(self.at) < len(self.links):
            lost = next(name for name in self.links if name not in self.at)
            raise Refused(self.links[lost].place, "its joints lead in a circle; accepted: a tree")
        for tie in ties:
            self.model.joint(*tie)
        for name, joint in self.joints.items():
            if joint.one("mimic") and name in self.ties:
                self.follow(self.ties[name], joint.one("mimic"))

    def follow(self, tie, mimic):
        mimic.check("joint multiplier offset")
        if mimic.need("joint") not in self.ties:
            raise Refused(mimic.place, "names no <joint> of the model that moves")
        other, value = self.ties[mimic.get("joint")], lambda key, rest: number(mimic.get(key, rest), mimic.place)
        if value("offset", "0") != 0:
            return self.model.leave_out("mimic", mimic.place, "a joint that follows another with an offset")
        if len(tie[2]) != 1 or len(other[2]) != 1:
            raise Refused(mimic.place, "joints of one freedom are accepted")
        self.model.couple([(*tie[:3], 0, 1.0), (*other[:3], 0, -value("multiplier", "1"))], mimic.place)

    def freedoms(self, joint, pose):
        place, kinds = joint.place, FREEDOMS[joint.get("type")]
        axis = joint.one("axis")
        x = unit(numbers(axis.need("xyz") if axis else "1 0 0", 3, place), place)
        made = [{"kind": kind, "at": pose[0], "axis": times(pose[1], x)} for kind in kinds]
        if len(kinds) > 1:
            least = min(range(3), key=lambda i: abs(x[i]))
            across = [float(i == least) for i in range(3)]
            first = unit(plus(across, x, -x[least]), place)
            second = [x[1] * first[2] - x[2] * first[1], x[2] * first[0] - x[0] * first[2],
                      x[0] * first[1] - x[1] * first[0]]
            made[0]["axis"], made[1]["axis"] = times(pose[1], first), times(pose[1], second)
        dynamics = joint.one("dynamics")
        if dynamics:
            dynamics.check("damping friction")
            if number(dynamics.get("friction", "0"), dynamics.place) != 0:
                self.model.leave_out("friction", dynamics.place, "dry friction of a joint")
            for freedom in made:
                freedom["damping"] = number(dynamics.get("damping", "0"), dynamics.place)
        return made

    def close(self, loop):
        """<link1 link= xyz= rpy=>, <link2 ...>: frames that meet, with the axis in that of link1."""
        kinds = {"revolute": ["hinge"], "continuous": ["hinge"], "fixed": [], "ball": ["ball"],
                 "prismatic": ["slide"], "spherical": ["ball"]}
        if loop.need("type") not in kinds:
            raise Refused(loop.place, f"type '{loop.get('type')[:40]}'; accepted: "
                          + ", ".join(kinds))
        ends = []
        for tag in ("link1", "link2"):
            end = loop.one(tag)
            body, pose = self.at[self.link_named(end, "link")]
            end.check("link xyz rpy")
            frame = type(end)("origin", {k: v for k, v in end.attributes.items() if k != "link"},
                              end.file, end.line)
            ends.append((body, moved(pose, pose_of(frame))))
        (a, (at, R)), (b, (other, _)) = ends
        gap = math.dist(at, other)
        if gap > 1e-9:
            raise Refused(loop.place, f"its ends are {gap:.3g} m apart; accepted: below 1e-9")
        axis = loop.one("axis")
        along = times(R, unit(numbers(axis.need("xyz") if axis else "1 0 0", 3, loop.place), loop.place))
        self.model.joint(a, b, [{"kind": kind, "at": at, "axis": along}
                                for kind in kinds[loop.get("type")]], loop.place)


def read_urdf(robot, path, model):
    if any(child.tag.startswith("xacro:") for child in robot.children):
        raise Refused(robot.place, "xacro, a language of macros; accepted: the URDF that it makes")
    Reader(robot, model).run()
    return robot.get("name")
