"""A user's own generalised-alpha method in index 3 (Arnold & Bruels 2007), on any mechanism:
   python3 generalized_alpha.py two_link 1 1000 0.9"""

import sys

import numpy as np

import daemark


def integrate(problem, t_end, steps, rho):
    p = daemark.Problem(problem, "index3")
    n, m = p.n_q, p.n_lambda
    t0, y, yp = p.initial()
    h = (t_end - t0) / steps
    am, af = (2 * rho - 1) / (rho + 1), rho / (rho + 1)
    gamma = 0.5 + af - am
    beta = 0.25 * (gamma + 0.5) ** 2
    dv, da = gamma / (beta * h), (1 - am) / (beta * h * h * (1 - af))  # d v/d q, d vdot/d q
    q, v, a, lam = y[:n], y[n : 2 * n], yp[n : 2 * n], y[2 * n :]
    ext, rows = a.copy(), [np.concatenate((q, v, lam))]  # `ext`: the auxiliary acceleration
    for k in range(steps):
        q0, v0, a0, e0, t = q, v, a, ext, t0 + (k + 1) * h
        q, a = q0 + h * v0 + h * h / 2 * e0, a0
        for _ in range(20):
            ext = (q - q0 - h * v0 - h * h * (0.5 - beta) * e0) / (beta * h * h)
            v = v0 + h * ((1 - gamma) * e0 + gamma * ext)
            a = ((1 - am) * ext + am * e0 - af * a0) / (1 - af)
            at, rate = np.concatenate((q, v, lam)), np.concatenate((v, a, np.zeros(m)))
            r = p.residual(t, at, rate)[n:]
            Jy, J = p.jacobian(t, 0, at, rate).dense()[n:], p.jacobian(t, 1, at, rate).dense()[n:]
            Jr = J - Jy  # d F / d y'
            S = np.hstack((Jy[:, :n] + dv * Jy[:, n : 2 * n] + da * Jr[:, n : 2 * n],
                           Jy[:, 2 * n :] / h**2))
            x = np.linalg.solve(S, -r)
            q, lam = q + x[:n], lam + x[n:] / h**2
            if np.abs(x[:n]).max() < 1e-12:
                break
        else:
            raise ArithmeticError(f"Newton's method did not converge in the step to t = {t}")
        rows.append(np.concatenate((q, v, lam)))
    return {"t": t0 + h * np.arange(steps + 1), **dict(zip(p.names, np.array(rows).T))}


if __name__ == "__main__":
    name, t_end, steps, rho = (sys.argv[1:] + ["two_link", "1", "1000", "0.9"][len(sys.argv) - 1 :])
    motion = integrate(name, float(t_end), int(steps), float(rho))
    scored = daemark.score(motion, name, "index3", {"steps": int(steps)}, save="my_generalized_alpha")
    print(scored["times"][-1]["errors"])
