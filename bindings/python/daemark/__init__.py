"""Mechanisms of daemark with their certified reference states, methods, and scores of trajectories.

    import daemark
    r = daemark.run("two_link", "radau_iia(3)", "index3", h="1/100", t_end=1)
    p = daemark.Problem("two_link", "index2")
    t, y, yp = p.initial()

Needs NumPy and libdaemark; a Problem serves one thread at a time. Units are those of SI.
"""

from ._library import BadInput, DaemarkError, NotFinite, Singular, version
from .as_program import as_program
from .problem import Jacobian, Mechanics, Problem, Reference
from .program import methods, problems, score, tableau, write_trajectory
from .solve import Solution, solve
from .studies import (Acceptance, Comparison, Proof, Proofs, Run, State, Study, accept, compare,
                      converge, reference, results, run, verify)

__version__ = version()
__all__ = [
    "Acceptance", "BadInput", "Comparison", "DaemarkError", "Jacobian", "Mechanics", "NotFinite",
    "Problem", "Proof", "Proofs", "Reference", "Run", "Singular", "Solution", "State", "Study",
    "accept", "as_program", "compare", "converge", "methods", "problems", "reference", "results",
    "run", "score", "solve", "tableau", "verify", "version", "write_trajectory",
]
