# SPDX-License-Identifier: BSD-2-Clause
"""Every method on up to 32768 ranks, by the model."""
import colours
from parts import (SIMULATED, Experiment, Job, Plot, Series, Shown, Table, number, rows_where,
                   values_of)

from . import modelled


def jobs(mode):
    size = ["--ranks", "64,512,4096"] if mode == "quick" else ["--scale"]
    return [Job("model_scale", ["bench", "model", *size], 25 if mode == "quick" else 240,
                limit=150 if mode == "quick" else 900)]


def least(rows, method, ranks):
    return min(rows_where(rows, method=method, ranks=ranks), key=lambda row: row["iteration_us"])


def show(files):
    data = files["model_scale"]
    rows, wins = data["iterations"], data["fastest"]
    methods, ranks = values_of(rows, "method"), values_of(rows, "ranks")
    table = Table("Microseconds an iteration, with the backend that is best there", SIMULATED,
                  ["method", *ranks], [[method, *(least(rows, method, n)["iteration_us"] for n in ranks)]
                                       for method in methods])
    winners = Table("Which method wins", SIMULATED,
                    ["ranks", "method", "backend", "us an iteration", "speed-up over algorithm1",
                     "ahead of the next, %"],
                    [[row["ranks"], row["method"], row["backend"], row["iteration_us"], row["speedup"],
                      row.get("lead_pct")] for row in wins])
    waits = Table("Of these, microseconds waiting for sums", SIMULATED, ["method", *ranks],
                  [[method, *(least(rows, method, n)["sum_wait_us"] for n in ranks)]
                   for method in methods])
    series = [Series(method, [(n, least(rows, method, n)["iteration_us"]) for n in ranks],
                     colours.of_method(method)) for method in methods]
    last = wins[-1]
    said = ", ".join(f"{row['method']} at {row['ranks']} (speed-up {number(row['speedup'])})"
                     for row in wins)
    return Shown(
        f"Simulated up to {last['ranks']} ranks, the fastest, with its speed-up over the best algorithm1: "
        f"{said}.", [winners, table, waits, modelled.parameters(data)],
        [Plot("model_scale", "Every method at scale, each with its best backend", SIMULATED, "ranks",
              "us an iteration", series, logx=True)],
        ["The paper's adapters, nodes and MPI are others: these are parameters of a current InfiniBand "
         "cluster, without noise unless it is asked for, so that sums are short and little is to be won "
         "with this much work a rank.",
         "Congestion of a network is not in the model."])


EXPERIMENT = Experiment(
    "model-scale", "Methods at scale, by the model", [("offload", "sections VII B and VIII")],
    "Gains were largest with 64 processes and got smaller up to 512, as flat sums got longer.",
    [SIMULATED], jobs, show, "Everything about so many ranks but what the model has.")
