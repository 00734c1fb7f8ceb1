# SPDX-License-Identifier: BSD-2-Clause
"""Preconditioners: convergence and time to solution on four problems."""
import colors
import matrices
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number, residual_plot, solution_ms

CURVES = ["jacobi", "ssor", "chebyshev", "ic", "ic:level=1", "amg"]
TIMED = ["jacobi", "bjacobi", "ssor", "chebyshev", "ic", "ic:store=float", "ic:level=1", "ilu", "amg"]
RTOL = "1e-8"
PROBLEMS = {"quick": ["laplace27", "jumps"], "full": ["laplace27", "laplace7", "anisotropic", "jumps"]}


def problem_of(name, mode):
    """The words that choose it, and the matrix to be written for them."""
    n, width = ("30", 100) if mode == "quick" else ("60", 400)
    if name.startswith("laplace"):
        return [f"--{name}", n, n, n], None
    return [], (f"{name}_{width}", lambda: getattr(matrices, name)(width))


def curve_of(problem, spec):
    return f"precond_{problem}_{''.join(c if c.isalnum() else '_' for c in spec)}"


def jobs(mode):
    found = []
    for name in PROBLEMS[mode]:
        words, matrix = problem_of(name, mode)
        rounds = "3" if mode == "quick" else "5"
        found += [Job(curve_of(name, spec), ["solve", *words, "--method", "cg", "--precond", spec,
                                             "--rtol", RTOL], 0.8, history=True, matrix=matrix)
                  for spec in CURVES]
        found.append(Job(f"precond_{name}", ["bench", "precond", *words, "--precond", ",".join(TIMED),
                                             "--rtol", RTOL, "--rounds", rounds],
                         4 if mode == "quick" else 30, matrix=matrix))
    return found


def table(name, rows):
    return Table(f"{name}: cg to {RTOL}, {rows[0]['ranks']} ranks", MEASURED,
                 ["preconditioner", "iterations", "setup, ms", "solve, ms", "both, ms", "application, ms",
                  "of its bytes' time", "held, MB"],
                 [[row["precond"], row["iterations"], row["setup_ms"], row["solve_ms"], solution_ms(row),
                   row["apply_ms"], number(row["times_model"]), row["held_mb"]] for row in rows])


def curves(name, files):
    return residual_plot(f"precond_{name}", f"{name}: true residual by iteration", files,
                         {spec: (curve_of(name, spec), colors.PRECONDS[spec]) for spec in CURVES})


def show(files):
    names = [name for name in PROBLEMS["full"] if files.has(f"precond_{name}")] or PROBLEMS["quick"]
    timed = {name: files[f"precond_{name}"] for name in names}
    by_spec = {name: {row["precond"]: row for row in rows} for name, rows in timed.items()}
    best = {name: min((row for row in rows if solution_ms(row)), key=solution_ms) for name, rows in timed.items()}
    relative = [Series(spec, [solution_ms(rows[spec]) and solution_ms(rows[spec]) / solution_ms(rows["jacobi"])
                              for rows in by_spec.values()], colors.PRECONDS[spec]) for spec in TIMED]
    said = "; ".join(f"{name} {row['precond']}, {number(row['iterations'])} iterations for jacobi's "
                     f"{number(by_spec[name]['jacobi']['iterations'])}, "
                     f"{number(solution_ms(row) / solution_ms(by_spec[name]['jacobi']))} of its time"
                     for name, row in best.items())
    return Shown(
        f"The fastest to the solution, setup included, on {timed[names[0]][0]['ranks']} ranks: {said}.",
        [table(name, rows) for name, rows in timed.items()],
        [*(curves(name, files) for name in names),
         Plot("precond_time", "Setup and solve, in those of jacobi", MEASURED, "problem", "of jacobi's time",
              relative, style="bars", categories=names)],
        ["The paper's preconditioner is diagonal scaling, so that its gains are from waiting less, not "
         "from fewer iterations.",
         "ic, ilu, ssor and bjacobi are of each rank's own rows: with more ranks they take more iterations."])


EXPERIMENT = Experiment(
    "precond", "Preconditioners", [("offload", "section V A")],
    "Only diagonal scaling is measured; C stands for any approximation of A that is easier to solve with.",
    [MEASURED], jobs, show,
    "How iterations grow with the number of processes, of which there are few here.")
