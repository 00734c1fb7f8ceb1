# SPDX-License-Identifier: BSD-2-Clause
"""Shared by the experiments with the model."""
from parts import SIMULATED, Table


def parameters(data):
    """The machine parameters given to the model, from a run's JSON."""
    return Table("Parameters of the machine that was simulated", SIMULATED,
                 ["parameter", "unit", "value"],
                 [[row["parameter"], row["unit"], row["value"]] for row in data["parameters"]])
