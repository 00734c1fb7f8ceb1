# SPDX-License-Identifier: BSD-2-Clause
"""Contexts: the ranks that solve together, and the way by which Python calls the library."""
from __future__ import annotations

import atexit
import functools
import sys
import threading
import warnings
import weakref
from typing import Any, Callable

from . import _mpi
from ._callbacks import notice_closure
from ._handles import Handle, Handles, destroy
from ._library import encoded, ffi, lib, text
from ._ranks import Ranks, check_comm
from .errors import OvkWarning, StateError, error_of, failed_start, message_of


_CREATED_WITH_CALLBACKS = ('precond', 'solver')  # kinds of objects
_of_thread = threading.local()


def _frames_of_package() -> int:
    """The number of callers in this package, for a warning about the line that called it."""
    frame, count = sys._getframe(1), 0
    while frame.f_back and frame.f_globals['__name__'].startswith(f'{__package__}.'):
        frame, count = frame.f_back, count + 1
    return count


class _Lock:
    """Entered by one thread at a time. A second thread gets an error, as it might wait forever."""

    def __init__(self) -> None:
        self._lock = threading.RLock()

    def __enter__(self) -> None:
        if not self._lock.acquire(blocking=False):
            raise StateError(lib.OVK_ERR_STATE, 'another thread is using the context')

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self._lock.release()


def _end(handles: Handles) -> None:
    atexit.unregister(handles.close)
    handles.close()


