# SPDX-License-Identifier: BSD-2-Clause
"""What vectors, matrices, preconditioners and solvers share."""
from __future__ import annotations

from typing import Any, TypeVar

from ._handles import Handle
from .context import Context
from .errors import StateError
from ._library import lib

Self = TypeVar('Self', bound='Object')


class Object:
    """An object of a context, and a context manager that closes it.

    Attributes
    ----------
    context : Context
    """

    context: Context
    _handle: Handle | None
    _creation = ''  #: a call that creates one, for messages

    def _adopt(self, context: Context, handle: Handle) -> None:
        self.context, self._handle = context, handle

    @classmethod
    def check(cls, value: Any, name: str) -> None:
        """Raise a TypeError, which tells how to create an object, unless `value` is one of this class."""
        if not isinstance(value, cls):
            raise TypeError(f'{name} is of the type {type(value).__name__}: must be a {cls.__name__}, such as '
                            + cls._creation)

    @property
    def pointer(self) -> Any:
        """The C object; a StateError after `close`."""
        handle = getattr(self, '_handle', None)
        if handle is None:
            raise StateError(lib.OVK_ERR_STATE, f'the {type(self).__name__} is closed')
        return handle.pointer

    def close(self) -> None:
        """Give up the object. Its memory is freed when no other object uses it. Not collective."""
        self._handle = None

    def __reduce__(self) -> Any:
        raise TypeError(f'a {type(self).__name__} can be neither pickled nor copied: '
                        'it belongs to the ranks of its context')

    def __enter__(self: Self) -> Self:
        return self

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        self.close()
