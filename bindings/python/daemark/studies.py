"""Runs, convergence studies, comparisons and proofs: one call of the program each."""

from __future__ import annotations

import csv
import json
import os
import tempfile
from fractions import Fraction
from pathlib import Path
from typing import Any, Dict, List, Mapping, NamedTuple, Optional, Sequence, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import BadInput, near
from .as_program import Integrator, as_program
from .problem import Problem
from .program import File, call, call_json, option_words, problem_words

Number = Union[int, float, str, Fraction]  #: floats are taken as the decimals they print as
Array = NDArray[np.float64]
Several = Union[File, Sequence[File], None]


def _text(x: Number) -> str:
    return repr(float(x)) if isinstance(x, (float, np.floating)) else str(x)


def _list(values: Union[Number, Sequence[Number]]) -> str:
    alone = isinstance(values, (str, int, float, Fraction))
    return _text(values) if alone else ",".join(_text(x) for x in values)


def _several(values: Several) -> List[str]:
    """One, or a sequence."""
    return [os.fspath(x) for x in
            ([values] if isinstance(values, (str, os.PathLike)) else values or ())]


def _each(option: str, values: Several) -> List[str]:
    return [word for value in _several(values) for word in (option, value)]


def _settings(settings: Optional[Mapping[str, Any]], control: Optional[Number]) -> List[str]:
    all_ = {**({} if control is None else {"control.tol": _text(control)}), **(settings or {})}
    return [word for key, value in all_.items() for word in ("--set", f"{key}={value}")]


def _columns(lines: Sequence[str]) -> Dict[str, Any]:
    """The columns of a CSV file; arrays of numbers where all entries are numbers or empty."""
    rows = [row for row in csv.reader(lines) if row]
    columns: Dict[str, Any] = {}
    for name, *values in zip(*rows) if rows else ():
        try:
            columns[name] = np.array([float(x) if x else np.nan for x in values])
        except ValueError:
            columns[name] = np.array(values)
    return columns


def _table(columns: Mapping[str, Any]) -> str:
    """Columns as text under their names."""
    def shown(x: Any) -> str:
        return f"{x:.4g}" if isinstance(x, (float, np.floating)) else str(x)
    rows = [list(columns)] + [[shown(x) for x in row] for row in zip(*columns.values())]
    widths = [max(map(len, column)) for column in zip(*rows)]
    return "\n".join("  ".join(x.ljust(w) for x, w in zip(row, widths)).rstrip() for row in rows)


