# SPDX-License-Identifier: BSD-2-Clause
"""What a run of a program of PETSc's says: how its linear solves ended, and everything else."""
import re

SOLVE = re.compile(r'^\s*Linear solve (?:converged|did not converge) due to (\w+) iterations (\d+)$')
OURS = re.compile(r'^\s*ovkrylov: ')
LESS = re.compile(r'< (?=1\.e-)')  # the short monitors' "< 1.e-11"
NUMBER = re.compile(r'(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w])')
# Numbers that differ by less than this, relatively, are the same; below SMALL they are rounding, or what a
# solve leaves over.
CLOSE, SMALL = 1e-3, 1e-4


def solves(said):
    """[(reason, iterations)] of the linear solves that an output tells of."""
    found = map(SOLVE.match, said.splitlines())
    return [(line[1], int(line[2])) for line in found if line]


def rest(said):
    """The other lines, without blank ones and what a KSP's view has of its type; the tolerances that a
    residual meets have one name, see same_reason()."""
    found, viewed = [], None
    for line in said.splitlines():
        indent = len(line) - len(line.lstrip())
        if viewed is not None and (indent <= viewed or not line.strip()):
            viewed = None
        if viewed is None and line.strip() and not SOLVE.match(line) and not OURS.match(line):
            found.append(LESS.sub('', line.strip()).replace('CONVERGED_ATOL', 'CONVERGED_RTOL'))
        if line.lstrip().startswith('KSP Object:'):
            viewed = indent
    return found


def same_number(ours, theirs):
    a, b = float(ours), float(theirs)
    return abs(a - b) <= CLOSE * max(abs(a), abs(b)) or max(abs(a), abs(b)) < SMALL


def same_line(ours, theirs):
    if ours == theirs:
        return True
    a, b = NUMBER.findall(ours), NUMBER.findall(theirs)
    return (NUMBER.sub('#', ours).split() == NUMBER.sub('#', theirs).split() and len(a) == len(b)
            and all(map(same_number, a, b)))


def difference_of_outputs(ours, theirs, any_order=False):
    """The first lines that differ, or None; in any order where each rank prints its own."""
    mine, other = rest(ours), rest(theirs)
    if any_order:
        mine, other = sorted(mine), sorted(other)
    for a, b in zip(mine, other):
        if not same_line(a, b):
            return f"output '{a}' where PETSc's has '{b}'"
    if len(mine) != len(other):
        longer = max(mine, other, key=len)
        return f"{len(mine)} lines where PETSc's has {len(other)}: '{longer[min(len(mine), len(other))]}'"
    return None


def same_reason(ours, theirs):
    """A residual of 0 is 1e-20 with other rounding, so which tolerance it meets depends on that."""
    met = {'CONVERGED_RTOL', 'CONVERGED_ATOL'}
    return ours == theirs or {ours, theirs} <= met


def difference_of_solves(ours, theirs, slack):
    """The first solve that ends for another reason, or with a count that differs by more than slack."""
    mine, other = solves(ours), solves(theirs)
    for number, ((reason, count), (their_reason, their_count)) in enumerate(zip(mine, other), 1):
        if not same_reason(reason, their_reason) or abs(count - their_count) > slack(their_count):
            return f'solve {number}: {reason} {count} where PETSc has {their_reason} {their_count}'
    if len(mine) != len(other):
        return f'{len(mine)} solves where PETSc makes {len(other)}'
    return None
