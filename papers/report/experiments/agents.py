# SPDX-License-Identifier: BSD-2-Clause
"""Reductions of several rounds that agents progress, over an adapter that is emulated in shared memory."""
import colors
from parts import EMULATED, SIMULATED, Experiment, Job, Plot, Series, Shown, Table, number, rows_where, values_of

RANKS = {"quick": (2, 4), "full": (2, 4, 8)}
ADAPTER = "verbs:device=emulated,"
DESIGNS = {
    "Flat-RD": "alg=doubling",
    "Two-Level-RD": "levels=2,alg=flat+doubling",
    "Flat-Red-Bcast, degree 2": "alg=tree,reduce=2,bcast=4",
    "Flat-Red-Bcast, degree 3": "alg=tree,reduce=3,bcast=4",
    "Flat-Red-Bcast, degree 4": "alg=tree,reduce=4,bcast=4",
    "Two-Level-Red-Bcast, degree 2": "levels=2,alg=flat+tree,reduce=2,bcast=4",
    "ring": "alg=ring",
}
# The paper's by its processes; leaders in shared memory.
LEADERS = "offload|nbc:levels=node,channel=shm+p2p,alg=flat+"
PROCESSES = "16,32,64,128,256,512"
MODELED = {"MVAPICH2's own": "blocking", "Flat-RD": "offload|nbc", "Two-Level-RD": f"{LEADERS}doubling",
            **{f"Two-Level-Red-Bcast, degree {k}": f"{LEADERS}tree,reduce={k},bcast=4" for k in (2, 3, 4)}}
SUMS = 3  # of an iteration, which has no work here
OPERATIONS = ("bcast", "alltoall")
CARRIERS = {"ranks": "agent=none,", "agents": "agent=thread,"}  # who carries the rounds on
COLUMNS = {"latency_us": "latency, us", "begin_us": "begin, us", "wait_us": "wait, us",
           "peer_delay_wait_us": "wait for a busy rank, us"}


def spec(carrier, design):
    return ADAPTER + CARRIERS[carrier] + DESIGNS[design]


def name_of(ranks):
    return f"agents_{ranks}"


def jobs(mode):
    size = ["--iters", "50", "--rounds", "2"] if mode == "quick" else ["--iters", "500", "--rounds", "9"]
    specs = [spec(carrier, design) for design in DESIGNS for carrier in CARRIERS]
    beside = [f"nbc:{design}" for design in DESIGNS.values()]
    rounds = ["--iters", "20", "--rounds", "2"] if mode == "quick" else ["--iters", "100", "--rounds", "9"]
    return [Job(name_of(ranks), ["bench", "reduction", *size, "--specs",
                                 ",".join([*specs, *(beside if ranks == RANKS[mode][0] else []), "shm"])],
                (4 if mode == "quick" else 25) * ranks, ranks=ranks) for ranks in RANKS[mode]] + [
                    Job("agents_operations", ["bench", "overlap", *rounds, "--operations", ",".join(OPERATIONS),
                                              "--specs", f"{ADAPTER}agent=none,{ADAPTER}agent=thread,nbc",
                                              "--count", "4096", "--polls", "2"], 2, ranks=4),
                    Job("agents_model", ["bench", "model", "--machine", "connectx2", "--laplace27", "1", "1", "1",
                                         "--ranks", PROCESSES, "--methods", "split-cg", "--backends",
                                         ",".join(MODELED.values()), "--set", "entry=0,boundary=0,stream=0,dot=0,"
                                         "precond=0,precond1=0,exponential=0"], 1, timed=False)]


def by_processes(data):
    """Figure 8 (a) at the paper's scale."""
    mine = rows_where(data["iterations"], method="split-cg")
    processes = values_of(mine, "ranks")
    latency = {name: [(row["ranks"], (row["iteration_us"] - row["halo_us"]) / SUMS)
                      for row in rows_where(mine, backend=backend)] for name, backend in MODELED.items()}
    title = "Latency of a reduction of one double by the designs of the paper, us, by processes (figure 8 a)"
    paint = dict(zip(MODELED, ("#000000", colors.OTHER, "#009e73", colors.OURS, "#74a9cf", "#a6bddb")))
    return (Table(title, SIMULATED, ["design", *processes],
                  [[name, *(us for _, us in points)] for name, points in latency.items()]),
            Plot("agents_model", title, SIMULATED, "processes", "us",
                 [Series(name, points, paint[name]) for name, points in latency.items()], logx=True))


def by_ranks(runs):
    """Figure 8 (a)."""
    ranks = [run[0]["ranks"] for run in runs]
    cells = [["the MPI's own call", *(row["latency_us"] for run in runs
                                      for row in run if row["spec"] == "mpi:allreduce")]]
    for design in DESIGNS:
        cells.append([design, *(row["latency_us"] for run in runs for row in run
                                if row["spec"] == spec("agents", design))])
    return Table("Latency of a reduction of one double that agents progress, us, by ranks (figure 8 a)", EMULATED,
                 ["design", *(f"{n} ranks" for n in ranks)], cells)


