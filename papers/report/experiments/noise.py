# SPDX-License-Identifier: BSD-2-Clause
"""How much longer solves take while daemons disturb the cores."""
import colors
from parts import MEASURED, SIMULATED, Experiment, Job, Plot, Series, Shown, Table, number, rows_where, values_of


CASES = ((50, 20), (200, 20), (50, 1000), (200, 1000))  # us, Hz
PROCESSES = "256,512,1024"
PROGRAMS = {"split-cg": "blocking", "overlap": "offload|nbc"}


def simulation(name, changes):
    return Job(name, ["bench", "model", "--machine", "connectx2", "--ranks", PROCESSES, "--methods",
                      ",".join(PROGRAMS), "--backends", ",".join(PROGRAMS.values()), *changes], 1, timed=False)


def spikes(duration, frequency):
    """Daemons wake so many times a second of the clock, and the solver has the rest."""
    return ["--set", f"spike={duration},spikes={frequency / (1 - 1e-6 * duration * frequency):g}"]


def name_of(duration, frequency):
    return f"noise_model_{duration}_{frequency}"


def simulated(files):
    """Degradation at the paper's scale and beyond."""
    def times(name):
        rows = files[name]["iterations"]
        return {(method, row["ranks"]): row["iteration_us"] for method, backend in PROGRAMS.items()
                for row in rows_where(rows, method=method, backend=backend)}

    quiet, cells = times("noise_model"), []
    for duration, frequency in CASES:
        noisy = times(name_of(duration, frequency))
        cells.append([f"{duration} us, {frequency} Hz", *(100 * (noisy[key] / quiet[key] - 1) for key in quiet)])
    return Table("Degradation by noise, %, 60^3 rows a process", SIMULATED,
                 ["noise", *(f"{method}, {ranks} processes" for method, ranks in quiet)], cells)


def jobs(mode):
    size = (["--laplace27", "30", "30", "30", "--methods", "split-cg,overlap", "--durations",
             "50,200", "--frequencies", "20,1000", "--seconds", "0.1", "--rounds", "2"]
            if mode == "quick" else ["--seconds", "0.4", "--rounds", "3"])
    return [Job("noise", ["bench", "noise", *size], 7 if mode == "quick" else 110,
                variables={"OMPI_MCA_hwloc_base_binding_policy": "core",
                           "PRTE_MCA_hwloc_default_binding_policy": "core"}),
            simulation("noise_model", []), *(simulation(name_of(*case), spikes(*case)) for case in CASES)]


def case(row):
    return f"{row['duration_us']:g} us, {row['frequency_hz']:g} Hz"


def show(files):
    rows = files["noise"]
    methods = values_of(rows, "method")
    worst = max(rows, key=lambda row: (row["duration_us"], row["frequency_hz"]))
    extreme = {row["method"]: row for row in rows if case(row) == case(worst)}
    table = Table("Degradation of solves by noise", MEASURED,
                  ["noise", "method", "quiet, ms", "noisy, ms", "degradation, %",
                   "share of the cores that noise took, %"],
                  [[case(row), row["method"], row["quiet_ms"], row["noisy_ms"],
                    row["degradation_pct"], row["noise_pct"]]
                   for row in sorted(rows, key=lambda row: (row["duration_us"], row["frequency_hz"]))])
    cases = list(dict.fromkeys(line[0] for line in table.rows))
    series = [Series(method, [next((row["degradation_pct"] for row in rows_where(rows, method=method)
                                    if case(row) == name), None) for name in cases],
                     colors.of_method(method)) for method in methods]
    said = ", ".join(f"{name} {number(row['degradation_pct'])} %" for name, row in extreme.items())
    share = extreme[methods[0]]["noise_pct"]
    return Shown(
        f"At {case(worst)}, on {worst['ranks']} ranks: {said}; the noise itself took {number(share)} % "
        "of the cores.", [table, simulated(files)],
        [Plot("noise", f"Degradation by noise, {worst['ranks']} ranks", MEASURED,
              "noise: how long a time, how often", "degradation, %", series, style="bars",
              categories=cases)],
        ["In the paper the adapter continues reductions while noise has the processor, and 256 processes "
         "wait for whichever is disturbed; here processors execute the reductions, and few ranks "
         "seldom wait.",
         "The model disturbs work, not polls and messages, and evenly on all processes; with more of them the "
         "methods differ more.",
         "Noise that has so large a share of the cores costs at least noise / (1 - noise), whatever the "
         "method."])


EXPERIMENT = Experiment(
    "noise", "Noise of the system", [("offload", "figure 12")],
    "256 processes, noise of 50 to 200 us at 20 Hz to 1 kHz: in the extreme case split-cg degrades by "
    "37 %, the overlapped method by 30 %.", [MEASURED, SIMULATED], jobs, show,
    "The difference between methods: with few ranks noise seldom meets one that others wait for.")