class Context:
    """A group of ranks and the objects that they share.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm, optional
        Its ranks, which must all create the context. The default is this process alone; mpi4py is
        then not needed, and MPI is initialized if the program has not done so.

    Notes
    -----
    Use a context in a with-statement, or call `close`, which is collective. A context of several ranks
    that is not closed lives until the process ends. One thread at a time may use a context.
    """

    def __init__(self, comm: Any = None) -> None:
        self.ranks = Ranks(comm)
        out = ffi.new('ovk_ctx **')
        if comm is None:
            with _mpi.starting:
                _mpi.start()
                code = lib.ovk_ctx_create_self(out)
        else:
            code = lib.ovk_ctx_create_f(comm.py2f(), out)
        if code:
            raise failed_start(code)
        self.handles = Handles(out[0], self.ranks)
        self._lock = _Lock()
        self._caught: list[BaseException] = []
        self._notices: list[str] = []
        if self.rank == 0:
            self.handles.notices = ffi.new_handle(self._notices)  # the last ones come from its end
            lib.ovk_ctx_on_notice(out[0], notice_closure(), self.handles.notices)
        atexit.register(self.handles.close)
        if self.size == 1:
            weakref.finalize(self, _end, self.handles).atexit = False

    @property
    def pointer(self) -> Any:
        """The C context."""
        if self.handles.ctx is None:
            raise StateError(lib.OVK_ERR_STATE, 'the context is closed')
        return self.handles.ctx

    @property
    def comm(self) -> Any:
        """The communicator, or None."""
        return self.ranks.comm

    @property
    def rank(self) -> int:
        """The rank of this process."""
        return self.ranks.rank

    @property
    def size(self) -> int:
        """The number of ranks."""
        return self.ranks.size

    def call(self, function: Callable[..., int], *arguments: Any) -> None:
        """Call a function of the library and raise its error, or what its callbacks raised."""
        with self._lock:
            pointer = self.pointer
            self.handles.drain()
            outer, self._caught = self._caught, []
            try:
                code = function(*arguments)
            finally:
                caught, self._caught = self._caught, outer
            message = message_of(pointer) if code else ''
        self._warn()
        if caught:
            raise caught[0]
        if code:
            raise error_of(code, message)

    def call_all(self, function: Callable[..., int], *arguments: Any) -> None:
        """Call a collective function that runs callbacks. An exception of one is raised on all ranks.

        The library goes on after some errors of callbacks, such as those of a trial of methods. Then only the
        rank of the exception knows it.
        """
        error: BaseException | None = None
        try:
            self.call(function, *arguments)
        except BaseException as raised:
            error = raised
        self.ranks.share(error)

    def create(self, kind: str, function: Callable[..., int], *arguments: Any) -> Handle:
        """Call a function whose last argument returns a new object."""
        out = ffi.new(f'ovk_{kind} **')
        call = self.call_all if kind in _CREATED_WITH_CALLBACKS else self.call
        try:
            call(function, *arguments, out)
        except BaseException:
            if out[0]:
                destroy(kind, out[0])
            raise
        return self.handles.adopt(kind, out[0])

    def release(self, handle: Handle) -> None:
        """Destroy an object now. Collective for solvers."""
        with self._lock:
            self.handles.release(handle)

    def agree(self) -> None:
        """Destroy the solvers that no rank uses any more. Collective."""
        with self._lock:
            self.handles.agree()

    def encoded(self, words: Any) -> Any:
        """A spec or a path as a C string; NULL for None. Collective."""
        with self.ranks.agreed():
            return encoded(words)

    def value(self, function: Callable[..., int], *arguments: Any) -> float:
        """Call a function whose last argument returns a double."""
        out = ffi.new('double *')
        self.call(function, *arguments, out)
        return out[0]

    def keep(self, error: BaseException) -> None:
        """Keep an exception of a callback until the call of the library returns."""
        self._caught.append(error)

    def caught(self, error: BaseException) -> int:
        """Keep an exception of a callback, and return an error to the library."""
        self.keep(error)
        message = f'{type(error).__name__}: {error}'.encode()
        return lib.ovk_ctx_fail(self.pointer, lib.OVK_ERR_USER, b'%s', ffi.new('char[]', message))

    def _warn(self) -> None:
        while self._notices:
            warnings.warn(self._notices.pop(0), OvkWarning, stacklevel=_frames_of_package() + 1)

    def log(self) -> dict[str, dict[str, float]]:
        """Calls and seconds of each kind of work, over all ranks. Collective.

        Returns
        -------
        dict
            For each event that occurred ``calls``, ``min_seconds``, ``avg_seconds``, ``max_seconds``.
        """
        stats = ffi.new('ovk_event_stats[]', lib.OVK_EVENT_COUNT)
        self.call(lib.ovk_log_stats, self.pointer, stats)
        return {text(s.name): {'calls': s.calls, 'min_seconds': s.min_seconds, 'avg_seconds': s.avg_seconds,
                               'max_seconds': s.max_seconds} for s in stats if s.calls}

    def write_log(self, path: str) -> None:
        """Write the table of `log` to a file; JSON if the name ends in ``.json``. Collective."""
        self.call(lib.ovk_log_write, self.pointer, self.encoded(path))

    def close(self) -> None:
        """Destroy the context and all its objects. Collective. Closing again has no effect."""
        with self._lock:
            _end(self.handles)
        self._warn()

    def __enter__(self) -> Context:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if error is None or self.size == 1:  # other ranks may not have this exception
            self.close()

    def __del__(self) -> None:
        handles = getattr(self, 'handles', None)
        if handles is not None and handles.ctx is not None and self.size > 1:
            warnings.warn(f'unclosed {self!r}: it lives until the process ends', ResourceWarning, source=self)

    def __repr__(self) -> str:
        return f'<ovkrylov.Context: rank {self.rank} of {self.size}>'


@functools.lru_cache(maxsize=None)
def _serial() -> Context:
    return Context()


@functools.lru_cache(maxsize=None)
def _keyval() -> int:
    """The attribute of communicators that holds their context."""
    from mpi4py import MPI

    return MPI.Comm.Create_keyval(delete_fn=lambda comm, keyval, context: context.close())


def context_of(comm: Any = None) -> Context:
    """The context of a communicator, created at the first use and kept with it. Collective.

    Parameters
    ----------
    comm : mpi4py.MPI.Intracomm, optional
        The default is this process alone.
    """
    if comm is None:
        with _mpi.starting:
            if _serial().handles.ctx is None:
                _serial.cache_clear()
            return _serial()
    check_comm(comm)
    context = comm.Get_attr(_keyval())
    if context is None or context.handles.ctx is None:
        context = Context(comm)
        comm.Set_attr(_keyval(), context)
    return context


def context_for_solve(comm: Any = None) -> Context:
    """The context of a communicator. For this process alone, threads other than the main one have their own.

    So several threads can solve at the same time, where MPI allows it.
    """
    if comm is not None or threading.current_thread() is threading.main_thread():
        return context_of(comm)
    process = context_of()
    if not _mpi.serves_threads():
        return process
    context = getattr(_of_thread, 'context', None)
    if context is None or context.handles.ctx is None:
        context = _of_thread.context = Context()
    return context
