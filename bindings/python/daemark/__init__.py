"""Mechanisms of daemark with their certified reference states, and scores of trajectories.

    import daemark
    p = daemark.Problem("two_link", "index2")
    t, y, yp = p.initial()
    r = p.residual(t, y, yp)

Needs NumPy and libdaemark; a Problem serves one thread at a time. Units are those of SI.
"""

from ._library import BadInput, DaemarkError, NotFinite, Singular, version
from .problem import Jacobian, Mechanics, Problem, Reference
from .program import methods, problems, score, tableau, write_trajectory

__version__ = version()
__all__ = [
    "BadInput", "DaemarkError", "Jacobian", "Mechanics", "NotFinite", "Problem", "Reference",
    "Singular", "methods", "problems", "score", "tableau", "version", "write_trajectory",
]
