#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Writes ovkrylov/_cdef.py, the declarations of the public headers for cffi's ABI mode.

    declare.py OUTPUT INCLUDE_FOLDERS COMPILER [OPTION...]

INCLUDE_FOLDERS are separated by `:`. Functions with an MPI_Comm are omitted: it is an integer in one MPI
and a pointer in another, and the package serves both.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import cffi

EMPTY = ('stdbool.h', 'stddef.h', 'stdint.h', 'stdio.h')  # of the types that cffi knows itself


def preprocess(folders: list[str], compiler: list[str]) -> str:
    """The headers after the preprocessor, without those of the compiler and of MPI."""
    with tempfile.TemporaryDirectory() as empty:
        for name in EMPTY:
            pathlib.Path(empty, name).touch()
        options = ['-E', '-P', '-nostdinc', '-x', 'c', '-DOVKRYLOV_MPI_H', '-DMPI_Fint=int', f'-I{empty}']
        options += [f'-I{folder}' for folder in folders]
        return subprocess.run([*compiler, *options, '-'], input='#include <ovkrylov/ovkrylov.h>\n',
                              text=True, capture_output=True, check=True).stdout


def select(text: str) -> str:
    """What cffi takes: no attributes, no bodies of functions, no MPI_Comm."""
    text = re.sub(r'__attribute__\(\((?:[^()]|\([^()]*\))*\)\)', '', text)
    text = re.sub(r'^static inline [^;{]*\{.*?^\}', '', text, flags=re.S | re.M)
    return re.sub(r'^[^;{}]*\bMPI_Comm\b[^;{}]*;', '', text, flags=re.M)


def main(output: str, folders: str, *compiler: str) -> None:
    builder = cffi.FFI()
    builder.cdef(select(preprocess(folders.split(':'), list(compiler))))
    builder.set_source('ovkrylov._cdef', None)
    builder.emit_python_code(output)


main(*sys.argv[1:])
