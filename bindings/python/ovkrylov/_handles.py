# SPDX-License-Identifier: BSD-2-Clause
"""Lifetime of the C objects of one context.

The garbage collector runs at different times on different ranks and in any thread, but the library may
be called by one thread at a time, and some destructions are collective. The collector therefore only
notes what is dead. The next call of the context destroys it; solvers, whose destruction is collective,
when they are dead on all ranks, which the ranks agree on where a solver is created.
"""
from __future__ import annotations

import collections
import itertools
import os
import weakref
from typing import Any

from ._library import ffi, lib
from ._ranks import Ranks
from .errors import StateError

COLLECTIVE = ('solver',)  # kinds whose destruction is collective
_NAMES = {'mat': 'Matrix', 'vec': 'Vector', 'precond': 'Precond', 'solver': 'Solver'}


def destroy(kind: str, pointer: Any) -> None:
    """Call ovk_<kind>_destroy()."""
    getattr(lib, f'ovk_{kind}_destroy')(ffi.new(f'ovk_{kind} **', pointer))


class Handle:
    """A C object. It is noted as dead when the last Python object that uses it is gone."""

    __slots__ = ('number', 'kind', '_pointer', '_finalizer', '__weakref__')

    def __init__(self, number: int, kind: str, pointer: Any, dead: collections.deque[int]) -> None:
        self.number, self.kind, self._pointer = number, kind, pointer
        self._finalizer = weakref.finalize(self, dead.append, number)
        self._finalizer.atexit = False  # the context is closed then, in an agreed order

    @property
    def pointer(self) -> Any:
        """The C pointer; a StateError after destruction."""
        if self._pointer is None:
            raise StateError(lib.OVK_ERR_STATE, f'the context of the {_NAMES.get(self.kind, self.kind)} is closed')
        return self._pointer

    def forget(self) -> Any:
        """Give up the pointer."""
        self._finalizer.detach()
        pointer, self._pointer = self._pointer, None
        return pointer


class Handles:
    """The objects of a context that are not destroyed yet, in the order of their creation."""

    def __init__(self, ctx: Any, ranks: Ranks) -> None:
        self.ctx = ctx
        self.notices: Any = None  # the argument of the callback for warnings
        self._ranks = ranks
        self._process = os.getpid()
        self._numbers = itertools.count()
        self._living: dict[int, tuple[str, Any, weakref.ref[Handle]]] = {}
        self._dead: collections.deque[int] = collections.deque()
        self._waiting: set[int] = set()  # dead on this rank, not known to be dead on all

    def adopt(self, kind: str, pointer: Any) -> Handle:
        """A new handle."""
        number = next(self._numbers)
        handle = Handle(number, kind, pointer, self._dead)
        self._living[number] = (kind, pointer, weakref.ref(handle))
        return handle

    def release(self, handle: Handle) -> None:
        """Destroy an object now. Collective for solvers."""
        if handle.number in self._living:
            destroy(*self._living.pop(handle.number)[:2])
            handle.forget()

    def drain(self) -> None:
        """Destroy what is dead and needs no other rank. Not collective."""
        while self._dead:
            number = self._dead.popleft()
            if self._ranks.size > 1 and self._living[number][0] in COLLECTIVE:
                self._waiting.add(number)
            else:
                destroy(*self._living.pop(number)[:2])

    def agree(self) -> None:
        """Destroy what is dead on all ranks, in the order of creation. Collective."""
        self.drain()
        if self._ranks.size == 1:
            return
        numbers = [n for n, (kind, _, _) in self._living.items() if kind in COLLECTIVE]
        for number, all_dead in zip(numbers, self._ranks.common([n in self._waiting for n in numbers])):
            if all_dead:
                self._waiting.discard(number)
                destroy(*self._living.pop(number)[:2])

    def close(self) -> None:
        """Destroy all objects and the context. Collective, unless MPI is finalized.

        The communicators of a forked process are those of its parent, which goes on to use them.
        """
        if self.ctx is None or os.getpid() != self._process:
            return
        for kind, pointer, reference in self._living.values():
            handle = reference()
            if handle is not None:
                handle.forget()
            destroy(kind, pointer)
        self._living.clear()
        self._dead.clear()
        self._waiting.clear()
        destroy('ctx', self.ctx)
        self.ctx = None

    def __len__(self) -> int:
        return len(self._living)
