# SPDX-License-Identifier: BSD-2-Clause
"""Latencies of reductions by every backend, compared with those of the MPI."""
import colors
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number

MPI = "mpi:allreduce"
COLUMNS = {"latency_us": "latency, us", "begin_us": "begin, us", "wait_us": "wait, us",
           "overhead_us": "overhead, us", "overlap_osu_pct": "overlap (OSU), %",
           "peer_delay_wait_us": "wait for a busy rank, us"}


def jobs(mode):
    size = ["--iters", "1000", "--rounds", "5"] if mode == "quick" else ["--rounds", "9"]
    return [Job("latencies", ["bench", "reduction", *size], 7 if mode == "quick" else 25)]


def show(files):
    rows = files["latencies"]
    by_name = {row["spec"]: row for row in rows}
    ours = {name: row for name, row in by_name.items()
            if not name.startswith("mpi:") and name != "auto"}
    best = min(ours, key=lambda name: ours[name]["latency_us"])
    ratio = by_name[MPI]["latency_us"] / ours[best]["latency_us"]
    ranks = rows[0]["ranks"]
    table = Table(f"Reductions of one double over {ranks} ranks, medians of rounds, slowest rank", MEASURED,
                  ["reduction by", *COLUMNS.values()],
                  [[row["spec"], *(row[key] for key in COLUMNS)] for row in rows])
    plot = Plot("latencies", f"Latency of a reduction of one double, {ranks} ranks", MEASURED, "reduction by",
                "us", [Series("latency", [row["latency_us"] for row in rows], colors.OURS),
                       Series("overhead: the part that no work overlaps",
                              [row["overhead_us"] for row in rows], colors.OTHER)],
                style="bars", categories=[row["spec"] for row in rows])
    return Shown(
        f"On {ranks} ranks {best} takes {number(ours[best]['latency_us'])} us, the call "
        f"MPI_Allreduce of the MPI {number(by_name[MPI]['latency_us'])} us, {number(ratio)} times as long.",
        [table], [plot],
        [f"The paper's 512 processes were on many nodes, with a network between them; these {ranks} "
         "ranks share the memory of one, so latencies are those of caches, not of network adapters.",
         "The paper compares with an Open MPI without knowledge of the levels of a machine; the MPI "
         "here is many years younger."])


EXPERIMENT = Experiment(
    "latencies", "Latencies of reductions", [("hierarchy", "figures 6 and 8"), ("offload", "figure 8")],
    "512 processes, 8 bytes: hierarchical reductions take 99.67 us (blocking) and 38.64 us (non-blocking), "
    "23 and 20 times as fast as Open MPI. 256 processes: the slowest reduction by an adapter takes about 250 us.",
    [MEASURED], jobs, show,
    "How latencies grow with processes, nodes and levels: all ranks are on one node here.")
