# SPDX-License-Identifier: BSD-2-Clause
"""Opens libovkrylov: `ffi`, its declarations, and `lib`, its functions."""
from __future__ import annotations

import os
import sys
from typing import Any

from ._cdef import ffi
from ._location import FOLDER, NAME, VERSION


def _candidates() -> list[str]:
    """Where the library may be, the best place first."""
    given = os.environ.get('OVKRYLOV_LIBRARY')
    if given:
        return [given]
    beside = [os.path.normpath(os.path.join(os.path.dirname(__file__), FOLDER, NAME))] if FOLDER else []
    return [*beside, NAME]


def _open() -> Any:
    """Load the library. RTLD_GLOBAL: Open MPI's plug-ins look for symbols of libmpi there."""
    faults = []
    for path in _candidates():
        try:
            return ffi.dlopen(path, ffi.RTLD_NOW | ffi.RTLD_GLOBAL)
        except OSError as error:
            faults.append(str(error))
    raise ImportError(f'cannot load {NAME}: {"; ".join(faults)}. '
                      'The variable OVKRYLOV_LIBRARY can name the file')


def _check_version(library: Any) -> None:
    """Refuse a library with other declarations: before 1.0 each minor version may differ."""
    version = text(library.ovk_version())
    if version.split('.')[:2] != VERSION.split('.')[:2]:
        raise ImportError(f'the package ovkrylov {VERSION} cannot use libovkrylov {version}: '
                          'the first two numbers must be equal')


def check_mpi(MPI: Any) -> None:
    """Refuse an mpi4py of another MPI than the library's: both would run in one process."""
    ours, theirs = text(lib.ovk_mpi_library()), MPI.Get_library_version().strip('\n\0')
    if ours and ours.startswith('Open MPI') != theirs.startswith('Open MPI'):
        raise ImportError(f'libovkrylov was built with {ours}, but mpi4py uses {theirs.splitlines()[0]}: '
                          'install the library or mpi4py for one MPI')


def text(pointer: Any) -> str:
    """A string of the library."""
    return ffi.string(pointer).decode('utf-8', 'replace')


def encoded(words: Any) -> Any:
    """A spec or a path as a C string; NULL for None. A ValueError for a NUL, where C would cut it."""
    if words is None:
        return ffi.NULL
    data = os.fsencode(words)
    if b'\0' in data:
        raise ValueError(f'{words!r} has a NUL character')
    return data


lib = _open()
_check_version(lib)
if 'mpi4py.MPI' in sys.modules:
    check_mpi(sys.modules['mpi4py.MPI'])
