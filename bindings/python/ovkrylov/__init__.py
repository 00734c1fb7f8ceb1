# SPDX-License-Identifier: BSD-2-Clause
"""Krylov solvers for sparse linear systems, on one process or many.

`cg`, `minres`, `bicgstab`, `gmres`, `fgmres` and `solve` have the signatures of scipy.sparse.linalg.
`Context`, `Matrix`, `Vector`, `Precond` and `Solver` are the objects of the library, for systems that are
solved many times. With ``comm``, an mpi4py communicator, each rank holds a block of rows.
"""
from . import gallery
from ._library import lib as _lib, text as _text
from .context import Context, context_of
from .errors import (AllocationError, ArgumentError, DifferError, FileError, IndefiniteError, NetworkError,
                     OvkError, OvkWarning, StateError, UnsupportedError, UserError)
from .krylov import bicgstab, cg, fgmres, gmres, minres, solve
from .lists import Choice, Option, backends, formats, methods, preconditioners
from .matrix import Matrix
from .precond import Precond
from .solver import Progress, Reason, Result, Solver
from .vector import Vector

__version__ = _text(_lib.ovk_version())
__all__ = ['AllocationError', 'ArgumentError', 'Choice', 'Context', 'DifferError', 'FileError',
           'IndefiniteError', 'Matrix', 'NetworkError', 'Option', 'OvkError', 'OvkWarning', 'Precond',
           'Progress', 'Reason', 'Result', 'Solver', 'StateError', 'UnsupportedError', 'UserError', 'Vector',
           'backends', 'bicgstab', 'cg', 'context_of', 'fgmres', 'formats', 'gallery', 'gmres', 'methods',
           'minres', 'preconditioners', 'solve']
