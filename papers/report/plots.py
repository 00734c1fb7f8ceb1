# SPDX-License-Identifier: BSD-2-Clause
"""Draws plots with gnuplot, as stand-alone SVG files, and prepares them for a page."""
import html
import os
import re
import shutil
import subprocess

SETTINGS = """set terminal svg size 860,{height} font 'Helvetica,Arial,sans-serif,13' background 'white'
set output '{output}'
set encoding utf8
set border 3 lc rgb '#444444'
set xtics nomirror noenhanced
set ytics nomirror
set grid ytics lt 1 lc rgb '#dddddd'
set key outside {key} noenhanced samplen 2
set title '{title}' noenhanced
set xlabel '{x}' noenhanced
set ylabel '{y}' noenhanced
"""
MANY = 60  # curves with more points have no marks
LONG_KEY = 24  # characters of a legend that fit beside a plot
LONG_LABEL = 9  # characters of a category that fit without rotation


def quote(text):
    """Quotes a text for gnuplot's single quotes."""
    return text.replace("\n", " ").replace("'", "''")


def cell(text):
    """A word of a block of data."""
    return '"' + text.replace("\n", " ").replace('"', "") + '"'


def show(value):
    return "NaN" if value is None else f"{value:.8g}"


def log_axis(plot):
    """A logarithmic axis with marks where the points are."""
    places = sorted({x for series in plot.series for x, _ in series.points})
    marks = ", ".join(f"'{place:g}' {place:g}" if place < 1e6 else f"'{place:.0f}' {place:.0f}"
                      for place in places)
    return (f"\nset logscale x\nset xtics ({marks})\n"
            f"set xrange [{places[0] / 1.3:g}:{places[-1] * 1.3:g}]")


def line_script(plot):
    blocks, curves = [], []
    for k, series in enumerate(plot.series):
        points = "\n".join(f"{show(x)} {show(y)}" for x, y in series.points)
        blocks.append(f"$data{k} << EOD\n{points}\nEOD")
        marks = "with linespoints" if series.label and len(series.points) <= MANY else "with lines"
        title = f"title '{quote(series.label)}'" if series.label else "notitle"
        curves.append(f"$data{k} using 1:2 {marks} lw 2 ps 0.7 pt {k % 13 + 4} dt "
                      f"{2 if series.dashed else 1} lc rgb '{series.color}' "
                      f"{title}")
    axes = "set grid xtics lt 1 lc rgb '#dddddd'"
    axes += log_axis(plot) if plot.logx else ""
    axes += "\nset logscale y\nset format y '%g'" if plot.logy else "\nset yrange [0:*]"
    return "\n".join([*blocks, axes, "plot " + ", \\\n  ".join(curves)])


def bar_script(plot):
    rows = [" ".join([cell(category), *(show(series.points[k]) for series in plot.series)])
            for k, category in enumerate(plot.categories)]
    kind = "rowstacked" if plot.style == "stack" else "cluster gap 1"
    bars = [f"$data using {k + 2}{':xtic(1)' if k == 0 else ''} lc rgb '{series.color}' "
            f"title '{quote(series.label)}'" for k, series in enumerate(plot.series)]
    turn = any(len(category) > LONG_LABEL for category in plot.categories)
    low = min((y for series in plot.series for y in series.points if y is not None), default=0)
    return "\n".join([
        "$data << EOD", *rows, "EOD", "set style data histogram",
        f"set style histogram {kind}", "set style fill solid noborder", "set boxwidth 0.85",
        "set xtics scale 0" + (" rotate by -35 left" if turn else ""),
        "set logscale y" if plot.logy else "set xzeroaxis lt 1 lc rgb '#444444'" if low < 0
        else "set yrange [0:*]",
        "plot " + ", \\\n  ".join(bars)])


def draw(plot, folder):
    """The path of the SVG file; None: there is no gnuplot, or it failed."""
    if not shutil.which("gnuplot"):
        return None
    path = os.path.join(folder, f"{plot.name}.svg")
    longest = max(len(series.label) for series in plot.series)
    script = SETTINGS.format(height=460 if plot.categories else 430,
                             key="below horizontal maxcols 3" if longest > LONG_KEY
                             else "right top vertical", output=quote(path),
                             title=quote(f"{plot.title} ({plot.kind})"), x=quote(plot.x),
                             y=quote(plot.y))
    script += line_script(plot) if plot.style == "lines" else bar_script(plot)
    try:
        done = subprocess.run(["gnuplot"], input=script + "\nset output\n", text=True, timeout=60,
                              capture_output=True, check=False)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return path if done.returncode == 0 and os.path.getsize(path) > 0 else None


def inline(path, plot):
    """The SVG for a page with several: without an XML head, with unique ids."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    text = text[text.index("<svg"):]
    text = re.sub(r"\bid=(['\"])", rf"id=\1{plot.name}-", text)
    text = re.sub(r"(href=['\"])#", rf"\1#{plot.name}-", text)
    text = text.replace("url(#", f"url(#{plot.name}-")
    text = re.sub(r"<title>Gnuplot</title>", f"<title>{html.escape(plot.title)}</title>", text)
    text = re.sub(r"<desc>.*?</desc>", "", text, flags=re.DOTALL)
    return text.replace("<svg", f"<svg role='img' aria-label='{html.escape(plot.title)}'", 1)
