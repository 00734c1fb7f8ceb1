# SPDX-License-Identifier: BSD-2-Clause
"""The table and the chart of --solutions: the best of each library, by the report's solutions.py."""
import os

from . import chart, launch  # launch finds the report's modules

# pylint: disable=wrong-import-order,import-error
import solutions  # noqa: E402

assert launch
PROBLEMS = solutions.PROBLEMS
METHODS = {"ovk": "ovk/auto", "petsc": "petsc/cg", "hypre": "hypre"}


def specs(problem):
    """The programs of a problem, as --programs takes them."""
    return [f"{METHODS[library]}@{precond}" for library in solutions.NAMES
            for precond in solutions.preconds(library, problem)]


def name_of_program(spec):
    """Its preconditioner, or the whole spec if --programs has chosen another method."""
    method, _, precond = spec.partition("@")
    return precond if precond and method in METHODS.values() else spec


def best(case):
    """library -> its best program in a case that has been measured."""
    found = {}
    for library in solutions.NAMES:
        runs = {name_of_program(spec): results for spec, results in case.results.items()
                if spec.split("@")[0].split("/")[0] == library and spec not in case.failed}
        found[library] = solutions.best(runs)
    return {library: one for library, one in found.items() if one}


def name_of(case):
    return f"{os.path.basename(case.problem)}, {case.ranks} rank{'s' if case.ranks > 1 else ''}"


def rows(cases):
    """The heads, and a row of each case in which ours has a solution."""
    found = {name_of(case): best(case) for case in cases}
    return [["problem", *solutions.HEADS]] + [[name, *solutions.cells(one)] for name, one in found.items()
                                              if "ovk" in one]


def draw(folder, cases, title):
    """Bars, one cluster per case; False: there is no gnuplot."""
    clusters = []
    for case in cases:
        programs = [{"spec": solutions.NAMES[library] if library != "ovk" else "ovkrylov",
                     "ms_median": one.ms} for library, one in best(case).items()]
        clusters.append({"problem": case.problem, "ranks": case.ranks, "programs": programs})
    return chart.draw(folder, clusters, title, "ms to the solution")
