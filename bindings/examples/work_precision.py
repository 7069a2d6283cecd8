"""Work and precision of methods on a mechanism: python work_precision.py [FILE.svg|FILE.png]

Errors of positions at the end against residual evaluations, over step sizes and over tolerances.
"""
import sys

import matplotlib
import numpy as np

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import daemark

PROBLEM, T_END = "two_link", 1
STEPS = [f"1/{n}" for n in (20, 40, 80, 160, 320)]
TOLERANCES = [1e-3, 1e-5, 1e-7, 1e-9]
METHODS = {  # method: formulation, whether its steps are chosen by a tolerance
    "gauss(3)": ("index1", False),
    "generalized_alpha": ("index3", False),
    "bdf(4)": ("index2", True),
    "dormand_prince_5": ("index1", True),
    "radau_iia(3)": ("index3", True),
}

figure, axes = plt.subplots(figsize=(7, 5))
for method, (formulation, controlled) in METHODS.items():
    work, error = [], []
    for value in TOLERANCES if controlled else STEPS:
        run = daemark.run(PROBLEM, method, formulation, h=T_END if controlled else value,
                          t_end=T_END, control=value if controlled else None, errors=True)
        if run.status == "ok":
            work.append(run.counts["residual_evals"])
            error.append(run.measures["error_q"])
    axes.loglog(work, error, "o-", label=f"{method}, {formulation}")
    print(f"{method:18}", np.array2string(np.array(error), precision=2))
axes.set_xlabel("residual evaluations")
axes.set_ylabel("error of q at the end (2-norm)")
axes.set_title(f"{PROBLEM}, t = {T_END} s")
axes.grid(True, which="major", alpha=0.3)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "work_precision.png", dpi=120)
