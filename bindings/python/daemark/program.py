"""What the program `daemark` knows: methods, tableaus, scores."""

from __future__ import annotations

import json
import os
import subprocess
import tempfile
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import BadInput, DaemarkError, program

Columns = Mapping[str, ArrayLike]
File = Union[str, "os.PathLike[str]"]


class Tableau(NamedTuple):
    """A Runge-Kutta method: floats, correctly rounded, and what they are rounded from."""

    A: NDArray[np.float64]  #: (s, s)
    b: NDArray[np.float64]  #: (s,)
    c: NDArray[np.float64]  #: (s,)
    b_hat: Optional[NDArray[np.float64]]  #: (s,) weights of the embedded formula
    #: "A", "b", "c" (and "b_hat") as strings: exact expressions, "5/36-1/30*sqrt(15)"; decimals of
    #: 60 digits where daemark has no expressions, as for gauss(5).
    exact: Dict[str, Any]


def call(*words: str, fails: bool = False) -> "subprocess.CompletedProcess[str]":
    """One call of the program. Raises BadInput with its line where it refuses; `fails`: a numerical
    failure, or a claim that does not hold, is a result. Ctrl-C ends the program too."""
    done = _finished([program(), *words])
    if done.returncode == 0 or (fails and done.returncode == 1 and done.stdout):
        return done
    kind = BadInput if done.returncode == 2 else DaemarkError
    said = done.stderr.strip().splitlines()
    raise kind(said[-1] if said else f"daemark {words[0]}: status {done.returncode}")


def _finished(words: List[str]) -> "subprocess.CompletedProcess[str]":
    """Like subprocess.run, which would kill the program at once: it removes its drafts first."""
    pipe = subprocess.PIPE
    with subprocess.Popen(words, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            out, err = child.communicate()
        except BaseException:
            child.terminate()
            try:
                child.wait(timeout=3)
            except subprocess.TimeoutExpired:
                child.kill()
            raise
    return subprocess.CompletedProcess(words, child.returncode, out, err)


def problem_words(problem: File) -> List[str]:
    """Options that name a problem: a call of the catalogue, or the path of a mechanism's file."""
    call_or_file = os.fspath(problem)
    if not call_or_file.endswith(".json"):
        return ["--problem", call_or_file]
    try:
        name = json.loads(Path(call_or_file).read_text(encoding="utf-8"))["id"]
    except (OSError, ValueError, KeyError, TypeError):
        name = "mechanism"  # the program says what is wrong with the file
    return ["--problem-file", call_or_file, "--problem", str(name)]


def option_words(options: Mapping[str, Any]) -> List[str]:
    """Options by their names, without those that are None."""
    return [word for name, value in options.items() if value is not None
            for word in (name, str(value))]


def call_json(*words: str, fails: bool = False) -> Any:
    """The value that a call with --json prints."""
    return json.loads(call(*words, "--json", fails=fails).stdout)


def methods() -> List[Dict[str, str]]:
    """The catalogue: id, call, kind and summary of each method."""
    return call_json("list", "methods")


def problems() -> List[Dict[str, str]]:
    """The catalogue: id, call, summary and source of each problem."""
    return call_json("list", "problems")


def tableau(method: str) -> Tableau:
    """The coefficients of a Runge-Kutta method, "erk4", "gauss(3)"."""
    shown = call_json("show", method).get("tableau")
    if shown is None:
        raise BadInput(f"{method} has no tableau; accepted: a Runge-Kutta method")
    values = {name: np.array(numbers) for name, numbers in shown.pop("values").items()}
    return Tableau(values["A"], values["b"], values["c"], values.get("b_hat"), shown)


def write_trajectory(file: Union[str, os.PathLike], columns: Columns) -> None:
    """A trajectory that `daemark score` reads: the times as "t" [s], every other column by its name
    (Problem.names), with digits enough to read the same numbers back."""
    names = ["t"] + [name for name in columns if name != "t"]
    if "t" not in columns:
        raise BadInput('the times are missing; accepted: a column "t"')
    rows = np.column_stack([np.asarray(columns[name], np.float64) for name in names])
    with open(file, "w", encoding="utf-8") as out:
        out.write(",".join(names) + "\n")
        out.writelines(",".join(map(repr, row)) + "\n" for row in rows.tolist())


def score(trajectory: Union[File, Columns, Sequence[Union[File, Columns]]], problem: File,
          formulation: str = "index1", cost: Optional[Mapping[str, float]] = None,
          save: Optional[str] = None, tolerance: Optional[float] = None,
          h: Sequence[Union[str, float]] = ()) -> Dict[str, Any]:
    """Judges a trajectory, a CSV file or columns as of write_trajectory(), against the references
    of the problem, by its energy and its constraints: what `daemark score --json` says.

    cost: what it took, as stated by you ("evaluations", "seconds", ...); shown, never ranked.
    save: a name to keep it under, for `daemark compare --with`.
    Several trajectories, of one method with different steps, give ratios and slopes of the errors;
    h: their steps, where the spacing of the rows is another.
    """
    several = isinstance(trajectory, Sequence) and not isinstance(trajectory, str)
    given = list(trajectory) if several else [trajectory]
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for k, one in enumerate(given):
            if not isinstance(one, (str, os.PathLike)):
                columns, one = one, os.path.join(folder, f"trajectory{k + 1}.csv")
                write_trajectory(one, columns)
            files.append(os.fspath(one))
        costs = ",".join(f"{key}={float(value)!r}" for key, value in (cost or {}).items())
        steps = ",".join(x if isinstance(x, str) else repr(float(x)) for x in h)
        return call_json("score", *files, *problem_words(problem), *option_words(
            {"--formulation": formulation, "--h": steps or None, "--cost": costs or None,
             "--save": save, "--tolerance": tolerance}))
