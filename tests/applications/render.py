# SPDX-License-Identifier: BSD-2-Clause
"""Results as lines of the terminal and as docs/applications.md."""
import statistics

FEWEST_ROUNDS = 3  # of which a time is shown
HEAD = '''# Applications with ovkrylov's solvers

Programs from Debian's packages, unmodified, with their own solvers and with ovkrylov's.
`scripts/applications` runs them and makes this document; `scripts/applications --help` has its options,
`tests/applications/table.py` how each program is started and what of it is compared.

'''
SOLVES = '''## Linear solves

`ovk petsc` starts the program: with `-ksp_type ovk`, or with `--take` where "names" says that the program names
its type of KSP. Everything else is a default. Iterations of all solves; where they are not alike, both methods
end at the same tolerance. Printed numbers of the program's, or the norms of the solutions, agree, unless the row
says that there are none.
*Time* is that of `KSPSolve` in `-log_view`, ovkrylov's over the program's own, the median of the rounds: both in
turn, from the first copy of the matrix on. Times without a PC's set-up, which is the same for both.

'''
CALLS = '''## Collective operations

`ovk run` starts the program, which has its own solver in both runs. Its printed results agree. *Time* is
that which the program prints, or that of the whole run.

'''


def counts(iterations):
    return f'{sum(iterations)} in {len(iterations)} solves' if len(iterations) > 1 else str(sum(iterations))


def ratios(result):
    return [ours['seconds'] / own['seconds'] for own, ours in zip(result['own'], result['ours']) if own['seconds']]


def time(result):
    """The ratio, where there are rounds enough."""
    found = ratios(result)
    return f'{statistics.median(found):.2f}' if len(found) >= FEWEST_ROUNDS else '-'


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
    return f'{text}; processors {cpu[0]:.1f} s, own {cpu[1]:.1f} s'


def table(columns, rows):
    lines = [columns, ['---'] * len(columns), *rows]
    return '\n'.join('| ' + ' | '.join(line) + ' |' for line in lines) + '\n'


def row_of(name, result):
    note = result['note']
    if result['status'] != 'passed':
        return [name, str(result['ranks']), note, f"{result['status']}: {result['why']}", '', '']
    own, ours = result['own'][0], result['ours'][0]
    if 'iterations' in own:
        return [name, str(result['ranks']), note, counts(own['iterations']), counts(ours['iterations']), time(result)]
    carried = '{} of {}'.format(*ours['calls']) if ours['calls'] else 'none'
    return [name, str(result['ranks']), note, carried, time(result)]


def share(results):
    """How many of the times are below which bounds."""
    found = [statistics.median(ratios(result)) for result in results.values()
             if result['status'] == 'passed' and len(ratios(result)) >= FEWEST_ROUNDS]
    if not found:
        return 'Times are not shown: fewer than three rounds were run.\n\n'
    return (f'Of {len(found)} times {sum(x <= 1 for x in found)} are at most 1.00, {sum(x <= 1.05 for x in found)} at most '
            '1.05.\n\n')


def setting(results):
    """Where, when, what."""
    dates = sorted({result['date'] for result in results.values()})
    machines = sorted({'{processor}, {cores} cores, {system}'.format(**result['machine']) for result in results.values()})
    rounds = sorted({str(len(result['own'])) for result in results.values() if 'own' in result})
    versions = sorted({f'{package} {version}' for result in results.values()
                       for package, version in result['versions'].items() if version})
    small = 'Smaller problems than those of a measurement. ' if any(result['small'] for result in results.values()) else ''
    return (f"{'; '.join(machines)}. {small}Rounds: {', '.join(rounds) or 'none'}. {' to '.join(sorted({dates[0], dates[-1]}))}."
            f"\n\nPackages: {', '.join(versions)}.\n")


def write(file, results, rows):
    ordered = {row.name: results[row.name] for row in rows if row.name in results}
    solves = [row_of(*pair) for pair in ordered.items() if pair[1]['how'] == 'petsc']
    calls = [row_of(*pair) for pair in ordered.items() if pair[1]['how'] == 'run']
    text = HEAD + share(ordered)
    text += SOLVES + table(['program', 'ranks', 'own solver', 'own iterations', "ovkrylov's", 'time'], solves) + '\n'
    text += CALLS + table(['program', 'ranks', '', 'calls carried', 'time'], [line[:5] for line in calls]) + '\n'
    file.write_text(text + '## Setting\n\n' + setting(ordered), encoding='utf-8')
