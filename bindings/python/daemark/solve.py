"""Methods of daemark on a system of one's own."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_double, c_int, c_long, c_void_p
from typing import Any, Callable, Dict, Mapping, NamedTuple, Optional, Sequence, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import BadInput, fail, lib

Residual = Callable[[float, NDArray[np.float64], NDArray[np.float64]], ArrayLike]
Jacobian = Callable[[float, float, NDArray[np.float64], NDArray[np.float64]], ArrayLike]

_RESIDUAL = CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_void_p, c_void_p)
_JACOBIAN = CFUNCTYPE(c_int, c_double, c_double, c_void_p, c_void_p, c_void_p, c_void_p)
_OUTPUT = CFUNCTYPE(c_int, c_double, c_void_p, c_void_p, c_void_p)
_STATUS = {0: "ok", 1: "not_finite", 2: "singular_matrix", 3: "step_failed"}
_COUNTS = ("steps", "rejected_steps", "newton_iterations", "residual_evals", "jacobian_evals",
           "factorizations")


class _System(ctypes.Structure):
    _fields_ = [("n", c_int), ("index", c_int), ("differential", c_void_p),
                ("residual", _RESIDUAL), ("jacobian", _JACOBIAN), ("user", c_void_p)]


lib.daemark_solve.restype = c_int
lib.daemark_solve.argtypes = [POINTER(_System), c_char_p, c_char_p, c_double, c_double, c_int,
                              c_void_p, c_void_p, _OUTPUT, POINTER(c_long)]


class Solution(NamedTuple):
    """What solve() returns."""

    status: str  #: "ok", or what the last step failed of: "not_finite", "singular_matrix", ...
    why: str  #: one line; empty where the status is ok
    t: NDArray[np.float64]  #: (points + 1,) the start and the output points that were reached
    y: NDArray[np.float64]  #: (points + 1, n)
    yp: NDArray[np.float64]  #: (points + 1, n)
    counts: Dict[str, int]  #: steps, newton_iterations, residual_evals, ...


def solve(residual: Union[Residual, int], t: Sequence[float], y: ArrayLike, yp: ArrayLike,
          method: str, *, points: int, index: int = 1, differential: Optional[ArrayLike] = None,
          jacobian: Union[Jacobian, int, None] = None, control: Optional[float] = None,
          settings: Optional[Mapping[str, Any]] = None) -> Solution:
    """Integrates a system of your own, F(t, y, y') = 0, with a method of daemark.

    residual: F(t, y, yp) -> (n,), the form of IDA; or the address of a C function, as
        daemark_system in daemark.h has it. An ArithmeticError says that F cannot be evaluated
        there, and the step fails or is repeated with a smaller one; other exceptions end the
        integration and are raised.
    t: (start, end). y, yp: (n,) at the start. In index 0 and 1 yp and the algebraic components
        are guesses, from which consistent ones follow; in index 2 and 3 all have to be consistent.
    method: "radau_iia(3)", as daemark.methods() lists them.
    points: output points at equal distances; without `control` each is a step.
    index: differentiation index. differential: (n,), 1 where y' occurs in F, 0 for algebraic
        components; all 1 by default.
    jacobian: dF/dy + cj dF/dy' as a function of (t, cj, y, yp) -> (n, n), or the address of a C
        function; by differences of the residual without it.
    control: tolerance of step-size control. settings: as of `daemark run --set`.
    """
    start, rate = (np.array(x, np.float64) for x in (y, yp))
    n = start.size
    if start.shape != (n,) or rate.shape != (n,):
        raise BadInput("y and yp have different sizes; accepted: two vectors of n numbers")
    kinds = None if differential is None else np.array(differential, np.int32)
    if kinds is not None and kinds.shape != (n,):
        raise BadInput(f"differential has another size; accepted: {n} numbers")
    raised: list = []
    times, states, rates = [], [], []

    def at(address: int, size: int = n) -> NDArray[np.float64]:
        return np.frombuffer((c_double * size).from_address(address))

    def guarded(work: Callable[[], None]) -> int:
        try:
            work()
            return 0
        except ArithmeticError:
            return 1
        except BaseException as error:  # also KeyboardInterrupt: it cannot pass through the library
            raised.append(error)
            return -1

    def call_residual(time: float, at_y: int, at_yp: int, at_r: int, _: Any) -> int:
        def work() -> None:
            at(at_r)[:] = residual(time, at(at_y), at(at_yp))
        return guarded(work)

    def call_jacobian(time: float, cj: float, at_y: int, at_yp: int, at_j: int, _: Any) -> int:
        def work() -> None:
            at(at_j, n * n).reshape(n, n)[:] = jacobian(time, cj, at(at_y), at(at_yp))
        return guarded(work)

    def keep(time: float, at_y: int, at_yp: int, _: Any) -> int:
        times.append(time), states.append(at(at_y).copy()), rates.append(at(at_yp).copy())
        return 0

    def function(kind: Any, given: Any, wrapped: Callable[..., int]) -> Any:
        return kind() if given is None else kind(given if isinstance(given, int) else wrapped)

    words = {**({} if control is None else {"control.tol": repr(float(control))}),
             **(settings or {})}
    system = _System(n, index, None if kinds is None else kinds.ctypes.data,
                     function(_RESIDUAL, residual, call_residual),
                     function(_JACOBIAN, jacobian, call_jacobian), None)
    counts = (c_long * len(_COUNTS))()
    code = lib.daemark_solve(system, method.encode(),
                             " ".join(f"{k}={v}" for k, v in words.items()).encode(), t[0], t[1],
                             points, start.ctypes.data, rate.ctypes.data, _OUTPUT(keep), counts)
    if raised:
        raise raised[0]
    if code not in _STATUS:
        fail(code)
    return Solution(_STATUS[code], "" if code == 0 else lib.daemark_last_error().decode(),
                    np.array(times), np.array(states), np.array(rates),
                    dict(zip(_COUNTS, counts)))
