# SPDX-License-Identifier: BSD-2-Clause
"""Where the time of a solve goes: by operation, and waiting or computing."""
import colors
from parts import (EMULATED, MEASURED, Experiment, Job, Plot, Series, Shown, Table, less, number, percent,
                   rows_where, values_of)

# Table I: seconds of 951 iterations, 256 processes, 60^3 rows each.
TABLE1 = {"cg": {"product": 39.72, "sdotp": 3.65, "gamma": 9.26, "iprod": 1.23,
                         "precond": 7.36, "axpy": 3.81, "scaling": 0.98, "sum": 66.78},
          "split-cg": {"product": 40.29, "sdotp": 4.80, "gamma": 3.09, "iprod": 1.19,
                         "precond": 3.60, "axpy": 3.86, "scaling": 0.97, "sum": 59.21}}
ITERATIONS = 951
PARTS = ["compute", "waitall", "allreduce"]
DELAY = "emulate-latency:us=200|auto"


def jobs(mode):
    n, rounds = ("32", "2") if mode == "quick" else ("60", "7")
    return [Job("phases", ["bench", "phases", "--laplace27", n, n, n, "--rounds", rounds,
                           "--backends", f"auto,nbc,iallreduce,{DELAY}"],
                7 if mode == "quick" else 70)]


def kind_of(backend):
    return EMULATED if backend.startswith(("emulate-latency", "delay")) else MEASURED


def operations(rows, backend):
    mine = {row["method"]: row for row in rows_where(rows, backend=backend)}
    cells = []
    for key in TABLE1["cg"]:
        cells.append([key] + [value for method in TABLE1 for value in (
            mine[method][f"{key}_us"],
            percent(mine[method][f"{key}_us"] / mine[method]["sum_us"]),
            1e6 * TABLE1[method][key] / ITERATIONS,
            percent(TABLE1[method][key] / TABLE1[method]["sum"]))])
    heads = [f"{method}, {what}" for method in TABLE1
             for what in ("us", "share", "paper, us", "paper, share")]
    return Table(f"Time of each operation in an iteration, backend {backend} (table I; the paper's "
                 f"columns are its seconds / {ITERATIONS} iterations)", kind_of(backend),
                 ["operation", *heads], cells)


def baseline(rows, backend):
    """The time of the preconditioner, with DiagScale of the paper and with ours; older data have no such rows."""
    mine = {row["method"]: row for row in rows_where(rows, backend=backend)}
    names = [name for name in ("cg/DiagScale", *TABLE1) if name in mine]
    return Table(f"The preconditioner in an iteration, backend {backend} (figures 4 and 5; the paper: "
                 f"{number(1e6 * TABLE1['cg']['precond'] / ITERATIONS)} us with DiagScale, "
                 f"{number(1e6 * TABLE1['split-cg']['precond'] / ITERATIONS)} us in split-cg)",
                 kind_of(backend), ["program", "precond, us", "of its iteration"],
                 [[name, mine[name]["precond_us"], percent(mine[name]["precond_us"] / mine[name]["sum_us"])]
                  for name in names])


def break_up(rows, backend):
    mine = rows_where(rows, backend=backend)
    table = Table(f"Break-up of solves, backend {backend} (figure 11)", kind_of(backend),
                  ["method", "us an iteration", "compute, %", "waitall, %", "allreduce, %",
                   "iterations"],
                  [[row["method"], row["solve_us"], *(row[f"{part}_pct"] for part in PARTS),
                    row["iterations"]] for row in mine])
    series = [Series(part, [row["solve_us"] * row[f"{part}_pct"] / 100 for row in mine],
                     colors.PARTS[part]) for part in PARTS]
    plot = Plot(f"phases_{backend.split(':')[0]}", f"Parts of the time of an iteration, backend {backend}",
                kind_of(backend), "method", "us an iteration", series, style="stack",
                categories=[row["method"] for row in mine])
    return table, plot


def show(files):
    data = files["phases"]
    backends = values_of(data["breakup"], "backend")
    first = {row["method"]: row for row in rows_where(data["operations"], backend=backends[0])}
    paper = TABLE1["cg"]
    inner = sum(paper[key] for key in ("sdotp", "gamma", "iprod"))
    gain = 1 - first["split-cg"]["sum_us"] / first["cg"]["sum_us"]
    tables = [operations(data["operations"], backends[0]), operations(data["operations"], DELAY),
              baseline(data["operations"], backends[0])]
    views = [break_up(data["breakup"], backend) for backend in backends]
    one = first["cg"]
    return Shown(
        f"cg, {one['ranks']} ranks, {backends[0]}: products take "
        f"{percent(one['product_us'] / one['sum_us'])} of an iteration (paper "
        f"{percent(paper['product'] / paper['sum'])}), inner products "
        f"{percent(one['inner_us'] / one['sum_us'])} (paper {percent(inner / paper['sum'])}); "
        f"split-cg takes {less(gain)} than cg "
        f"(paper {less(1 - TABLE1['split-cg']['sum'] / paper['sum'])}).",
        tables + [table for table, _ in views], [plot for _, plot in views],
        [f"The three inner products of an iteration take {number(one['inner_us'])} us here, where "
         f"{one['ranks']} ranks share a node, and {number(1e6 * inner / ITERATIONS)} us in the paper, which "
         "includes waiting for the slowest of 256 processes.",
         "Our product needs less of the memory: the matrix of this problem is stored by its few kinds "
         "of rows, so its share is not comparable with that of hypre, which reads all entries.",
         "The cg of hypre divides by entries that it finds through the row pointers of the matrix, as "
         "the row cg/DiagScale does; both of ours multiply by a diagonal in one loop."])


EXPERIMENT = Experiment(
    "phases", "Parts of an iteration", [("offload", "table I and figure 11")],
    "256 processes, 60^3 rows each: 59.5 % of the time of cg are SpMVs, 21.2 % inner products; "
    "split-cg takes 11.3 % less. Blocking reductions take most of the communication time, overlapped ones "
    "almost none.", [MEASURED, EMULATED], jobs, show,
    "The gain of overlapped reductions, which are cheap on one node; the rows with an emulated "
    "latency show it.")
