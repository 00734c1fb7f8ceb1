# SPDX-License-Identifier: BSD-2-Clause
"""The model of iterations against solves under emulated latency."""
import colors
from parts import (BOTH, EMULATED, SIMULATED, Experiment, Job, Plot, Series, Shown, Table, percent,
                   rows_where, values_of)

WITHIN = 0.15


def jobs(mode):
    size = (["--rounds", "2", "--sizes", "20,32", "--us", "0,30,100,300"] if mode == "quick"
            else ["--rounds", "7"])
    return [Job("model_check", ["bench", "model", "--check", *size], 4 if mode == "quick" else 90)]


def table(rows, size, key, title, kind):
    latencies = values_of(rows, "us")
    return Table(f"{title}, {size}^3 rows a rank, by the emulated latency of a reduction", kind,
                 ["method", *(f"{us} us" for us in latencies)],
                 [[method, *(rows_where(rows, size=size, method=method, us=us)[0][key]
                             for us in latencies)] for method in values_of(rows, "method")])


def plot(rows, size):
    series = []
    for method in values_of(rows, "method"):
        mine = rows_where(rows, size=size, method=method)
        paint = colors.of_method(method)
        series.append(Series(method, [(row["us"], row["measured_us"]) for row in mine], paint))
        series.append(Series("", [(row["us"], row["model_us"]) for row in mine],
                             paint, True))
    return Plot("model_check", f"Solves, and dashed the model, {size}^3 rows a rank, "
                f"{rows[0]['ranks']} ranks", BOTH, "emulated latency of a sum, us", "us an iteration", series)


def off(row):
    return abs(row["ratio"] - 1)


def show(files):
    rows = files["model_check"]
    outside = [row for row in rows if off(row) > WITHIN]
    worst = max(rows, key=off)
    tables = []
    for size in values_of(rows, "size"):
        tables += [table(rows, size, "measured_us", "Solves, us an iteration", EMULATED),
                   table(rows, size, "model_us", "The model, us an iteration", SIMULATED),
                   table(rows, size, "ratio", "The model's time / the solve's", BOTH)]
    why = ["The model gets the speed of products and updates from measurements between the solves, and "
           "of messages and reductions from a ping-pong; the effects that it omits, and the noise of the machine "
           "while one or the other was measured, is the rest."]
    if outside:
        why.append("Where vectors are in memory, or other programs of the machine have a share in its "
                   "caches, work takes the model's measurement another time than the solves: the library's "
                   "docs/papers/model.md has more of that.")
    return Shown(
        f"{len(rows) - len(outside)} of {len(rows)} medians are within {percent(WITHIN)}; the worst is "
        f"off by {percent(off(worst))}: {worst['method']}, {worst['size']}^3 rows, {worst['us']} us.",
        tables, [plot(rows, size) for size in values_of(rows, "size")[-1:]], why)


EXPERIMENT = Experiment(
    "model-check", "The model against solves", [],
    "No paper: the goal is that medians of solves and model agree within 15 %.", [EMULATED, SIMULATED],
    jobs, show, "Whether the model is right on many nodes: these are the few ranks that there are.")