class Run:
    """One integration: the state at output points, measures and counts.

    Arrays have a row for each output point that was reached, the start first: t [s] (n,),
    q (n, n_ref), v (n, n_ref), lambda_ (n, n_lambda), in the coordinates of trajectory files,
    named by q_names, v_names, lambda_names with their units in `units`. `columns` has every column
    of the trajectory by name, energies, violations and outputs too.
    """

    def __init__(self, problem: str, shown: Mapping[str, Any], columns: Mapping[str, Array]):
        self.problem = problem
        self.status: str = shown["status"]  #: "ok", or how it failed: "newton_diverged", ...
        self.why: str = shown["why"]  #: one sentence, empty where it is ok
        self.measures: Dict[str, float] = shown["measures"]
        self.counts: Dict[str, int] = shown["counts"]
        self.events: List[Dict[str, str]] = shown["events"]
        self.outputs: Dict[str, Any] = shown["outputs"]  #: at the end
        self.provenance: Dict[str, Any] = shown["provenance"]
        self.seconds: float = shown["seconds"]  #: of the integration alone
        #: q, v, a, lambda at the end with all digits of the precision, as text.
        self.end = {part: shown[part] for part in ("q", "v", "a", "lambda")}
        heads = [head.partition(" [") for head in columns]
        names = [name for name, _, _ in heads]
        self.units = {name: unit.rstrip("]") for name, _, unit in heads}
        self.columns = dict(zip(names, columns.values()))
        n = len(shown["q"])
        self.q_names, self.v_names = names[1 : n + 1], names[n + 1 : 2 * n + 1]
        self.lambda_names = names[2 * n + 1 : 2 * n + 1 + len(shown["lambda"])]
        self.t: Array = self.columns["t"]
        self.q, self.v, self.lambda_ = (
            np.column_stack([self.columns[x] for x in part]) if part else np.empty((len(self.t), 0))
            for part in (self.q_names, self.v_names, self.lambda_names))

    def __repr__(self) -> str:
        return f"daemark.Run({self.problem!r}, {self.status}, {len(self.t)} output points)"

    def at(self, t: ArrayLike) -> Tuple[Array, Array, Array]:
        """q, v and lambda between output points: t a number or (k,), results (..., n).

        q is the polynomial of degree 5 through q, v and q'' at both neighbours, so that its error
        is O(H^6) in their distance H, that of v, its derivative, O(H^5); lambda follows from q and
        v, with an error of O(H^5). The error of the run itself comes on top. Only where the rates
        of the coordinates are v: rotations in space raise BadInput.
        """
        if any(v != "v_" + q for q, v in zip(self.q_names, self.v_names)):
            raise BadInput("rotations in space are not interpolated; accepted: more output points")
        if len(self.t) < 2:
            raise BadInput(f"one output point, nothing to interpolate: {self.why}")
        times = np.asarray(t, np.float64).ravel()
        if times.size and not (self.t[0] <= times.min() and times.max() <= self.t[-1]):
            raise BadInput(f"accepted: times from {self.t[0]:g} to {self.t[-1]:g}")
        model = Problem(self.problem,
                        "minimal" if self.provenance["formulation"] == "minimal" else "index1")
        i = np.clip(np.searchsorted(self.t, times) - 1, 0, len(self.t) - 2)
        at_node = {k: model.accelerations(self.t[k], self.q[k], self.v[k])[0]
                   for k in {*i, *(i + 1)}}
        h = (self.t[i + 1] - self.t[i])[:, None]
        q0, q1, v0, v1 = self.q[i], self.q[i + 1], h * self.v[i], h * self.v[i + 1]
        a0, a1 = (h * h * np.array([at_node[k] for k in part]).reshape(q0.shape)
                  for part in (i, i + 1))
        # q = q0 + v0 x + a0 x^2 / 2 + c3 x^3 + c4 x^4 + c5 x^5, from q, v, a at x = 1.
        dq, dv, da = q1 - q0 - v0 - a0 / 2, v1 - v0 - a0, a1 - a0
        c = (q0, v0, a0 / 2, 10 * dq - 4 * dv + da / 2, -15 * dq + 7 * dv - da,
             6 * dq - 3 * dv + da / 2)
        x = (times[:, None] - self.t[i][:, None]) / h
        q = sum(c[k] * x**k for k in range(6))
        v = sum(k * c[k] * x ** (k - 1) for k in range(1, 6)) / h
        lambda_ = np.array([model.accelerations(*state)[1] for state in zip(times, q, v)])
        q, v, lambda_ = (part.reshape(*np.shape(t), n) for part, n in
                         ((q, model.n_q), (v, model.n_q), (lambda_, model.n_lambda)))
        return q, v, lambda_


def run(problem: File, method: str, formulation: str = "index1", *, h: Number, t_end: Number,
        control: Optional[Number] = None, every: int = 1, precision: str = "double",
        settings: Optional[Mapping[str, Any]] = None,
        init: Optional[Mapping[str, Sequence[Number]]] = None, project: bool = False,
        errors: bool = False, events: Several = (), until: Several = (),
        tableau: Several = (), repeat: int = 1) -> Run:
    """Integrates a problem of the catalogue, or a mechanism's file, once.

    h: step [s], or with `control`, the tolerance of step-size control, the distance of output
        points; times and steps are numbers or exact expressions, "1/100", "pi/2".
    every: keeps each N-th output point. init: {"q": [...], "v": [...]} in place of the problem's
        own start, put onto the constraints with `project`. errors: also those at the end against
        the reference, as measures. events, until: "x=0:falling", one or several. tableau: one or
        several files of methods. repeat: `seconds` is the minimum of so many runs, json["times"] has their
        quartiles.
    A run that fails is a result with its status. Raises BadInput for what cannot be run.
    """
    words = ["run", *problem_words(problem), "--method", method, "--formulation", formulation,
             "--h", _text(h), "--t-end", _text(t_end), "--precision", precision,
             "--every", str(every), "--repeat", str(repeat), *_settings(settings, control)]
    words += [*_each("--event", events), *_each("--until", until), *_each("--tableau", tableau)]
    words += [name for name, on in (("--project", project), ("--errors", errors)) if on]
    with tempfile.TemporaryDirectory() as folder:
        trajectory = Path(folder) / "trajectory.csv"
        if init is not None:
            start = Path(folder) / "init.json"
            start.write_text(json.dumps({k: [_text(x) for x in v] for k, v in init.items()}))
            words += ["--init", str(start)]
        shown = call_json(*words, "--trajectory", str(trajectory), fails=True)
        return Run(os.fspath(problem), shown, _columns(trajectory.read_text().splitlines()))


