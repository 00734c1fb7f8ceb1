# SPDX-License-Identifier: BSD-2-Clause
"""Speed of dense products while a reduction runs."""
import colors
from parts import (EMULATED, MEASURED, Experiment, Job, Plot, Series, Shown, Table, curves_of, number, rows_where,
                   values_of)

from . import agents

# The paper's three ways and its peak, over the emulated adapter and carried on by agents.
DESIGNS = {agents.spec("agents", design): design
           for design in ("Two-Level-RD", "Two-Level-Red-Bcast, degree 2", "Flat-RD", "Flat-Red-Bcast, degree 2")}


def jobs(mode):
    size = (["--sizes", "10,30,100,300", "--rounds", "3"] if mode == "quick"
            else ["--sizes", "10,30,100,300,1000", "--rounds", "7"])
    seconds = 1.5 if mode == "quick" else 40
    return [Job("overlap_dgemm", ["bench", "overlap-dgemm", *size], seconds),
            Job("overlap_dgemm_agents", ["bench", "overlap-dgemm", *size, "--specs", ",".join(DESIGNS)],
                2 * seconds, ranks=4)]


def tables_of(rows, kind, names):
    """names: of specs; those without one are called what they are."""
    specs, sizes = values_of(rows, "spec"), values_of(rows, "n")

    def table(title, key):
        return Table(f"{title}, {rows[0]['ranks']} ranks, by rows N of the matrices", kind, ["reduction by", *sizes],
                     [[names.get(spec, spec), *(rows_where(rows, spec=spec, n=n)[0][key] for n in sizes)]
                      for spec in specs])

    return [table("Speed of a product while a reduction runs, in % of the speed alone", "share_pct"),
            table("Overhead, begin and wait, us", "overhead_us")]


def show(files):
    rows = files["overlap_dgemm"]
    sizes = values_of(rows, "n")
    paint = colors.of_ways(values_of(rows, "spec"))
    last = rows_where(rows, n=sizes[-1])
    ours = [row for row in last if not row["spec"].startswith("mpi:")]
    low, high = (pick(row["share_pct"] for row in ours) for pick in (min, max))
    alone = [(n, max(row["alone_gflops"] for row in rows_where(rows, n=n))) for n in sizes]
    speed = [Series("without a sum", alone, "#000000", True)]
    speed += curves_of(rows, "spec", "n", "with_gflops", paint)
    ranks = rows[0]["ranks"]
    costs = [row["overhead_us"] for row in rows_where(rows, n=sizes[0])
             if not row["spec"].startswith("mpi:")]
    return Shown(
        f"At N = {sizes[-1]} products overlapped with one of our reductions run at {number(low)} to "
        f"{number(high)} % of their speed alone; at N = {sizes[0]}, with any reduction, at "
        f"{number(min(row['share_pct'] for row in rows_where(rows, n=sizes[0])))} % at least.",
        [*tables_of(rows, MEASURED, {}), *tables_of(files["overlap_dgemm_agents"], EMULATED, DESIGNS)],
        [Plot("overlap_dgemm_speed", f"Products while a reduction runs, {ranks} ranks", MEASURED,
              "rows N of the matrices", "GFLOP/s a rank", speed, logx=True),
         Plot("overlap_dgemm_overhead", f"Begin and wait around a product, {ranks} ranks", MEASURED,
              "rows N of the matrices", "us", curves_of(rows, "spec", "n", "overhead_us", paint), logx=True)],
        [f"The reductions of the paper over 256 processes take up to 250 us; ours over {ranks} ranks of a node cost "
         f"{number(min(costs))} to {number(max(costs))} us with the smallest products.",
         "In both, wait includes how much longer another rank takes for its product, and that grows with "
         "N; shares above 100 % are the noise of the machine."])


EXPERIMENT = Experiment(
    "overlap-dgemm", "Dense products while a reduction runs", [("offload", "figure 9")],
    "256 processes: with all variants throughput is very close to the peak; the overhead of two-level "
    "reductions grows with N, that of flat ones stays nearly constant.", [MEASURED, EMULATED], jobs, show,
    "Long reductions that cost the processors nothing: all of these are made by the processors, those of agents "
    "by processors that the products need.")
