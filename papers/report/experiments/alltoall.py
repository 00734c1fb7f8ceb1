# SPDX-License-Identifier: BSD-2-Clause
"""All-to-alls by length: windows, and exchanges."""
import colors
from parts import (EMULATED, MEASURED, Experiment, Job, Plot, Shown, Table, curves_of, less, number, rows_where,
                   values_of)

RANKS = {"quick": (4,), "full": (4, 8)}
COUNTS = {"quick": "1,512,8192", "full": "1,64,512,4096,32768"}
WINDOWS = ("nbc:window=1", "nbc:window=2", "nbc:window=4", "nbc:window=6", "nbc")
CARRIED = ("mpi:alltoall", "mpi:ialltoall", "nbc", "verbs:device=emulated",
           "verbs:device=emulated,agent=thread")


def name_of(ranks):
    return f"alltoall_{ranks}"


def jobs(mode):
    size = ["--rounds", "3", "--iters", "20"] if mode == "quick" else ["--rounds", "9"]
    specs = ",".join([*WINDOWS, *CARRIED[3:]])
    return [Job(name_of(ranks), ["bench", "overlap", "--operations", "alltoall", "--specs", specs, "--count",
                                 COUNTS[mode], "--polls", "100", *size],
                (1 if mode == "quick" else 4) * ranks, ranks=ranks) for ranks in RANKS[mode]]


def view(rows, specs, what, figure, kind):
    counts, ranks = values_of(rows, "count"), rows[0]["ranks"]
    pick = {spec: rows_where(rows, spec=spec) for spec in specs}
    table = Table(f"{what}, {ranks} ranks: latency of all-to-alls, us, by bytes to each rank ({figure})", kind,
                  ["by", *(8 * count for count in counts)],
                  [[spec, *(row["latency_us"] for row in pick[spec])] for spec in specs])
    plot = Plot(f"alltoall_{what.split()[0].lower()}_{ranks}", f"{what}, {ranks} ranks ({figure})", kind,
                "bytes to each rank", "us",
                curves_of(rows, "spec", lambda row: 8 * row["count"], "latency_us", colors.of_ways(specs)),
                logx=True, logy=True)
    return table, plot


def show(files):
    runs = [files[name_of(n)] for n in RANKS["full"] if files.has(name_of(n))]
    views = []
    for rows in runs:
        views.append(view(rows, WINDOWS, "Windows", "figure 6", MEASURED))
        views.append(view(rows, CARRIED[:3], "Ways", "figure 7", MEASURED))
        views.append(view(rows, CARRIED[2:], "Adapter", "figure 7", EMULATED))
    last = [row for row in runs[-1] if row["count"] == max(values_of(runs[-1], "count"))]
    by_spec = {row["spec"]: row for row in last}
    best = min(WINDOWS, key=lambda spec: by_spec[spec]["latency_us"])
    gain = 1 - by_spec["nbc"]["latency_us"] / by_spec["mpi:alltoall"]["latency_us"]
    return Shown(
        f"On {last[0]['ranks']} ranks, {8 * last[0]['count']} bytes to each: the fastest window is {best}, "
        f"{number(by_spec[best]['latency_us'])} us; without a window nbc takes {less(gain)} than MPI_Alltoall.",
        [table for table, _ in views], [plot for _, plot in views],
        ["A window keeps a network from being choked; among ranks of one node there is none, and a window adds "
         "waiting between its batches.",
         "The adapter is emulated by memory that ranks share: its writes are copies that they make themselves."])


EXPERIMENT = Experiment(
    "alltoall", "All-to-alls by windows and exchanges", [("fft", "figures 6 and 7")],
    "With 32 processes a window changes little, with 64 one of six exchanges is best; all-to-alls by the adapter "
    "take as long as those of the MPI, those of LibNBC longer.", [MEASURED, EMULATED], jobs, show,
    "Congestion, the purpose of windows.")
