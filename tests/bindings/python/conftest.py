# SPDX-License-Identifier: BSD-2-Clause
"""What the tests share: the ranks, problems, and a record of the functions that they reach.

All ranks run the same tests. A failure on one of several ranks ends the whole job, as the others would
wait.
"""
import os
import sys

import numpy as np
import pytest
import scipy.sparse as sparse

SEVERAL = int(os.environ.get('OVK_TEST_RANKS', 1)) > 1
if SEVERAL:
    from mpi4py import MPI

import ovkrylov
from ovkrylov._library import lib as library

reached = set()


class _Recorder:
    """The library, which notes the functions that are taken from it."""

    def __getattr__(self, name):
        reached.add(name)
        return getattr(library, name)


for _name, _module in list(sys.modules.items()):
    if _name.startswith('ovkrylov') and hasattr(_module, 'lib'):
        _module.lib = _Recorder()


def pytest_collection_modifyitems(items):
    items.sort(key=lambda item: 'test_reached' in item.nodeid)


def pytest_runtest_logreport(report):
    if SEVERAL and report.failed:
        print(f'[rank {MPI.COMM_WORLD.rank}] {report.nodeid}\n{report.longreprtext}', file=sys.stderr, flush=True)
        MPI.COMM_WORLD.Abort(1)


class Block:
    """This rank's rows of global arrays."""

    def __init__(self, comm):
        self.comm = comm
        self.rank, self.size = (comm.rank, comm.size) if comm else (0, 1)

    def rows(self, array):
        n = array.shape[0]
        return array[n * self.rank // self.size:n * (self.rank + 1) // self.size]

    def whole(self, local):
        return np.concatenate(self.comm.allgather(local)) if self.comm else local

    @property
    def last(self):
        return self.rank == self.size - 1


@pytest.fixture
def comm():
    return MPI.COMM_WORLD if SEVERAL else None


@pytest.fixture
def block(comm):
    return Block(comm)


@pytest.fixture
def context(comm):
    return ovkrylov.context_of(comm)


def laplace2d(n):
    """The 5-point Laplace operator on n x n points."""
    line = sparse.diags([-1, 2, -1], [-1, 0, 1], (n, n))
    return (sparse.kron(line, sparse.identity(n)) + sparse.kron(sparse.identity(n), line)).tocsr()


def convection(n):
    """An unsymmetric matrix."""
    line = sparse.diags([-1.6, 2, -0.4], [-1, 0, 1], (n, n))
    return (sparse.kron(line, sparse.identity(n)) + sparse.kron(sparse.identity(n), line)).tocsr()


@pytest.fixture
def laplace():
    return laplace2d(12)


@pytest.fixture
def unsymmetric():
    return convection(12)
