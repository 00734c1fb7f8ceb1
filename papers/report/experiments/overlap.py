# SPDX-License-Identifier: BSD-2-Clause
"""The part of reductions and all-to-alls that overlaps with work, by the number of polls."""
import colors
from parts import (EMULATED, MEASURED, Experiment, Job, Plot, Shown, Table, curves_of, number, rows_where,
                   values_of)

RUNS = {"overlap": "sums of one double", "overlap_alltoall": "all-to-alls of 4096 doubles",
        "overlap_two": "two all-to-alls of 4096 doubles at once"}
TABLE1 = {2: 8.73, 10: 21.16, 100: 36.13, 1000: 97.24, 100000: 78.95}  # of the 2011 paper: polls, %
FIGURES = {"overlap_hidden_pct": ("overlapped", "share of the latency that costs no time, %"),
           "overlap_busy_pct": ("busy", "share of the time left for work, %")}


# With agents an exchange goes on without a test call: 0 polls.
EXCHANGES = ["--operations", "alltoall", "--polls", "0,2,10,100,1000,10000",
             "--specs", "nbc,verbs:device=emulated,agent=none,verbs:device=emulated,agent=thread"]


def jobs(mode):
    rounds = ["--rounds", "3" if mode == "quick" else "9"]
    seconds = 2 if mode == "quick" else 6
    return [Job("overlap", ["bench", "overlap", *rounds], seconds),
            Job("overlap_alltoall", ["bench", "overlap", *EXCHANGES, *rounds], 2 * seconds),
            Job("overlap_two", ["bench", "overlap", *EXCHANGES, "--at-once", "2", *rounds], 2 * seconds)]


def table(rows, what, key):
    polls = values_of(rows, "polls")
    cells = [[spec, *(rows_where(rows, spec=spec, polls=n)[0][key] for n in polls)]
             for spec in values_of(rows, "spec")]
    name, meaning = FIGURES[key]
    return Table(f"{what}: {name}, {meaning}, by the number of polls", MEASURED,
                 ["operation by", *polls], cells)


def plot(name, rows, what, key):
    series = curves_of([row for row in rows if row["polls"]], "spec", "polls", key,
                       colors.of_ways(values_of(rows, "spec")))
    return Plot(f"{name}_{FIGURES[key][0]}", f"{what}, {rows[0]['ranks']} ranks: {FIGURES[key][0]}",
                MEASURED, "polls", FIGURES[key][1], series, logx=True)


def best(rows, key):
    return max((row for row in rows if not row["spec"].startswith("mpi:")), key=lambda row: row[key])


def show(files):
    tables, plots = [], []
    for name, what in RUNS.items():
        rows = files[name]
        tables += [table(rows, what, key) for key in FIGURES]
        plots.append(plot(name, rows, what, "overlap_hidden_pct"))
    tables.append(Table("The 2011 paper's table I, overlap by the number of polls, %, as printed there", MEASURED,
                        ["all-to-all by", *TABLE1], [["LibNBC", *TABLE1.values()]],
                        where="the paper's machine, 64 processes, 8 MB"))
    plots.append(plot("overlap_alltoall", files["overlap_alltoall"], RUNS["overlap_alltoall"],
                      "overlap_busy_pct"))
    sums = best(files["overlap"], "overlap_hidden_pct")
    exchange = best(files["overlap_alltoall"], "overlap_hidden_pct")
    alone = rows_where(files["overlap_alltoall"], spec="verbs:device=emulated,agent=thread", polls=0)[0]
    left = best(files["overlap_alltoall"], "overlap_busy_pct")
    return Shown(
        f"All-to-alls over {exchange['ranks']} ranks: {exchange['spec']} overlaps at most "
        f"{number(exchange['overlap_hidden_pct'])} % (at {exchange['polls']} polls), with agents and no poll "
        f"{number(alone['overlap_hidden_pct'])} %; by the 2011 "
        f"paper's formula {number(left['overlap_busy_pct'])} % of the time is left for work (at "
        f"{left['polls']} polls). Reductions: {sums['spec']} overlaps {number(sums['overlap_hidden_pct'])} % "
        f"(at {sums['polls']} polls).", tables, plots,
        ["In the papers an adapter moves the messages; here each byte is copied by a processor that "
         "would otherwise work, so only the wait for the other rank is overlapped. The same holds for agents: their threads need the processors.",
         "The two formulas differ: busy counts begin as work and has no latency in it, so that it "
         "comes out high for calls that do everything in begin, even blocking ones."])


EXPERIMENT = Experiment(
    "overlap", "Overlap, and how many polls it takes",
    [("libnbc", "listing 3, figure 5"), ("fft", "table I, figures 5 and 8 to 10")],
    "With exchanges made by the adapter 99 % of an all-to-all overlap at 32 processes, about 90 % at 64; by "
    "software (LibNBC) 97 % with 1000 polls, 9 % with 2 and 79 % with 100000.", [MEASURED, EMULATED], jobs, show,
    "Messages that move while all processors work: one node has no adapter between its ranks.")
