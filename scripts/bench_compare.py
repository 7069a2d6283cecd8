#!/usr/bin/env python3
"""Compares the times of two revisions: bench_compare.py OLD.json NEW.json [REGEX]

The files are build/bench/REVISION.json as `make bench` leaves them. Prints new over old for each
benchmark that both have and whose name matches REGEX, and their geometric mean. A ratio above 1 is
slower.
The last column is relative to the yardstick, a dense LU in the same file: it compares files of two
machines, or of one machine under different load.
"""
import json
import math
import re
import sys

# The counter that stands for a benchmark, the first that it has; processor time otherwise.
COUNTERS = ("iteration_ns", "step_ns", "iteration_us", "tangent_us", "ns_last", "run_ms", "unit",
            "cpu_time")
YARDSTICK = "yardstick/dense_lu_40"


def times(path):
    try:
        with open(path, encoding="utf-8") as file:
            whole = json.load(file)
            runs, revision = whole["benchmarks"], whole["context"].get("revision", "unknown")
    except (OSError, ValueError, KeyError) as error:
        sys.exit(f"bench_compare.py: {path}: {error!r}; accepted: build/bench/*.json of make bench")
    found = {}
    for run in runs:
        if not run.get("error_occurred"):
            counter = next(c for c in COUNTERS if c in run)
            found[run["name"]] = (counter, run[counter])
    return found, revision


def main(arguments):
    if len(arguments) not in (2, 3):
        sys.exit(__doc__.strip())
    (old, before), (new, after) = times(arguments[0]), times(arguments[1])
    print(f"old: {before}, new: {after}")
    pattern = re.compile(arguments[2] if len(arguments) == 3 else "")
    machine = 1.0
    if YARDSTICK in old and YARDSTICK in new:
        machine = new[YARDSTICK][1] / old[YARDSTICK][1]
    names = [n for n in old if n in new and n != YARDSTICK and pattern.search(n)
             and old[n][0] == new[n][0] and old[n][1] > 0 and new[n][1] > 0]
    width = max((len(n) for n in names), default=9)
    print(f"{'benchmark':{width}}  {'counter':12}  {'old':>10}  {'new':>10}  ratio  to yardstick")
    for name in names:
        counter, value = old[name]
        ratio = new[name][1] / value
        print(f"{name:{width}}  {counter:12}  {value:10.4g}  {new[name][1]:10.4g}  {ratio:5.3f}"
              f"  {ratio / machine:5.3f}")
    if names:
        mean = math.exp(sum(math.log(new[n][1] / old[n][1]) for n in names) / len(names))
        print(f"geometric mean of {len(names)}: {mean:.3f}, to yardstick {mean / machine:.3f}")
    for name in sorted(set(old) ^ set(new)):
        if pattern.search(name):
            print(f"only {'old' if name in old else 'new'}: {name}")
    return 0 if names else 1


sys.exit(main(sys.argv[1:]))
