# SPDX-License-Identifier: BSD-2-Clause
"""Every method on up to 32768 ranks, by the model, with much and with little work per rank."""
import colors
from parts import (SIMULATED, Experiment, Job, Plot, Series, Shown, Table, number, rows_where,
                   values_of)

from .parameters import parameters

SIZES = (8, 16, 32)  # points of a rank in each direction


def jobs(mode):
    ranks = "64,256,1024" if mode == "quick" else "64,512,4096,32768"
    return [Job(f"model_scale_{n}", ["bench", "model", "--ranks", ranks, "--iterations", "6",
                                     "--laplace27", str(n), str(n), str(n)],
                2 if mode == "quick" else 90, timed=False) for n in SIZES]


def least(rows, method, ranks):
    """The row of the best backend."""
    return min(rows_where(rows, method=method, ranks=ranks), key=lambda row: row["iteration_us"])


def by_ranks(rows, key, title):
    ranks = values_of(rows, "ranks")
    return Table(title, SIMULATED, ["method", *(f"{n} ranks" for n in ranks)],
                 [[method, *(least(rows, method, n)[key] for n in ranks)]
                  for method in values_of(rows, "method")])


def tables(data, n):
    rows = data["iterations"]
    winners = Table(f"Which method wins, {n}^3 rows a rank", SIMULATED,
                    ["ranks", "method", "backend", "us an iteration", "speed-up over cg",
                     "ahead of the next, %"],
                    [[str(row["ranks"]), row["method"], row["backend"],
                      least(rows, row["method"], row["ranks"])["iteration_us"],
                      row["speedup"], row.get("lead_pct")] for row in data["fastest"]])
    return [winners,
            by_ranks(rows, "iteration_us",
                     f"Microseconds an iteration, each method with its best backend, {n}^3 rows a rank"),
            by_ranks(rows, "sum_wait_us", "Of these, microseconds waiting for reductions")]


def plot(data, n):
    rows = data["iterations"]
    ranks = values_of(rows, "ranks")
    series = [Series(method, [(p, least(rows, "cg", p)["iteration_us"]
                               / least(rows, method, p)["iteration_us"]) for p in ranks],
                     colors.of_method(method)) for method in values_of(rows, "method")]
    return Plot(f"model_scale_{n}", f"Methods at scale, {n}^3 rows a rank, each with its best backend",
                SIMULATED, "ranks", "speed-up over cg", series, logx=True)


def winners_of(data):
    return ", ".join(f"{row['method']} at {row['ranks']} (speed-up {number(row['speedup'])})"
                     for row in data["fastest"])


def show(files):
    data = {n: files[f"model_scale_{n}"] for n in SIZES}
    said = "; ".join(f"with {n}^3 rows a rank {winners_of(data[n])}" for n in SIZES)
    return Shown(
        f"Simulated, the fastest method, and its speed-up over cg with its best backend: {said}.",
        [table for n in SIZES for table in tables(data[n], n)] + [parameters(data[SIZES[0]])],
        [plot(data[n], n) for n in SIZES],
        ["The paper's adapters, nodes and MPI are others; these are parameters of a current InfiniBand "
         "cluster, as listed, without noise unless the list says so.",
         "Methods with overlapped reductions move more vectors through memory, which costs the more the more rows a "
         "rank has, while the gain of an overlapped reduction hardly depends on the rows.",
         "Congestion of a network is not in the model."])


EXPERIMENT = Experiment(
    "model-scale", "Methods at scale, by the model", [("offload", "sections VII B and VIII")],
    "Gains were largest with 64 processes and got smaller up to 512, as flat reductions got longer.",
    [SIMULATED], jobs, show, "All effects of so many ranks that the model lacks.")
