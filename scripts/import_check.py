#!/usr/bin/env python3
"""Models as `daemark import-mechanism` reads them, compared with MuJoCo at 100 random states.

    scripts/import_check.py MODEL[+WORD]...      MJCF (.xml) or .urdf; words as of --without
    scripts/import_check.py MODEL[+WORD]=EQUIVALENT.xml...   any model, and what MuJoCo reads for it

Prints for each model: bodies, constraint rows and loops, and the largest difference of the accelerations of
all bodies, relative to the largest in the state, linear and angular apart. Needs a build (`make
build`), NumPy, Eigen and libmujoco-dev. MuJoCo gets the model without shapes and motors, which need
not be there; masses from shapes stay. States turn no body by more than 160 degrees from the start.
"""
import argparse
import json
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parent.parent
STATES = 100
ASIDE = {"asset", "visual", "statistic", "contact", "actuator", "sensor", "keyframe", "custom",
         "extension", "size"}


def expanded(root, folder):
    for node in list(root.iter()):
        for k, child in reversed(list(enumerate(node))):
            if child.tag == "include":
                node[k:k + 1] = list(expanded(ElementTree.parse(folder / child.get("file")).getroot(),
                                              folder))
    return root


def drop(node, unwanted):
    for child in list(node):
        if unwanted(child):
            node.remove(child)
        else:
            drop(child, unwanted)


def stripped(model, without, out):
    """What MuJoCo reads: the same bodies and joints, no files of shapes."""
    root = expanded(ElementTree.parse(model).getroot(), model.parent)
    if root.tag == "robot":
        drop(root, lambda e: e.tag in ("visual", "collision", "mujoco", "mimic"))
    else:
        drop(root, lambda e: e.tag in ("camera", "light", "composite"))
        for section in [e for e in root if e.tag in ASIDE]:
            root.remove(section)
        for tag in [word for word in without if word in ("tendon", "joint")]:
            drop(root, lambda e, tag=tag: e.tag == tag and not {"joint1", "tendon1"}.isdisjoint(e.keys()))
            drop(root, lambda e, tag=tag: e.tag == tag == "tendon")
        fluid = {"density", "viscosity", "wind"} if "fluid" in without else set()
        for settings in [*root.iter("compiler"), *root.iter("option")]:
            for key in {*without, *fluid, "meshdir", "texturedir"} & set(settings.keys()):
                del settings.attrib[key]
        for body in root.iter("body"):
            if body.find("inertial") is not None:
                for geom in body.findall("geom"):
                    body.remove(geom)
        for shape in root.iter():
            for key in {"material", "texture", "hfield"} & set(shape.keys()):
                del shape.attrib[key]
        for world in root.iter("worldbody"):
            for geom in world.findall("geom"):
                world.remove(geom)
    ElementTree.ElementTree(root).write(out)


def turn_vector(R):
    """g of R = R(g) and the angle."""
    angle = np.arccos(np.clip((np.trace(R) - 1) / 2, -1, 1))
    skew = np.array([R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1]])
    return 2 * skew / (1 + np.trace(R)), angle


