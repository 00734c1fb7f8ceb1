# SPDX-License-Identifier: BSD-2-Clause
"""A color for each method and each way of summing, the same in all plots."""

METHODS = {
    "cg": "#000000", "split-cg": "#7f7f7f", "two-reductions": "#a50f15", "overlap": "#0072b2",
    "single-reduction": "#a6761d", "groppcg": "#009e73", "pipecg": "#d55e00",
    "pipeprcg": "#cc79a7", "pipelcg": "#56b4e9", "auto": "#e6ab02",
}
PRECONDS = {
    "jacobi": "#000000", "bjacobi": "#7f7f7f", "ssor": "#009e73", "chebyshev": "#d55e00", "ic": "#0072b2",
    "ic:store=float": "#56b4e9", "ic:level=1": "#cc79a7", "ilu": "#a6761d", "amg": "#a50f15",
}
PARTS = {"compute": "#9ecae1", "waitall": "#fdae6b", "allreduce": "#a50f15"}
OURS, OTHER = "#0072b2", "#d55e00"
WAYS = {"mpi:allreduce": "#000000", "mpi:iallreduce": "#7f7f7f", "mpi:reduce": "#000000",
        "mpi:ireduce": "#7f7f7f", "mpi:alltoall": "#000000", "mpi:ialltoall": "#7f7f7f",
        "alltoall": "#000000", "alltoallv": "#000000", "gather": "#000000", "p2p": "#7f7f7f",
        "auto": "#e6ab02", "blocking": "#a6761d", "iallreduce": "#d55e00", "nbc": "#0072b2",
        "shm": "#009e73"}
FURTHER = ["#cc79a7", "#56b4e9", "#6a3d9a", "#b2df8a", "#a50f15"]


def of_method(name):
    """pipelcg:l=2 has the color of deep."""
    return METHODS.get(name.split(":")[0], "#444444")


def of_ways(names):
    """Specs and the MPI's own calls; those without an assigned color get one in order."""
    further = [name for name in names if name not in WAYS]
    return {name: WAYS.get(name) or FURTHER[further.index(name) % len(FURTHER)] for name in names}
