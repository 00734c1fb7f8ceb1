# SPDX-License-Identifier: BSD-2-Clause
"""Time to the solution: the best of ours against the best of PETSc and of hypre."""
import solutions
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number

PROBLEMS = {"quick": ["laplace27", "elasticity"], "full": solutions.PROBLEMS}
SIZE = {"quick": 24, "full": 40}  # points of a rank in each direction; half of them for systems
ROUNDS = {"quick": 1, "full": 3}
RANKS = {"quick": (2,), "full": (1, 2)}


def stem(problem, ranks, library, precond, number_of_round):
    words = f"solution_{problem}_{ranks}_{library}_{precond}_{number_of_round}"
    return "".join(c if c.isalnum() else "_" for c in words)


def problem_of(name, mode):
    n = str(SIZE[mode] // 2 if name == "elasticity" else SIZE[mode])
    return [f"--{name}", n, n, n]


def jobs(mode):
    return [Job(stem(problem, ranks, library, precond, k),
                [*problem_of(problem, mode), "--precond", precond], 0.9 if mode == "quick" else 4,
                ranks=ranks, program=driver, optional=True)
            for problem in PROBLEMS[mode] for ranks in RANKS[mode] for k in range(ROUNDS[mode])
            for library, driver in solutions.DRIVERS.items()
            for precond in solutions.preconds(library, problem)]


def best_of(files, problem, ranks):
    """library -> its best program."""
    found = {}
    for library in solutions.NAMES:
        runs = {}
        for precond in solutions.preconds(library, problem):
            names = [stem(problem, ranks, library, precond, k) for k in range(ROUNDS["full"])]
            runs[precond] = [files[name] for name in names if files.has(name)]
        found[library] = solutions.best(runs)
    return {library: one for library, one in found.items() if one}


def show(files):
    best = {(problem, ranks): best_of(files, problem, ranks)
            for problem in solutions.PROBLEMS for ranks in RANKS["full"]}
    best = {case: found for case, found in best.items() if "ovk" in found and len(found) > 1}
    if not best:
        return Shown("No runs of other libraries: their drivers, which -DOVK_BUILD_BENCH=ON builds where hypre or "
                     "PETSc are installed, are not there or have not run.",
                     why=["There is nothing to compare."])
    names = {case: f"{case[0]}, {case[1]} rank{'s' if case[1] > 1 else ''}" for case in best}
    table = Table("From the rows to the solution, relative residual 1e-8: the best of each library", MEASURED,
                  ["problem", *solutions.HEADS],
                  [[names[case], *solutions.cells(found)] for case, found in best.items()])
    behind = {case: min(solutions.ratio(one, found["ovk"]) for library, one in found.items()
                        if library != "ovk") for case, found in best.items()}
    first = {case: ratio for case, ratio in behind.items() if ratio >= 1}
    next_best = (f"; the next one takes {number(min(first.values()))} to {number(max(first.values()))} times as "
                 "long" if first else "")
    others = "; ".join(f"{names[case]}, {number(1 / behind[case])} times the fastest"
                       for case in best if case not in first)
    series = [Series(name, [solutions.ratio(found[library], found["ovk"]) if library in found else None
                            for found in best.values()], color)
              for (library, name), color in zip(solutions.NAMES.items(), ("#0072b2", "#d55e00", "#009e73"))]
    return Shown(
        f"Ours comes first in {len(first)} of {len(best)} cases{next_best}."
        + (f" Not first: {others}." if others else ""),
        [table],
        [Plot("solutions", "Time to the solution, in that of ours", MEASURED, "problem", "of our time", series,
              style="bars", categories=list(names.values()))],
        ["Each library is tried with its defaults, multigrid also with the threshold of hypre for three "
         "dimensions; ours has the multigrid of hypre among its preconditioners, so the difference there is "
         "the hand-over of the matrix against the solver's own gain.",
         "laplace27 has constant coefficients, which our storage does not repeat in each row."])


EXPERIMENT = Experiment(
    "solutions", "Time to the solution", [("offload", "section VII")],
    "The PCG of hypre is changed to overlap its reductions; the best preconditioner is not its question.", [MEASURED],
    jobs, show, "How multigrid and incomplete factors compare on many processes.")
