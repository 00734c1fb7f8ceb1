# SPDX-License-Identifier: BSD-2-Clause
"""Sums of several rounds that agents carry on, over an adapter that shared memory stands in for."""
import colours
from parts import EMULATED, Experiment, Job, Plot, Series, Shown, Table, number

RANKS = {"quick": (2, 4), "full": (2, 4, 8)}
ADAPTER = "verbs:device=emulated,"
DESIGNS = {
    "Flat-RD": "alg=doubling",
    "Two-Level-RD": "levels=2,alg=flat+doubling",
    "Flat-Red-Bcast, degree 2": "alg=tree,reduce=2,bcast=4",
    "Flat-Red-Bcast, degree 3": "alg=tree,reduce=3,bcast=4",
    "Flat-Red-Bcast, degree 4": "alg=tree,reduce=4,bcast=4",
    "Two-Level-Red-Bcast, degree 2": "levels=2,alg=flat+tree,reduce=2,bcast=4",
    "ring": "alg=ring",
}
CARRIERS = {"ranks": "agent=none,", "agents": "agent=thread,"}  # who carries the rounds on
COLUMNS = {"latency_us": "latency, us", "begin_us": "begin, us", "wait_us": "wait, us",
           "peer_delay_wait_us": "wait for a busy rank, us"}


def spec(carrier, design):
    return ADAPTER + CARRIERS[carrier] + DESIGNS[design]


def name_of(ranks):
    return f"agents_{ranks}"


def jobs(mode):
    size = ["--iters", "50", "--rounds", "3"] if mode == "quick" else ["--iters", "500", "--rounds", "9"]
    specs = [spec(carrier, design) for design in DESIGNS for carrier in CARRIERS]
    return [Job(name_of(ranks), ["bench", "reduction", *size, "--specs", ",".join([*specs, "shm"])],
                (5 if mode == "quick" else 25) * ranks, ranks=ranks) for ranks in RANKS[mode]]


def by_ranks(runs):
    """Figure 8 (a)."""
    ranks = [run[0]["ranks"] for run in runs]
    cells = [["the MPI's own call", *(row["latency_us"] for run in runs for row in run if row["spec"] == "mpi:allreduce")]]
    for design in DESIGNS:
        cells.append([design, *(row["latency_us"] for run in runs for row in run
                                if row["spec"] == spec("agents", design))])
    return Table("Latency of a sum of one double carried on by agents, us, by ranks (figure 8 a)", EMULATED,
                 ["design", *(f"{n} ranks" for n in ranks)], cells)


def parts_of(rows):
    """Figures 8 (b) to (d)."""
    by_spec = {row["spec"]: row for row in rows}
    heads = [f"{what}, by {carrier}" for what in COLUMNS.values() for carrier in CARRIERS]
    cells = [[design, *(by_spec[spec(carrier, design)][key] for key in COLUMNS for carrier in CARRIERS)]
             for design in DESIGNS]
    return Table(f"Sums of one double over {rows[0]['ranks']} ranks, medians of rounds, slowest rank (figures 8 b "
                 "to d)", EMULATED, ["design", *heads], cells)


def show(files):
    runs = [files[name_of(n)] for n in RANKS["full"] if files.has(name_of(n))]
    by_spec = {row["spec"]: row for row in runs[-1]}
    ranks = runs[-1][0]["ranks"]
    waits = {carrier: [by_spec[spec(carrier, design)]["peer_delay_wait_us"] for design in DESIGNS]
             for carrier in CARRIERS}
    series = [Series(f"carried on by {carrier}", waits[carrier], colour)
              for carrier, colour in zip(CARRIERS, (colours.OTHER, colours.OURS))]
    least = by_spec["shm"]["peer_delay_wait_us"]
    return Shown(
        f"With one of {ranks} ranks busy for 20 ms after its begin the others wait "
        f"{number(min(waits['agents']))} to {number(max(waits['agents']))} us where agents carry sums on, "
        f"{number(min(waits['ranks']))} to {number(max(waits['ranks']))} us where ranks do.",
        [by_ranks(runs), *map(parts_of, runs)],
        [Plot("agents", f"How long {ranks - 1} ranks wait for a sum while the other one is busy for 20 ms",
              EMULATED, "design", "us", series, style="bars", categories=list(DESIGNS))],
        [f"A sum over shared memory needs nothing of the busy rank after its begin, and takes "
         f"{number(least)} us there: where ranks and agents share processors, that is how long a thread "
         "waits for one.",
         "In the paper the adapter itself sends on what has arrived. An agent is a thread, which the "
         "system has to wake for each round: latencies are higher, and what is gained is that no rank "
         "takes part.",
         "By how much each design grows with hundreds of processes is in the section on figure 10 by the "
         "model."])


EXPERIMENT = Experiment(
    "agents", "Sums that go on while ranks compute", [("offload", "section IV and figure 8")],
    "The adapter carries the task lists of all four designs out; Flat takes much longer than two levels, "
    "trees are fastest with degree 2, and return sooner from begin than recursive doubling; the blocking "
    "call of the MPI is faster than all.", [EMULATED], jobs, show,
    "An adapter of its own: messages are copies in the memory of one node, and agents use its processors.")
