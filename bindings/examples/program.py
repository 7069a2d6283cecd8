#!/usr/bin/env python3
"""A program as a method (bindings/PROGRAMS.md) in Python: revolute and spherical joints and loops in
maximal coordinates, index 1 with Baumgarte's terms, the classical Runge-Kutta method. Needs NumPy."""
import csv
import json
import sys
import time

import numpy as np

ALPHA = 20.0  # [1/s], of C'' + 2 ALPHA C' + ALPHA^2 C = 0
DESCRIPTION = {
    "name": "maximal coordinates in Python", "version": "1", "accepts": ["loops", "revolute", "spherical"],
    "variants": [{"name": "rk4", "steps": "fixed", "settings":
                  "classical Runge-Kutta, index 1 with Baumgarte's terms, alpha = beta = 20/s; redundant rows by least squares"}]}


def refuse(why):
    print(why, file=sys.stderr)
    sys.exit(3)


def cross(a):
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def rotation(q):
    w, u = q[0], cross(q[1:])
    return np.eye(3) + 2 * (w * u + u @ u)


class Mechanism:
    def __init__(self, file):
        self.bodies, self.joints = file["bodies"], file["joints"]
        self.gravity = np.array(file["gravity"])
        self.inertia = []
        for b in self.bodies:
            xx, yy, zz, xy, xz, yz = b["inertia"]
            self.inertia.append(np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]))

    def start(self):
        return np.array([b["position"] + b["rotation"] + b["velocity"] + b["angular_velocity"]
                         for b in self.bodies])

    def rows(self, joint, states):
        """C, C', the Jacobians by (v, w) of both bodies, and what C'' has beside their accelerations."""
        jacobians, points, speeds, rests, axes = [], [], [], [], []
        for body, p, axis in zip(joint["bodies"], joint["points"], joint["axes"]):
            x, R, v, w = states[body] if body >= 0 else (np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))
            r = R @ p
            points.append(x + r), speeds.append(v + np.cross(w, r)), rests.append(np.cross(w, np.cross(w, r)))
            jacobians.append(np.hstack([np.eye(3), -cross(r)]))
            axes.append((R @ axis, w))
        C, rate, rest = points[1] - points[0], speeds[1] - speeds[0], rests[1] - rests[0]
        G = [-jacobians[0], jacobians[1]]
        if joint.get("as") == "inline":  # a planar loop: the points meet in the plane
            return C[:2], rate[:2], [g[:2] for g in G], rest[:2]
        if joint["type"] == "revolute":  # two directions across the first axis stay so to the second
            (a, wa), (b, wb) = axes
            u = np.cross(a, np.eye(3)[np.argmin(np.abs(joint["axes"][0]))])
            for d in (u, np.cross(a, u)):
                db = np.cross(d, b)
                dd, bd = np.cross(wa, d), np.cross(wb, b)
                C, rate = np.append(C, d @ b), np.append(rate, dd @ b + d @ bd)
                rest = np.append(rest, np.cross(wa, dd) @ b + 2 * dd @ bd + d @ np.cross(wb, bd))
                zero = np.zeros(3)
                G = [np.vstack([G[0], np.concatenate([zero, db])]), np.vstack([G[1], np.concatenate([zero, -db])])]
        return C, rate, G, rest

    def rates(self, y):
        n = len(self.bodies)
        states = [(s[:3], rotation(s[3:7]), s[7:10], s[10:13]) for s in y]
        M, f = np.zeros((6 * n, 6 * n)), np.zeros(6 * n)
        for i, (_, R, _, w) in enumerate(states):
            I = R @ self.inertia[i] @ R.T
            m = self.bodies[i]["mass"]
            M[6 * i:6 * i + 3, 6 * i:6 * i + 3], M[6 * i + 3:6 * i + 6, 6 * i + 3:6 * i + 6] = m * np.eye(3), I
            f[6 * i:6 * i + 3], f[6 * i + 3:6 * i + 6] = m * self.gravity, -np.cross(w, I @ w)
        G, right = [], []
        for joint in self.joints:
            C, rate, jacobians, rest = self.rows(joint, states)
            row = np.zeros((len(C), 6 * n))
            for body, g in zip(joint["bodies"], jacobians):
                if body >= 0:
                    row[:, 6 * body:6 * body + 6] += g
            G.append(row), right.append(-rest - 2 * ALPHA * rate - ALPHA**2 * C)
        G, right = np.vstack(G), np.concatenate(right)
        free, back = np.linalg.solve(M, f), np.linalg.solve(M, G.T)
        force = np.linalg.lstsq(G @ back, right - G @ free, rcond=1e-12)[0]
        acceleration = (free + back @ force).reshape(n, 6)
        out = np.empty_like(y)
        for i, (_, _, v, w) in enumerate(states):
            q = y[i, 3:7]
            turn = np.concatenate([[-w @ q[1:]], q[0] * w + np.cross(w, q[1:])]) / 2
            out[i] = np.concatenate([v, turn, acceleration[i]])
        return out


def main(path, variant, step, out):
    file = json.load(open(path))
    if "bodies" not in file:
        refuse("the file has no rigid bodies")
    strange = set(file["features"]) - set(DESCRIPTION["accepts"])
    if strange:
        refuse("cannot express " + sorted(strange)[0])
    if variant != "rk4":
        sys.exit("no variant " + variant)
    times, m = file["times"], Mechanism(file)
    every = round(times["spacing"] / float(step))
    if every < 1 or abs(every * float(step) / times["spacing"] - 1) > 1e-9:
        refuse("the step does not divide the spacing of output times, %g" % times["spacing"])
    h, y, seconds = times["spacing"] / every, m.start(), 0.0
    with open(out, "w", newline="") as stream:
        table = csv.writer(stream)
        table.writerow(["t"] + [b["name"] + "." + c for b in m.bodies for c in
                                "x y z e0 e1 e2 e3 vx vy vz wx wy wz".split()])
        for k in range(times["count"] + 1):
            before = time.process_time()
            for _ in range(every if k else 0):
                k1 = m.rates(y)
                k2 = m.rates(y + h / 2 * k1)
                k3 = m.rates(y + h / 2 * k2)
                y = y + h / 6 * (k1 + 2 * k2 + 2 * k3 + m.rates(y + h * k3))
            seconds += time.process_time() - before
            table.writerow([repr(float(x)) for x in [times["begin"] + k * times["spacing"], *y.ravel()]])
    steps = every * times["count"]
    print(json.dumps({"cpu_seconds": seconds, "steps": steps, "evaluations": 4 * steps}))


if sys.argv[1:] == ["--describe"]:
    print(json.dumps(DESCRIPTION, indent=1))
elif len(sys.argv) == 5:
    main(*sys.argv[1:])
else:
    sys.exit("usage: program.py --describe | MECHANISM.json rk4 STEP OUT.csv")
