"""libdaemark by ctypes: where it is, its functions, its errors."""

from __future__ import annotations

import ctypes
import os
import shutil
from ctypes import POINTER, c_char_p, c_double, c_int, c_void_p
from pathlib import Path
from typing import Iterator, NoReturn, Optional

_HERE = Path(__file__).resolve().parent


class DaemarkError(Exception):
    """What the library says in one line."""


class BadInput(DaemarkError, ValueError):
    """An unknown name, a wrong size, a component that is not a number."""


class NotFinite(DaemarkError, ArithmeticError):
    """What was computed is infinite or not a number; another point may do."""


class Singular(DaemarkError, ArithmeticError):
    """The equations of motion are singular at this point."""


def near(*places: str) -> Iterator[Path]:
    """In the wheel, under a prefix (PREFIX/lib/python3/dist-packages), in the source tree."""
    for base in (_HERE, *list(_HERE.parents)[2:4]):
        for place in places:
            yield base / place


def _find_library() -> str:
    named = os.environ.get("DAEMARK_LIBRARY")
    if named:
        return named
    for file in near("lib/libdaemark.so", "build/libdaemark.so"):
        if file.exists():
            return str(file)
    return "libdaemark.so.0"


def program() -> str:
    """The program `daemark`: of DAEMARK_PROGRAM, beside this package, or on the path."""
    named = os.environ.get("DAEMARK_PROGRAM")
    if named:
        return named
    for file in near("bin/daemark", "build/daemark"):
        if file.exists():
            return str(file)
    found = shutil.which("daemark")
    if found is None:
        raise DaemarkError("the program daemark was not found; set DAEMARK_PROGRAM, or PATH")
    return found


def _load() -> ctypes.CDLL:
    file = _find_library()
    try:
        lib = ctypes.CDLL(file)
    except OSError as error:
        raise ImportError(f"libdaemark cannot be loaded: {error}; set DAEMARK_LIBRARY") from None
    number, array = c_double, c_void_p
    for name, result, arguments in (
        ("version", c_char_p, []),
        ("last_error", c_char_p, []),
        ("open", c_void_p, [c_char_p, c_char_p]),
        ("close", None, [c_void_p]),
        ("sizes", c_int, [c_void_p] + 3 * [POINTER(c_int)]),
        ("name", c_char_p, [c_void_p, c_int, POINTER(c_char_p)]),
        ("kinds", c_int, [c_void_p, array, array]),
        ("initial", c_int, [c_void_p, POINTER(c_double), array, array]),
        ("residual", c_int, [c_void_p, number, array, array, array]),
        ("jacobian_nnz", c_int, [c_void_p, POINTER(c_int)]),
        ("jacobian", c_int, [c_void_p, number, number] + 5 * [array]),
        ("mechanics", c_int, [c_void_p, number] + 7 * [array]),
        ("constraints", c_int, [c_void_p, number] + 6 * [array]),
        ("accelerations", c_int, [c_void_p, number] + 4 * [array]),
        ("energy", c_int, [c_void_p, number, array, array] + 2 * [POINTER(c_double)]),
        ("output_count", c_int, [c_void_p, POINTER(c_int)]),
        ("output_name", c_char_p, [c_void_p, c_int, POINTER(c_char_p)]),
        ("outputs", c_int, [c_void_p, number, array, array, array]),
        ("reference_size", c_int, [c_void_p, POINTER(c_int)]),
        ("reference_name", c_char_p, [c_void_p, c_int, POINTER(c_char_p)]),
        ("to_reference", c_int, [c_void_p] + 4 * [array]),
        ("reference", c_int, [c_void_p, number, array, array, array, POINTER(c_int)]),
        ("sensitivity", c_int,
         [c_void_p, c_char_p, number, array, array, array, POINTER(c_int)]),
        ("digest", c_char_p, [c_void_p]),
    ):
        function = getattr(lib, "daemark_" + name)
        function.restype, function.argtypes = result, arguments
    return lib


lib = _load()


def version() -> str:
    """Of the library, "0.2.0"."""
    return lib.daemark_version().decode()


def fail(code: int) -> NoReturn:
    """Raises what a return code of the library stands for."""
    kinds = {1: NotFinite, 2: Singular, -1: BadInput}
    raise kinds.get(code, DaemarkError)(lib.daemark_last_error().decode())


def text(value: Optional[bytes]) -> str:
    return "" if value is None else value.decode()
