# SPDX-License-Identifier: BSD-2-Clause
"""Multigrid against preconditioners of one level: convergence, and time by the number of rows."""
import colors
import matrices
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number, residual_plot, solution_ms

SPECS = ["jacobi", "ic", "amg"]
RTOL = "1e-8"
PROBLEMS = ["laplace7", "jumps"]
SIZES = {"quick": {"laplace7": [16, 24], "jumps": [64, 128]},
         "full": {"laplace7": [20, 32, 50, 80], "jumps": [100, 200, 400, 800]}}


def problem_of(name, n):
    """The words that choose it, and the matrix to be written for them."""
    if name == "laplace7":
        return ["--laplace7", str(n), str(n), str(n)], None
    return [], (f"jumps_{n}", lambda: matrices.jumps(n))


def jobs(mode):
    found = []
    for name in PROBLEMS:
        for n in SIZES[mode][name]:
            words, matrix = problem_of(name, n)
            found.append(Job(f"multigrid_{name}_{n}",
                             ["bench", "precond", *words, "--precond", ",".join(SPECS), "--rtol", RTOL,
                              "--rounds", "3"], 1.5 if mode == "quick" else 15, matrix=matrix))
        words, matrix = problem_of(name, SIZES[mode][name][-2])
        found += [Job(f"multigrid_{name}_{spec}", ["solve", *words, "--method", "cg", "--precond", spec,
                                                   "--rtol", RTOL], 0.8, history=True, matrix=matrix)
                  for spec in SPECS]
    return found


def rows_of(files, name):
    """The results of each preconditioner, by rows of the matrix."""
    found = {spec: [] for spec in SPECS}
    for n in sorted({n for sizes in SIZES.values() for n in sizes[name]}):
        if files.record(f"multigrid_{name}_{n}"):
            for row in files[f"multigrid_{name}_{n}"]:
                count = n ** 3 * row["ranks"] if name == "laplace7" else n ** 2
                found[row["precond"]].append({**row, "rows": count})
    return found


def by_size(name, rows, key, value, title, unit):
    series = [Series(spec, [(row["rows"], value(row)) for row in rows[spec]], colors.PRECONDS[spec])
              for spec in SPECS]
    return Plot(f"multigrid_{name}_{key}", f"{name}: {title} by rows", MEASURED, "rows of the matrix", unit,
                series, logx=True, logy=True)


def history(name, files):
    return residual_plot(f"multigrid_{name}", f"{name}: true residual by iteration", files,
                         {spec: (f"multigrid_{name}_{spec}", colors.PRECONDS[spec]) for spec in SPECS})


def table(name, rows):
    return Table(f"{name}: cg to {RTOL}", MEASURED,
                 ["rows", *(f"{spec}: {what}" for spec in SPECS for what in ("iterations", "both, ms"))],
                 [[size["rows"], *(cell for spec in SPECS
                                   for cell in (rows[spec][k]["iterations"], solution_ms(rows[spec][k])))]
                  for k, size in enumerate(rows["amg"])])


def growth(name, rows):
    counts = {spec: [row["iterations"] for row in rows[spec]] for spec in SPECS}
    return f"{name}: " + ", ".join(f"{spec} {number(found[0])} to {number(found[-1])}"
                                   for spec, found in counts.items())


def show(files):
    rows = {name: rows_of(files, name) for name in PROBLEMS}
    return Shown(
        "Iterations from the smallest to the largest matrix: "
        + "; ".join(growth(name, found) for name, found in rows.items()) + ".",
        [table(name, found) for name, found in rows.items()],
        [plot for name, found in rows.items() for plot in (
            history(name, files),
            by_size(name, found, "iterations", lambda row: row["iterations"], "iterations", "iterations"),
            by_size(name, found, "time", solution_ms, "setup and solve", "ms"))],
        ["The papers have no multigrid method. Many rows and large jumps of the coefficients need one: "
         "the iterations of the other preconditioners grow with both."])


EXPERIMENT = Experiment(
    "multigrid", "Multigrid", [("offload", "section V A")],
    "Only diagonal scaling is measured; C stands for any approximation of A that is easier to solve with.",
    [MEASURED], jobs, show,
    "The latency of coarse levels on many processes.")
