# SPDX-License-Identifier: BSD-2-Clause
"""Residuals of all methods, iteration by iteration."""
import colors
from parts import MEASURED, Experiment, Job, Shown, Table, number, residual_plot

METHODS = ["cg", "split-cg", "overlap", "single-reduction", "groppcg", "pipecg",
           "pipeprcg", "pipelcg"]


def jobs(mode):
    n = "40" if mode == "quick" else "60"
    return [Job(f"convergence_{method}", ["solve", "--laplace27", n, n, n, "--precond", "jacobi",
                                          "--method", method, "--rtol", "1e-12"],
                0.9 if mode == "quick" else 2, history=True)
            for method in METHODS]


def show(files):
    rows = {method: files[f"convergence_{method}"] for method in METHODS}
    first = rows["cg"]
    counts = {method: row["iterations"] for method, row in rows.items()}
    worst = max(rows, key=lambda method: rows[method]["true_relative_residual"])
    table = Table(f"{first['problem']}, Jacobi, to 1e-12", MEASURED,
                  ["method", "iterations", "of cg's", "true residual, relative", "reason",
                   "replacements", "changes of method"],
                  [[method, row["iterations"], number(row["iterations"] / first["iterations"]),
                    row["true_relative_residual"], row["reason"], row["replacements"],
                    row["method_changes"]] for method, row in rows.items()])
    runs = {method: (f"convergence_{method}", colors.of_method(method)) for method in METHODS}
    same = counts["split-cg"] == counts["cg"]
    return Shown(
        f"cg and split-cg take {'the same' if same else 'not the same'} number of iterations "
        f"({counts['cg']} and {counts['split-cg']}), all methods {min(counts.values())} to "
        f"{max(counts.values())}; the largest true residual is {worst}'s, "
        f"{number(rows[worst]['true_relative_residual'])} of ||b||.", [table],
        [residual_plot("convergence", "True residual by iteration", files, runs)],
        ["The problem is smaller here than with 256 processes, and the test is another, so it takes "
         "fewer iterations; both algorithms take the same number, and this can be compared.",
         "The paper has no methods with recurrences for A p: their curves show whether they lose "
         "accuracy, and replacements and changes what was done about it."])


EXPERIMENT = Experiment(
    "convergence", "Convergence of all methods", [("offload", "section VII A")],
    "cg and split-cg have the same numerical stability; both run for 951 iterations.",
    [MEASURED], jobs, show,
    "Nothing: iterations and residuals hardly depend on the number of processes.")