class Comparison:
    def __init__(self, mechanism, names, start):
        import daemark
        self.bodies = mechanism["bodies"]
        self.problem = daemark.Problem(self.file(mechanism))
        known = [body["name"] for body in self.bodies]
        plain = ["".join(c if c.isalnum() else "_" for c in name) for name in names]
        self.order = [plain.index(name) for name in known] if set(known) <= set(plain) else range(len(known))
        self.start = [start[k] for k in self.order]
        self.arms = [frame["R"].T @ (self.at(body) - frame["x"])
                     for body, frame in zip(self.bodies, self.start)]

    @staticmethod
    def at(body):
        return np.array([float(x) for x in body["position"]])

    @staticmethod
    def file(mechanism):
        name = tempfile.mkstemp(suffix=".json")[1]
        Path(name).write_text(json.dumps(mechanism))
        return name

    def difference(self, state):
        """None where a body has turned too far for its chart."""
        q, v, wanted = [], [], []
        for k, start, arm in zip(self.order, self.start, self.arms):
            now = state[k]
            g, angle = turn_vector(now["R"] @ start["R"].T)
            if angle > np.radians(160):
                return None
            r, w = now["R"] @ arm, now["omega"]
            cross = np.array([[0, -g[2], g[1]], [g[2], 0, -g[0]], [-g[1], g[0], 0]])
            G = 4 / (4 + g @ g) * (np.eye(3) + cross / 2)
            q += [*(now["x"] + r), *g]
            v += [*(now["v"] + np.cross(w, r)), *np.linalg.solve(G, w)]
            wanted.append((now["a"] + np.cross(now["alpha"], r) + np.cross(w, np.cross(w, r)),
                           now["alpha"], w, g))
        found, _ = self.problem.accelerations(0.0, np.array(q), np.array(v))
        gap, size = np.zeros(2), np.zeros(2)
        for i, (a, alpha, w, g) in enumerate(wanted):
            rate = np.array(v[6 * i + 3:6 * i + 6])
            second = found[6 * i + 3:6 * i + 6]  # w (1 + g g / 4) = g' + g x g' / 2, once more derived
            own = (second + np.cross(g, second) / 2 - w * (g @ rate) / 2) / (1 + g @ g / 4)
            gap = np.maximum(gap, [abs(found[6 * i:6 * i + 3] - a).max(), abs(own - alpha).max()])
            size = np.maximum(size, [abs(a).max(), abs(alpha).max()])
        return max(gap / np.maximum(size, 1e-3))


def states_of(program, model):
    child = subprocess.run([program, model, str(4 * STATES)], capture_output=True, text=True)
    if child.returncode == 2:
        raise RuntimeError("MuJoCo: " + " ".join(child.stderr.split())[:200])
    lines = child.stdout.splitlines()
    states = []
    for line in lines[1:]:
        rows = np.array(line.split(), float).reshape(-1, 24)
        states.append([{"x": r[:3], "R": r[3:12].reshape(3, 3), "v": r[12:15], "omega": r[15:18],
                        "a": r[18:21], "alpha": r[21:24]} for r in rows])
    return lines[0].split(), states


def row_of(program, model, without, equivalent, name):
    words = [x for word in without for x in ("--without", word)]
    child = subprocess.run([ROOT / "build" / "daemark", "import-mechanism", model, "--id", name,
                            *words],
                           capture_output=True, text=True)
    if child.returncode != 0:
        raise RuntimeError(" ".join(child.stderr.split()))
    mechanism = json.loads(child.stdout)
    with tempfile.TemporaryDirectory() as folder:
        plain = Path(folder) / f"model{equivalent.suffix}"
        stripped(equivalent, [] if equivalent != model else without, plain)
        names, states = states_of(program, plain)
    compare = Comparison(mechanism, names, states[0])
    found = [x for x in (compare.difference(state) for state in states[1:]) if x is not None][:STATES]
    if len(names) != len(mechanism["bodies"]) or len(found) < STATES:
        raise RuntimeError(f"{len(names)} bodies in MuJoCo; {len(found)} states, {STATES} wanted")
    loops = sum(e.tag in ("connect", "weld", "loop_joint") for e in ElementTree.parse(equivalent).iter())
    return f"{len(names)} | {compare.problem.n_lambda} | {loops} | {max(found):.1e}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("models", nargs="+")
    chosen = parser.parse_args()
    sys.path.insert(0, str(ROOT / "bindings" / "python"))
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "import_check"
        subprocess.run(["c++", "-std=c++20", "-O2", "-isystem", "/usr/include/eigen3",
                        ROOT / "scripts" / "import_check.cpp", "-o", program, "-lmujoco"], check=True)
        for number, model in enumerate(chosen.models):
            given, _, equivalent = model.partition("=")
            name, *words = given.split("+")
            try:
                result = row_of(program, Path(name), words, Path(equivalent or name), f"model_to_check_{number}")
            except (RuntimeError, ValueError) as reason:
                result = reason
            print(f"| {given} | {result} |", flush=True)


if __name__ == "__main__":
    main()
