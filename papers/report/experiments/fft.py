# SPDX-License-Identifier: BSD-2-Clause
"""Fourier transforms in 3-D, an exchange overlapped with the work on the next array."""
import colors
from parts import EMULATED, MEASURED, Experiment, Job, Plot, Series, Shown, Table, less, percent, rows_where

# Table II: seconds by MPI_Alltoall, one-sided, with LibNBC, and with the adapter.
TABLE2 = {512: (2.04, 2.01, 2.08, 1.56), 600: (3.49, 3.66, 3.78, 2.94), 712: (5.68, 6.29, 6.54, 5.03),
          800: (7.68, 8.80, 9.20, 7.12)}
OURS, ADAPTER = "nbc:window=6", "verbs:device=emulated"
AGENT = "verbs:device=emulated,agent=thread,window=6"  # carries an exchange on without a test call
SIZES = {"quick": (48, 96), "full": (48, 64, 96, 128)}


def untested(n):
    return f"fft_{n}_untested"


def jobs(mode):
    return [Job(f"fft_{n}", ["bench", "fft", "--size", str(n), str(n), str(n), "--specs", f"{OURS},{ADAPTER}",
                             "--rounds", "5" if mode == "quick" else "9"], 3 if n < 100 else 20)
            for n in SIZES[mode]] + [
                Job(untested(n), ["bench", "fft", "--size", str(n), str(n), str(n), "--specs", f"{OURS},{AGENT}",
                                  "--polls", "0", "--rounds", "5" if mode == "quick" else "9"], 3)
                for n in SIZES[mode][:1]]


def show(files):
    names = [n for n in SIZES["full"] if files.has(f"fft_{n}")]
    rows = [row for n in names for row in files[f"fft_{n}"]]
    ways = [row["columns"] for row in files[f"fft_{names[0]}"]]
    gains = {row["size"]: 1 - 1 / row["speedup"] for row in rows_where(rows, columns=OURS)}
    best = max(gains, key=gains.get)
    paint = colors.of_ways(ways)
    table = Table(f"Transforms forward and back, {rows[0]['variables']} arrays, {rows[0]['ranks']} "
                  "ranks", f"{MEASURED} + {EMULATED}",
                  ["points", "columns exchange by", "ms", "forward, ms", "backward, ms", "speed-up"],
                  [[row["size"], row["columns"], row["total_ms"], row["forward_ms"],
                    row["backward_ms"], row["speedup"]] for row in rows])
    alone = files[untested(SIZES["full"][0])]
    silent = Table("The same without a test call between begin and wait (--polls 0)", f"{MEASURED} + {EMULATED}",
                   ["points", "columns exchange by", "ms", "speed-up"],
                   [[row["size"], row["columns"], row["total_ms"], row["speedup"]] for row in alone])
    paper = Table("The paper's table II, seconds, as printed there", MEASURED,
                  ["points in a direction", "MPI_Alltoall", "one-sided", "LibNBC", "adapter",
                   "gain by the adapter"],
                  [[str(n), *times, percent(1 - times[-1] / times[0])] for n, times in TABLE2.items()],
                  where="the paper's machine, InfiniBand with ConnectX-2 adapters")
    series = [Series(way, [rows_where(files[f"fft_{n}"], columns=way)[0]["total_ms"] for n in names],
                     paint[way]) for way in ways]
    return Shown(
        f"On {rows[0]['ranks']} ranks our non-blocking exchange takes {less(gains[best])} "
        f"time than MPI_Alltoall at {best} points, the best of "
        f"{len(gains)} sizes.", [table, silent, paper],
        [Plot("fft", f"Fourier transforms, {rows[0]['ranks']} ranks", f"{MEASURED} + {EMULATED}",
              "points in a direction",
              "ms", series, style="bars", categories=[str(n) for n in names])],
        ["The paper's gain comes from an adapter that exchanges one array while processors transform the "
         "next; its software exchange (LibNBC), which has to be polled, lost, as polls were not in the "
         "FFT library. Ours polls between lines; with agent=thread an exchange progresses without any test call, "
         "by a thread that takes a processor for it.",
         "On one node the exchange is a copy that the processors make themselves, by any exchange: the adapter, "
         "too, is emulated by memory that ranks share, and puts are copies after a fence that waits for all "
         "ranks."])


EXPERIMENT = Experiment(
    "fft", "Fourier transforms in 3-D", [("fft", "table II"), ("libnbc", "section 5.2, figure 7")],
    "P3DFFT's sine kernel, 512^3 to 800^3 points: 23.5 % to 7.3 % less time with exchanges by the "
    "adapter; with LibNBC more time, with one-sided puts less for the least size only. In 2007 LibNBC had gained "
    "substantially over MPI_Alltoall (a plot, no number).", [MEASURED, EMULATED], jobs, show,
    "Exchange overlapped with work; and windows, which change nothing between two ranks.")
