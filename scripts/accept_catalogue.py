#!/usr/bin/env python3
"""Runs `daemark accept` on catalogue methods in index1, index2 and index3, as they accept them.

    scripts/accept_catalogue.py build/daemark [METHOD...] > accept.jsonl

One JSON line for each method and formulation: what failed and why, what was undecided, the time.
Without METHOD: every published member of the catalogue. The summary goes to standard error.
"""
import json
import subprocess
import sys
import time


def members(daemark):
    """Calls of all catalogue methods; families that need a whole number with 2 and 3."""
    def value(*words):
        return json.loads(subprocess.run([daemark, *words, "--json"], check=True,
                                         capture_output=True, text=True).stdout)
    calls = []
    for one in value("list", "methods"):
        required = [parameter["name"] for parameter in value("show", one["id"]).get("parameters", [])
                    if parameter.get("required")]
        calls += ([f"{one['id']}({','.join(f'{name}={k}' for name in required)})" for k in (2, 3)]
                  if required else [one["id"]])
    return calls


def accept(daemark, method, formulation):
    begin = time.monotonic()
    run = subprocess.run([daemark, "accept", method, "--formulation", formulation, "--json"],
                         capture_output=True, text=True)
    seconds = round(time.monotonic() - begin, 1)
    row = {"method": method, "formulation": formulation, "status": run.returncode, "seconds": seconds}
    if run.returncode == 2:
        return None
    if run.returncode not in (0, 1):
        return row | {"error": run.stderr[-300:]}
    found = json.loads(run.stdout)
    row["verdict"] = found["verdict"]
    for word in ("fail", "known property", "could not run", "undecided"):
        row[word] = {check["id"]: [check["cause"]] + [f"{one['mechanism']}: {one['seen']}"
                                                      for one in check["findings"]
                                                      if one["judgement"] == word]
                     for check in found["checks"] if check["judgement"] == word}
    return row


def main():
    daemark, methods = sys.argv[1], sys.argv[2:]
    taken = failed = nothing = 0
    for method in methods or members(daemark):
        for formulation in ("index1", "index2", "index3"):
            row = accept(daemark, method, formulation)
            if row is None:  # it does not take the formulation
                continue
            taken += 1
            failed += bool(row.get("fail")) or "error" in row
            nothing += row["status"] == 1 and not row.get("fail")
            print(json.dumps(row), flush=True)
    print(f"{taken} methods and formulations, {failed} failed, {nothing} with nothing to judge",
          file=sys.stderr)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
