# SPDX-License-Identifier: BSD-2-Clause
"""Every method under emulated latencies: the part of them that is overlapped."""
import re

import colors
from parts import EMULATED, Experiment, Job, Plot, Series, Shown, Table, less, number

METHODS = ["cg", "split-cg", "overlap", "single-reduction", "groppcg", "pipecg",
           "pipeprcg", "pipelcg", "auto"]
LATENCIES = {"quick": (0, 100, 250, 1000), "full": (0, 50, 100, 250, 500, 1000)}
PAPER_US = 250  # of the paper's slowest sum over 256 processes


def jobs(mode):
    n, rounds = ("32", "2") if mode == "quick" else ("60", "5")
    backends = ",".join(f"emulate-latency:us={us}|auto" for us in LATENCIES[mode])
    return [Job("sweep", ["bench", "phases", "--laplace27", n, n, n, "--rounds", rounds, "--methods",
                          ",".join(METHODS), "--backends", backends],
                12 if mode == "quick" else 120)]


def latency_of(row):
    return float(re.match(r"(?:emulate-latency|delay):us=([0-9.]+)", row["backend"])[1])


def times_of(rows):
    """Microseconds an iteration, by method and latency."""
    found = {}
    for row in rows:
        found.setdefault(row["method"], {})[latency_of(row)] = row["solve_us"]
    return found


def lost(by):
    """Latencies of an iteration that are not overlapped, by latency."""
    return {us: (by[us] - by[0]) / us for us in sorted(by) if us}


def views(name, found, title, plot):
    """The tables of times and of the part that is not overlapped, and the plot of times, with these titles."""
    heads = [f"{us:g} us" for us in sorted(found["overlap"])]
    series = [Series(method, sorted(by.items()), colors.of_method(method), method == "auto")
              for method, by in found.items()]
    return ([Table(title, EMULATED, ["method", *heads],
                   [[method, *(by[us] for us in sorted(by))] for method, by in found.items()]),
             Table("Latencies of an iteration that are not overlapped: (time - time without) / latency", EMULATED,
                   ["method", *heads[1:]], [[method, *lost(by).values()] for method, by in found.items()])],
            Plot(name, plot, EMULATED, "emulated latency of a sum, us", "us an iteration", series))


def show(files):
    rows = files["sweep"]["breakup"]
    found, ranks = times_of(rows), rows[0]["ranks"]
    tables, plot = views("sweep", found, f"Microseconds an iteration, {ranks} ranks, by the emulated latency of a "
                         "reduction",
                         f"Every method under emulated latency, {ranks} ranks")
    here = {method: by[PAPER_US] for method, by in found.items()}
    best = min((method for method in here if method != "auto"), key=here.get)
    over = {base: 1 - here["overlap"] / here[base] for base in ("cg", "split-cg")}
    loss = here["auto"] / here[best] - 1
    work = found["cg"][0]
    return Shown(
        f"With reductions of {PAPER_US} us and {number(work)} us of work an iteration, overlap takes "
        f"{less(over['split-cg'])} than split-cg and {less(over['cg'])} than cg; {best} "
        f"takes the least, {less(1 - here[best] / here['split-cg'])} than split-cg, and auto takes "
        f"{less(-loss)} than {best}.",
        tables, [plot],
        ["The paper's machine is real, with 1.8 ms of work that overlaps each reduction; here the latency is "
         f"added to reductions on one node, and all work of an iteration is {number(work)} us. "
         "No method can overlap all of a reduction that takes longer than the work between its begin and its wait.",
         "Overlap has the preconditioner and the update of x to overlap a reduction with, and with a diagonal "
        "preconditioner that is a small part of an iteration; the methods with one reduction have SpMVs.",
        "A latency of exactly so many microseconds has no noise and no skew in it; the network's does."])


EXPERIMENT = Experiment(
    "sweep", "Every method under emulated latency", [("offload", "figure 10")],
    "64 processes, 60^3 rows each: with flat reductions by the adapter the overlapped method takes 16.1 % less "
    "than split-cg and 21.6 % less than cg; 512 processes: 5.7 % and 13.6 %.", [EMULATED], jobs,
    show, "The network itself; the time of a reduction is imposed here, not measured.")
