"""Masses and inertias of MuJoCo's primitive shapes, solid and of one density."""
import math

from model import Refused, number, numbers, onto, plus, unit

PI = math.pi
KNOWN = ("name class type pos quat axisangle euler xyaxes zaxis size fromto mass density mesh group "
         "fitscale shellinertia")
ASIDE = ("contype conaffinity condim priority friction solmix solref solimp margin gap rgba material "
         "user hfield surfacevel")


def box(a, b, c, m):
    return [m / 3 * (b * b + c * c), m / 3 * (a * a + c * c), m / 3 * (a * a + b * b)]


def capsule(r, h, m):
    """A cylinder of half length h and two half spheres."""
    ball = m * (4 / 3 * r) / (4 / 3 * r + 2 * h)
    rod = m - ball
    across = rod * (r * r / 4 + h * h / 3) + ball * (0.4 * r * r + h * h + 0.75 * r * h)
    return [across, across, rod * r * r / 2 + ball * 0.4 * r * r]


SHAPES = {  # count of sizes, volume, principal inertias
    "sphere": (1, lambda r: 4 / 3 * PI * r**3, lambda r, m: [0.4 * m * r * r] * 3),
    "capsule": (2, lambda r, h: PI * r * r * (4 / 3 * r + 2 * h), capsule),
    "cylinder": (2, lambda r, h: 2 * PI * r * r * h,
                 lambda r, h, m: [m * (r * r / 4 + h * h / 3)] * 2 + [m * r * r / 2]),
    "box": (3, lambda a, b, c: 8 * a * b * c, box),
    "ellipsoid": (3, lambda a, b, c: 4 / 3 * PI * a * b * c,
                  lambda a, b, c, m: [x * 0.6 for x in box(a, b, c, m)])}


def geom_mass(geom, pose_of):
    """Mass, pose in its frame and inertia about it, or None of what weighs nothing."""
    geom.check(KNOWN, ASIDE + " fluidshape fluidcoef")
    kind = geom.get("type", "sphere")
    given = number(geom.get("mass", "-1"), geom.place)
    density = number(geom.get("density", "1000"), geom.place)
    if given == 0 or (given < 0 and density == 0) or kind in ("plane", "hfield"):
        return None
    if geom.get("fluidshape", "none") != "none":
        raise Refused(geom.place, "fluidshape; accepted: none")
    if kind not in SHAPES or "mesh" in geom.attributes or geom.get("shellinertia") == "true":
        raise Refused(geom.place, "its mass is that of a mesh or shell; accepted: <inertial> in its "
                      "body, or a solid " + ", ".join(SHAPES))
    count, volume, inertia = SHAPES[kind]
    size = numbers(geom.get("size", ""), None, geom.place)
    if "fromto" in geom.attributes and kind != "sphere":
        ends = numbers(geom.get("fromto"), 6, geom.place)
        along = plus(ends[:3], ends[3:], -1)
        middle = [x / 2 for x in plus(ends[:3], ends[3:])]
        pose = middle, onto(unit(along, geom.place, "fromto"), geom.place)
        size = size[:count - 1] + [math.dist(ends[:3], ends[3:]) / 2]
    else:
        pose = pose_of(geom)
    if len(size) < count or any(x <= 0 for x in size[:count]):
        raise Refused(geom.place, f"size; accepted: {count} numbers above 0 for a {kind}")
    size = size[:count]
    mass = given if given > 0 else density * volume(*size)
    J = inertia(*size, mass)
    return mass, pose, [[J[i] if i == j else 0.0 for j in range(3)] for i in range(3)]