def parts_of(rows):
    """Figures 8 (b) to (d)."""
    by_spec = {row["spec"]: row for row in rows}
    heads = [f"{what}, by {carrier}" for what in COLUMNS.values() for carrier in CARRIERS]
    cells = [[design, *(by_spec[spec(carrier, design)][key] for key in COLUMNS for carrier in CARRIERS)]
             for design in DESIGNS]
    return Table(f"Sums of one double over {rows[0]['ranks']} ranks, medians of rounds, slowest rank (figures 8 b "
                 "to d)", EMULATED, ["design", *heads], cells)


def host_time(rows):
    """What no rank gets back: begin and wait without work between them."""
    by_spec = {row["spec"]: row for row in rows}

    def inside(name):
        return by_spec[name]["begin_us"] + by_spec[name]["wait_us"]

    cells = [[design, *(inside(spec(carrier, design)) for carrier in CARRIERS), inside(f"nbc:{keys}"),
              inside("mpi:iallreduce")] for design, keys in DESIGNS.items()]
    return Table(f"Begin and wait of a reduction of one double over {rows[0]['ranks']} ranks, us: the part that a rank "
                 "can use for work in between is the part that others progress", EMULATED,
                 ["design", *(f"by {carrier}" for carrier in CARRIERS), "nbc", "MPI_Iallreduce"], cells)


def operations(rows):
    """Vectors of 4096 doubles, work as long as the operation between begin and wait."""
    cells = [[f"{row['operation']}, {row['spec']}", row["latency_us"], row["init_us"], row["test_us"],
              row["wait_us"], row["overlap_hidden_pct"]] for row in rows]
    return Table(f"Broadcast and all-to-all of 4096 doubles over {rows[0]['ranks']} ranks with two polls, us; "
                 "overlapped: % of the latency", EMULATED,
                 ["operation", "latency", "begin", "polls", "wait", "overlapped, %"], cells)


def show(files):
    runs = [files[name_of(n)] for n in RANKS["full"] if files.has(name_of(n))]
    by_spec = {row["spec"]: row for row in runs[-1]}
    ranks = runs[-1][0]["ranks"]
    waits = {carrier: [by_spec[spec(carrier, design)]["peer_delay_wait_us"] for design in DESIGNS]
             for carrier in CARRIERS}
    series = [Series(f"carried on by {carrier}", waits[carrier], color)
              for carrier, color in zip(CARRIERS, (colors.OTHER, colors.OURS))]
    least = by_spec["shm"]["peer_delay_wait_us"]
    grown, growth = by_processes(files["agents_model"])
    return Shown(
        f"With one of {ranks} ranks busy for 20 ms after its begin the others wait "
        f"{number(min(waits['agents']))} to {number(max(waits['agents']))} us where agents progress reductions, "
        f"{number(min(waits['ranks']))} to {number(max(waits['ranks']))} us where ranks do.",
        [by_ranks(runs), *map(parts_of, runs), host_time(runs[0]), operations(files["agents_operations"]), grown],
        [growth, Plot("agents", f"How long {ranks - 1} ranks wait for a reduction while the other one is busy for 20 ms",
              EMULATED, "design", "us", series, style="bars", categories=list(DESIGNS))],
        [f"A reduction over shared memory needs nothing of the busy rank after its begin, and takes "
         f"{number(least)} us there: where ranks and agents share processors, that is how long a thread "
         "waits for one.",
         "That the rounds of a reduction progress while all ranks are outside the library, each of these designs on 2, "
         "4 and 8 ranks, is shown by the test test_verbs_agent; and scripts/test-verbs with soft-RoCE on "
         "two machines, and with a third one for the agents. A link with a delay: "
         "scripts/test-verbs --experiments.",
         "In the paper the adapter itself forwards messages that have arrived. An agent is a thread, which the "
         "system has to wake for each round: latencies are higher, and the gain is that no rank "
         "takes part.",
         "The simulated adapter needs 30 us to add a message, as it sends its terms to itself, so a flat "
         "reduction over 256 processes takes the 250 us of the paper; the order of the other designs then comes out as in "
         "the paper."])


EXPERIMENT = Experiment(
    "agents", "Reductions that progress while ranks compute", [("offload", "section IV and figure 8")],
    "The adapter executes the task lists of all four designs; Flat takes much longer than two levels, "
    "trees are fastest with degree 2, and return sooner from begin than recursive doubling; the blocking "
    "call of the MPI is faster than all.", [EMULATED, SIMULATED], jobs, show,
    "A real adapter: messages are copies in the memory of one node, and agents use its processors.")
