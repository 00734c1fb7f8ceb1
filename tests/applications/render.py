# SPDX-License-Identifier: BSD-2-Clause
"""Results as lines of the terminal and as docs/applications.md."""
import statistics

import turns

OURS = ('KSPOvkCopyMat', 'KSPOvkSetUp')  # events in KSPSolve
FEWEST_ROUNDS = 3  # of which a time is shown
LOST = 1.05        # a time above this has a remark
SECONDS = 2        # a row is repeated until the times of its own solver are as long in all,
MOST = 3           # or it has so many times the fewest rounds
HEAD = '''# Applications with ovkrylov solvers

Programs from Debian packages, unmodified, with their own solvers and with ovkrylov solvers.
`scripts/applications` runs them and writes this document. `scripts/applications --help` lists its options.
`tests/applications/table.py` has the command of each program and the results that are compared.
`--check` runs smaller problems, some of them on 4 ranks, too.

One rule decides how often a row runs, with both solvers in turn: until the times of its own solver are 2 seconds
in all, but at least as often as the least number of rounds below and at most three times as often. A time is the
median of the ratios of the rounds. Behind it are their quartiles.

'''
SOLVES = '''## Linear solves

`ovk petsc` starts the program with `-ksp_type ovk`. If "names" says that the program names its type of KSP,
`ovk petsc` starts it with `--take`. Everything else is a default, except for `-ksp_ovk_pc ic` if the column
*ovkrylov* has `ic`. This column has the methods of the solves. Iterations are those of all solves, the fewest
and the most of the rounds. If they differ, both methods end at the same tolerance. DOLFINx partitions its mesh
differently in each run, and so differ the matrices, the multigrid hierarchies and the iterations.
[In turn](#the-same-matrix-in-turn) they are equal. The numbers that the program prints, or the norms of the
solutions, agree, unless the row says that there are none.

*Time* is that of `KSPSolve` in `-log_view`, ovkrylov over the solver of the program. It includes the copy of the
matrix, the choices and the set-up of an ovkrylov preconditioner. It does not include the set-up of a PETSc PC,
which is the same for both. PETSc counts the output of a KSP as a part of its solve: solves below 1 ms are timed
in runs without it. The remark of a time above 1.05 has the seconds of the ovkrylov solves and the part of them
that is set-up: copy, choices, preconditioner.

'''
CALLS = '''## Collective operations

`ovk run` starts the program, which uses its own solver in both runs. Its printed results agree. *Time* is the
time that the program prints, or that of the whole run, with `ovk run` over without it. The remark of a time
above 1.05 has the seconds.

'''


TURNS = '''
## The same matrix in turn

`scripts/applications --turns` solves the system of a program with both solvers in turn within one run: same
matrix, same partition, same PC object, a KSP is made for each solve. So times scatter less than those of whole
runs, and a count that differs is a fault. They include copy and choices, but not the costs of the first
solve of a program. *Time* is the median of the ratios, with their quartiles.

'''


def counts(iterations):
    return f'{sum(iterations)} in {len(iterations)} solves' if len(iterations) > 1 else str(sum(iterations))


def range_of(numbers):
    low, high = min(numbers), max(numbers)
    return str(low) if low == high else f'{low} to {high}'


def counts_of_rounds(runs):
    """The fewest and the most of the rounds."""
    lengths = [len(run['iterations']) for run in runs]
    total = range_of([sum(run['iterations']) for run in runs])
    return f'{total} in {range_of(lengths)} solves' if max(lengths) > 1 else total


def median_and_quartiles(numbers):
    low, middle, high = statistics.quantiles(numbers, n=4, method='inclusive')
    return f'{middle:.2f} ({low:.2f} to {high:.2f})'


def ratios(result):
    return [ours['seconds'] / own['seconds'] for own, ours in zip(result['own'], result['ours']) if own['seconds']]


def time(result):
    """The ratio, where there are rounds enough."""
    found = ratios(result)
    return median_and_quartiles(found) if len(found) >= FEWEST_ROUNDS else '-'


def summary(result):
    """Of a row that has passed, with the ratio of whatever rounds there were."""
    own, ours = result['own'][0], result['ours'][0]
    if 'iterations' in own:
        text = f"{counts(ours['iterations'])} iterations, own {counts(own['iterations'])}"
    else:
        text = 'no call carried' if not ours['calls'] else '{} of {} calls carried'.format(*ours['calls'])
    found = ratios(result)
    cpu = [statistics.median(run['cpu'] for run in result[who]) for who in ('ours', 'own')]
    if found:
        text += f'; time {statistics.median(found):.2f}'
    if result['more']:
        text += f"; right on {' and '.join(map(str, result['more']))} ranks, too"
    return f'{text}; processors {cpu[0]:.1f} s, own {cpu[1]:.1f} s'


