# SPDX-License-Identifier: BSD-2-Clause
"""What experiments with the model share."""
from parts import SIMULATED, Table


def parameters(data):
    """What the model was told of the machine, of a run's JSON."""
    return Table("Parameters of the machine that was simulated", SIMULATED,
                 ["parameter", "unit", "value"],
                 [[row["parameter"], row["unit"], row["value"]] for row in data["parameters"]])
