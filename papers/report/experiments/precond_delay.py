# SPDX-License-Identifier: BSD-2-Clause
"""Reductions overlapped with an expensive preconditioner, under emulated latencies."""
from parts import EMULATED, MEASURED, Experiment, Job, Shown, number, percent

from . import phases, sweep

METHODS = ["cg", "split-cg", "overlap", "groppcg"]
LATENCIES = {"quick": (0, 100, 200, 400), "full": (0, 250, 500, 1000, 1500, 2000)}
PRECOND = "ic"


def jobs(mode):
    n, rounds = ("40", "2") if mode == "quick" else ("60", "5")
    problem = ["--laplace27", n, n, n, "--precond", PRECOND, "--rounds", rounds]
    backends = ",".join(f"emulate-latency:us={us}|auto" for us in LATENCIES[mode])
    return [Job("precond_delay_apply", ["bench", "precond", *problem], 2 if mode == "quick" else 20),
            Job("precond_delay", ["bench", "phases", *problem, "--methods", ",".join(METHODS),
                                  "--backends", backends], 6 if mode == "quick" else 120)]


def third_sum(by, operations):
    """Why the reduction sdotp of overlap is not overlapped, with the numbers of this run."""
    rows = {row["method"]: row for row in operations}["split-cg"]
    update, solve = rows["axpy_us"] / 3, rows["precond_us"] / 2
    us = max(by)
    exposed = max(us - update, 0) + 2 * max(us - solve, 0)
    return ("In the order of figure 7 gamma and iprod are in flight during a triangular solve, "
            f"{number(solve)} us each here, and sdotp = (s, p) during the update of x, {number(update)} us. Nothing "
            "else can be there: all other operations of an iteration either lead to sdotp (beta, p, s = A p) or "
            "need alpha = gamma / sdotp (r, t = L^-1 r, w = L^-T t, and so the next p). So the time of reductions "
            f"beyond this is lost, with reductions of {us:g} us {number(exposed)} us an iteration: it took "
            f"{number(by[us] - by[0])} us more. An order in which sdotp is in flight during a solve needs "
            "L^-1 (r - alpha s) = L^-1 r - alpha L^-1 s, with L^-1 s computed meanwhile: then t comes from a "
            "recurrence, which is other arithmetic, with one vector more, and iprod and gamma begin at once. That is "
            "what groppcg does with C for L.")


def show(files):
    data = files["precond_delay"]
    application = 1e3 * files["precond_delay_apply"][0]["apply_ms"]
    found = sweep.times_of(data["breakup"])
    latencies = sorted(found["overlap"])
    us = max((u for u in latencies if 0 < u <= application / 2), default=latencies[1])
    ranks = data["breakup"][0]["ranks"]
    tables, plot = sweep.views(
        "precond_delay", found, f"Microseconds an iteration with {PRECOND}, {ranks} ranks, by the emulated latency of "
        f"a reduction; an application takes {number(application)} us",
        f"Reductions overlapped with {PRECOND}, {ranks} ranks")
    first = data["operations"][0]["backend"]
    slower = {method: by[us] / by[0] - 1 for method, by in found.items()}
    hidden = ", ".join(f"{method} takes {percent(slower[method])} more ({number(sweep.lost(by)[us])} latencies)"
                       for method, by in found.items())
    return Shown(
        f"With reductions of {us:g} us, {number(us / application)} of an application of {PRECOND}, an iteration of "
        f"{hidden} than without.",
        [*tables, phases.operations(data["operations"], first)], [plot],
        [third_sum(found["overlap"], [row for row in data["operations"] if row["backend"] == first]),
         "groppcg overlaps both of its reductions, with an application and an SpMV.",
         "The latency is imposed on reductions on one node, and has no noise and no skew in it; the network's "
         "does.",
         "In the table of operations the paper's columns are of diagonal scaling, ours of triangular "
         "solves, of which split-cg makes one with each factor."])


EXPERIMENT = Experiment(
    "precond-delay", "Reductions overlapped with an expensive preconditioner",
    [("offload", "section V C, figure 7, and table I")],
    "All three inner products are overlapped with the preconditioner or the update of x; with diagonal "
    "scaling the preconditioner takes 11 % of the time of cg.", [MEASURED, EMULATED], jobs, show,
    "The network itself; the time of a reduction is imposed here, not measured.")
