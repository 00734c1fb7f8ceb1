# SPDX-License-Identifier: BSD-2-Clause
"""NBCBench: every collective operation compared with that of the MPI, by length and by ranks."""
import colors
from parts import (MEASURED, Experiment, Job, Plot, Series, Shown, Table, curves_of, number, rows_where,
                   values_of)

RANKS = {"quick": (2, 4), "full": (2, 4, 8)}
COUNTS, GATHERED = "1,1024,16384", "1,16,256,4096,65536"
SINGLE = {"single_least_us": "least", "latency_us": "median", "single_mean_us": "mean",
          "single_most_us": "most"}


def name_of(ranks):
    return f"collectives_{ranks}"


def jobs(mode):
    size = ["--rounds", "2", "--iters", "10"] if mode == "quick" else ["--rounds", "7", "--iters", "50"]
    words = ["bench", "overlap", "--specs", "nbc", "--polls", "100", *size, "--operations"]
    seconds = 1 if mode == "quick" else 10
    found = [Job(name_of(ranks), [*words, "all", "--count", COUNTS], seconds * ranks, ranks=ranks)
             for ranks in RANKS[mode]]
    found.append(Job("collectives_row", [*words, "all", "--count", "1", "--in-a-row"], seconds, ranks=2))
    found.append(Job("collectives_allgather", [*words, "allgather", "--count", GATHERED], seconds))
    return found


def overhead(row):
    """What the processor spends: a blocking call has no more than its latency."""
    if row["spec"].startswith("mpi:") and not row["spec"].startswith("mpi:i"):
        return row["latency_us"]
    return row["init_us"] + row["test_us"] + row["wait_us"]


def ways(rows):
    """The rows of one operation and length: the blocking call of the MPI, its nonblocking one, ours."""
    return rows[0], rows[1], rows[2]


def length(row):
    """Bytes of a rank."""
    return 8 * row["count"]


def gathers(rows):
    """Figure 3."""
    lengths = list(dict.fromkeys(map(length, rows)))
    specs = values_of(rows, "spec")
    paint = colors.of_ways(specs)
    pick = {spec: rows_where(rows, spec=spec) for spec in specs}
    table = Table(f"All-gathers over {rows[0]['ranks']} ranks by bytes a rank: overhead, us (the blocking call: its "
                  "latency), and share of the latency that is overlapped, %", MEASURED,
                  ["by", *(f"{n} B, us" for n in lengths), *(f"{n} B, %" for n in lengths)],
                  [[spec, *map(overhead, pick[spec]), *(row["overlap_hidden_pct"] for row in pick[spec])]
                   for spec in specs])
    left = Plot("collectives_allgather_overhead", "All-gathers: overhead (figure 3, left)", MEASURED, "bytes a rank",
                "us", curves_of(rows, "spec", length, overhead, paint), logx=True, logy=True)
    right = Plot("collectives_allgather_hidden", "All-gathers: share of the latency that is overlapped (figure 3, right)",
                 MEASURED, "bytes a rank", "%",
                 curves_of(rows, "spec", length, "overlap_hidden_pct", paint)[1:], logx=True)
    return table, [left, right]


def by_length(rows):
    """Figure 4."""
    cells = []
    for operation in values_of(rows, "operation"):
        for count in values_of(rows_where(rows, operation=operation), "count"):
            blocking, other, own = ways(rows_where(rows, operation=operation, count=count))
            cells.append([f"{operation}, {8 * count} B", blocking["latency_us"], overhead(other), overhead(own),
                          overhead(own) / blocking["latency_us"], own["latency_us"], own["overlap_hidden_pct"],
                          1e3 * own["test_us"] / own["polls"]])
    return Table(f"All operations over {rows[0]['ranks']} ranks, 100 polls, us", MEASURED,
                 ["operation", "blocking call of the MPI", "overhead, nonblocking of the MPI", "overhead, nbc",
                  "nbc over the blocking call", "latency, nbc", "overlapped, nbc, %", "a poll, nbc, ns"], cells)


def single(rows, title):
    cells = []
    for operation in values_of(rows, "operation"):
        mine = rows_where(rows, operation=operation)
        for row in rows_where(mine, count=mine[0]["count"]):
            cells.append([f"{operation}: {row['spec']}", *(row[key] for key in SINGLE)])
    return Table(title, MEASURED, ["operation", *SINGLE.values()], cells)


def bars(rows):
    operations = [name for name in values_of(rows, "operation") if name != "barrier"]
    count = max(values_of(rows, "count"))
    pairs = [ways(rows_where(rows, operation=name, count=count)) for name in operations]
    return Plot(f"collectives_{rows[0]['ranks']}", f"Overlapped and blocking operations, {8 * count} bytes, "
                f"{rows[0]['ranks']} ranks (figure 4)", MEASURED, "operation", "us",
                [Series("blocking call of the MPI", [one[0]["latency_us"] for one in pairs], colors.OTHER),
                 Series("overhead of nbc, overlapped", [overhead(one[2]) for one in pairs], colors.OURS)],
                style="bars", categories=operations)


def show(files):
    ranks = [n for n in RANKS["full"] if files.has(name_of(n))]
    runs = {n: files[name_of(n)] for n in ranks}
    first = runs[ranks[0]]
    table, plots = gathers(files["collectives_allgather"])
    long = [row for row in first if row["count"] == max(values_of(first, "count")) and row["spec"] == "nbc"]
    best = max(long, key=lambda row: row["overlap_hidden_pct"])
    blocking = rows_where(first, operation=best["operation"], count=best["count"])[0]
    return Shown(
        f"Of {8 * best['count']} bytes on {best['ranks']} ranks {best['operation']} overlaps most, "
        f"{number(best['overlap_hidden_pct'])} % of its latency; its overhead is "
        f"{number(overhead(best) / blocking['latency_us'])} times the latency of the blocking call of the MPI.",
        [table, *(by_length(rows) for rows in runs.values()),
         single(first, f"Single operations of 8 bytes over {ranks[0]} ranks after a barrier, us"),
         single(files["collectives_row"], "The same without a barrier before each, us")],
        [*plots, *(bars(rows) for rows in runs.values())],
        ["In the paper adapters move the messages of the host; here each byte of a message is copied by a processor "
         "that should work meanwhile, so only waiting is overlapped.",
         "Without a barrier, ranks of operations in which data go one way only run ahead of each other: latencies "
         "are shorter then, and say less about when data arrive.",
         "Where there are more ranks than cores, a rank waits for its turn, which takes longer than any "
         "operation."])


EXPERIMENT = Experiment(
    "collectives", "All collective operations", [("libnbc", "section 4, figures 3 to 5")],
    "64 nodes: overlapped operations cost much less than blocking ones with InfiniBand, the more the longer "
    "they are; little of short ones can be overlapped, and of broadcasts less than of others.", [MEASURED], jobs, show,
    "Messages that an adapter moves, and more than a few ranks.")
