# SPDX-License-Identifier: BSD-2-Clause
"""The blocks of docs/python.md and docs/start/python.md run, one after the other; those marked no-run need several ranks."""
import pathlib
import re

import ovkrylov
import pytest
from conftest import SEVERAL, library
from ovkrylov._library import ffi

DOCS = pathlib.Path(__file__).parents[3] / 'docs'
PAGE = DOCS / 'python.md'


@pytest.mark.skipif(SEVERAL, reason='programs of one process')
def test_blocks_of_the_documentation(capsys):
    blocks = re.findall(r'^```python\n(.*?)^```', PAGE.read_text(), re.S | re.M)
    names = {}
    for block in blocks:
        exec(compile(block, str(PAGE), 'exec'), names)
    assert len(blocks) >= 2 and names['info'] == 0
    assert capsys.readouterr().out.startswith('CONVERGED_RTOL ')


@pytest.mark.skipif(SEVERAL, reason='programs of one process')
def test_first_solve():
    blocks = re.findall(r'^```python\n(.*?)^```', (DOCS / 'start' / 'python.md').read_text(), re.S | re.M)
    for block in blocks:
        exec(compile(block, 'start/python.md', 'exec'), {})
    assert len(blocks) == 1


def test_documents_of_functions():
    """Each public name has a docstring, and each public method."""
    for name in ovkrylov.__all__:
        thing = getattr(ovkrylov, name)
        assert thing.__doc__, name
        for member, value in vars(thing).items() if isinstance(thing, type) else ():
            if callable(value) and not member.startswith('_'):
                assert value.__doc__, f'{name}.{member}'


def test_structs_have_the_sizes_of_the_library():
    assert library.ovk_solver_opts_default().size == ffi.sizeof('ovk_solver_opts')
    assert [ffi.sizeof(name) for name in ('ovk_gidx', 'ovk_lidx', 'ovk_err', 'ovk_reason')] == [8, 4, 4, 4]
