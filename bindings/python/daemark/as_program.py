"""A Python function as a program (bindings/PROGRAMS.md), so that it stands where a method stands."""

from __future__ import annotations

import json
import os
import select
import socketserver
import sys
import tempfile
import threading
import time
import uuid
from contextlib import contextmanager
from pathlib import Path
from typing import Callable, Dict, Iterator, List, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import BadInput
from .problem import Problem

#: f(problem, step, times): integrates from problem.initial() and returns y at the times, a row each,
#: (len(times), n_y). `step` is h or the tolerance. An exception is a failed run.
Integrator = Callable[[Problem, float, NDArray[np.float64]], ArrayLike]

# What daemark starts: it passes its arguments on and ends as it is told.
_CLIENT = """#!{python} -SE
import json, os, socket, sys
words = sys.argv[1:]
if len(words) == 4:
    words[0], words[3] = os.path.abspath(words[0]), os.path.abspath(words[3])
with socket.socket(socket.AF_UNIX) as s:  # {token}
    s.connect({socket!r})
    s.sendall((json.dumps(words) + "\\n").encode())
    answer = json.loads(s.makefile().readline())
print(answer["out"], flush=True)
print(answer["err"], file=sys.stderr, flush=True)
if answer.get("signal"):
    os.kill(os.getpid(), answer["signal"])
sys.exit(answer["status"])
"""


def _answer(status: int, out: str = "", err: str = "", signal: int = 0) -> bytes:
    return (json.dumps({"status": status, "out": out, "err": err, "signal": signal}) + "\n").encode()


def _integrate(function: Integrator, words: List[str]) -> bytes:
    """One run, in a process of its own."""
    mechanism, formulation, step, out = words
    with open(mechanism, encoding="utf-8") as text:
        file = json.load(text)
    span = file["times"]
    times = span["begin"] + span["spacing"] * np.arange(span["count"] + 1)
    problem = Problem(file["problem"], formulation)
    before = time.process_time()
    rows = np.asarray(function(problem, float(step), times), np.float64)
    seconds = time.process_time() - before
    if rows.shape != (len(times), problem.n_y):
        raise BadInput(f"the function returned an array of shape {rows.shape}; accepted: "
                       f"{(len(times), problem.n_y)}, a row y for each time")
    n, m = problem.n_q, len(problem.reference_names) - 2 * problem.n_ref
    has_multipliers = problem.n_y >= 2 * n + m
    names = problem.reference_names if has_multipliers else problem.reference_names[:2 * problem.n_ref]
    with open(out, "w", encoding="utf-8") as csv:
        csv.write(",".join(["t", *names]) + "\n")
        for t, y in zip(times, rows):
            state = [*problem.to_reference(y[:n], y[n:2 * n])]
            if has_multipliers:
                state.append(y[2 * n:2 * n + m])
            csv.write(",".join(map(repr, [float(t), *np.concatenate(state).tolist()])) + "\n")
    return _answer(0, json.dumps({"cpu_seconds": seconds}))


class _Server(socketserver.ThreadingUnixStreamServer):
    daemon_threads = True
    function: Integrator
    description: Dict[str, object]


class _Handler(socketserver.StreamRequestHandler):
    def handle(self) -> None:
        server: _Server = self.server  # type: ignore[assignment]
        words = json.loads(self.rfile.readline())
        if words == ["--describe"]:
            self.wfile.write(_answer(0, json.dumps(server.description)))
            return
        child = os.fork()
        if child == 0:
            self._run(server.function, words)
        ended = os.pidfd_open(child)
        ready, _, _ = select.select([self.connection, ended], [], [])
        os.close(ended)
        if self.connection in ready:  # daemark gave up the run
            os.kill(child, 9)
        _, how = os.waitpid(child, 0)
        if os.WIFSIGNALED(how) and self.connection not in ready:
            self.wfile.write(_answer(1, err="the function's process was ended by a signal",
                                     signal=os.WTERMSIG(how)))

    def _run(self, function: Integrator, words: List[str]) -> None:
        try:
            answer = _integrate(function, words)
        except BaseException as error:  # all that a user's function may raise
            said = str(error).splitlines() or [""]
            answer = _answer(1, err=f"{type(error).__name__}: {said[0]}")
        try:
            self.connection.sendall(answer)
        finally:
            os._exit(0)


@contextmanager
def as_program(function: Integrator, formulation: str = "index1", steps: str = "fixed",
               name: Union[str, None] = None) -> Iterator[str]:
    """The call of a method that `function` runs, as long as the context lasts:

        with daemark.as_program(mine, "index2") as method:
            daemark.converge("two_link", method, "index1", h=["1/100", "1/200"], t_end=1)

    function: f(problem, step, times) returns y at the times, a row each, (len(times), n_y); see
    Problem for what it can ask. formulation: that of the problem it is given. steps: "fixed", step
    is h, which divides the spacing of the times; or "tolerance". Each run is a process of its own,
    a copy of this one; an exception is a failed run.
    """
    if steps not in ("fixed", "tolerance"):
        raise BadInput(f'steps="{steps}"; accepted: "fixed" or "tolerance"')
    with tempfile.TemporaryDirectory(prefix="daemark-") as folder:
        program, socket = Path(folder) / "program", str(Path(folder) / "socket")
        program.write_text(_CLIENT.format(python=sys.executable, socket=socket, token=uuid.uuid4()),
                           encoding="utf-8")
        program.chmod(0o700)
        with _Server(socket, _Handler) as server:
            server.function = function
            server.description = {
                "name": name or getattr(function, "__name__", "function"), "version": "Python",
                "equations": True,
                "variants": [{"name": formulation, "steps": steps, "settings": "a Python function"}]}
            threading.Thread(target=server.serve_forever, daemon=True).start()
            try:
                yield f"program({program},{formulation})"
            finally:
                server.shutdown()
