#!/usr/bin/env python3
"""What advice is worth: daemark advise on mechanisms whose motion is known in closed form.

    scripts/advice_test.py [--mechanisms N | --held-out] [--accuracy E] [--out FOLDER]

Mechanisms are generated(seed=k): k = 1..N, of 3 to 10 bodies, none to two loops, springs of 0 to
10,000 N/m, with and without redundant hinges. Of each, `daemark advise` is asked, and its command is
run with --errors, which compares with the closed form; the advice has not seen it. With
--held-out: the catalogue's problems that are not in the atlas from which candidates come, judged by
their references, each at the last time of a stored one (else 1 s). Writes a line for each
mechanism to advice.csv, and what they say together to advice.md.
"""
import argparse
import csv
import json
import re
import shlex
import subprocess
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
PROGRAM = str(ROOT / "build" / "daemark")
COLUMNS = ["problem", "outcome", "method", "formulation", "size", "predicted", "true",
           "ratio", "milliseconds", "again", "cost_ratio"]


def mechanism(k):
    loops = k % 3
    bodies = max(3 + k % 8, 1 + 2 * loops)
    stiffness = (0, 100, 10000)[k // 3 % 3]
    return (f"generated(seed={k},bodies={bodies},loops={loops},stiffness={stiffness},"
            f"redundancy={k // 9 % 2})")


def held_out():
    """(problem, --t-end and its value where a reference is stored)"""
    ranked = {file.stem for file in (ROOT / "results" / "atlas").glob("*.jsonl")}
    last = {}
    for file in (ROOT / "results" / "references").glob("*.json"):
        known = json.loads(file.read_text(encoding="utf-8"))
        times = [state["t"] for state in known["states"]]
        last.setdefault(known["problem"].split("(")[0], max(times, key=Fraction))
    listed = subprocess.run([PROGRAM, "list", "problems", "--json"], capture_output=True, text=True,
                            check=True)
    for problem in json.loads(listed.stdout):
        name = problem["id"]
        if name not in ranked:
            yield name, ["--t-end", last[name]] if name in last else []


def answer(command):
    """Within 60 s, in which a reference that is not stored has to be computed too."""
    try:
        done = subprocess.run(command + ["--json"], capture_output=True, text=True, check=False,
                              timeout=60)
    except subprocess.TimeoutExpired:
        return {"why": "no reference to judge by in N s", "status": "late"}
    why = (done.stderr.strip().splitlines() or [""])[-1].split(": ", 2)[-1]
    return {"why": why} | (json.loads(done.stdout) if done.stdout.strip() else {"status": "refused"})


def tested(problem, accuracy, more=()):
    row = {"problem": problem}
    advice = answer([PROGRAM, "advise", problem, "--accuracy", accuracy, *more])
    if "command" not in advice:
        return row | {"outcome": advice["why"] or "no candidate reached it"}
    best = advice["candidates"][0]
    run = answer([PROGRAM] + shlex.split(advice["command"])[1:] + ["--errors"])
    row |= {"method": best["method"], "formulation": best["formulation"], "size": best["size"],
            "predicted": best["error"], "milliseconds": best["milliseconds"]}
    if run["status"] == "late":
        return {"problem": problem, "outcome": run["why"]}
    if run["status"] != "ok":
        return row | {"outcome": "the run fails: " + run["why"]}
    true = run["measures"]["error_q"] / advice["scale"]
    again = run["seconds"] * 1e3
    return row | {"outcome": "ok", "true": true, "ratio": best["error"] / true if true else 1,
                  "again": again, "cost_ratio": best["milliseconds"] / again}


def share(rows, column, factor):
    good = [row for row in rows if 1 / factor <= row[column] <= factor]
    return f"{len(good)} of {len(rows)} ({100 * len(good) / max(len(rows), 1):.0f} %)"


def page(rows, accuracy):
    ran = [row for row in rows if row["outcome"] == "ok"]
    reached = [row for row in ran if row["true"] <= float(accuracy)]
    refused = [row for row in rows if "method" not in row]
    lines = ["# What advice is worth", "",
             f"`daemark advise` with --accuracy {accuracy} on {len(rows)} mechanisms, each checked against "
             "its closed form or reference (scripts/advice_test.py). The lines: advice.csv.",
             "", "| | |", "|---|---|",
             f"| advice given | {len(rows) - len(refused)} |",
             f"| the run that was advised fails | {len(rows) - len(refused) - len(ran)} |",
             f"| the true error is below the accuracy | {len(reached)} of {len(ran)} |",
             f"| the predicted error is within a factor of 10 of the true one | {share(ran, 'ratio', 10)} |",
             f"| the predicted time is within a factor of 2 of that of another run | "
             f"{share(ran, 'cost_ratio', 2)} |", ""]
    reasons = [re.sub(r"\d\S*", "N", row["outcome"]) for row in refused]
    lines += [f"- {reasons.count(one)} refused: {one}" for one in sorted(set(reasons))]
    chosen = sorted({(row["method"], row["formulation"]) for row in ran})
    lines += ["", "| advised | mechanisms |", "|---|---|"]
    counts = [(sum((r["method"], r["formulation"]) == c for r in ran), c) for c in chosen]
    lines += [f"| {c[0]}, {c[1]} | {n} |" for n, c in sorted(counts, reverse=True)]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--mechanisms", type=int, default=200)
    parser.add_argument("--held-out", action="store_true")
    parser.add_argument("--accuracy", default="1e-4")
    parser.add_argument("--out", type=Path, default=ROOT / "results" / ".local" / "advice")
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rows = []
    with open(options.out / "advice.csv", "w", newline="", encoding="utf-8") as out:
        table = csv.DictWriter(out, COLUMNS, lineterminator="\n")
        table.writeheader()
        asked = held_out() if options.held_out else (
            (mechanism(k), []) for k in range(1, options.mechanisms + 1))
        for problem, more in asked:
            rows.append(tested(problem, options.accuracy, more))
            table.writerow({key: f"{value:.3g}" if isinstance(value, float) else value
                            for key, value in rows[-1].items()})
            out.flush()
    (options.out / "advice.md").write_text(page(rows, options.accuracy), encoding="utf-8")


if __name__ == "__main__":
    main()
