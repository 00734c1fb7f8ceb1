# SPDX-License-Identifier: BSD-2-Clause
"""Compressed blocks gathered, each overlapped with the work on the next."""
import colors
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number, percent, rows_where

MIB15 = "15990784"  # 15.25 MiB, as in the paper


def jobs(mode):
    size = [] if mode == "quick" else ["--bytes", MIB15]
    return [Job("compress", ["bench", "compress", *size], 1 if mode == "quick" else 6)]


def show(files):
    rows = files["compress"]
    plain, piped = (rows_where(rows, gather=name)[0] for name in ("gather", "nbc"))
    table = Table(f"Compression of {plain['bytes']} bytes by {plain['ranks']} ranks, gathered on one",
                  MEASURED, ["gather by", "ms", "behind the last block, ms", "speed-up", "packed to"],
                  [[row["gather"], row["total_ms"], row["behind_ms"], row["speedup"],
                    percent(row["packed"])] for row in rows])
    paint = colors.of_ways(["gather", "nbc"])
    series = [Series("after the last block was compressed", [row["behind_ms"] for row in rows],
                     paint["nbc"])]
    return Shown(
        f"Gathering took {percent(plain['behind_ms'] / plain['total_ms'])} of the time with MPI_Gather "
        f"at the end, {percent(piped['behind_ms'] / piped['total_ms'])} block by block; speed-up of the "
        f"whole {number(piped['speedup'])}.", [table],
        [Plot("compress", f"What is left to gather at the end, {plain['ranks']} ranks", MEASURED,
              "gather by", "ms", series, style="bars", categories=[row["gather"] for row in rows])],
        ["The paper compresses with many nodes, so that one of them gathers from all over a network, and "
         "on Gigabit Ethernet gathering is long; here it is a copy in memory."])


EXPERIMENT = Experiment(
    "compress", "Compression, gathered block by block", [("libnbc", "section 5.1, figure 6")],
    "15.25 MiB of random data: a gather of each block that overlaps with the compression of the next one increases the "
    "speed-up substantially, more so on Gigabit Ethernet than on InfiniBand (a plot, no number).",
    [MEASURED], jobs, show,
    "A gain in the whole: with two ranks there is less to overlap than the noise.")
