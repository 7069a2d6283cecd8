"""SciPy's solve_ivp on mechanisms, three ways: the accelerations of index 1, the same in minimal
coordinates, and in index 1 with velocities projected onto the constraints by `mechanics`:
   python3 solve_ivp.py two_link 1 DOP853
   daemark compare --problem two_link --with results/local/solve_ivp_index1.json"""

import sys

import numpy as np
from scipy.integrate import solve_ivp

import daemark


def integrate(problem, formulation, t_end, method="DOP853", project=False, rtol=1e-10, atol=1e-10):
    p = daemark.Problem(problem, formulation)
    n = p.n_q
    t0, y0, _ = p.initial()

    def projected(t, q, v):
        """The nearest velocities (in the metric of M) with G v = 0."""
        M, _, _, G, _ = p.mechanics(t, q, v)
        step = np.linalg.solve(M, G.T)
        return v - step @ np.linalg.solve(G @ step, G @ v)

    def rates(t, y):
        q, v = y[:n], y[n:]
        if project:
            v = projected(t, q, v)
        return np.concatenate((v, p.accelerations(t, q, v)[0]))

    times = np.linspace(t0, t_end, 101)
    found = solve_ivp(rates, (t0, t_end), y0[: 2 * n], method, times, rtol=rtol, atol=atol)
    return {"t": found.t, **dict(zip(p.names, found.y))}, {"evaluations": found.nfev}


if __name__ == "__main__":
    problem, t_end, method = sys.argv[1:] + ["two_link", "1", "DOP853"][len(sys.argv) - 1 :]
    for formulation, project in (("index1", False), ("minimal", False), ("index1", True)):
        try:
            motion, cost = integrate(problem, formulation, float(t_end), method, project)
        except daemark.BadInput as refusal:
            print(refusal)
            continue
        name = f"solve_ivp_{formulation}" + project * "_projected"
        scored = daemark.score(motion, problem, formulation, cost, save=name)
        print(name, scored["times"][-1]["errors"], cost)
