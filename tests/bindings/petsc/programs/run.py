#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""PETSc's own tutorials and tests of ksp, snes and ts with the KSP type "ovk" in place of PETSc's types.

Each program is compiled from its installed source. Of the tests in its TEST block the first on one rank and
the first on two are run: with PETSc's type, with the same method of ovkrylov's, and with -ksp_type ovk alone.
Reasons, iterations and outputs must be those of PETSc; where -ksp_type ovk chooses the method, each solve must
converge that does with PETSc's. left_out.txt lists the programs that are not run, known.txt the comparisons
that are known to differ, both with the reasons."""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import compare
import session
from selection import SYMMETRIC, Skip, chosen_tests, kinds_of, options_for, slack
from test_blocks import Block, missing

TELL = ['-ksp_converged_reason', '-nox', '-malloc_debug', '0']
PASSED, FAILED, KNOWN, SKIPPED = 'passed', 'failed', 'known', 'skipped'
# What the type refuses, as docs/petsc.md says.
REFUSED = {'estimates no singular values': 'asks for singular values',
           'estimates no eigenvalues': 'asks for eigenvalues',
           'computes no Ritz values': 'asks for Ritz values'}
Result = collections.namedtuple('Result', 'status code said used')


def compiler_for(source, mpicc):
    folder, name = os.path.split(mpicc)
    if source.suffix in ('.F', '.F90'):
        return [os.path.join(folder, name.replace('mpicc', 'mpifort')), '-ffree-line-length-none']
    if source.suffix == '.cxx':
        return [os.path.join(folder, name.replace('mpicc', 'mpicxx'))]
    return [mpicc]


def read_reasons(name):
    """{what: why} of a file beside this one, with lines WHAT: WHY."""
    lines = (pathlib.Path(__file__).parent / name).read_text().splitlines()
    return dict(line.split(': ', 1) for line in lines if line and not line.startswith('#'))


class Campaign:
    """The programs of a folder, how to compile and to run them."""

    def __init__(self, given):
        self.given = given
        self.launch = given.launch.split()
        self.try_launcher()
        self.flags = subprocess.run(['pkg-config', '--cflags', '--libs', 'petsc'], check=True,
                                    capture_output=True, text=True).stdout.split()
        said = subprocess.run([given.mpicc, *self.flags, '-dM', '-E', '-include', 'petscsys.h', '-x', 'c',
                               '/dev/null'], check=True, capture_output=True, text=True).stdout
        self.macros = {line.split()[1].split('(')[0] for line in said.splitlines()}
        self.left_out, self.known = read_reasons('left_out.txt'), read_reasons('known.txt')

    def try_launcher(self):
        """Ends here with a launcher that fails: each comparison would be skipped, as PETSc's own run fails, too."""
        code, said = session.call([*self.launch, '2', 'true'], '.', self.given.limit)
        if code != 0:
            sys.exit(f'{self.given.launch} 2 true fails: {said}')

    def sources(self):
        found = [path for folder in ('ksp', 'snes', 'ts')
                 for path in sorted((self.given.sources / folder).rglob('*'))
                 if path.suffix in ('.c', '.F', '.F90', '.cxx') and {'tutorials', 'tests'} & set(path.parts)]
        return [path for path in found if re.search(self.given.only, self.name(path))]

    def name(self, path):
        return str(path.relative_to(self.given.sources)).replace('/tutorials/', '/').replace('/tests/', '/tests/')

    def compile(self, path, block, folder):
        program = folder / 'program'
        extra = [str(path.parent / name) for name in block.depends if name.endswith(('.c', '.F90', '.F', '.cxx'))]
        compiler = compiler_for(path, self.given.mpicc)
        code, said = session.call([*compiler, '-w', '-O1', '-I' + str(path.parent), str(path), *extra, *self.flags,
                                '-lm', '-o', str(program)], folder, 300)
        if code:
            wrong = [line for line in said.splitlines() if re.search(r'error|undefined|Error', line)]
            raise Skip('does not compile: ' + (wrong or said.splitlines() or ['no reason'])[0][:100])
        return program

    def run(self, program, test, folder, options):
        """One run in a folder of its own, with the test's files."""
        with tempfile.TemporaryDirectory(dir=folder) as scratch:
            for name in test.files:
                origin, copy = test.folder / name, pathlib.Path(scratch) / name
                copy.parent.mkdir(parents=True, exist_ok=True)
                (shutil.copytree if origin.is_dir() else shutil.copy)(origin, copy)
            log = pathlib.Path(scratch) / 'ovk.log'
            environment = {'PETSC_OPTIONS': f'-dll_append {self.given.library}', 'OVK_LOG': str(log),
                           'wPETSC_DIR': str(self.given.sources.resolve().parents[3])}  # of its data files
            code, said = session.call([*self.launch, str(test.ranks), str(program), *test.words, *TELL, *options],
                                   scratch, self.given.limit, environment)
            used = log.exists()
        return Result(PASSED if code == 0 else FAILED, code, said, used)


