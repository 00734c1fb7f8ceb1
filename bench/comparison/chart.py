# SPDX-License-Identifier: BSD-2-Clause
"""Draws the times with gnuplot, if it is installed."""
import itertools
import os
import shutil
import subprocess

# ovkrylov is blue.
OURS = ["#12406b", "#1f77b4", "#6db3e8", "#b7daf5"]
OTHERS = ["#8c3b1a", "#d97b3c", "#f0bd7a", "#7a8f3c", "#8a5a9e", "#5c5c5c"]

SETTINGS = """set style data histogram
set style histogram cluster gap 1
set style fill solid noborder
set boxwidth 0.9
set border 3
set xtics nomirror scale 0
set ytics nomirror
set grid ytics lt 1 lc rgb '#dddddd'
set yrange [0:*]
set key outside below horizontal noenhanced
set xtics noenhanced
set ylabel '{ylabel}'
set title '{title}' noenhanced
"""


def write_data(path, cases, specs):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\t".join(["case", *specs]) + "\n")
        for case in cases:
            times = {row["spec"]: f"{row['ms_median']:.6g}" for row in case["programs"]}
            ranks = f"{case['ranks']} rank{'s' if case['ranks'] > 1 else ''}"
            name = f"{os.path.basename(case['problem'])}, {ranks}"
            file.write("\t".join([name, *(times.get(spec, "?") for spec in specs)]) + "\n")


def choose_colors(specs):
    ours, others = itertools.cycle(OURS), itertools.cycle(OTHERS)
    return [next(ours if spec.startswith("ovk") else others) for spec in specs]


def run_gnuplot(folder, settings, plots):
    """Writes chart.gp, and of it and chart.dat chart.svg and chart.png; False: no gnuplot."""
    with open(os.path.join(folder, "chart.gp"), "w", encoding="utf-8") as file:
        file.write("set datafile separator '\\t'\nset datafile missing '?'\n" + settings)
        for terminal, name in (("svg size 1000,500 background 'white'", "chart.svg"),
                               ("pngcairo size 1000,500", "chart.png")):
            file.write(f"set terminal {terminal}\nset output '{name}'\n")
            file.write("plot " + ", \\\n     ".join(plots) + "\n")
    if not shutil.which("gnuplot"):
        return False
    if plots:  # none if all programs failed
        subprocess.run(["gnuplot", "chart.gp"], cwd=folder, check=True)
    return True


def draw(folder, cases, title, ylabel):
    """Bars, one cluster per case."""
    specs = list(dict.fromkeys(row["spec"] for case in cases for row in case["programs"]))
    write_data(os.path.join(folder, "chart.dat"), cases, specs)
    bars = [f"'chart.dat' using {k + 2}{':xtic(1)' if k == 0 else ''} title columnheader "
            f"lc rgb '{color}'" for k, color in enumerate(choose_colors(specs))]
    return run_gnuplot(folder, SETTINGS.format(ylabel=ylabel, title=title.replace("'", "")), bars)
