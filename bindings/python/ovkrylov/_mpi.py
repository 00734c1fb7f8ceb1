# SPDX-License-Identifier: BSD-2-Clause
"""MPI in this process: who started it, which ends it, and whether threads may use it at the same time."""
from __future__ import annotations

import atexit
import os
import sys
import threading

from ._library import ffi, lib
from .errors import failed_start

starting = threading.RLock()  # held by the thread that starts MPI or duplicates MPI_COMM_SELF
_starters: list[int] = []  # this process, or a parent that was forked, if it started MPI here


def start() -> None:
    """Initialize MPI unless the program has done so; then it ends with the process."""
    initialized = ffi.new('bool *')
    code = lib.ovk_init_self(initialized)
    if code:
        raise failed_start(code)
    if initialized[0]:
        _starters.append(os.getpid())
        atexit.register(_end)


def _end() -> None:
    """Finalize MPI, but not in a forked process, whose MPI is that of its parent."""
    if os.getpid() in _starters:
        lib.ovk_finalize_self()


def serves_threads() -> bool:
    """Whether several threads may call MPI at the same time, as far as it is known."""
    mpi4py = sys.modules.get('mpi4py.MPI')
    return bool(_starters) if mpi4py is None else mpi4py.Query_thread() == mpi4py.THREAD_MULTIPLE
