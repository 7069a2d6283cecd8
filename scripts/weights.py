#!/usr/bin/env python3
"""Measures what work costs on every problem and formulation of the atlas (tests/bench/weights_bench)
and writes it as experiments/compare/weights.json: weights.py DAEMARK_BENCH FILE"""
import json
import subprocess
import sys

program, file = sys.argv[1:]
output = subprocess.run([program, "--benchmark_filter=^atlas_weights/", "--benchmark_format=json"],
                        check=True, stdout=subprocess.PIPE).stdout
weights = {}
for run in json.loads(output)["benchmarks"]:
    if run.get("error_occurred"):
        print("left out:", run["name"], run.get("error_message", ""))
        continue
    problem = run["name"].split("/")[1]
    weights.setdefault(problem, {}).update(json.loads("{" + run["label"] + "}"))
with open(file, "w", encoding="utf-8") as out:
    lines = [" %s: {\n%s\n }" % (json.dumps(problem), ",\n".join(
        "  %s: %s" % (json.dumps(f), json.dumps(w)) for f, w in forms.items()))
        for problem, forms in weights.items()]
    out.write("{\n" + ",\n".join(lines) + "\n}\n")
