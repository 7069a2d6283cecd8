#!/usr/bin/env python3
"""scripts/wheel.py PREFIX FOLDER: a wheel of what `make install` put under PREFIX, which needs
Python, NumPy and the C and C++ libraries of the system, nothing else.

A wheel is a zip with a list of its files. The package takes the library, the program and their data
along, which find each other from where they lie, and every other shared library they load, with its
licence. The tag names the oldest glibc on which all of them can run."""

import base64
import hashlib
import platform
import re
import stat
import subprocess
import sys
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: daemark
Version: {version}
Summary: Time integrators for multibody dynamics on mechanisms with certified reference states
License: MIT
Requires-Python: >=3.9
Requires-Dist: numpy
"""
WHEEL = """Wheel-Version: 1.0
Generator: daemark
Root-Is-Purelib: false
Tag: {tag}
"""
ENTRY_POINTS = """[console_scripts]
daemark = daemark.__main__:main
"""
# What every system with Python has and no program may bring along (the same libstdc++ serves all
# modules of a process).
SYSTEM = re.compile(r"^(linux-vdso|ld-linux.*|libc|libm|libdl|librt|libpthread|libstdc\+\+|libgcc_s)\.so")
# Compiled in: libraries of headers alone.
HEADER_PACKAGES = ("libeigen3-dev", "nlohmann-json3-dev", "libcli11-dev", "libgnuplot-iostream-dev")


def loaded_by(file: Path):
    """(name, place) of every shared library that a file loads, but for those of the system."""
    shown = subprocess.run(["ldd", file], capture_output=True, text=True, check=True).stdout
    if "not found" in shown:
        sys.exit(f"wheel.py: {file.name} lacks a library:\n{shown}")
    for name, place in re.findall(r"^\s*(\S+) => (/\S+)", shown, re.M):
        if not SYSTEM.match(name) and not name.startswith("libdaemark"):
            yield name, Path(place).resolve()


def licence_of(package: str):
    file = Path("/usr/share/doc") / package / "copyright"
    return [(f"{package}.txt", file.read_bytes())] if file.is_file() else []


def licences(libraries):
    """(name, text) of the licence of each library, by the package that brought it."""
    packages = set(HEADER_PACKAGES)
    for place in libraries:
        # Packages name files as they were before /lib became a link to /usr/lib.
        for path in (str(place), str(place).removeprefix("/usr")):
            owner = subprocess.run(["dpkg", "-S", path], capture_output=True, text=True)
            if owner.returncode == 0:
                packages.add(owner.stdout.split(":")[0])
                break
        else:
            sys.exit(f"wheel.py: no package owns {place}, whose licence has to go along")
    return [entry for package in sorted(packages) for entry in licence_of(package)]


def tag_of(contents) -> str:
    """The oldest glibc that has every symbol which is asked of it."""
    versions = {(int(a), int(b)) for content in contents
                for a, b in re.findall(rb"GLIBC_(\d+)\.(\d+)", content)}
    return "py3-none-manylinux_{}_{}_{}".format(*max(versions), platform.machine())


def files_of(prefix: Path, info: str):
    """name in the wheel -> (content, whether it is a program)."""
    package = prefix / "lib/python3/dist-packages/daemark"
    files = {f"daemark/{file.name}": (file.read_bytes(), False)
             for file in package.glob("*") if file.is_file()}
    own = [prefix / "bin/daemark", prefix / "lib/libdaemark.so"]
    libraries = dict(entry for file in own for entry in loaded_by(file))
    for file in [*own, prefix / "bin/daemark_checker"]:  # the last one is Python
        files[f"daemark/{file.parent.name}/{file.name}"] = file.read_bytes(), file.parent.name == "bin"
    for name, place in libraries.items():
        files[f"daemark/lib/{name}"] = place.read_bytes(), False
    for name, text in licences(libraries.values()):
        files[f"{info}/licenses/{name}"] = text, False
    for file in (prefix / "share/daemark").rglob("*"):
        if file.is_file():
            files[f"daemark/{file.relative_to(prefix).as_posix()}"] = file.read_bytes(), False
    return files


def main(prefix: Path, folder: Path) -> None:
    citation = (prefix / "share/daemark/CITATION.cff").read_text()
    version = re.search(r"^version: (\S+)", citation, re.M).group(1)
    info = f"daemark-{version}.dist-info"
    files = files_of(prefix, info)
    tag = tag_of(content for name, (content, _) in files.items()
                 if re.match(r"daemark/(bin|lib)/", name))
    for name, text in (("METADATA", METADATA.format(version=version)),
                       ("WHEEL", WHEEL.format(tag=tag)), ("entry_points.txt", ENTRY_POINTS)):
        files[f"{info}/{name}"] = text.encode(), False
    record = ""
    wheel = folder / f"daemark-{version}-{tag}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, (content, program) in sorted(files.items()):
            item = zipfile.ZipInfo(name)  # with the date 1980: the same files, the same wheel
            item.compress_type = zipfile.ZIP_DEFLATED
            item.external_attr = (stat.S_IFREG | (0o755 if program else 0o644)) << 16  # as pip asks
            out.writestr(item, content)
            sum_ = base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()
            record += f"{name},sha256={sum_},{len(content)}\n"
        out.writestr(zipfile.ZipInfo(f"{info}/RECORD"), record + f"{info}/RECORD,,\n")
    print(wheel)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
