"""Work-precision diagram of methods on a mechanism: python work_precision.py [FILE.svg|FILE.png]

Position errors at the end over residual evaluations, for several step sizes or tolerances.
"""
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

import daemark

PROBLEM, T_END = "two_link", 1
STEPS = [f"1/{n}" for n in (20, 40, 80, 160, 320)]
TOLERANCES = [1e-3, 1e-5, 1e-7, 1e-9]
METHODS = {  # method: formulation, whether step-size control is on
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
    axes.loglog(work, error, "s--" if controlled else "o-", label=f"{method}, {formulation}")
    print(f"{method:18}", *(f"{e:.1e}" for e in error))
axes.set(xlabel="residual evaluations", ylabel="error of q at the end (2-norm)",
         title=f"{PROBLEM}, t = {T_END} s; dashed: step-size control")
axes.grid(True, which="major", alpha=0.3)
axes.legend()
figure.savefig(sys.argv[1] if len(sys.argv) > 1 else "work_precision.png", dpi=120)
