#!/usr/bin/env python3
"""scripts/tidy.py BUILD_FOLDER JOBS [REGEX]: clang-tidy over source files (whose path REGEX matches).

Most of a file's time goes to the headers of other projects, so that what the build compiles as one
translation unit is read as one. Findings are printed once, as they come; status 1 if there are any.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

ROOMS = ("base", "problems", "methods", "analysis", "experiments", "bindings", "tests")


def files_of(path):
    """The source files of a translation unit of the build."""
    if "/Unity/" not in path:
        return [path]
    with open(path, encoding="utf-8") as text:
        return re.findall(r'#include "(.*)"', text.read())


def main():
    build, jobs = os.path.abspath(sys.argv[1]), int(sys.argv[2])
    pattern = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    inside = tuple(f"{os.getcwd()}/{room}/" for room in ROOMS)
    with open(f"{build}/compile_commands.json", encoding="utf-8") as text:
        files = {command["file"]: files_of(command["file"]) for command in json.load(text)}
    units = [unit for unit, own in files.items()
             if any(file.startswith(inside) and pattern.search(file) for file in own)]

    def check(unit):
        """What clang-tidy says of a translation unit."""
        run = subprocess.run(["clang-tidy", "--quiet", "-p", build,
                              "-checks=-bugprone-suspicious-include",  # that is how a unit is made
                              unit],
                             capture_output=True, text=True, check=False)
        print(".", end="", file=sys.stderr, flush=True)
        return run.stdout

    findings = set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for said in pool.map(check, units):
            new = {one for one in re.split(r"\n(?=/)", said.strip()) if one} - findings
            findings |= new
            print("".join(one + "\n" for one in sorted(new)), end="", flush=True)
    print(f"\n{len(units)} translation units of {sum(len(files[unit]) for unit in units)} files, "
          f"{len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
