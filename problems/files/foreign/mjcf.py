"""MJCF, the models of MuJoCo: bodies, joints, equalities and two-point tendons into a Model."""
import math
from pathlib import Path

from mjcf_shapes import geom_mass
from model import (HERE, ONE, Refused, axis_matrix, frame_of, moved, number, numbers,
                   onto, product, quaternion_matrix, times, turned, unit)
from xml_tree import read_xml

SECTIONS = {"asset": "shapes", "visual": "shapes", "statistic": "shapes", "custom": "custom data",
            "size": "sizes of memory", "contact": "contact", "actuator": "motors: none of their forces act",
            "sensor": "sensors", "keyframe": "keyframes: the start is the model's reference state"}
READ = "compiler option default worldbody equality tendon"
TURNS = "quat axisangle euler xyaxes zaxis"
SOFT = "solref solimp solreflimit solimplimit solreffriction solimpfriction margin group user class name"
JOINT = "type pos axis stiffness springref damping armature frictionloss ref springdamper"
JOINT_ASIDE = SOFT + " limited range actuatorfrclimited actuatorfrcrange actuatorgravcomp align"
FLAGS_ASIDE = ("constraint frictionloss limit contact spring damper clampctrl warmstart filterparent "
               "actuation refsafe sensor override energy fwdinv sensornoise multiccd island midphase "
               "nativeccd eulerdamp autoreset invdiscrete sleep diagexact")
COMPILER_ASIDE = ("autolimits fitaabb fusestatic discardvisual meshdir texturedir assetdir strippath "
                  "convexhull usethread alignfree exactmeshinertia saveinertial balanceinertia")


def included(node, main, seen, shown):
    """The children of a node, with <include> replaced by what the file holds."""
    out = []
    for child in node.children:
        if child.tag != "include":
            child.children = included(child, main, seen, shown)
            out.append(child)
            continue
        folder = main.parent.resolve()
        path = (folder / child.need("file")).resolve()
        if not path.is_relative_to(folder):
            raise Refused(child.place, "leads out of the model's folder; accepted: a file in it")
        if path in seen or len(seen) > 100:
            raise Refused(child.place, "is included already; accepted: each file once, 100 files")
        seen.add(path)
        out += included(read_xml(path, f"{shown}/{path.relative_to(folder)}"), main, seen, shown)
    return out


