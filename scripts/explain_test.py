#!/usr/bin/env python3
"""What `run --explain` is worth: on 30 runs, do the parts add up, and does the named setting help?

    scripts/explain_test.py [--random N] [--out FOLDER]

--random takes N randomly generated runs (seeded) in place of the 30, those of them that end.
Of each run the parts of the error of q are summed, and the run is made again with the setting that
the explanation names and with --errors. Failing runs are explained too. Writes a table of all runs
to explain.md, and what they say together to standard output.
"""
import argparse
import itertools
import json
import random
import shlex
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = str(ROOT / "build" / "daemark")
FACTOR = 1.5  # what the parts may be off by, together

# problem, t-end, formulation, method, h, more
RUNS = [
    ("two_link", "1", "index3", "radau_iia(3)", "1/100", ""),
    ("two_link", "1", "index2", "radau_iia(3)", "1/100", ""),
    ("two_link", "1", "ggl", "radau_iia(2)", "1/50", ""),
    ("two_link", "1", "index1", "erk4", "1/100", ""),
    ("two_link", "1", "baumgarte(alpha=10,beta=10)", "erk4", "1/100", ""),
    ("two_link", "1", "baumgarte(alpha=100,beta=100)", "erk4", "1/200", ""),
    ("two_link", "1", "minimal", "dormand_prince_5", "1/50", ""),
    ("two_link", "1", "index1", "gauss(6)", "1/100", ""),
    ("two_link", "1", "index1", "gauss(3)", "1/500", ""),
    ("two_link", "1", "index2", "radau_iia(3)", "1/100", "--set newton.tol=1e-2"),
    ("two_link", "1", "index1", "gauss(4)", "1/50", "--set newton.tol=1e-1 --set newton.kind=simplified"),
    ("two_link", "1", "index3", "generalized_alpha", "1/100", ""),
    ("two_link", "1", "index3", "generalized_alpha", "1/1000", "--set start.rates=unconverged"),
    ("two_link", "1", "index2", "bdf(3)", "1/200", "--set start=trapezoidal"),
    ("two_link", "1", "index1", "dormand_prince_5", "1/10", "--set control.tol=1e-6"),
    ("pendulum", "1", "index2", "radau_iia(3)", "1/10", ""),
    ("pendulum", "1", "index3", "bdf(2)", "1/100", ""),
    ("pendulum", "2", "index1", "erk4", "1/50", ""),
    ("pendulum", "1", "ggl", "radau_iia(5)", "1/10", "--precision quad --set newton.tol=1e-6"),
    ("double_pendulum", "1", "index2", "gauss(2)", "1/100", ""),
    ("double_pendulum", "1", "ggl", "radau_iia(3)", "1/100", "--set newton.tol=1e-1"),
    ("double_pendulum", "1", "index1", "rk_3_8", "1/200", ""),
    ("slider_crank", "1", "index2", "radau_iia(3)", "1/10", ""),
    ("slider_crank", "1", "index1", "dormand_prince_5", "1/20", ""),
    ("four_bar(loops=2)", "1", "index3", "radau_iia(2)", "1/20", ""),
    ("andrews_squeezer", "3/100", "index1", "dormand_prince_5", "1/20000", ""),
    ("heavy_top", "1", "index2", "radau_iia(3)", "1/200", ""),
    ("generated(seed=5,bodies=5,loops=1)", "1", "index3", "radau_iia(3)", "1/50", ""),
    ("generated(seed=5,bodies=5,loops=1)", "1", "index1", "fehlberg_8", "1/1000", ""),
    ("chain(n=4)", "1", "elimination", "erk4", "1/100", ""),
]
FAILURES = [
    ("double_pendulum", "1", "index3", "gauss(2)", "1/100", "", "formulation"),
    ("two_link", "5", "index1", "erk4", "1/2", "", "step"),
    ("two_link", "10", "index2", "radau_iia(2)", "1", "", "step"),
    ("andrews_squeezer", "3/100", "index3", "radau_iia(2)", "1/200", "", "step"),
    ("two_link", "1", "index2", "radau_iia(2)", "1/10", "--set newton.max=1", "settings"),
    ("slider_crank", "2", "index1", "radau_iia(1)", "1/5", "", "singular"),
]