def compare_kind(campaign, program, test, folder, kind):
    """(outcome, text, solves, PETSc's run)."""
    theirs, ours = options_for(kind, test)
    theirs = campaign.run(program, test, folder, theirs)
    if theirs.code != 0:
        end = 'takes too long' if theirs.code is None else f'fails with {kind}, too'
        return SKIPPED, f"PETSc's own run {end}", 0, theirs
    solves = compare.solves(theirs.said)
    if not solves:
        return SKIPPED, 'no linear solve that reads -ksp_type', 0, theirs
    if kind == 'cg' and not all(reason.startswith('CONVERGED') for reason, _ in solves):
        return SKIPPED, 'not for cg', 0, theirs
    ours = campaign.run(program, test, folder, ours)
    if kind in SYMMETRIC and 'not symmetric' in ours.said:
        return SKIPPED, 'not symmetric', 0, theirs
    for refused, why in REFUSED.items():
        if refused in ours.said:
            return SKIPPED, why, 0, theirs
    if ours.code != 0:  # such a run may leave no log
        return FAILED, failure_of(ours), len(solves), theirs
    if not ours.used:
        return SKIPPED, 'sets the type of its KSP itself', 0, theirs
    said = re.sub(r'\bovk\b', kind, ours.said)
    wrong = (compare.difference_of_solves(said, theirs.said, slack(kind))
             or compare.difference_of_outputs(said, theirs.said, test.any_order))
    return (FAILED, wrong, len(solves), theirs) if wrong else (PASSED, '', len(solves), theirs)


def failure_of(run):
    if run.code is None:
        return 'takes too long'
    error = [line for line in run.said.splitlines() if 'ERROR' in line and not line.rstrip().endswith('--')]
    return f'exit code {run.code}: ' + ' | '.join(error[:2])[:200]


def compare_auto(campaign, program, test, folder, theirs):
    """-ksp_type ovk alone: what converges with PETSc's type converges with ovkrylov's choice."""
    ours = campaign.run(program, test, folder, ['-ksp_type', 'ovk'])
    if ours.code != 0:
        return FAILED, failure_of(ours)
    for number, ((reason, count), (their_reason, _)) in enumerate(
            zip(compare.solves(ours.said), compare.solves(theirs.said)), 1):
        if their_reason.startswith('CONVERGED') and not reason.startswith('CONVERGED'):
            return FAILED, f'solve {number}: {reason} {count} where PETSc has {their_reason}'
    return PASSED, ''


def compare_test(campaign, program, test, folder):
    """[(what, outcome, text)] of one test."""
    found, first = [], None
    for kind in kinds_of(test):
        outcome, text, solves, theirs = compare_kind(campaign, program, test, folder, kind)
        what = f'{test.suffix}, {test.ranks} ranks, {kind}'
        found.append((what, outcome, text or f'{solves} solves'))
        if outcome == SKIPPED and first is None:
            return found
        first = first or theirs
    outcome, text = compare_auto(campaign, program, test, folder, first)
    return found + [(f'{test.suffix}, {test.ranks} ranks, auto', outcome, text or 'converges, too')]


def compare_program(campaign, path):
    name = campaign.name(path)
    try:
        if name in campaign.left_out:
            raise Skip(campaign.left_out[name])
        block = Block(path.read_text(errors='replace'))
        if not block.tests:
            raise Skip('has no tests: a part of another program, or not built by PETSc')
        lacks = missing(block.requires, campaign.macros)
        if lacks:
            raise Skip(f'requires {lacks}')
        tests = chosen_tests(block, campaign.macros, path)
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            program = campaign.compile(path, block, folder)
            return [(name, *row) for test in tests for row in compare_test(campaign, program, test, folder)]
    except Skip as why:
        return [(name, '', SKIPPED, str(why))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('--sources', type=pathlib.Path, required=True, help='the folder src of the examples')
    parser.add_argument('--library', type=pathlib.Path, required=True, help='libovkpetsc.so')
    parser.add_argument('--mpicc', default='mpicc')
    parser.add_argument('--launch', default='mpiexec -n', help='to be followed by the number of ranks')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--limit', type=float, default=60, help='seconds of a run')
    parser.add_argument('--only', default='', help='a regular expression of names, such as ^ksp/ksp/ex2.c')
    given = parser.parse_args()
    given.library = given.library.resolve()
    campaign = Campaign(given)
    totals = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(given.jobs) as pool:
        for rows in pool.map(lambda path: compare_program(campaign, path), campaign.sources()):
            for name, what, outcome, text in rows:
                if outcome == FAILED and f'{name} {what}' in campaign.known:
                    outcome, text = KNOWN, f'{text} ({campaign.known[f"{name} {what}"]})'
                totals[outcome] += 1
                print(f'{outcome:8}{name} {what}: {text}' if what else f'{outcome:8}{name}: {text}', flush=True)
    print(f'{totals[PASSED]} passed, {totals[FAILED]} failed, {totals[KNOWN]} known to differ, '
          f'{totals[SKIPPED]} skipped')
    return totals[FAILED] > 0


if __name__ == '__main__':
    sys.exit(main())
