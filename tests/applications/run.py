#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Applications from Debian's packages, unmodified, with their own solvers and with ovkrylov's in turn.

Of programs of PETSc, which `ovk petsc` starts, the iterations, the printed results or the norm of the solution,
and the times of the linear solves are compared; of others, which `ovk run` starts, the printed results and the
time. A program that is not installed is skipped. The results of all rows that have ever been run in the folder
are in results.json there, from which --render makes the document."""
import argparse
import concurrent.futures
import contextlib
import dataclasses
import datetime
import json
import math
import os
import pathlib
import re
import resource
import shlex
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / 'bindings/petsc/programs'))
import session  # noqa: E402
import render
import turns
from prepare import Broken, Missing
from table import EQUAL, FEWER, PETSC, ROWS, SOLUTION

PASSED, FAILED, SKIPPED = 'passed', 'failed', 'skipped'
BRIEF = 1e-3  # seconds of a solve that its output would prolong
SOLVE = re.compile(r'Linear +(?:\S+ +)?solve (converged|did not converge) due to (\w+) iterations (\d+)')
CARRIED = re.compile(r'^ *(\d+) of (\d+) calls were carried', re.MULTILINE)


class Wrong(Exception):
    """A run failed, or differs."""


def lacking(packages):
    """The first of these that is not installed, or None."""
    for package in packages:
        said = subprocess.run(['dpkg-query', '-W', '-f', '${db:Status-Status}', package], capture_output=True, text=True,
                              check=False)
        if said.stdout != 'installed':
            return package
    return None


def make_ready(row, folder):
    """The row's folder, filled once."""
    mark = folder / '.ready'
    if not mark.exists():
        folder.mkdir(parents=True, exist_ok=True)
        for step in row.prepare:
            step(folder)
        mark.touch()


def make_all_ready(runner, rows):
    """The folders of the rows, on all cores at once: most of the time is that of compilers. A row reports what failed here
    when its turn comes, as its folder is filled again then."""
    def fill(row):
        with contextlib.suppress(Missing, Broken):
            make_ready(row, runner.folder(row))
    first_of = {runner.folder(row): row for row in reversed(rows) if not lacking(row.packages)}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        list(pool.map(fill, first_of.values()))


class Runner:
    def __init__(self, given):
        self.given = given
        self.work = given.folder / 'work'

    def folder(self, row):
        """Rows with the same steps share one."""
        same = next(other for other in ROWS if other.application == row.application and other.prepare == row.prepare)
        return self.work / re.sub(r'[^\w.-]+', '-', same.name)

    def command(self, row, ours):
        size = row.small if self.given.small else row.full
        program = shlex.split(row.command.replace('{n}', str(size)))
        if not ours:
            return [*self.given.launch.split(), str(row.ranks), *program]
        take = ['--take', row.take] if row.take else []
        return [str(self.given.ovk), row.how, '-n', str(row.ranks), *take, '--', *program]

    def environment(self, row, ours, tells):
        found = {'XDG_CACHE_HOME': str(self.work / 'cache'), 'DIJITSO_CACHE_DIR': str(self.work / 'cache/dijitso'),
                 'MPLBACKEND': 'Agg', **dict(row.environment)}
        if row.how == PETSC:
            tell = ['-log_view :log.txt', *[f'-{row.prefix}ksp_converged_reason'] * tells]
            tell += [f'-{row.prefix}ksp_view_solution :solution.txt::append'] * (tells and SOLUTION in row.results)
            tell += [f'-{row.prefix}ksp_view :view.txt::append'] * (tells and ours)
            found['PETSC_OPTIONS'] = ' '.join([*tell, row.options, row.ours if ours else row.own])
        return found

    def run(self, row, ours, told=None):
        """What a run says of itself: seconds, iterations, results. All but seconds are those that another run has told, if that
        is given: this one prints nothing."""
        folder = self.folder(row)
        for name in filter(None, ('log.txt', 'solution.txt', 'view.txt', row.output)):
            (folder / name).unlink(missing_ok=True)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        start = datetime.datetime.now()
        code, said = session.call(self.command(row, ours), folder, self.given.limit, self.environment(row, ours, told is None))
        wall = (datetime.datetime.now() - start).total_seconds()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        (folder / f'{"ours" if ours else "own"}.log').write_text(said, encoding='utf-8')
        who = "ovkrylov's run" if ours else "the program's own run"
        if code != row.exits:
            raise Wrong(f'{who} takes too long' if code is None else f'{who} has exit code {code}: {error_in(said)}')
        found = {'wall': wall, 'cpu': after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime}
        if told:
            return {**told, **found, **read_log(folder)}
        if row.output:
            said += (folder / row.output).read_text(encoding='utf-8', errors='replace')
        found.update(read_solves(said, folder) if row.how == PETSC else read_calls(row, said, wall))
        found['results'] = [norm_of(folder / 'solution.txt')] if SOLUTION in row.results else numbers_in(row, said)
        if row.how == PETSC and ours:
            if not re.search(r'^ *\d+ solves? by ovk', said, re.MULTILINE):
                raise Wrong("none of the solves were ovkrylov's")
            found['method'] = method_in(folder / 'view.txt') or row.take  # no view without KSPSetFromOptions()
        return found


