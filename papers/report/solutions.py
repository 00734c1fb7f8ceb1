# SPDX-License-Identifier: BSD-2-Clause
"""Which library comes first to the solution: what each is tried with, and the best of it."""
from statistics import median

PROBLEMS = ["laplace27", "aniso7", "cubes7", "graph27", "elasticity"]
NAMES = {"ovk": "ours", "petsc": "PETSc", "hypre": "hypre"}
DRIVERS = {"ovk": "ovk_pcg", "petsc": "petsc_ksp", "hypre": "hypre_pcg"}
PRECONDS = {"ovk": ["jacobi", "ssor", "chebyshev", "ic", "amg", "boomeramg", "boomeramg:strong=0.5"],
            "petsc": ["jacobi", "icc", "gamg", "hypre", "hypre3d"],
            "hypre": ["jacobi", "parasails", "boomeramg", "boomeramg3d"]}
PARTS = ["assemble", "setup", "solve"]


def preconds(library, problem):
    """PETSc's driver and hypre's know by themselves that elasticity has three unknowns a point."""
    if library != "ovk" or problem != "elasticity":
        return PRECONDS[library]
    systems = {"boomeramg": "boomeramg:functions=3", "boomeramg:strong=0.5": "boomeramg:functions=3,strong=0.5"}
    return [systems.get(name, name) for name in PRECONDS[library]]


def parts(run):
    """Milliseconds from the rows to the solution: assembly, set-up, solve; None if it has none."""
    return [1e3 * run["seconds"][part] for part in PARTS] if run.get("converged") else None


class Solved:
    """What one program took in each round."""

    def __init__(self, precond, runs):
        self.precond, self.iterations = precond, runs[-1]["iterations"]
        self.rounds = [parts(run) for run in runs]
        self.parts = [median(column) for column in zip(*self.rounds)]
        self.ms = median(map(sum, self.rounds))


def best(runs_by_precond):
    """The least median of those that converged in all rounds, or None."""
    solved = [Solved(precond, runs) for precond, runs in runs_by_precond.items()
              if runs and all(map(parts, runs))]
    return min(solved, key=lambda one: one.ms, default=None)


def ratio(other, ours):
    """Median of the rounds' ratios."""
    return median(sum(a) / sum(b) for a, b in zip(other.rounds, ours.rounds))


WHERE = "assembly + set-up + solve"
HEADS = ["ours", "ms", WHERE, "PETSc", "ms", WHERE, "of ours", "hypre", "ms", WHERE, "of ours"]


def cells(found):
    """A row of the table, of library -> Solved, ours among them."""
    row = []
    for library in NAMES:
        one = found.get(library)
        if not one:
            row += ["none converged", "", "", ""]
            continue
        row += [f"{one.precond}, {one.iterations} iterations", f"{one.ms:.4g}",
                " + ".join(f"{ms:.3g}" for ms in one.parts)]
        if library != "ovk":
            row.append(f"{ratio(one, found['ovk']):.2f}")
    return row
