"""One mechanism in one formulation."""

from __future__ import annotations

import ctypes
import os
from typing import Any, Dict, List, NamedTuple, Optional, Tuple, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import BadInput, fail, lib, text

Vector = NDArray[np.float64]


class Jacobian(NamedTuple):
    """dF/dy + cj dF/dy' in compressed columns: scipy.sparse.csc_matrix(j[:3]) takes it as it is."""

    values: Vector  #: (nnz,)
    rowind: NDArray[np.int32]  #: (nnz,), ascending in each column
    colptr: NDArray[np.int32]  #: (n_y + 1,)

    def dense(self) -> Vector:
        """(n_y, n_y)."""
        n = len(self.colptr) - 1
        full = np.zeros((n, n))
        full[self.rowind, np.repeat(np.arange(n), np.diff(self.colptr))] = self.values
        return full


class Mechanics(NamedTuple):
    """The pieces of M q'' + G^T lambda = f, Phi = 0, Phi'' = G q'' + Gdot_v."""

    M: Vector  #: (n_q, n_q) mass matrix
    f: Vector  #: (n_q,) forces
    Phi: Vector  #: (n_lambda,) constraints
    G: Vector  #: (n_lambda, n_q) their gradient
    Gdot_v: Vector  #: (n_lambda,)


class Reference(NamedTuple):
    """A state that two independent routes give, in the coordinates of `reference_names`."""

    q: Vector  #: (n_ref,)
    v: Vector  #: (n_ref,)
    lambda_: Vector  #: the multipliers of "index1"
    digits: int  #: significant digits on which the routes agree


