#!/usr/bin/env python3
"""scripts/tidy.py BUILD_FOLDER JOBS [REGEX]: clang-tidy over source files (whose path REGEX matches).

Nine tenths of a file's time go to the headers of other projects, so that files with the same flags
are read many at a time, as one translation unit. Files that define the same local name stay apart,
since together they would not compile. Findings are printed once, as they come; status 1 if there
are any.
"""
import concurrent.futures
import json
import os
import re
import subprocess
import sys

FILES_AT_ONCE = 40
ROOMS = ("base", "problems", "methods", "analysis", "experiments", "bindings", "tests")
LOCAL_NAME = re.compile(
    r"^(?=[\w#])(?!namespace|TEST|INSTANTIATE|template class|template struct)(?:template <[^>]*>\s*)?"
    r"(?:(?:struct|class|enum class|enum|#define)\s+(\w+)|using\s+(\w+)\s*="
    r"|(?!using)[\w:<>,&*\[\] ]+?[ &*>](\w+)\s*(?:\(|=|\{|\[))", re.MULTILINE)


def local_names(path):
    """Names that the file gives at the beginning of a line: all that could stand in two files."""
    with open(path, encoding="utf-8") as text:
        return {name for match in LOCAL_NAME.finditer(text.read()) for name in match.groups() if name}


def groups_of(commands):
    """Lists of commands with the same flags and disjoint names."""
    groups = {}
    for command in commands:
        path = command["file"]
        flags = re.sub(r" -o .*$", "", command["command"].replace(path, ""))
        names = local_names(path)
        rows = groups.setdefault(flags, [])
        for files, taken in rows:
            if len(files) < FILES_AT_ONCE and not taken & names:
                files.append(command)
                taken |= names
                break
        else:
            rows.append(([command], set(names)))
    return [files for rows in groups.values() for files, _ in rows]


def main():
    build, jobs = sys.argv[1], int(sys.argv[2])
    pattern = re.compile(sys.argv[3] if len(sys.argv) > 3 else "")
    root = os.getcwd()
    with open(f"{build}/compile_commands.json", encoding="utf-8") as text:
        commands = json.load(text)
    inside = tuple(f"{root}/{room}/" for room in ROOMS)
    chosen = [c for c in commands if c["file"].startswith(inside) and pattern.search(c["file"])]
    folder = f"{root}/{build}/tidy"
    os.makedirs(folder, exist_ok=True)
    units = groups_of(sorted(chosen, key=lambda c: c["file"]))

    def check(name, files):
        """What clang-tidy says of the files as one unit, in halves where they do not compile together."""
        unit = f"{folder}/{name}"
        os.makedirs(unit, exist_ok=True)
        with open(f"{unit}/unit.cpp", "w", encoding="utf-8") as text:
            text.writelines(f'#include "{c["file"]}"\n' for c in files)
        entry = {"directory": files[0]["directory"], "file": f"{unit}/unit.cpp",
                 "command": files[0]["command"].replace(files[0]["file"], f"{unit}/unit.cpp")}
        with open(f"{unit}/compile_commands.json", "w", encoding="utf-8") as text:
            json.dump([entry], text)
        run = subprocess.run(["clang-tidy", "--quiet", "-p", unit,
                              "-checks=-bugprone-suspicious-include",  # that is how a unit is made
                              f"-extra-arg=-isystem{root}/{build}/clang_include", entry["file"]],
                             capture_output=True, text=True, check=False)
        if "clang-diagnostic-error" in run.stdout and len(files) > 1:
            half = len(files) // 2
            return check(f"{name}a", files[:half]) + check(f"{name}b", files[half:])
        print(".", end="", file=sys.stderr, flush=True)
        return run.stdout + "\n"

    findings = set()
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for said in pool.map(check, [f"unit_{n}" for n in range(len(units))], units):
            new = {one for one in re.split(r"\n(?=/)", said.strip()) if one} - findings
            findings |= new
            print("".join(one + "\n" for one in sorted(new)), end="", flush=True)
    print(f"\n{len(chosen)} files in {len(units)} units, {len(findings)} findings", file=sys.stderr)
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
