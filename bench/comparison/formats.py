# SPDX-License-Identifier: BSD-2-Clause
"""The table of --formats: which storage format `auto` has taken, and which was the fastest."""
from statistics import median

from . import measure
from .solutions import name_of

AUTO, REFERENCE = "ovk", "ovk//csr"  # every matrix fits into these
PROGRAMS = [AUTO, REFERENCE] + [f"ovk//{name}" for name in ("sell", "sym", "sym3", "dia", "dia:few", "symdia",
                                                            "pattern")]
PROBLEMS = ["laplace27", "laplace7", "varsym27", "irregular27", "graph27", "cubes7", "elasticity",
            "convdiff7"]
HEADS = ["problem", "auto's", "the fastest", "auto's / the fastest", "csr / auto's"]


def failed(case):
    """Whether more than a format that refuses the matrix has failed."""
    return AUTO in case.failed or REFERENCE in case.failed


def row(case):
    """Ratios are medians over the rounds; auto's format is measured as that format is, not again."""
    ran = {spec: results for spec, results in case.results.items() if spec not in case.failed}
    times = {results[-1]["format"]: [measure.milliseconds(r) for r in results]
             for spec, results in ran.items() if spec != AUTO}
    auto = ran[AUTO][-1]["format"]
    times.setdefault(auto, [measure.milliseconds(r) for r in ran[AUTO]])

    def ratio(one, other):
        return median(a / b for a, b in zip(times[one], times[other]))

    fastest = min(times, key=lambda name: ratio(name, auto))
    return [name_of(case), auto, fastest, f"{ratio(auto, fastest):.2f}", f"{ratio('csr', auto):.2f}"]


def rows(cases):
    return [HEADS] + [row(case) for case in cases if not failed(case)]
