#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks that docs/options.md holds the tables of options of the program.
Usage: options_table.py OVK FILE, or options_table.py OVK FILE --write to write the file anew."""
import json
import pathlib
import subprocess
import sys

HEAD = '''# Options

These tables list the options of every method, preconditioner, reduction backend and storage format.
An option is a key of the spec: `gmres:restart=50,side=left`. `ovk list methods gmres` prints the
same table for one of them. An empty default means that the library chooses, or that the option is
off. This file is generated: `tests/project/documents/options_table.py OVK docs/options.md --write`.
'''
TITLES = {'methods': 'Methods', 'backends': 'Reduction backends', 'preconds': 'Preconditioners',
          'formats': 'Storage formats'}


def cell(text):
    return text.replace('|', '\\|')


def blocks(entry):
    """The Markdown blocks of one entry."""
    yield f"### `{entry['name']}`"
    text = cell(entry['summary'][0].upper() + entry['summary'][1:]) + '.'
    if entry['aliases']:
        text += '\nFurther names: ' + ', '.join(f'`{alias}`' for alias in entry['aliases'].split()) + '.'
    yield text
    if entry['options']:
        rows = [[f"`{o['name']}`", o['values'], o['default'], o['summary']] for o in entry['options']]
        rows = [['option', 'values', 'default', 'meaning'], ['---'] * 4, *rows]
        yield '\n'.join('| ' + ' | '.join(cell(text) for text in row) + ' |' for row in rows)


def document(program):
    """The document; None if the program was built without hypre, whose preconditioner the document has."""
    lists = json.loads(subprocess.run([program, 'list', '--json', '-'], check=True, capture_output=True).stdout)
    if not any(entry['name'] == 'boomeramg' for entry in lists['preconds']):
        return None
    text = [HEAD.strip()]
    for kind, title in TITLES.items():
        text.append(f'## {title}')
        for entry in lists[kind]:
            text.extend(blocks(entry))
    return '\n\n'.join(text) + '\n'


def main(program, file, *write):
    file = pathlib.Path(file)
    text = document(program)
    if not text:
        print('skipped: built without hypre')
        return 77
    if write:
        file.write_text(text)
    elif file.read_text() != text:
        raise SystemExit(f'{file} differs from the tables of the program: write it anew with --write')


sys.exit(main(*sys.argv[1:]))
