# SPDX-License-Identifier: BSD-2-Clause
"""MPI in this process: its begin, its end, and whether several threads may call it at the same time."""
from __future__ import annotations

import atexit
import os
import sys
import threading

from ._library import ffi, lib
from .errors import failed_start

starting = threading.RLock()  # held by the thread that starts MPI or duplicates MPI_COMM_SELF
_starters: list[int] = []  # the process that initialized MPI by start(): this one, or a parent of a fork


def start() -> None:
    """Initialize MPI if the program has not done so, and finalize it at the end of this process."""
    initialized = ffi.new('bool *')
    code = lib.ovk_init_self(initialized)
    if code:
        raise failed_start(code)
    if initialized[0]:
        _starters.append(os.getpid())
        atexit.register(_end)


def _end() -> None:
    """Finalize MPI, unless this process is a fork of the one that initialized it."""
    if os.getpid() in _starters:
        lib.ovk_finalize_self()


def serves_threads() -> bool:
    """Whether several threads may call MPI at the same time, as far as it is known."""
    mpi4py = sys.modules.get('mpi4py.MPI')
    return bool(_starters) if mpi4py is None else mpi4py.Query_thread() == mpi4py.THREAD_MULTIPLE
