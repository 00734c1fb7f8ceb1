# SPDX-License-Identifier: BSD-2-Clause
"""Exceptions: one for each error code, with the message of the library, equal on all ranks."""
from __future__ import annotations

from ._library import ffi, lib, text


class OvkError(RuntimeError):
    """An error that the library reported.

    Attributes
    ----------
    code : int
        The value of `ovk_err`.
    name : str
        Its name, such as ``'OVK_ERR_ARG'``.
    """

    def __init__(self, code: int, message: str) -> None:
        self.code = int(code)
        self.name = text(lib.ovk_err_name(code))
        super().__init__(message or text(lib.ovk_err_text(code)))

    def __reduce__(self) -> tuple[type, tuple[int, str]]:
        return type(self), (self.code, self.args[0])  # multiprocessing would wait forever for one that fails to load


class ArgumentError(OvkError, ValueError):
    """An invalid argument, an unknown name, or a number out of range."""


class StateError(OvkError):
    """A call that is not allowed in the present state of an object."""


class AllocationError(OvkError, MemoryError):
    """Out of memory."""


class UnsupportedError(OvkError, NotImplementedError):
    """Not supported by this object or this build."""


class IndefiniteError(OvkError, ArithmeticError):
    """A matrix or a preconditioner is not positive definite."""


class FileError(OvkError, OSError):
    """A file cannot be read or written, or is malformed."""

    def __str__(self) -> str:
        return str(self.args[0])


class UserError(OvkError):
    """A function of the user failed, here or on another rank."""


class NetworkError(OvkError, ConnectionError):
    """MPI or the network failed."""

    def __str__(self) -> str:
        return str(self.args[0])


class DifferError(OvkError):
    """Ranks that must agree differ."""


class OvkWarning(UserWarning):
    """A warning of the library, such as rows without entries."""


_CLASSES = {
    lib.OVK_ERR_ARG: ArgumentError, lib.OVK_ERR_STATE: StateError, lib.OVK_ERR_MEMORY: AllocationError,
    lib.OVK_ERR_RANGE: ArgumentError, lib.OVK_ERR_UNKNOWN: ArgumentError,
    lib.OVK_ERR_UNSUPPORTED: UnsupportedError, lib.OVK_ERR_INDEFINITE: IndefiniteError,
    lib.OVK_ERR_IO: FileError, lib.OVK_ERR_FORMAT: FileError, lib.OVK_ERR_USER: UserError,
    lib.OVK_ERR_MPI: NetworkError, lib.OVK_ERR_NETWORK: NetworkError, lib.OVK_ERR_DIFFER: DifferError}


def error_of(code: int, message: str) -> OvkError:
    """The exception for a code."""
    return _CLASSES.get(code, OvkError)(code, message)


def message_of(ctx: object) -> str:
    """The message of the last error of a context; of ovk_ctx_create() for NULL."""
    return text(lib.ovk_ctx_error(ctx))


def failed_start(code: int) -> OvkError:
    """The exception for a context that could not be created."""
    return error_of(code, message_of(ffi.NULL))
