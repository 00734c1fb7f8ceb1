#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the files that replace others in builds without a library or a feature, which no build of one machine has all
of: each defines the functions and tables of its header that the files which it replaces define.
Usage: stand_ins.py SOURCE_TREE."""
import pathlib
import re
import sys

REPLACED = {
    'bindings/mpi/carry/persistent_missing.c': ['persistent.c'],
    'papers/bench/compress/codec_missing.c': ['codec_zlib.c'],
    'papers/bench/fft/lines_missing.c': ['lines_fftw.c'],
    'src/backends/iallreduce/persistent_missing.c': ['persistent.c'],
    'src/comm/agent/stream/stream_missing.c': ['stream_openssl.c', 'tls.c'],
    'src/comm/engine/topology/topology_missing.c': ['topology_hwloc.c'],
    'src/comm/net/fault_none.c': ['fault.c'],
    'src/comm/net/nic_missing.c': ['ibverbs/nic.c'],
    'tools/ovk/problem/plugins_none.c': ['plugins_hypre.c'],
}
INCLUDE = re.compile(r'^#include "([^"]+)"', re.MULTILINE)
DEFINED = re.compile(r'^(?!static\b|typedef\b)\w[\w\s*]*?\b(\w+)(?:\([^;{}]*\)\s*\{|(?:\[\])? = \{)', re.MULTILINE)


def header_of(path):
    """The text of the first header that a file includes, from its folder or one above."""
    name = INCLUDE.search(path.read_text()).group(1)
    return next(folder / name for folder in path.parents if (folder / name).is_file()).read_text()


def missing(path, replaced):
    """The names that a file lacks."""
    names = {name for file in replaced for name in DEFINED.findall((path.parent / file).read_text())}
    assert names, f'{path}: nothing is replaced'
    header = header_of(path)
    declared = {name for name in names if re.search(rf'\b{name}\b', header)}
    return sorted(declared - set(DEFINED.findall(path.read_text())))


def main():
    tree = pathlib.Path(sys.argv[1])
    found = {str(file.relative_to(tree)) for folder in ('bindings', 'papers', 'src', 'tools')
             for end in ('_missing.c', '_none.c') for file in (tree / folder).rglob(f'*{end}')}
    faults = [f'{file}: not in the table of stand_ins.py' for file in sorted(found - set(REPLACED))]
    for file, replaced in REPLACED.items():
        faults += [f'{file} lacks {name}' for name in missing(tree / file, replaced)]
    print('\n'.join(faults), end='\n' if faults else '')
    return 1 if faults else 0


if __name__ == '__main__':
    sys.exit(main())
