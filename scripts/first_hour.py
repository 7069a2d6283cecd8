#!/usr/bin/env python3
"""scripts/first_hour.py [--built]
A stranger's first hour: README's commands in the order of the page, in a copy of the tree as it is
committed, each with its wait. Status 1 where one fails, where one waits above a minute except the
set-up (the lines of `make`), or where one of more than five seconds does not say how far it is.
--built leaves the set-up out and takes the program of this tree's build folder."""
import os
import pty
import re
import subprocess
import sys
import tempfile
import threading
import time

TREE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST, SILENT = 60, 5  # [s]
BUILDING = re.compile(r"\d+%, \d+ of \d+ steps")
AT_WORK = re.compile(r"\d+ %|\d+/\d+ cells| left")


def steps(page):
    """("file", name, text), ("set-up", command) and ("command", command), as they come."""
    named = ""
    for prose, fence, text in re.findall(r"(.*?)```(\w*)\n(.*?)```", page, re.S):
        named = (re.findall(r"`([\w./-]+\.json)`", prose) or [named])[-1]
        if fence == "json":
            yield "file", named, text
        if fence:
            continue
        for line in text.replace("\\\n", " ").splitlines():
            if line.startswith("make "):
                yield "set-up", " ".join(line.split()[:2])
            elif line.startswith("$ "):
                yield "command", " ".join(line[2:].split("  #")[0].split())


def run(command, folder, environment):
    """Status, seconds, and what it said on standard output and on a terminal."""
    here, there = pty.openpty()
    begin = time.monotonic()
    child = subprocess.Popen(command, shell=True, cwd=folder, env=environment, stdin=subprocess.DEVNULL,
                             stdout=subprocess.PIPE, stderr=there)
    os.close(there)
    told = []

    def listen():
        try:
            while heard := os.read(here, 4096):
                told.append(heard)
        except OSError:  # the terminal is gone
            pass

    listener = threading.Thread(target=listen)
    listener.start()
    said = child.stdout.read()
    status = child.wait()
    seconds = time.monotonic() - begin
    listener.join()
    os.close(here)
    return status, seconds, said.decode(errors="replace"), b"".join(told).decode(errors="replace")


def main():
    built = sys.argv[1:] == ["--built"]
    if sys.argv[1:] and not built:
        sys.exit(__doc__)
    faults = 0
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(f"git -C '{TREE}' archive HEAD | tar -x -C '{folder}'", shell=True, check=True)
        environment = dict(os.environ, PATH=os.path.join(folder, "build") + ":" + os.environ["PATH"])
        if built:
            os.symlink(os.path.join(TREE, "build"), os.path.join(folder, "build"))
            environment["DAEMARK_ROOT"] = folder
        with open(os.path.join(folder, "README.md"), encoding="utf-8") as page:
            hour = list(steps(page.read()))
        for kind, what, *text in hour:
            if kind == "file":
                with open(os.path.join(folder, what), "w", encoding="utf-8") as file:
                    file.write(text[0])
            if kind == "file" or (built and kind == "set-up"):
                continue
            status, seconds, said, told = run(what, folder, environment)
            wrong = [f"status {status}"] if status else []
            if kind == "command" and seconds > LONGEST:
                wrong.append(f"above {LONGEST} s")
            if seconds > SILENT and not (AT_WORK.search(told) or BUILDING.search(said)):
                wrong.append("it does not say how far it is")
            faults += len(wrong)
            print(f"{seconds:7.1f} s  {what}" + "".join(f"  FAILED: {fault}" for fault in wrong), flush=True)
            if status:
                print((said + told)[-2000:])
    sys.exit(1 if faults or not hour else 0)


main()
