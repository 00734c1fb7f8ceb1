# SPDX-License-Identifier: BSD-2-Clause
"""A colour a method and a way of summing, the same in all plots."""

METHODS = {
    "algorithm1": "#000000", "algorithm2": "#7f7f7f", "overlap": "#0072b2",
    "single-reduction": "#a6761d", "gropp": "#009e73", "pipelined": "#d55e00",
    "predict-recompute": "#cc79a7", "deep": "#56b4e9", "auto": "#e6ab02",
}
PARTS = {"compute": "#9ecae1", "waitall": "#fdae6b", "allreduce": "#a50f15"}
WAYS = ["#12406b", "#d55e00", "#009e73", "#cc79a7", "#7f7f7f", "#e6ab02", "#56b4e9", "#6a3d9a",
        "#a6761d", "#b2df8a"]


def of_method(name):
    """deep:l=2 looks like deep."""
    return METHODS.get(name.split(":")[0], "#444444")


def of_ways(names):
    """Specs and the MPI's own calls, in their order in a run."""
    return {name: WAYS[k % len(WAYS)] for k, name in enumerate(names)}