def error_in(said):
    lines = [line for line in said.splitlines() if re.search(r'error|invalid|exception|ovkrylov', line, re.IGNORECASE)]
    return ' | '.join(lines[:3])[:300]


def read_solves(said, folder):
    """Reasons and iterations, from -ksp_converged_reason, and the log."""
    solves = [(converged == 'converged', int(count)) for converged, _, count in SOLVE.findall(said)]
    if not solves:
        raise Wrong('no linear solve is reported')
    return {'iterations': [count for _, count in solves], 'failures': sum(not good for good, _ in solves), **read_log(folder)}


def read_log(folder):
    """The seconds of all stages of -log_view."""
    log = (folder / 'log.txt').read_text(encoding='utf-8', errors='replace')
    rows = re.findall(r'^(\w+) +\d+ +[\d.]+ +([\d.e+-]+)', log, re.MULTILINE)
    events = {}
    for name, seconds in rows:
        events[name] = events.get(name, 0) + float(seconds)
    version = re.search(r'^Using Petsc .*?([\d.]+)', log, re.MULTILINE)
    return {'seconds': events.get('KSPSolve', 0), 'petsc': f'PETSc {version[1] if version else ""}',
            'setup': {name: events[name] for name in ('KSPOvkCopyMat', 'KSPOvkSetUp', 'PCSetUp') if name in events}}


def read_calls(row, said, wall):
    found = re.findall(row.seconds, said, re.MULTILINE) if row.seconds else [wall]
    calls = CARRIED.search(said)
    return {'seconds': float(found[-1]), 'calls': [int(calls[1]), int(calls[2])] if calls else None}


def method_in(file):
    """Of the solves, with preconditioners of ovkrylov's, as -ksp_view prints them."""
    view = file.read_text(encoding='utf-8') if file.exists() else ''
    found = re.findall(r'^ *(?:method|preconditioner(?= \w+ of ovkrylov)) ([^\s,]+)', view, re.MULTILINE)
    return ', '.join(dict.fromkeys(found))


def numbers_in(row, said):
    found = []
    for pattern in row.results:
        groups = [text for match in re.finditer(pattern, said, re.MULTILINE) for text in match.groups()]
        if not groups:
            raise Wrong(f"the output has no '{pattern}'")
        found += map(float, groups)
    return found


def norm_of(file):
    """Of a vector as PETSc writes it: lines of numbers between lines of words."""
    if not file.exists():
        raise Wrong('its KSP writes no solution')
    lines = file.read_text(encoding='utf-8').splitlines()
    values = [float(line) for line in lines if re.fullmatch(r'\s*[-+]?[\d.]+(e[-+]?\d+)?\s*', line)]
    return math.hypot(*values)


def difference(row, ours, own):
    """Of results, or of counts; None where there is none."""
    mine, other = ours['results'], own['results']
    if len(mine) != len(other):
        return f'{len(mine)} results where its own solver has {len(other)}'
    for a, b in zip(mine, other):
        if not abs(a - b) <= row.tolerance * max(abs(a), abs(b)):
            return f'result {a:.8g} where its own solver has {b:.8g}'
    if row.how != PETSC:
        return None
    if ours['failures'] > own['failures']:
        return f"{ours['failures']} solves do not converge where its own solver has {own['failures']}"
    mine, other = ours['iterations'], own['iterations']
    if row.counts == EQUAL and (len(mine) != len(other)
                                or any(abs(a - b) > row.slack for a, b in zip(mine, other))):
        return f'{render.counts(mine)} iterations where its own solver has {render.counts(other)}'
    if row.counts == FEWER and sum(mine) > sum(other) + row.slack:
        return f'{sum(mine)} iterations where its own solver has {sum(other)}'
    return None


def enough(given, own):
    """Whether a row has its rounds: short ones are repeated, as their times scatter more."""
    if len(own) < given.rounds or given.small:
        return len(own) >= given.rounds
    return len(own) >= render.MOST * given.rounds or sum(run['seconds'] for run in own) >= render.SECONDS


def is_brief(row, own):
    """Whether the output of its KSPs, which PETSc counts as a part of their solves, would take a good part of the time."""
    return row.how == PETSC and own['seconds'] < BRIEF * len(own['iterations'])


def compare(runner, row):
    """Both in turn, so many times: a row of the results. The first round of brief solves is made for its output only."""
    runs, told = {False: [], True: []}, {False: None, True: None}
    while not enough(runner.given, runs[False]):
        for ours in ((False, True), (True, False))[len(runs[False]) % 2]:
            runs[ours].append(runner.run(row, ours, told[ours]))
        if is_brief(row, runs[False][0]) and not told[True] and not runner.given.small:
            told, runs = {ours: runs[ours][0] for ours in runs}, {False: [], True: []}
    wrong = next(filter(None, (difference(row, a, b) for a, b in zip(runs[True], runs[False]))), None)
    more = row.more if runner.given.small and not wrong else ()
    for ranks in more:
        wrong = wrong or on_more_ranks(runner, dataclasses.replace(row, ranks=ranks))
    return {'status': FAILED if wrong else PASSED, 'why': wrong or '', 'own': runs[False], 'ours': runs[True], 'more': more}