RANDOM = (
    ["two_link", "pendulum", "double_pendulum", "slider_crank", "four_bar(loops=1)", "chain(n=3)", "oscillator",
     "generated(seed=11,bodies=4,loops=1)", "generated(seed=12,bodies=6,loops=0,stiffness=0)"],
    ["1/2", "1"],
    ["index1", "index2", "index3", "ggl", "elimination", "minimal", "baumgarte(alpha=20,beta=20)"],
    ["radau_iia(2)", "radau_iia(3)", "gauss(2)", "gauss(3)", "erk4", "dormand_prince_5", "bdf(2)", "bdf(4)",
     "generalized_alpha", "lobatto_iiic(3)", "kutta_3", "sdirk_3"],
    ["1/20", "1/50", "1/200", "1/1000"],
    ["", "", "", "--set newton.tol=1e-2", "--set newton.tol=1e-1 --set newton.kind=simplified",
     "--set control.tol=1e-5"],
)


def random_runs(count):
    """Those of `count` that end; combinations that are refused do not count."""
    random.seed(20261128)
    cases = (tuple(random.choice(choices) for choices in RANDOM) for _ in itertools.count())
    known = ((case, run(case, "")["status"]) for case in cases)
    accepted = itertools.islice(((case, status) for case, status in known if status != 2), count)
    return [case for case, status in accepted if status == "ok"]


def run(case, more):
    problem, t_end, formulation, method, h, extra = case[:6]
    words = shlex.split(extra)
    changed = shlex.split(more)
    if "--h" in changed:
        h = ""
    if "--formulation" in changed:
        formulation = ""
    keys = [word.split("=")[0] for word in changed if "=" in word]
    words = drop(words, keys)
    command = [PROGRAM, "run", "--problem", problem, "--t-end", t_end, "--method", method, "--json"]
    command += (["--h", h] if h else []) + (["--formulation", formulation] if formulation else [])
    done = subprocess.run(command + words + changed, capture_output=True, text=True, check=False)
    return json.loads(done.stdout)


def drop(words, keys):
    """Without "--set KEY=VALUE" of these keys."""
    kept = []
    for word in words:
        if word.split("=")[0] in keys and kept and kept[-1] == "--set":
            kept.pop()
        else:
            kept.append(word)
    return kept


def told(case):
    found = run(case, "--explain")["explanation"]
    if "parts" not in found:
        return {"outcome": str(found)}
    parts = {part["part"]: part["q"] for part in found["parts"]}
    setting = found["setting"]
    if setting.startswith("the default"):  # of start and start.rates
        again = run(case[:5] + (" ".join(drop(shlex.split(case[5]), ["start", "start.rates"])),), "--errors")
    else:
        again = run(case, setting + " --errors")
    after = again.get("measures", {}).get("error_q", float("nan"))
    return {"outcome": "ok", "error": parts["error"], "sum": found["sum_over_error"],
            "largest": found["largest"], "setting": setting, "predicted": found["predicted"],
            "after": after, "unknown": [p["part"] for p in found["parts"] if p["unknown"].startswith("not")]}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=Path, default=Path(tempfile.gettempdir()))
    parser.add_argument("--random", type=int, default=0)
    options = parser.parse_args()
    runs = random_runs(options.random) if options.random else RUNS
    rows = [told(case) for case in runs]
    lines = ["| run | error of q | parts / error | largest | setting | predicted | measured |",
             "|---|---|---|---|---|---|---|"]
    for case, row in zip(runs, rows):
        name = f"{case[0]}, {case[2]}, {case[3]}, h = {case[4]} {case[5]}".strip()
        if row["outcome"] != "ok":
            lines.append(f"| {name} | {row['outcome']} | | | | | |")
            continue
        lines.append(f"| {name} | {row['error']:.2e} | {row['sum']:.2f} | {row['largest']} | "
                     f"{row['setting']} | {row['predicted'] or 0:.2e} | {row['after']:.2e} |")
    ok = [row for row in rows if row["outcome"] == "ok"]
    adds = sum(1 / FACTOR <= row["sum"] <= FACTOR for row in ok)
    lower = sum(row["after"] < row["error"] for row in ok)
    close = sum(bool(row["predicted"]) and 1 / FACTOR <= row["after"] / row["predicted"] <= FACTOR for row in ok)
    summary = (f"{len(ok)} of {len(rows)} explained; parts add up within {FACTOR}: {adds}; "
               f"the setting lowers the error: {lower}; as predicted within {FACTOR}: {close}")
    print(summary)
    lines += ["", summary, "", "| failure | cause | expected | setting |", "|---|---|---|---|"]
    for case in FAILURES:
        found = run(case, "--explain")["explanation"]
        lines.append(f"| {case[0]}, {case[2]}, {case[3]}, h = {case[4]} {case[5]} | "
                     f"{found.get('cause', 'it runs')}: {found.get('sentence', '')} | {case[6]} | "
                     f"{found.get('setting', '')} |")
    (options.out / "explain.md").write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
