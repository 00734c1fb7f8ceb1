# SPDX-License-Identifier: BSD-2-Clause
"""The same system with PETSc's cg and with ovk in turn within one run of a program: matrix, partition and PC are the same
there, and the scatter of processes is none of the ratio."""
import pathlib
import re
import statistics
import subprocess

LINE = re.compile(r'^turns: own (\d+) (\S+) ours (\d+) (\S+)$', re.MULTILINE)
ROUNDS = 4  # times the fewest rounds of a row, and one before that is not counted


def fits(row):
    """Whether cg and its PC are options of this row's program, so that another type can replace it."""
    return row.own == '-ksp_type cg' and not row.ours


def library(folder):
    """The KSP type "turns", built once."""
    built = folder / 'libturns.so'
    source = pathlib.Path(__file__).with_name('turns.c')
    if not built.exists() or built.stat().st_mtime < source.stat().st_mtime:
        folder.mkdir(parents=True, exist_ok=True)
        subprocess.run(f'mpicc -O2 -shared -fPIC {source} -o {built} $(pkg-config --cflags --libs petsc)', shell=True, check=True)
    return built


def options(given, row):
    """PETSC_OPTIONS of such a run."""
    plugin = given.ovk.parents[1] / 'lib/libovkpetsc.so'
    return (f'-dll_append {plugin},{library(given.folder)} {row.options} -ksp_type turns '
            f'-turns_rounds {ROUNDS * given.rounds + 1}')


def read(said):
    """Iterations and seconds of both, round by round."""
    lines = [(int(a), float(s), int(b), float(t)) for a, s, b, t in LINE.findall(said)][1:]
    names = ('own', 'own_seconds', 'ours', 'ours_seconds')
    return dict(zip(names, map(list, zip(*lines)))) if lines else None


def ratios(found):
    return [ours / own for own, ours in zip(found['own_seconds'], found['ours_seconds'])]


def wrong(found):
    """Why the counts are not those of cg, or None."""
    pairs = sorted(set(zip(found['own'], found['ours'])))
    bad = [pair for pair in pairs if pair[0] != pair[1]]
    return f'{bad[0][1]} iterations where cg has {bad[0][0]}, with the same matrix and PC' if bad else None


def summary(found):
    return f"{found['ours'][0]} iterations, own {found['own'][0]}; time {statistics.median(ratios(found)):.3f} in {len(found['own'])} turns"