def on_more_ranks(runner, row):
    """How the results differ there, or None."""
    own, ours = (runner.run(row, which) for which in (False, True))
    wrong = difference(row, ours, own)
    return wrong and f'on {row.ranks} ranks: {wrong}'


def result_of(runner, row):
    package = lacking(row.packages)
    if package:
        return {'status': SKIPPED, 'why': f'{package} is not installed'}
    try:
        make_ready(row, runner.folder(row))
        return compare(runner, row)
    except Missing as why:
        return {'status': SKIPPED, 'why': str(why)}
    except (Broken, Wrong) as why:
        return {'status': FAILED, 'why': str(why)}


def in_turn(runner, row):
    """The same system with both solvers in one run."""
    package = lacking(row.packages)
    if package:
        return {'status': SKIPPED, 'why': f'{package} is not installed'}
    make_ready(row, runner.folder(row))
    code, said = session.call(runner.command(row, False), runner.folder(row), runner.given.limit,
                              {'PETSC_OPTIONS': turns.options(runner.given, row)})
    found = turns.read(said)
    if code != row.exits or not found:
        return {'status': FAILED, 'why': f'exit code {code}: {error_in(said)}'}
    why = turns.wrong(found)
    return {'status': FAILED if why else PASSED, 'why': why or '', **found}


def first_line(command):
    said = subprocess.run(command, capture_output=True, text=True, check=False, shell=True).stdout
    return said.strip().splitlines()[0].strip() if said.strip() else ''


def machine():
    return {'processor': first_line("lscpu | sed -n 's/^Model name: *//p'"), 'cores': os.cpu_count(),
            'system': first_line("sed -n 's/^PRETTY_NAME=\"\\(.*\\)\"/\\1/p' /etc/os-release")}


def version_of(package):
    return first_line(f"dpkg-query -W -f '${{Version}}' {package}")


def chosen(names):
    rows = [row for row in ROWS if not names or any(row.name.startswith(name) for name in names)]
    if not rows:
        sys.exit(f"no application's name begins with {' or '.join(names)}: see --list")
    return rows


def read(file):
    return json.loads(file.read_text(encoding='utf-8')) if file.exists() else {}


def keep(file, name, result):
    """Into a file that has the rows of earlier runs, too."""
    kept = {**read(file), name: result}
    file.write_text(json.dumps(kept, indent=1), encoding='utf-8')


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('names', nargs='*', help='how the names of the rows begin (default: all)')
    parser.add_argument('--folder', type=pathlib.Path, required=True, help='for results and work, build/applications')
    parser.add_argument('--ovk', type=pathlib.Path, help='the command')
    parser.add_argument('--launch', default='mpiexec -n', help='to be followed by the number of ranks')
    parser.add_argument('--rounds', type=int, default=5, help='the fewest; those of short rows are more')
    parser.add_argument('--small', action='store_true', help='smaller problems, for a check')
    parser.add_argument('--limit', type=float, default=600, help='seconds of a run')
    parser.add_argument('--turns', action='store_true', help='the same system with both solvers in one run')
    parser.add_argument('--render', type=pathlib.Path, help='write this document from results.json, run nothing')
    parser.add_argument('--list', action='store_true', help='print names')
    parser.add_argument('--packages', action='store_true', help='print packages')
    given = parser.parse_args()
    rows = chosen(given.names)
    if given.list or given.packages:
        print('\n'.join(sorted({package for row in rows for package in row.packages}) if given.packages
                        else [row.name for row in rows]))
        return 0
    results = given.folder / ('turns.json' if given.turns else 'results.json')
    if given.render:
        render.write(given.render, read(results), read(given.folder / 'turns.json'), ROWS)
        return 0
    given.folder.mkdir(parents=True, exist_ok=True)
    given.folder, given.ovk = given.folder.resolve(), given.ovk.resolve()
    one, summary = (in_turn, turns.summary) if given.turns else (result_of, render.summary)
    runner, states, mpi = Runner(given), [], first_line('ompi_info --version || mpichversion')
    if given.turns:
        rows = [row for row in rows if turns.fits(row)]
    make_all_ready(runner, rows)
    for row in rows:
        result = one(runner, row)
        result.update(machine=machine(), date=datetime.date.today().isoformat(), small=given.small, note=row.note,
                      how=row.how, ranks=row.ranks, mpi=mpi, versions={package: version_of(package) for package in row.packages})
        keep(results, row.name, result)
        states.append(result['status'])
        print(f"{result['status']:8}{row.name}: {result['why'] or summary(result)}", flush=True)
    print(', '.join(f'{states.count(state)} {state}' for state in (PASSED, FAILED, SKIPPED)))
    return 1 if FAILED in states else 0 if PASSED in states else 77


if __name__ == '__main__':
    sys.exit(main())
