# SPDX-License-Identifier: BSD-2-Clause
"""Shows how times grow with the latency of sums: tables and curves."""
import os
from statistics import median

from . import chart, table

SETTINGS = """set border 3
set xtics nomirror
set ytics nomirror
set grid lt 1 lc rgb '#dddddd'
set xrange [0:*]
set yrange [0:*]
set key outside below horizontal noenhanced
set xlabel 'emulated network latency of a sum, us'
set ylabel 'ms per iteration'
set title '{title}' noenhanced
"""


def rows_of(cases):
    """spec -> the row of each case that has it, by its latency."""
    found = {}
    for case in cases:
        for row in case["programs"]:
            found.setdefault(row["spec"], {})[case["emulated_network_latency_us"]] = row
    return found


def exposed(row, base):
    """Latencies that an iteration did not hide: what it takes longer than without, in units of one,
    round by round."""
    us = row["emulated_network_latency_us"]
    return median(1e3 * (t - t0) / us for t, t0 in zip(row["ms"], base["ms"]))


def tables(cases, title, work):
    """work: T."""
    delays = [case["emulated_network_latency_us"] for case in cases]
    heads = ["emulated network latency"]
    heads += [f"{us:g} us" for us in delays]
    times, ratios = [heads], [heads]
    for spec, rows in rows_of(cases).items():
        base = rows.get(0)
        times.append([spec] + [f"{rows[us]['ms_median']:.3g}" if us in rows else ""
                               for us in delays])
        ratios.append([spec] + [f"{exposed(rows[us], base):.2f}" if us and base and us in rows
                                else "" for us in delays])
    failures = [f"{spec} failed: {why}" for case in cases for spec, why in case["failed"].items()]
    return ["\n".join([f"{title}, T = {work} us: ms per iteration", "", *table.lines_of(times), *failures]),
            "\n".join(["Latencies an iteration that are not hidden: (ms - ms without) / latency", "",
                       *table.lines_of(ratios)])]


def draw(folder, cases, title):
    """One curve per program; False: there is no gnuplot."""
    found = rows_of(cases)
    with open(os.path.join(folder, "chart.dat"), "w", encoding="utf-8") as file:
        file.write("\t".join(["us", *found]) + "\n")
        for us in sorted(case["emulated_network_latency_us"] for case in cases):
            times = [f"{rows[us]['ms_median']:.6g}" if us in rows else "?"
                     for rows in found.values()]
            file.write("\t".join([f"{us:g}", *times]) + "\n")
    lines = [f"'chart.dat' using 1:{k + 2} title columnheader with linespoints lw 2 pt {k + 4} "
             f"lc rgb '{color}'" for k, color in enumerate(chart.choose_colors(list(found)))]
    return chart.run_gnuplot(folder, SETTINGS.format(title=title.replace("'", "")), lines)
