# SPDX-License-Identifier: BSD-2-Clause
"""The model of iterations against another simulator's messages."""
from parts import SIMULATED, Experiment, Job, Shown, Table, number, percent

WITHIN = 0.05


def jobs(mode):
    ranks = ["64"] if mode == "quick" else ["64", "128", "256", "512"]
    return [Job("model_smpi", ranks, 10 if mode == "quick" else 120, program="model_smpi",
                optional=True, alone=True, timed=False)]


def off(row):
    return row["model_us"] / row["smpi_us"] - 1


def show(files):
    if not files.has("model_smpi"):
        return Shown("Not compared: SimGrid's smpicc was not there when the library was built, or the "
                     "comparison has failed or has not run.", why=["There is nothing to compare."])
    rows = files["model_smpi"]
    worst = max(rows, key=lambda row: abs(off(row)))
    within = sum(abs(off(row)) <= WITHIN for row in rows)
    table = Table("An iteration of cg without work, us", SIMULATED,
                  ["ranks", "sums", "rows a rank", "model", "SMPI", "difference, %"],
                  [[str(row["ranks"]), row["sums"], f"{row['size']}^3", row["model_us"],
                    row["smpi_us"], number(100 * off(row))] for row in rows])
    return Shown(
        f"{within} of {len(rows)} times are within {percent(WITHIN)}; the largest difference is "
        f"{percent(abs(off(worst)))}: {worst['sums']}, {worst['ranks']} ranks, {worst['size']}^3 rows.",
        [table], [],
        ["Both simulate a halo exchange and three reductions with the same schedules on a network of the same L, "
         "o and G: SimGrid's SMPI by running an MPI program of its own, message by message. They take the "
         "messages of a round in different orders, and SMPI's network is a flow of bytes."])


EXPERIMENT = Experiment(
    "model-smpi", "The model against SimGrid", [],
    "No paper: the goal is that messages of the model take the time that SMPI of SimGrid has for them, within 5 %.",
    [SIMULATED], jobs, show,
    "Whether networks are as both have them: neither has contention inside the network here.")
