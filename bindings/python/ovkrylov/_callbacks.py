# SPDX-License-Identifier: BSD-2-Clause
"""Functions of Python that the library calls.

The `user` pointer of each is a handle of an object of this package. An exception must not pass through
the library: the object keeps it, and its context raises it when the call returns. Closures of libffi are
created at the first use, as hardened systems may refuse them to programs that need none.
"""
from __future__ import annotations

import functools
from typing import Any

from ._library import ffi, lib, text


def _escaped(kind: Any, error: BaseException, trace: Any) -> int:
    """Keep an exception that leaves a callback; its result is then this one."""
    user = trace.tb_frame.f_locals.get('user') if trace else None
    return ffi.from_handle(user).failed(error) if user else lib.OVK_ERR_USER


@functools.lru_cache(maxsize=None)
def closure(declaration: str, function: Any) -> Any:
    """A C function that calls `function`, whose first argument must be named `user`."""
    try:
        return ffi.callback(declaration, function, onerror=_escaped)
    except MemoryError as error:
        raise MemoryError('this system refuses closures of libffi, which LinearOperators, functions and '
                          'monitors need') from error


def _apply(user: Any, x: Any, y: Any, poll: Any) -> int:
    ffi.from_handle(user).apply(x, y)
    return 0


def _diagonal(user: Any, d: Any) -> int:
    ffi.from_handle(user).diagonal(d)
    return 0


def _monitor(user: Any, progress: Any) -> int:
    return ffi.from_handle(user).observe(progress)


def _row(user: Any, i: int, n: int, col: Any, val: Any) -> int:
    ffi.from_handle(user).take(i, n, col, val)
    return 0


def _notice(user: Any, message: Any) -> None:
    ffi.from_handle(user).append(text(message))


def apply_closure() -> Any:
    return closure('ovk_err(void *, const double *, double *, ovk_poll)', _apply)


def diagonal_closure() -> Any:
    return closure('ovk_err(void *, double *)', _diagonal)


def monitor_closure() -> Any:
    return closure('int(void *, const ovk_progress *)', _monitor)


def row_closure() -> Any:
    return closure('ovk_err(void *, ovk_gidx, ovk_lidx, const ovk_gidx *, const double *)', _row)


def notice_closure() -> Any:
    return closure('void(void *, const char *)', _notice)