class Reader:
    def __init__(self, root, model):
        self.root, self.model = root, model
        self.compiler = {"angle": "degree", "eulerseq": "xyz", "inertiafromgeom": "auto"}
        self.defaults = {"main": {}}  # class: {tag: attributes}
        self.bodies, self.sites = {"world": (-1, HERE)}, {}
        self.ties, self.joints, self.sprung = [], {}, False
        self.off = set()

    def run(self):
        for section in self.root.children:
            if section.tag in SECTIONS:
                if section.children or section.attributes:
                    self.model.note(f"left out: {SECTIONS[section.tag]}")
            elif section.tag == "extension":
                self.model.leave_out("plugin", section.place, "a plugin")
            elif section.tag not in READ.split():
                raise Refused(section.place, f"is not read; accepted: {READ}")
        each = lambda tag: self.root.all(tag)
        for node in each("compiler"):
            self.compile_settings(node)
        self.model.gravity = [0.0, 0.0, -9.81]
        for node in each("option"):
            self.options(node)
        if "gravity" in self.off:
            self.model.gravity = [0.0, 0.0, 0.0]
        for node in each("default"):
            self.default(node, "main", None)
        for node in each("worldbody"):
            self.body(node, -1, HERE, "main", True)
        for tie in self.ties:
            self.model.joint(*tie)
        if "equality" not in self.off:
            for node in [n for section in each("equality") for n in section.children]:
                self.equality(node)
        for node in [n for section in each("tendon") for n in section.children]:
            self.tendon(node)

    def compile_settings(self, node):
        node.check("angle eulerseq inertiafromgeom inertiagrouprange coordinate boundmass "
                   "boundinertia settotalmass", COMPILER_ASIDE)
        self.compiler.update(node.attributes)
        if node.get("coordinate", "local") != "local":
            raise Refused(node.place, "coordinate: global; accepted: local")
        self.model.total_mass = max(0.0, number(node.get("settotalmass", "-1"), node.place))
        for key in ("boundmass", "boundinertia"):
            if number(node.get(key, "0"), node.place) > 0:
                self.model.leave_out(key, node.place, f"{key}, which changes masses")
        if node.get("balanceinertia") == "true":
            self.model.leave_out("balanceinertia", node.place, "inertias that no body has, changed")
        if len(self.compiler["eulerseq"]) != 3 or set(self.compiler["eulerseq"].lower()) - set("xyz"):
            raise Refused(node.place, "eulerseq; accepted: three of xyzXYZ")

    def options(self, node):
        if "gravity" in node.attributes:
            self.model.gravity = numbers(node.get("gravity"), 3, node.place)
        for key in ("density", "viscosity", "wind"):
            if any(numbers(node.get(key, "0"), None, node.place)):
                self.model.leave_out("fluid", node.place, f"{key} of a fluid")
        for flag in node.children:
            flag.check("gravity passive equality", FLAGS_ASIDE)
            self.off |= {key for key, value in flag.attributes.items() if value == "disable"}

    def default(self, node, parent, name):
        name = name or node.get("class", "main")
        own = self.defaults.setdefault(name, {})
        for tag, attributes in self.defaults[parent].items():
            own.setdefault(tag, dict(attributes))
        for child in node.children:
            if child.tag != "default":
                own.setdefault(child.tag, {}).update(child.attributes)
        for child in node.all("default"):
            self.default(child, name, child.need("class"))

    def filled(self, node, klass):
        """The node with the attributes of its class."""
        klass = node.get("class", klass)
        if klass not in self.defaults:
            raise Refused(node.place, f"no default class '{klass[:40]}'")
        out = type(node)(node.tag, {**self.defaults[klass].get(node.tag, {}), **node.attributes},
                         node.file, node.line)
        own = [key for key in TURNS.split() if key in node.attributes]
        for key in TURNS.split() if own else []:
            if key not in own:
                out.attributes.pop(key, None)
        return out

    def angle(self, value):
        return math.radians(value) if self.compiler["angle"] == "degree" else value

    def pose(self, node):
        """pos and one of quat, axisangle, euler, xyaxes, zaxis."""
        at = numbers(node.get("pos", "0 0 0"), 3, node.place)
        given = [key for key in TURNS.split() if key in node.attributes]
        if len(given) > 1:
            raise Refused(node.place, f"{' and '.join(given)}; accepted: one orientation")
        if not given:
            return at, ONE
        count = {"quat": 4, "axisangle": 4, "euler": 3, "xyaxes": 6, "zaxis": 3}[given[0]]
        x = numbers(node.get(given[0]), count, node.place)
        if given[0] == "quat":
            return at, quaternion_matrix(x, node.place)
        if given[0] == "axisangle":
            return at, axis_matrix(x[:3], self.angle(x[3]), node.place)
        if given[0] == "xyaxes":
            return at, frame_of(x[:3], x[3:], node.place)
        if given[0] == "zaxis":
            return at, onto(unit(x, node.place), node.place)
        R = ONE
        for letter, angle in zip(self.compiler["eulerseq"], x):
            turn = axis_matrix(ONE["xyz".index(letter.lower())], self.angle(angle), node.place)
            R = product(R, turn) if letter.islower() else product(turn, R)
        return at, R

    def body(self, node, above, pose, klass, world=False):
        """`above`: what a body without joints is part of; `pose`: of the node's frame, in space."""
        klass = node.get("childclass", klass)
        parts = list(self.parts(node, pose, klass))
        joints = [part for part in parts if part[0].tag in ("joint", "freejoint")]
        number_of = above
        if joints and world:
            raise Refused(joints[0][0].place, "a joint of the world")
        if joints:
            number_of = self.model.body(node.get("name", "body"), node.place)
            freedoms = [self.freedom(*joint) for joint in joints]
            self.ties.append((above, number_of, freedoms, node.place))
            for which, (joint, _, _) in enumerate(joints):
                self.joints[joint.get("name")] = (above, number_of, freedoms, which)
        if node.get("name") and not world:
            self.bodies[node.get("name")] = (number_of, pose)
        if not world:
            self.masses(node, number_of, pose, parts)
        for child, at, inner in parts:
            if child.tag == "site":
                site = self.filled(child, inner)
                if "name" in site.attributes and "fromto" not in site.attributes:
                    point = moved(at, (numbers(site.get("pos", "0 0 0"), 3, site.place), ONE))[0]
                    self.sites[site.get("name")] = (number_of, point)
            elif child.tag == "body":
                child.check("name pos childclass mocap gravcomp " + TURNS, "user sleep")
                if number(child.get("gravcomp", "0"), child.place) != 0:
                    self.model.leave_out("gravcomp", child.place, "compensated gravity")
                if child.get("mocap", "false") == "true":
                    self.model.leave_out("mocap", child.place, "a body that is moved by hand")
                self.body(child, number_of, moved(at, self.pose(child)), inner)

    def parts(self, node, pose, klass):
        """Children with the pose of the frame that they are in and their class; frames opened."""
        for child in node.children:
            if child.tag == "frame":
                yield from self.parts(child, moved(pose, self.pose(child)),
                                      child.get("childclass", klass))
            elif child.tag in ("body", "joint", "freejoint", "geom", "site", "inertial"):
                yield child, pose, klass
            elif child.tag in ("camera", "light"):
                self.model.note("left out: shapes")
            elif child.tag == "plugin":
                self.model.leave_out("plugin", child.place, "a plugin")
            else:
                raise Refused(child.place, "is not read; accepted in a body: body frame joint "
                              "freejoint inertial geom site")

    def freedom(self, node, pose, klass):
        if node.tag == "freejoint":
            return {"kind": "free"}
        node = self.filled(node, klass)
        node.check(JOINT, JOINT_ASIDE)
        kind = node.get("type", "hinge")
        if kind not in ("hinge", "slide", "ball", "free"):
            raise Refused(node.place, f"type '{kind[:40]}'; accepted: hinge, slide, ball, free")
        value = lambda key: number(node.get(key, "0"), node.place)
        if any(numbers(node.get("springdamper", "0 0"), 2, node.place)):
            self.model.leave_out("springdamper", node.place, "a stiffness from the whole mass")
        if value("frictionloss") != 0:
            self.model.leave_out("frictionloss", node.place, "dry friction of a joint")
        at, R = moved(pose, (numbers(node.get("pos", "0 0 0"), 3, node.place), ONE))
        axis = times(R, unit(numbers(node.get("axis", "0 0 1"), 3, node.place), node.place))
        rest = value("springref") - value("ref")
        rest = self.angle(rest) if kind == "hinge" else rest
        passive = "passive" not in self.off
        self.sprung |= passive and value("stiffness") != 0 and rest != 0
        if {"limited", "range"} & set(node.attributes):
            self.model.note("left out: limits of joints")
        return {"kind": kind, "at": at, "axis": axis, "rest": rest, "rotor": value("armature"),
                "stiffness": value("stiffness") * (passive and "spring" not in self.off),
                "damping": value("damping") * (passive and "damper" not in self.off)}

    def masses(self, node, body, pose, parts):
        if body < 0 and self.model.total_mass and not node.get("mocap"):
            raise Refused(node.place, "settotalmass shares mass with a body that does not move")
        inertial = [part for part in parts if part[0].tag == "inertial"]
        from_geoms = self.compiler["inertiafromgeom"]
        geoms = [(self.filled(geom, klass), at) for geom, at, klass in parts if geom.tag == "geom"]
        if geoms:
            self.model.note("left out: contact")
        if inertial and from_geoms != "true":
            part, frame, _ = inertial[0]
            part.check("pos mass diaginertia fullinertia " + TURNS)
            full = part.get("fullinertia")
            x = numbers(full, 6, part.place) if full else (
                numbers(part.get("diaginertia", "0 0 0"), 3, part.place) + [0.0] * 3)
            xx, yy, zz, xy, xz, yz = x
            centre, R = moved(frame, self.pose(part))
            self.model.piece(body, number(part.need("mass"), part.place), centre,
                             turned(R, [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]), part.place)
        elif from_geoms != "false" and body >= 0:
            low, high = numbers(self.compiler.get("inertiagrouprange", "0 5"), 2, node.place)
            for geom, at in geoms:
                if low <= number(geom.get("group", "0"), geom.place) <= high:
                    shape = geom_mass(geom, self.pose)
                    if shape:
                        mass, inner, J = shape
                        centre, R = moved(at, inner)
                        self.model.piece(body, mass, centre, turned(R, J), geom.place)

    def end(self, node, key, fallback=None):
        name = node.get(key, fallback)
        if name not in self.bodies:
            raise Refused(node.place, f"{key} names no body: '{str(name)[:40]}'")
        return self.bodies[name]

    def equality(self, node):
        node = self.filled(node, "main")
        if node.get("active", "true") == "false":
            return self.model.note("left out: equalities that are not active")
        if node.tag == "joint":
            return self.equal_joints(node)
        if node.tag not in ("connect", "weld"):
            return self.model.leave_out(node.tag, node.place, "an equality of this kind")
        self.model.note("equalities are exact here: their solref and solimp are left out")
        node.check("body1 body2 anchor site1 site2 relpose active", SOFT + " torquescale")
        at = None
        if "site1" in node.attributes:
            (a, at), (b, other) = (self.site(node, key) for key in ("site1", "site2"))
            if node.tag == "weld":
                raise Refused(node.place, "a weld of sites; accepted: of bodies")
            if math.dist(at, other) > 1e-9:
                raise Refused(node.place, f"its sites are {math.dist(at, other):.3g} m apart at the "
                              "start; accepted: below 1e-9")
        else:
            (a, pose), (b, _) = self.end(node, "body1"), self.end(node, "body2", "world")
            if node.tag == "connect":
                at = moved(pose, (numbers(node.need("anchor"), 3, node.place), ONE))[0]
            elif any(numbers(node.get("relpose", "0 0 0 0 0 0 0"), 7, node.place)[3:]):
                raise Refused(node.place, "relpose; accepted: the pose of the start")
        if a == b:
            raise Refused(node.place, "both ends are on one body")
        self.model.joint(a, b, [{"kind": "ball", "at": at, "axis": [0.0, 0.0, 1.0]}] if at else [],
                         node.place)

    def equal_joints(self, node):
        """The first joint moves a1 times as far as the second, or not at all."""
        node.check("joint1 joint2 polycoef active", SOFT)
        constant, slope, *rest = numbers(node.get("polycoef", "0 1 0 0 0"), None, node.place) + [0.0, 0.0]
        both = [key for key in ("joint1", "joint2") if key == "joint1" or key in node.attributes]
        for key in both:
            if node.need(key) not in self.joints:
                raise Refused(node.place, f"{key} names no joint: '{node.get(key)[:40]}'")
        if constant or (len(both) == 2 and any(rest)):
            return self.model.leave_out("joint", node.place, "an equality of joints that is not "
                                        "linear, or does not hold at the start")
        self.model.note("equalities are exact here: their solref and solimp are left out")
        self.model.couple([(*self.joints[node.get(key)], factor)
                           for key, factor in zip(both, (1.0, -slope))], node.place)

    def site(self, node, key):
        if node.need(key) not in self.sites:
            raise Refused(node.place, f"{key} names no site: '{node.get(key)[:40]}'")
        return self.sites[node.get(key)]

    def tendon(self, raw):
        node = self.filled(raw, "main")
        node.attributes.update({**self.defaults[raw.get("class", "main")].get("tendon", {}),
                                **raw.attributes})
        value = lambda key: number(node.get(key, "0"), node.place)
        for key in ("frictionloss", "armature"):
            if value(key) != 0:
                self.model.leave_out("tendon_" + key, node.place, f"{key} of a tendon")
        k, c = value("stiffness"), value("damping")
        if (k == 0 and c == 0) or "passive" in self.off:
            return self.model.note("left out: tendons without stiffness and damping")
        length = numbers(node.get("springlength", "-1"), 1, node.place)[0]
        if node.tag != "spatial" or [n.tag for n in raw.children] != ["site", "site"]:
            return self.model.leave_out("tendon", node.place, "a tendon with stiffness or damping "
                                        "that is not between two sites")
        if length < 0 and self.sprung:
            raise Refused(node.place, "its free length is that of joints at their springref; "
                          "accepted: springlength")
        (a, p), (b, q) = (self.site(n, "site") for n in raw.children)
        points = {"points": [p, q]}
        if k:
            self.model.element("spring", a, b, stiffness=k, **points,
                               free_length=math.dist(p, q) if length < 0 else length)
        if c:
            self.model.element("damper", a, b, coefficient=c, **points)


def read_mjcf(root, path, model):
    main = Path(path)
    root.children = included(root, main, {main.resolve()}, str(main.parent))
    Reader(root, model).run()
    return root.get("model")