class Study:
    """Errors over step sizes or tolerances, with their slopes."""

    def __init__(self, shown: Mapping[str, Any]):
        self.json = dict(shown)  #: everything that `daemark converge --json` says
        over = "h" if "tol" not in shown else "tol"
        self.over = over  #: "h" or "tol"
        self.x: Array = np.array(shown[over], np.float64)  #: (k,)
        self.status: List[str] = shown["status"]
        self.error_q, self.error_v, self.error_lambda = (  #: (k,) 2-norms, NaN where a run failed
            np.array([np.nan if e is None else e for e in shown["error_" + part]], np.float64)
            for part in ("q", "v", "lambda"))
        #: Least squares over the asymptotic range; None where there is none.
        self.slope_q, self.slope_v, self.slope_lambda = (
            shown.get("slope_" + part) for part in ("q", "v", "lambda"))

    def table(self) -> str:
        """Steps, errors and slopes as text."""
        columns = {self.over: self.x, "error_q": self.error_q, "error_v": self.error_v,
                   "error_lambda": self.error_lambda, "status": self.status}
        return _table(columns) + "\nslopes " + "  ".join(
            f"{part} {'-' if slope is None else format(slope, '.3f')}" for part, slope in
            (("q", self.slope_q), ("v", self.slope_v), ("lambda", self.slope_lambda)))


def converge(problem: File, method: str, formulation: str = "index1", *,
             h: Union[Number, Sequence[Number]], t_end: Number,
             tol: Optional[Sequence[Number]] = None, precision: str = "double",
             settings: Optional[Mapping[str, Any]] = None, tableau: Several = ()) -> Study:
    """Errors at t_end against the reference over step sizes, h=["1/40", "1/80"], or over
    tolerances, tol=[1e-4, 1e-6] with one h as the distance of output points. precision="auto" goes
    from "double" to "real50" where round-off hides the order. Raises BadInput."""
    words = ["converge", method, *problem_words(problem), "--formulation", formulation,
             "--h", _list(h), "--t-end", _text(t_end), "--precision", precision,
             *option_words({"--tol": None if tol is None else _list(tol)}),
             *_settings(settings, None)]
    shown = call_json(*words, *_each("--tableau", tableau), fails=True)
    if isinstance(shown, list):  # of precision "auto", and of several formulations or end times
        if len(shown) > 1 or len(shown[0]["studies"]) > 1:
            raise BadInput("several formulations or end times; accepted: one of each")
        if shown[0]["refusal"]:
            raise BadInput(shown[0]["refusal"])
        shown = {"precision": shown[0]["precision"], **shown[0]["studies"][0]}
    return Study(shown)


class Comparison:
    """Methods beside the catalogue: a row each."""

    def __init__(self, columns: Mapping[str, Any], notes: str):
        self.columns = dict(columns)  #: by the names of table.csv: "method", "error q", ...
        self.notes = notes  #: what the program says of it

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def of(self, method: str) -> Dict[str, Any]:
        """The columns of one method's rows, with and without step-size control. method: an id,
        "gauss", or a call as the table has it, "gauss(s=2)"; BadInput where there is no row."""
        names = self.columns.get("method", ())
        mine = np.array([name == method or name.startswith((method + " ", method + "("))
                         for name in names], bool)
        if not mine.any():
            alike = sorted({name for name in names if name.startswith(method.partition("(")[0])})
            raise BadInput(f"no row of {method}; accepted: "
                           + ", ".join(alike or sorted(set(names))))
        return {name: column[mine] for name, column in self.columns.items()}

    def table(self, *names: str) -> str:
        """Columns as text, all without names."""
        return _table({name: self.columns[name] for name in names} if names else self.columns)


def compare(*methods: str, problem: Several = (), formulation: Union[str, Sequence[str]] = (),
            accuracy: Union[Number, Sequence[Number]] = (), tag: str = "",
            tableau: Several = ()) -> Comparison:
    """Methods beside the catalogue, whose results are read where they are known; no method: the
    catalogue alone. problem: one or several, all by default, which takes minutes. accuracy:
    relative errors whose cost is compared, [1e-3, "v:1e-4"]. Raises BadInput."""
    problems = [word for one in _several(problem) for word in problem_words(one)]
    options = option_words({"--formulation": _list(formulation) if formulation else None,
                            "--accuracy": _list(accuracy) if accuracy else None,
                            "--tag": tag or None})
    done = call("compare", *methods, "--csv", *problems, *options, *_each("--tableau", tableau))
    return Comparison(_columns(done.stdout.splitlines()), done.stderr)


class State(NamedTuple):
    """A state by two routes that share nothing but the model."""

    t: str  #: as asked
    q: Array
    v: Array
    lambda_: Array
    digits: int  #: significant digits on which the routes agree, the worst component
    exact: Dict[str, List[str]]  #: "q", "v", "lambda" with all of them, as text


