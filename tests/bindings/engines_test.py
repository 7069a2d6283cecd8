"""engines_test.py BUILD: every adaptor that was built (BUILD/engines), those for node whose packages are
there, and the example programs, on a top and on a four-bar loop, against the examples in C and Python."""
import csv
import json
import math
import os
import subprocess
import sys
import tempfile

SOURCE = os.path.realpath(os.path.join(os.path.dirname(__file__), "../.."))
EXAMPLES = os.path.join(SOURCE, "bindings/examples")
EMPTY = ["springs", "dampers", "torsion_springs", "torsion_dampers", "forces", "moments", "drives", "laws"]
failures = []


def body(name, inertia, position, turn=0.0, velocity=(0, 0, 0), spin=(0, 0, 0)):
    return {"name": name, "kind": "rigid", "mass": 1, "inertia": inertia, "position": position,
            "rotation": [math.cos(turn / 2), 0, 0, math.sin(turn / 2)], "velocity": velocity, "angular_velocity": spin}


def joint(type, first, second, points, **more):
    return {"name": "j%d%d" % (first + 1, second + 1), "type": type, "bodies": [first, second], "points": points,
            "axes": [[0, 0, 1], [0, 0, 1]], "tree": True, **more}


def mechanism(planar, gravity, bodies, joints, features):
    return {"form": "daemark-mechanism/1", "problem": "none", "planar": planar, "gravity": gravity, "bodies": bodies,
            "joints": joints, "features": features, "times": {"begin": 0, "spacing": 0.1, "count": 5},
            **{key: [] for key in EMPTY}}


def top():
    b = body("top", [0.3, 0.2, 0.25, 0.02, 0.01, -0.03], [1, 0, 0], 0, [0, 2, -3], [1, 3, 2])
    return mechanism(False, [1, 0, -9.81], [b], [joint("spherical", -1, 0, [[0, 0, 0], [-1, 0, 0]])], ["spherical"])


def four_bar():
    bar = [1e-4, 1 / 12, 1 / 12, 0, 0, 0]
    up, h = math.pi / 2, [0.5, 0, 0]
    bodies = [body("a", bar, [0, 0.5, 0], up, [0.5, 0, 0], [0, 0, -1]), body("b", bar, [0.5, 1, 0], 0, [1, 0, 0]),
              body("c", bar, [1, 0.5, 0], up, [0.5, 0, 0], [0, 0, -1])]
    low = [-0.5, 0, 0]
    joints = [joint("revolute", -1, 0, [[0, 0, 0], low]), joint("revolute", 0, 1, [h, low]),
              joint("revolute", -1, 2, [[1, 0, 0], low]),
              joint("revolute", 1, 2, [h, h], tree=False, **{"as": "inline"})]
    return mechanism(True, [0, -9.81, 0], bodies, joints, ["loops", "revolute"])


def driven():
    """A bar on a hinge that turns by t² rad, and where it is at 0.5 s."""
    bar = body("bar", [1e-4, 1 / 12, 1 / 12, 0, 0, 0], [0.5, 0, 0])
    points, times = [[0, 0, 0], [-0.5, 0, 0]], [k / 10 for k in range(6)]
    made = mechanism(True, [0, -9.81, 0], [bar], [joint("revolute", -1, 0, points)], ["drives", "laws", "revolute"])
    made["drives"] = [{"type": "turn", "bodies": [-1, 0], "points": points, "axes": [[0, 0, 1], [0, 0, 1]], "law": 0}]
    made["laws"] = [{"t": times, "value": [t * t for t in times], "rate": [2 * t for t in times], "second": [2] * 6}]
    s, c, half = math.sin(0.25), math.cos(0.25), 0.125
    return made, [c / 2, s / 2, 0, math.cos(half), 0, 0, math.sin(half), -s / 2, c / 2, 0, 0, 0, 1]


def pushed():
    """A block on a slope of 30 degrees that slides along it by sin t, with a bar that hangs on it as if welded: where
    both are at 0.5 s."""
    solid, c, s = [1, 1, 1, 0, 0, 0], math.cos(math.pi / 6), 0.5
    blocks = [body("block", solid, [0, 0, 0], 0, [c, s, 0]), body("bar", solid, [0, -1, 0], 0, [c, s, 0])]
    at = [[0, 0, 0], [0, 0, 0]]
    made = mechanism(True, [0, -9.81, 0], blocks,
                     [joint("prismatic", -1, 0, at, axes=[[c, s, 0], [c, s, 0]]),
                      joint("fixed", 0, 1, [[0, -0.5, 0], [0, 0.5, 0]])],
                     ["drives", "fixed", "laws", "prismatic"])
    made["drives"] = [{"type": "slide", "bodies": [-1, 0], "points": at, "axes": [[c, s, 0], [c, s, 0]], "law": 0}]
    times = [k / 100 for k in range(51)]
    made["laws"] = [{"t": times, "value": [math.sin(t) for t in times], "rate": [math.cos(t) for t in times],
                     "second": [-math.sin(t) for t in times]}]
    way, rate = math.sin(0.5), math.cos(0.5)
    end = [c * way, s * way, 0, 1, 0, 0, 0, c * rate, s * rate, 0, 0, 0, 0]
    return made, end + [end[0], end[1] - 1, *end[2:]]


