# SPDX-License-Identifier: BSD-2-Clause
"""The ranks of a context as Python sees them: agreement about what only Python knows."""
from __future__ import annotations

from typing import Any

import numpy as np

from ._library import check_mpi, lib
from .errors import UserError


def check_comm(comm: Any) -> None:
    """Raise an exception unless `comm` is an intracommunicator of mpi4py."""
    if not hasattr(comm, 'py2f'):
        raise TypeError(f'comm={comm!r} must be a communicator of mpi4py')
    if not comm or comm.Is_inter():
        raise ValueError('comm is no intracommunicator, but ' + ('an intercommunicator' if comm else 'MPI.COMM_NULL'))


class Ranks:
    """The ranks of an mpi4py communicator, or this process alone.

    The library agrees on its own errors. These functions agree on those that occur in Python before
    a collective call, as ranks that make the call would wait for those that do not.
    """

    def __init__(self, comm: Any = None) -> None:
        self.comm = comm
        self.size = 1
        self.rank = 0
        if comm is not None:
            from mpi4py import MPI

            check_mpi(MPI)
            check_comm(comm)
            self.size, self.rank = comm.Get_size(), comm.Get_rank()
            self._mpi = MPI

    def common(self, flags: Any) -> np.ndarray:
        """Which of `flags`, as many on each rank, are set on all ranks. Collective."""
        mask = np.array(flags, dtype=np.int32)
        if self.size > 1 and mask.size:
            self.comm.Allreduce(self._mpi.IN_PLACE, mask, op=self._mpi.MIN)
        return mask.astype(bool)

    def total(self, number: int) -> int:
        """The sum over the ranks. Collective."""
        if self.size == 1:
            return number
        value = np.array([number], dtype=np.int64)
        self.comm.Allreduce(self._mpi.IN_PLACE, value, op=self._mpi.SUM)
        return int(value[0])

    def is_same(self, number: int) -> bool:
        """Whether all ranks have the same number. Collective."""
        ends = np.array([number, -number], dtype=np.int64)
        if self.size > 1:
            self.comm.Allreduce(self._mpi.IN_PLACE, ends, op=self._mpi.MIN)
        return bool(ends[0] == -ends[1])

    def share(self, error: BaseException | None) -> None:
        """Raise `error`; on ranks without one, a UserError that describes it. Collective."""
        if not self.common([error is None])[0]:
            if self.size > 1:
                texts = self.comm.allgather(error and f'{type(error).__name__}: {error}')
                rank, message = next((k, t) for k, t in enumerate(texts) if t)
                error = error or UserError(lib.OVK_ERR_USER, f'{message} (rank {rank})')
            raise error

    def check_same(self, **values: Any) -> None:
        """Raise a ValueError on all ranks if ranks differ in a value. Collective."""
        if self.size == 1:
            return
        everywhere = self.comm.allgather(values)
        for name, first in everywhere[0].items():
            for rank, others in enumerate(everywhere):
                if others[name] != first:
                    raise ValueError(f'{name} must be alike on all ranks: {first} on rank 0, '
                                     f'{others[name]} on rank {rank}')

    def agreed(self) -> _Agreed:
        """A with-statement for the preparation of a collective call. Collective at its end."""
        return _Agreed(self)


class _Agreed:
    """If its body raises an exception on any rank, all ranks raise one at its end."""

    def __init__(self, ranks: Ranks) -> None:
        self._ranks = ranks

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: Any, error: BaseException | None, trace: Any) -> None:
        if error is None or isinstance(error, Exception):
            self._ranks.share(error)
