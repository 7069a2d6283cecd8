#!/usr/bin/env python3
"""scripts/wheel.py PREFIX FOLDER: a wheel of what `make install` put under PREFIX, for this kind of
machine. A wheel is a zip with a list of its files; the Python package takes the library, the program
and their data along, which find each other from where they lie."""

import base64
import hashlib
import re
import stat
import sys
import sysconfig
import zipfile
from pathlib import Path

METADATA = """Metadata-Version: 2.1
Name: daemark
Version: {version}
Summary: Mechanisms with certified reference states, and scores of trajectories
License: MIT
Requires-Python: >=3.8
Requires-Dist: numpy
"""
WHEEL = """Wheel-Version: 1.0
Generator: daemark
Root-Is-Purelib: false
Tag: py3-none-{platform}
"""


def files_of(prefix: Path):
    """(name in the wheel, content, whether it is a program)."""
    package = prefix / "lib/python3/dist-packages/daemark"
    for file in sorted(package.glob("*")):
        if file.is_file():
            yield f"daemark/{file.name}", file.read_bytes(), False
    yield "daemark/lib/libdaemark.so", (prefix / "lib/libdaemark.so").read_bytes(), False
    yield "daemark/bin/daemark", (prefix / "bin/daemark").read_bytes(), True
    for file in sorted((prefix / "share/daemark").rglob("*")):
        if file.is_file():
            yield f"daemark/{file.relative_to(prefix).as_posix()}", file.read_bytes(), False


def main(prefix: Path, folder: Path) -> None:
    citation = (prefix / "share/daemark/CITATION.cff").read_text()
    version = re.search(r"^version: (\S+)", citation, re.M).group(1)
    platform = re.sub(r"[-.]", "_", sysconfig.get_platform())
    info = f"daemark-{version}.dist-info"
    entries = list(files_of(prefix))
    entries.append((f"{info}/METADATA", METADATA.format(version=version).encode(), False))
    entries.append((f"{info}/WHEEL", WHEEL.format(platform=platform).encode(), False))
    record = ""
    wheel = folder / f"daemark-{version}-py3-none-{platform}.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED) as out:
        for name, content, program in entries:
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
