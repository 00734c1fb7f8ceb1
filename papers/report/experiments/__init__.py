# SPDX-License-Identifier: BSD-2-Clause
"""The experiments, one file each, in the order of the page."""
from . import (agents, alltoall, collectives, compress, convergence, fft, latencies, multigrid, noise, overlap,
               overlap_dgemm, peers, phases, poisson, poisson1d, precond, precond_delay, solutions, sweep)
from .simulated import check, figure10, scale, smpi

ALL = [module.EXPERIMENT for module in (
    latencies, agents, collectives, overlap, alltoall, overlap_dgemm, phases, noise, poisson, poisson1d, fft,
    compress, convergence, precond, multigrid, precond_delay, sweep, peers, solutions, check, smpi, figure10,
    scale)]


def names():
    return [experiment.name for experiment in ALL]


def choose(wanted):
    """The selected experiments, in the order of the page."""
    return [experiment for experiment in ALL if experiment.name in wanted]
