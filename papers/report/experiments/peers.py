# SPDX-License-Identifier: BSD-2-Clause
"""The same systems solved by other libraries, where their drivers are built."""
from statistics import median

import colors
from parts import MEASURED, Experiment, Job, Plot, Series, Shown, Table, number

# name -> program, method
PROGRAMS = {"ours, cg, csr": ("ovk_pcg", ["--method", "cg", "--format", "csr"]),
            "ours, cg": ("ovk_pcg", ["--method", "cg"]),
            "ours, auto": ("ovk_pcg", ["--method", "auto"]),
            "hypre": ("hypre_pcg", []),
            "PETSc, cg": ("petsc_ksp", ["--method", "cg"]),
            "PETSc, pipecg": ("petsc_ksp", ["--method", "pipecg"])}
PROBLEM = {"quick": ("varsym27", "40"), "full": ("varsym27", "60")}
ROUNDS = {"quick": 1, "full": 3}


def stem(name, number_of_round):
    return f"peers_{''.join(c if c.isalnum() else '_' for c in name.lower())}_{number_of_round}"


def jobs(mode):
    problem, n = PROBLEM[mode]
    return [Job(stem(name, k), [f"--{problem}", n, n, n, "--repeat", "3", *words],
                1.3 if mode == "quick" else 3, program=program, optional=True)
            for k in range(ROUNDS[mode]) for name, (program, words) in PROGRAMS.items()]


def show(files):
    runs = {name: [files[stem(name, k)] for k in range(ROUNDS["full"]) if files.has(stem(name, k))]
            for name in PROGRAMS}
    runs = {name: found for name, found in runs.items() if found}
    others = [name for name in runs if not name.startswith("ours")]
    if not others:
        return Shown("No runs of other libraries: their drivers, which -DOVK_BUILD_BENCH=ON builds where hypre or "
                     "PETSc are installed, are not there or have not run.",
                     why=["There is nothing to compare."])
    ms = {name: median(run["ms_per_iteration"] for run in found) for name, found in runs.items()}
    base, fastest = "ours, cg, csr", min(others, key=ms.get)
    first = runs[base][0]
    table = Table(f"{first['problem']}, Jacobi, {first['ranks']} ranks", MEASURED,
                  ["program", "version", "ms an iteration", "of ours, csr", "iterations",
                   "true residual, relative"],
                  [[name, found[0]["version"], ms[name], number(ms[name] / ms[base]),
                    found[0]["iterations"], found[0]["true_relative_residual"]]
                   for name, found in runs.items()])
    series = [Series("ms an iteration", list(ms.values()), colors.OURS)]
    return Shown(
        f"{fastest}, the fastest of the others, takes {number(ms[fastest] / ms[base])} times as long as our "
        f"cg with the same storage (csr), and {number(ms[fastest] / ms['ours, auto'])} times as long "
        "as our auto with the storage that the library chooses.", [table],
        [Plot("peers", f"Time of an iteration, {first['ranks']} ranks", MEASURED, "program", "ms", series,
              style="bars", categories=list(ms))],
        ["The paper changes the solver of hypre; here hypre and PETSc are as installed, and ours is "
         "another code, so storage formats and loops differ, too."])


EXPERIMENT = Experiment(
    "peers", "Other libraries", [("offload", "section VII")],
    "The overlapped method takes up to 21.6 % less time than the PCG of hypre (64 processes).", [MEASURED], jobs,
    show, "Latency: on one node libraries differ by how they read memory, not by how they wait.")
