# SPDX-License-Identifier: BSD-2-Clause
"""Sums hidden behind a preconditioner with work in it, under emulated latencies."""
import colours
from parts import EMULATED, MEASURED, Experiment, Job, Plot, Series, Shown, Table, number, percent

from . import phases, sweep

METHODS = ["algorithm1", "algorithm2", "overlap", "gropp"]
LATENCIES = {"quick": (0, 50, 100, 200, 300, 400), "full": (0, 250, 500, 1000, 1500, 2000)}
PRECOND = "ic"


def jobs(mode):
    n, rounds = ("40", "3") if mode == "quick" else ("60", "5")
    problem = ["--laplace27", n, n, n, "--precond", PRECOND, "--rounds", rounds]
    backends = ",".join(f"delay:us={us}|auto" for us in LATENCIES[mode])
    return [Job("precond_delay_apply", ["bench", "precond", *problem], 2 if mode == "quick" else 20),
            Job("precond_delay", ["bench", "phases", *problem, "--methods", ",".join(METHODS),
                                  "--backends", backends], 15 if mode == "quick" else 120)]


def lost(by):
    """Latencies of an iteration that are not hidden, by latency."""
    return {us: (by[us] - by[0]) / us for us in by if us}


def show(files):
    data = files["precond_delay"]
    application = 1e3 * files["precond_delay_apply"][0]["apply_ms"]
    found = {}
    for row in data["breakup"]:
        found.setdefault(row["method"], {})[sweep.latency_of(row)] = row["solve_us"]
    latencies = sorted(found["overlap"])
    us = max((u for u in latencies if 0 < u <= application / 2), default=latencies[1])
    ranks = data["breakup"][0]["ranks"]
    heads = [f"{u:g} us" for u in latencies]
    times = Table(f"Microseconds an iteration with {PRECOND}, {ranks} ranks, by the emulated latency of a "
                  f"sum; an application takes {number(application)} us", EMULATED, ["method", *heads],
                  [[method, *(by[u] for u in latencies)] for method, by in found.items()])
    exposed = Table("Latencies of an iteration that are not hidden: (time - time without) / latency",
                    EMULATED, ["method", *heads[1:]],
                    [[method, *lost(by).values()] for method, by in found.items()])
    first = data["operations"][0]["backend"]
    series = [Series(method, sorted(by.items()), colours.of_method(method)) for method, by in found.items()]
    slower = {method: by[us] / by[0] - 1 for method, by in found.items()}
    hidden = ", ".join(f"{method} takes {percent(slower[method])} more ({number(lost(by)[us])} latencies)"
                       for method, by in found.items())
    return Shown(
        f"With sums of {us:g} us, {number(us / application)} of an application of {PRECOND}, an iteration of "
        f"{hidden} than without.",
        [times, exposed, phases.operations(data["operations"], first)],
        [Plot("precond_delay", f"Sums behind {PRECOND}, {ranks} ranks", EMULATED,
              "emulated latency of a sum, us", "us an iteration", series)],
        ["overlap hides two of its sums behind half an application each, the third behind the update of "
         "x, which is short: what that sum takes longer is lost. gropp hides both of its sums, behind an "
         "application and a product.",
         "The latency is imposed on sums on one node, and has no noise and no skew in it; the network's "
         "does.",
         "In the table of operations the paper's columns are of diagonal scaling, ours of triangular "
         "solves, of which algorithm2 makes one with each factor."])


EXPERIMENT = Experiment(
    "precond-delay", "Sums behind a preconditioner with work in it",
    [("offload", "section V C, figure 7, and table I")],
    "All three inner products are overlapped with the preconditioner or the update of x; with diagonal "
    "scaling the preconditioner takes 11 % of algorithm1's time.", [MEASURED, EMULATED], jobs, show,
    "The network itself; the time of a sum is imposed here, not found.")
