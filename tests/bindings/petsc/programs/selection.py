# SPDX-License-Identifier: BSD-2-Clause
"""Which of a program's tests are run, and with which of PETSc's types and ovkrylov's methods."""
import re

from test_blocks import missing

# PETSc's types, what is the same of ovkrylov's, and by how much counts may differ.
METHODS = {'cg': 'cg', 'groppcg': 'groppcg', 'pipecg': 'pipecg', 'pipecgrr': 'pipecg',
           'pipelcg': 'pipelcg', 'pipeprcg': 'pipeprcg', 'fcg': 'fcg', 'minres': 'minres',
           'gmres': 'gmres', 'fgmres': 'fgmres', 'bcgs': 'bcgs'}
# Types for a PC that varies, with which the residual of gmres is not that of the system.
FLEXIBLE = {'fgmres', 'pipefgmres', 'gcr'}
SYMMETRIC = {'cg', 'groppcg', 'pipecg', 'pipecgrr', 'pipelcg', 'pipeprcg', 'fcg', 'minres'}
# Options that name types, or what is left of them, with their values.
VIEW = re.compile(r'(?<!\S)-((\w*_)?(ksp|snes|ts|pc|options|log)_view|options_left|dll_append)\S*(\s+[^\s-]\S*)?')


class Skip(Exception):
    """Why something is not compared."""


def slack(kind):
    if kind == 'bcgs':  # its residual is not monotone, and rounding grows
        return lambda count: max(2, count // 5)
    return lambda count: 1


def chosen_tests(block, macros, path):
    """The first test on one rank and the first on two; where there is none, the first one on two."""
    usable = [test for test in block.tests if not test.todo and not missing(test.requires, macros)
              and 'DATAFILESPATH' not in test.args]
    if not usable:
        wants = {missing(test.requires, macros) or ('TODO' if test.todo else 'data files')
                 for test in block.tests}
        raise Skip('its tests require ' + ', '.join(sorted(wants)))
    picked = [next((test for test in usable if test.nsize == ranks), None) for ranks in ('1', '2')]
    picked = [test for test in picked if test] or usable[:1]
    bits = '64' if 'PETSC_USE_64BIT_INDICES' in macros else '32'
    for test in picked:
        test.ranks = 1 if test.nsize == '1' else 2
        test.folder = path.parent
        words = re.findall(r"'[^']*'|\"[^\"]*\"|\S+", VIEW.sub('', test.args))
        test.words = [word.strip('\'"').replace('@PETSC_INDEX_SIZE@', bits).replace('@PETSC_SCALAR_SIZE@', '64')
                      for word in words]
    return picked


def kinds_of(test):
    """PETSc's types to compare with: the test's own, or else gmres; and cg."""
    given = [test.words[k + 1] for k, word in enumerate(test.words[:-1]) if word == '-ksp_type']
    own = given[-1] if given and given[-1] in METHODS else 'gmres'
    own = 'fgmres' if FLEXIBLE.intersection(given[-1:]) else own
    return [own] if own in SYMMETRIC else [own, 'cg']


def options_for(kind, test):
    theirs, ours = ['-ksp_type', kind], ['-ksp_type', 'ovk', '-ksp_ovk_method', METHODS[kind]]
    if kind in ('gmres', 'fgmres'):
        restart = [test.words[k + 1] for k, word in enumerate(test.words[:-1])
                   if word == '-ksp_gmres_restart'] or ['30']
        ours[-1] += f':restart={restart[-1]}'
    if kind == 'fgmres':
        ours += ['-ksp_pc_side', 'right']
    return theirs, ours
