# SPDX-License-Identifier: BSD-2-Clause
"""CG in 1-D with flat and hierarchical reductions, and latencies up to 1 MB."""
import re

import colors
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number


# On 512 processes: call, non-blocking or not, bytes, us with two levels, times as fast as Open MPI.
PAPER = [("allreduce", "", 8, 99.67, "23"), ("allreduce", "i", 8, 38.64, "20"),
         ("allreduce", "", 1048576, 43200, "5"), ("allreduce", "i", 1048576, 21400, "12"),
         ("reduce", "", 128, 8.86, "10"), ("reduce", "i", 128, 8.36, "9"),
         ("reduce", "", 1048576, 12500, "13"), ("reduce", "i", 1048576, 11600, "1.7")]
RANKS = {"quick": (2, 4), "full": (2, 4, 8)}


def name_of(ranks):
    return f"poisson1d_{ranks}"


def jobs(mode):
    size = ["--rounds", "5", "--sums", "20"] if mode == "quick" else ["--rounds", "15"]
    return [Job(name_of(ranks), ["bench", "poisson1d", *size], (1 if mode == "quick" else 4) * ranks, ranks=ranks)
            for ranks in RANKS[mode]]


def sizes_of(row):
    return sorted(int(found[1]) for found in (re.fullmatch(r"us_(\d+)", key) for key in row) if found)


def latencies(data, name, call):
    rows = data[name]
    sizes = sizes_of(rows[0])
    paint = colors.of_ways([row["spec"] for row in rows])
    table = Table(f"Latency of {call}, {rows[0]['ranks']} ranks, us, by bytes", MEASURED, ["reduction by", *sizes],
                  [[row["spec"], *(row[f"us_{size}"] for size in sizes)] for row in rows])
    series = [Series(row["spec"], [(size, row[f"us_{size}"]) for size in sizes], paint[row["spec"]])
              for row in rows]
    plot = Plot(f"poisson1d_{name}_{rows[0]['ranks']}", f"Latency of {call}, {rows[0]['ranks']} ranks", MEASURED,
                "bytes",
                "us", series, logx=True, logy=True)
    return table, plot


def by_ranks(runs, name, call, size):
    """Figures 6 to 13."""
    specs = [row["spec"] for row in runs[0][name]]
    return Table(f"Latency of {call}, {size} bytes, us, by ranks", MEASURED,
                 ["reduction by", *(f"{run[name][0]['ranks']} ranks" for run in runs)],
                 [[spec, *(row[f"us_{size}"] for run in runs for row in run[name] if row["spec"] == spec)]
                  for spec in specs])


def beside(run):
    """The numbers of the paper's text, and ours."""
    ranks, cells = run["cg"][0]["ranks"], []
    for call, kind, size, us, times in PAPER:
        by_spec = {row["spec"]: row[f"us_{size}"] for row in run[call]}
        best = min((spec for spec in by_spec if not spec.startswith("mpi:")), key=by_spec.get)
        cells.append([f"MPI_{(kind + call).capitalize()}, {size} bytes", us, times, by_spec[best], best,
                      by_spec[f"mpi:{kind}{call}"] / by_spec[best]])
    return Table("Latencies of the paper's text, and ours", MEASURED,
                 ["in place of", "paper: us, two levels, 512 processes", "times as fast as Open MPI",
                  f"here: us, {ranks} ranks", "the fastest of ours", "times as fast as this MPI's"], cells)


def show(files):
    runs = [files[name_of(n)] for n in RANKS["full"] if files.has(name_of(n))]
    data = runs[0]
    rows = data["cg"]
    best = max((row for row in rows if row["spec"] != "blocking"), key=lambda row: row["speedup"])
    sums = {row["spec"]: row for row in data["allreduce"]}
    largest = sizes_of(data["allreduce"][0])[-1]
    own = min((row for row in data["allreduce"] if not row["spec"].startswith("mpi:")),
              key=lambda row: row[f"us_{largest}"])
    ratio = sums["mpi:allreduce"][f"us_{largest}"] / own[f"us_{largest}"]
    calls = {"allreduce": "sums that all ranks get", "reduce": "sums that one rank gets"}
    views = [latencies(run, name, call) for run in runs for name, call in calls.items()]
    grown = [by_ranks(runs, name, call, size) for name, call in calls.items() for size in (8, 128, largest)]
    cg = [Table(f"CG in 1-D, {run['cg'][0]['size']} points a rank, {run['cg'][0]['iterations']} iterations, "
                f"{run['cg'][0]['ranks']} ranks", MEASURED,
                ["reduction by", "us an iteration", "speed-up over MPI_Allreduce"],
                [[row["spec"], row["iteration_us"], row["speedup"]] for row in run["cg"]]) for run in runs]
    return Shown(
        f"On {best['ranks']} ranks CG with {best['spec']} has a speed-up of {number(best['speedup'])} over "
        f"MPI_Allreduce; reductions of {largest} bytes by {own['spec']} have one of {number(ratio)}.",
        [beside(data), *cg, *grown] + [table for table, _ in views], [plot for _, plot in views],
        ["The paper's levels are sockets, nodes and a network, with 16 to 512 processes; here all ranks "
         "share one node, and a level is a group that costs a little and avoids no long messages.",
         f"With {rows[0]['size']} points a rank an iteration of CG is short, so reductions matter; how "
         "much depends on the points."])


EXPERIMENT = Experiment(
    "poisson1d", "Flat and hierarchical reductions in CG", [("hierarchy", "figures 6 to 18")],
    "512 processes: CG for a 1-D Poisson problem twice as fast with two-level reductions; reductions of 1 MB 5 times "
    "(blocking) and 12 times (non-blocking) as fast as Open MPI. Of 64 KB up to 3 times as fast as "
    "MVAPICH2's; on 6144 processes of 8 KB 145 % faster than Cray's. Three levels gain a little over two.",
    [MEASURED], jobs, show,
    "What levels gain: that needs several nodes, or sockets at least.")