def reference(problem: File, *t: Number, digits: int = 30, stored: bool = True) -> List[State]:
    """The states at times t [s], computed where they are not stored (or with stored=False, all).
    `problem`: of the catalogue or a mechanism's file."""
    *file, _, name = problem_words(problem)
    words = ["reference", *file, name, "--t", _list(t), "--digits", str(digits),
             *(["--stored"] if stored else [])]
    return [State(s["t"], *(np.array(s[part], np.float64) for part in ("q", "v", "lambda")),
                  s["agreed_digits"], {part: s[part] for part in ("q", "v", "lambda")})
            for s in call_json(*words)]


class Proof:
    """What was derived of one method; attributes as of `daemark verify --json`: order,
    stage_order, A_stable, L_stable (None: undecided), R_infinity, failures, notes, ..."""

    def __init__(self, shown: Mapping[str, Any]):
        self.__dict__.update(shown)

    def __repr__(self) -> str:
        return f"daemark.Proof({self.id!r}, order {self.order})"


class Proofs(List[Proof]):
    """A Proof for each method."""

    def table(self) -> str:
        """Orders, stability and the number of failures as text."""
        columns = {"method": [proof.id for proof in self]}
        for name in ("order", "stage_order", "A_stable", "L_stable"):
            columns[name] = [getattr(proof, name, None) for proof in self]
        return _table({**columns, "failures": [len(proof.failures) for proof in self]})


def verify(*targets: File, tableau: Several = ()) -> Proofs:
    """Orders and stability of methods, "gauss(3)", or tableau files. A claim that fails is in
    `failures`; raises BadInput for what is no method."""
    return Proofs(Proof(shown) for shown in call_json("verify", *_several(targets),
                                                      *_each("--tableau", tableau), fails=True))


class Acceptance:
    """What the acceptance kit found: `accepted`, `verdict` in words, `failures` (check: what is
    probably wrong), and every check with its threshold and findings."""

    def __init__(self, shown: Mapping[str, Any]):
        self.method: str = shown["method"]
        self.formulation: str = shown["formulation"]
        self.accepted: bool = shown["accepted"]
        self.verdict: str = shown["verdict"]
        self.checks: List[Dict[str, Any]] = shown["checks"]
        self.failures: Dict[str, str] = {check["id"]: check["cause"] for check in self.checks
                                         if check["judgement"] == "fail"}

    def __bool__(self) -> bool:
        return self.accepted


def accept(method: Union[str, Integrator], formulation: Optional[str] = None, *,
           steps: str = "fixed", only: Sequence[str] = (), order: Optional[int] = None,
           tol: Optional[Number] = None, settings: Optional[Mapping[str, Any]] = None,
           junit: Optional[File] = None, html: Optional[File] = None,
           tableau: Several = ()) -> Acceptance:
    """The acceptance kit on a method, on that of a tableau file, or on a function of yours; junit
    and html are files it writes. A check that fails is in `failures`.

    A function f(problem, step, times) is as as_program() takes it, with `steps` "fixed" or
    "tolerance" and problems in `formulation` (default "index1"); `order` is the one you expect."""
    if not isinstance(method, str):
        with as_program(method, formulation or "index1", steps) as call_of_it:
            return accept(call_of_it, None, only=only, order=order, tol=tol, settings=settings,
                          junit=junit, html=html)
    options = {"--formulation": formulation, "--only": ",".join(only) or None, "--order": order,
               "--tol": None if tol is None else _text(tol), "--junit": junit, "--html": html}
    return Acceptance(call_json("accept", method, *option_words(options),
                                *_settings(settings, None), *_each("--tableau", tableau),
                                fails=True))


def results(file: File) -> Union[Dict[str, Any], List[Dict[str, Any]]]:
    """A file of results: the columns of a .csv as arrays, the records of a .jsonl, the value of a
    .json. "li2019/table1/table.csv" is looked for under DAEMARK_RESULTS, results in the current
    folder, and the results the program came with; an absolute path is opened as such. Raises
    BadInput where there is no such file."""
    named = os.environ.get("DAEMARK_RESULTS")
    roots = [Path(named)] if named else []
    roots += [Path("results"), *near("share/daemark/results", "results")]
    for path in (root / file for root in roots):
        if path.is_file():
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".jsonl":
                return [json.loads(line) for line in text.splitlines()]
            return json.loads(text) if path.suffix == ".json" else _columns(text.splitlines())
    raise BadInput(f"{file} is not there; looked in "
                   + ", ".join(str(root) for root in roots if root.is_dir()))