def table(columns, rows):
    lines = [columns, ['---'] * len(columns), *rows]
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines) + '\n'


def remark(result):
    """Where it is slower."""
    found = ratios(result)
    if len(found) < FEWEST_ROUNDS or statistics.median(found) <= LOST:
        return ''
    seconds = statistics.median(run['seconds'] for run in result['ours'])
    if result['how'] != 'petsc':
        return f'{seconds:.2g} s'
    setup = statistics.median(sum(run['setup'].get(event, 0) for event in OURS) for run in result['ours'])
    return f'{seconds:.2g} s, set-up {setup:.2g} s'


def solve_row(name, result):
    start = [name, str(result['ranks']), result['note']]
    if result['status'] != 'passed':
        return [*start, f"{result['status']}: {result['why']}", '', '', '', '']
    ours = result['ours'][0]
    return [*start, counts_of_rounds(result['own']), f"`{ours['method']}`", counts_of_rounds(result['ours']), time(result),
            remark(result)]


def turns_row(name, result):
    start = [name, str(result['ranks']), result['note']]
    if result['status'] != 'passed':
        return [*start, f"{result['status']}: {result['why']}", '', '', '']
    return [*start, range_of(result['own']), range_of(result['ours']), median_and_quartiles(turns.ratios(result)),
            str(len(result['own']))]


def call_row(name, result):
    start = [name, str(result['ranks']), result['note']]
    if result['status'] != 'passed':
        return [*start, f"{result['status']}: {result['why']}", '', '']
    calls = result['ours'][0]['calls']
    return [*start, '{} of {}'.format(*calls) if calls else 'none', time(result), remark(result)]


def share(results):
    """How many of the times are below which bounds."""
    found = [statistics.median(ratios(result)) for result in results.values()
             if result['status'] == 'passed' and len(ratios(result)) >= FEWEST_ROUNDS]
    if not found:
        return 'Times are not shown: fewer than three rounds were run.\n\n'
    return (f'Of {len(found)} times {sum(x <= 1 for x in found)} are at most 1.00, and {sum(x <= LOST for x in found)} are at '
            f'most {LOST:.2f}.\n\n')


def setting(results):
    """Where, when, what."""
    dates = sorted({result['date'] for result in results.values()})
    machines = sorted({'{processor}, {cores} cores, {system}'.format(**result['machine']) for result in results.values()})
    rounds = [len(result['own']) for result in results.values() if 'own' in result]
    versions = sorted({f'{package} {version}' for result in results.values()
                       for package, version in result['versions'].items() if version})
    small = 'Smaller problems than those of a measurement. ' if any(result['small'] for result in results.values()) else ''
    libraries = sorted({result['mpi'] for result in results.values()} | {run['petsc'] for result in results.values()
                                                                         for run in result.get('own', []) if 'petsc' in run})
    return (f"{'; '.join(machines)}. {'; '.join(libraries)}. {small}Rounds: {range_of(rounds) if rounds else 'none'}. "
            f"{' to '.join(sorted({dates[0], dates[-1]}))}.\n\nPackages: {'; '.join(versions)}.\n")


def write(file, results, turns_of, rows):
    ordered = {row.name: results[row.name] for row in rows if row.name in results}
    solves = [solve_row(*pair) for pair in ordered.items() if pair[1]['how'] == 'petsc']
    calls = [call_row(*pair) for pair in ordered.items() if pair[1]['how'] == 'run']
    text = HEAD + setting(ordered) + '\n' + share(ordered)
    text += SOLVES + table(['program', 'ranks', 'own solver', 'iterations', 'ovkrylov', 'iterations', 'time', 'remark'], solves)
    text += '\n' + CALLS + table(['program', 'ranks', 'work', 'calls carried', 'time', 'remark'], calls)
    in_turn = [turns_row(row.name, turns_of[row.name]) for row in rows if row.name in turns_of]
    if in_turn:
        text += TURNS + table(['program', 'ranks', 'own solver', 'iterations', 'ovkrylov', 'time', 'turns'], in_turn)
    file.write_text(text, encoding='utf-8')