def run(program, file, variant, step):
    out = os.path.join(FOLDER, "out.csv")
    done = subprocess.run([*program, file, variant, step, out], capture_output=True, text=True, timeout=100)
    if done.returncode:
        return done.returncode, done.stderr
    assert json.loads(done.stdout.splitlines()[-1])["steps"] > 0, done.stdout
    rows = [[float(x) for x in row] for row in list(csv.reader(open(out)))[1:]]
    assert [round(row[0], 9) for row in rows] == [0, 0.1, 0.2, 0.3, 0.4, 0.5], rows
    return 0, rows[-1][1:]


def distance(one, two):
    """Of the last states; quaternions have either sign."""
    worst = 0
    for at in range(0, len(one), 13):
        a, b = one[at:at + 13], two[at:at + 13]
        sign = 1 if sum(a[k] * b[k] for k in range(3, 7)) > 0 else -1
        worst = max(worst, *(abs(a[k] - (sign if 3 <= k < 7 else 1) * b[k]) for k in range(13)))
    return worst


def check(holds, what):
    if not holds:
        failures.append(what)


def judge(program, files, references):
    described = subprocess.run([*program, "--describe"], capture_output=True, text=True)
    name = os.path.basename(program[-1])
    if described.returncode:
        print("not run:", name, described.stderr.strip())
        return
    about = json.loads(described.stdout)
    for variant in (v["name"] for v in about["variants"] if v["steps"] == "fixed"):
        for kind in references:
            if not set(json.load(open(files[kind]))["features"]) <= set(about["accepts"]):
                continue
            runs = [run(program, files[kind], variant, step) for step in ("0.002", "0.001")]
            check(not any(status for status, _ in runs), "%s %s %s: %s" % (name, variant, kind, runs))
            if any(status for status, _ in runs):
                continue
            errors = [distance(state, references[kind]) for _, state in runs]
            print(name, variant, kind, *("%.2e" % e for e in errors))
            # First order of at most 25/s; below 2e-3 single precision and soft loops have a floor.
            check(errors[1] < 0.025 and (errors[1] < 2e-3 or errors[1] < 0.6 * errors[0]),
                  "%s %s %s: errors %s" % (name, variant, kind, errors))
    first = about["variants"][0]["name"]
    check(run(program, files["top"], first, "0.003")[0] == 3, name + " takes a step that does not divide 0.1")
    check(run(program, files["strange"], first, "0.002")[0] == 3, name + " takes a feature it does not know")


with tempfile.TemporaryDirectory() as FOLDER:
    files = {}
    strange = top()
    strange["features"] = ["gears", "spherical"]
    (turned, driven_end), (slid, pushed_end) = driven(), pushed()
    for kind, content in (("top", top()), ("four_bar", four_bar()), ("strange", strange), ("driven", turned),
                          ("pushed", slid)):
        files[kind] = os.path.join(FOLDER, kind + ".json")
        json.dump(content, open(files[kind], "w"))
    c = os.path.join(FOLDER, "program")
    subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-O2",
                    os.path.join(EXAMPLES, "program.c"), "-o", c, "-lm"], check=True)
    references = {"top": run([c], files["top"], "rk4", "0.0005")[1], "driven": driven_end,
                  "pushed": pushed_end}
    python = next((p for p in (sys.executable, "/usr/bin/python3") if
                   not subprocess.run([p, "-c", "import numpy"], capture_output=True).returncode), None)
    if python:
        example = [python, os.path.join(EXAMPLES, "program.py")]
        references["four_bar"] = run(example, files["four_bar"], "rk4", "0.005")[1]
        check(distance(run(example, files["top"], "rk4", "0.01")[1], references["top"]) < 1e-4,
              "the examples in C and Python differ")
        check(run(example, files["strange"], "rk4", "0.01")[0] == 3, "program.py takes a feature it does not know")
    built = os.path.join(sys.argv[1], "engines")
    programs = [[os.path.join(built, e)] for e in sorted(os.listdir(built) if os.path.isdir(built) else [])]
    programs += [[os.path.join(SOURCE, "bindings/engines", e)] for e in ("mujoco3.mjs", "rapier.mjs")]
    for program in programs:
        if program[-1].endswith(".mjs") and subprocess.run(["sh", "-c", "command -v node"], capture_output=True).returncode:
            print("not run:", program[-1], "node is missing")
            continue
        judge(program, files, references)
print(*("FAILED: " + f for f in failures), sep="\n")
sys.exit(bool(failures))