class Problem:
    """A mechanism in a formulation: F(t, y, y') = 0 with y = (q, v, lambda).

    Rows of F: q' - v (n_q), M v' + G^T lambda - f (n_q), the constraints at the level of the
    formulation ("index3": Phi, "index2": Phi', "index1": Phi''). daemark.h has all of it.

    problem: a call as `daemark list problems` shows, "two_link", "four_bar(loops=10)", or the
    path of a mechanism's file, "mine.json".
    Raises BadInput for what there is not.
    """

    def __init__(self, problem: Union[str, "os.PathLike[str]"], formulation: str = "index1"):
        problem = os.fspath(problem)
        self._handle = lib.daemark_open(problem.encode(), formulation.encode())
        if not self._handle:
            fail(-1)
        counts = [ctypes.c_int() for _ in range(5)]
        lib.daemark_sizes(self._handle, *counts[:3])
        lib.daemark_jacobian_nnz(self._handle, counts[3])
        lib.daemark_reference_size(self._handle, counts[4])
        self.problem, self.formulation = problem, formulation
        self.n_q, self.n_lambda, self.n_y, self._nnz, self.n_ref = (c.value for c in counts)
        #: Of the components of y, which are also the columns of a trajectory file.
        self.names, self.units = self._named(lib.daemark_name)
        #: Of reference states: n_ref positions, n_ref velocities, multipliers.
        self.reference_names, self.reference_units = self._named(lib.daemark_reference_name)
        #: Of the quantities of interest that the problem names.
        self.output_names, self.output_units = self._named(lib.daemark_output_name)
        # Arguments are copied here: their addresses are then known, and asking an array for its
        # address would cost more than the call.
        self._y, self._yp, self._r = (np.zeros(self.n_y) for _ in range(3))
        self._at_y, self._at_yp, self._at_r = (_address(x) for x in (self._y, self._yp, self._r))
        self._at_v = self._at_y + self._y.itemsize * self.n_q
        self._residual = lib.daemark_residual

    def _named(self, function) -> Tuple[List[str], List[str]]:
        names: List[str] = []
        units: List[str] = []
        unit = ctypes.c_char_p()
        while True:
            name = function(self._handle, len(names), unit)
            if name is None:
                return names, units
            names.append(name.decode())
            units.append(text(unit.value))

    def __del__(self) -> None:
        if getattr(self, "_handle", None):
            lib.daemark_close(self._handle)
            self._handle = None

    def __repr__(self) -> str:
        return f"daemark.Problem({self.problem!r}, {self.formulation!r})"

    @property
    def digest(self) -> str:
        """Names the version of the model: another digest, another mechanism."""
        return lib.daemark_digest(self._handle).decode()

    def kinds(self) -> Tuple[NDArray[np.int32], NDArray[np.int32]]:
        """differential (n_y,): 1 where y' occurs, 0 for algebraic components (IDA's id);
        index (n_y,): differentiation index of each component (RADAU5's index variables)."""
        differential, index = (np.empty(self.n_y, np.int32) for _ in range(2))
        _check(lib.daemark_kinds(self._handle, _address(differential), _address(index)))
        return differential, index

    def initial(self) -> Tuple[float, Vector, Vector]:
        """t [s], y (n_y,) and consistent y' (n_y,); y' of algebraic components is 0."""
        t = ctypes.c_double()
        y, yp = np.empty(self.n_y), np.empty(self.n_y)
        _check(lib.daemark_initial(self._handle, t, _address(y), _address(yp)))
        return t.value, y, yp

    def residual(self, t: float, y: ArrayLike, yp: ArrayLike) -> Vector:
        """F(t, y, y'), (n_y,). Raises NotFinite where it is not, BadInput for sizes and NaN."""
        if len(y) != self.n_y or len(yp) != self.n_y:
            raise _size(self.n_y)
        self._y[:] = y
        self._yp[:] = yp
        code = self._residual(self._handle, t, self._at_y, self._at_yp, self._at_r)
        if code:
            fail(code)
        return self._r.copy()

    def jacobian(self, t: float, cj: float, y: ArrayLike, yp: ArrayLike) -> Jacobian:
        """dF/dy + cj dF/dy' in compressed columns; .dense() for an array."""
        if len(y) != self.n_y or len(yp) != self.n_y:
            raise _size(self.n_y)
        self._y[:] = y
        self._yp[:] = yp
        out = Jacobian(np.empty(self._nnz), np.empty(self._nnz, np.int32),
                       np.empty(self.n_y + 1, np.int32))
        _check(lib.daemark_jacobian(self._handle, t, cj, self._at_y, self._at_yp,
                                    _address(out.colptr), _address(out.rowind),
                                    _address(out.values)))
        return out

    def _take(self, q: ArrayLike, v: ArrayLike) -> None:
        if len(q) != self.n_q or len(v) != self.n_q:
            raise _size(self.n_q)
        self._y[: self.n_q] = q
        self._y[self.n_q : 2 * self.n_q] = v

    def mechanics(self, t: float, q: ArrayLike, v: ArrayLike) -> Mechanics:
        """M, f, Phi, G and Gdot_v at t [s], q (n_q,), v (n_q,)."""
        self._take(q, v)
        n, m = self.n_q, self.n_lambda
        out = Mechanics(np.empty((n, n)), np.empty(n), np.empty(m), np.empty((m, n)), np.empty(m))
        _check(lib.daemark_mechanics(self._handle, t, self._at_y, self._at_v,
                                     *(_address(x) for x in out)))
        return out

    def constraints(self, t: float, q: ArrayLike, v: ArrayLike,
                    a: Optional[ArrayLike] = None) -> Tuple[Vector, Vector, Vector]:
        """Phi, Phi' and Phi'' (n_lambda,) of a motion with accelerations a (0 by default)."""
        self._take(q, v)
        given = None if a is None else np.ascontiguousarray(a, np.float64)
        if given is not None and given.shape != (self.n_q,):
            raise _size(self.n_q)
        out = tuple(np.empty(self.n_lambda) for _ in range(3))
        _check(lib.daemark_constraints(self._handle, t, self._at_y, self._at_v,
                                       None if given is None else _address(given),
                                       *(_address(x) for x in out)))
        return out

    def accelerations(self, t: float, q: ArrayLike, v: ArrayLike) -> Tuple[Vector, Vector]:
        """q'' (n_q,) and lambda (n_lambda,). Raises Singular where there are none."""
        self._take(q, v)
        a, multipliers = np.empty(self.n_q), np.empty(self.n_lambda)
        _check(lib.daemark_accelerations(self._handle, t, self._at_y, self._at_v, _address(a),
                                         _address(multipliers)))
        return a, multipliers

    def energy(self, t: float, q: ArrayLike, v: ArrayLike) -> Tuple[float, float]:
        """Kinetic and potential energy [J]."""
        self._take(q, v)
        kinetic, potential = ctypes.c_double(), ctypes.c_double()
        _check(lib.daemark_energy(self._handle, t, self._at_y, self._at_v, kinetic, potential))
        return kinetic.value, potential.value

    def outputs(self, t: float, q: ArrayLike, v: ArrayLike) -> Dict[str, float]:
        """The quantities of interest by name, in output_units; most problems name none."""
        self._take(q, v)
        out = np.empty(len(self.output_names))
        _check(lib.daemark_outputs(self._handle, t, self._at_y, self._at_v, _address(out)))
        return dict(zip(self.output_names, out.tolist()))

    def to_reference(self, q: ArrayLike, v: ArrayLike) -> Tuple[Vector, Vector]:
        """A state in the coordinates of reference states, (n_ref,) each; q and v themselves but for
        "minimal" and rotations in space."""
        self._take(q, v)
        q_ref, v_ref = np.empty(self.n_ref), np.empty(self.n_ref)
        _check(lib.daemark_to_reference(self._handle, self._at_y, self._at_v, _address(q_ref),
                                        _address(v_ref)))
        return q_ref, v_ref

    def reference(self, t: float) -> Optional[Reference]:
        """The published state at t [s]; None where there is none. daemark.reference() computes
        states at other times, and those of a mechanism's file."""
        found = self._reference_coordinates(lib.daemark_reference, t)
        return None if found.digits < 0 else found

    def sensitivity(self, parameter: str, t: float) -> Reference:
        """Derivatives of q, v and lambda at t [s] by a number of the problem's data ("m2"), in their
        units a unit of the number. Takes seconds. Raises BadInput for mechanisms with charts of
        rotations or dependent rows."""
        return self._reference_coordinates(lib.daemark_sensitivity, parameter.encode(), t)

    def _reference_coordinates(self, function: Any, *arguments: Any) -> Reference:
        multipliers = len(self.reference_names) - 2 * self.n_ref
        q, v, lambda_ = np.empty(self.n_ref), np.empty(self.n_ref), np.empty(multipliers)
        digits = ctypes.c_int()
        _check(function(self._handle, *arguments, _address(q), _address(v), _address(lambda_),
                        digits))
        return Reference(q, v, lambda_, digits.value)


def _address(array: np.ndarray) -> int:
    return array.ctypes.data


def _check(code: int) -> None:
    if code:
        fail(code)


def _size(accepted: int) -> BadInput:
    return BadInput(f"an array has another size; accepted: {accepted} numbers")
