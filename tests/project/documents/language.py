#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the language of the documents and of the comments in C: no sentence is longer than 35 words, no word
of banned_words.txt occurs, and each column of a table has a head.
Usage: language.py SOURCE_TREE, language.py SOURCE_TREE FILE..., or language.py --self-test."""
import pathlib
import re
import sys
import tempfile

LONGEST = 35  # words of a sentence; code is one word
SOURCES = 'include', 'src', 'bindings', 'papers', 'tools', 'tests', 'examples', 'bench'
COMMENT = re.compile(r'''"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|(/\*.*?\*/)''', re.DOTALL)  # or a literal
BANNED = pathlib.Path(__file__).with_name('banned_words.txt')


def banned_words():
    """Pairs of a compiled expression and its replacement."""
    for line in BANNED.read_text().splitlines():
        if line.strip() and not line.startswith('#'):
            pattern, instead = re.split(r'  +', line.strip(), maxsplit=1)
            yield re.compile(rf"(?<![\w'-])({pattern})(?![\w-])", re.IGNORECASE), instead


def document_blocks(text):
    """The paragraphs, list items and table cells of Markdown, each with the number of its first line."""
    code, block, first = False, [], 0
    for number, line in enumerate(text.splitlines() + [''], 1):
        if line.lstrip().startswith('```'):
            code, line = not code, ''
        plain = not code and not re.match(r'\s*(#|\||<)', line)
        if block and (not plain or not line.strip() or re.match(r'\s*([-*]|\d+\.) ', line)):
            yield first, ' '.join(block)
            block = []
        if not code and line.startswith('|'):
            yield from ((number, cell) for cell in re.split(r'(?<!\\)\|', line))
        elif plain and line.strip():
            first = first if block else number
            block.append(line.strip())


def comment_blocks(text):
    """The comments of a C file, split at blank lines and tags, with line numbers."""
    for comment in COMMENT.finditer(text):
        number = text.count('\n', 0, comment.start()) + 1
        block, first = [], number
        for offset, line in enumerate((comment.group(1) or '').splitlines()):
            line = re.sub(r'^\s*(/\*\*?<?|\*)|\*/\s*$', '', line).strip()
            if block and (not line or re.match(r'@|- ', line)):
                yield first, ' '.join(block)
                block = []
            if line:
                first = first if block else number + offset
                block.append(line)
        if block:
            yield first, ' '.join(block)


def head_faults(text):
    """The tables in which a column has no head."""
    before = ''
    for number, line in enumerate(text.splitlines(), 1):
        if re.fullmatch(r'\|[-:| ]*-[-:| ]*\|', line) and re.search(r'\| *\|', before.replace(r'\|', '')):
            yield number - 1, 'a column of this table has no head'
        before = line if line.startswith('|') else ''


def block_faults(block, banned):
    """The faults of one paragraph, comment or cell."""
    block = re.sub(r'`[^`]*`|\]\([^)]*\)|https?:\S+', ' X ', block)
    for sentence in re.split(r'(?<=[.!?:;])["*)]*\s+', block):
        words = [word for word in sentence.split() if re.search(r'\w', word)]
        if len(words) > LONGEST:
            yield f'{len(words)} words, more than {LONGEST}: {" ".join(words[:8])} ...'
        for pattern, instead in banned:
            found = pattern.search(sentence)
            if found and not (found.group().lower() == 'what' and sentence.rstrip('"*)').endswith('?')):
                yield f"'{found.group()}': {instead}"


def file_faults(path, banned):
    """Each fault of a file with its line."""
    text = path.read_text()
    source = path.suffix in ('.h', '.c')
    for number, block in (comment_blocks if source else document_blocks)(text):
        yield from ((number, fault) for fault in block_faults(block, banned))
    if not source:
        yield from head_faults(text)


def self_test():
    """Each fault is found where it is, and nothing else."""
    banned = list(banned_words())
    long = ' '.join(['word'] * (LONGEST + 1))
    cases = {
        'a.md': ('Is it what you want? It `tells what` is.\n\n```\nanew\n```\n| a | b \\| c |\n|---|---|\n| | x |\n', []),
        'b.md': (f'# Told\n\nIt tells\nall.\n\n- {long}.\n\n| a | |\n|---|---|\n| begun anew | x |\n', [3, 6, 10, 8]),
        'c.h': (f'/** Tell it. */\nint told;\n/*\n * @param a  {long}\n * @return b\n */\n', [1, 4]),
        'd.c': ('/* Told. */\nconst char c = \'"\', *told = "\\"/* told */";\nint told; /* anew */\n', [1, 3])}
    with tempfile.TemporaryDirectory() as folder:
        for name, (text, lines) in cases.items():
            path = pathlib.Path(folder, name)
            path.write_text(text)
            found = [number for number, _ in file_faults(path, banned)]
            if found != lines:
                raise SystemExit(f'self-test: {name}: faults in lines {found}, not {lines}')


def main(arguments):
    if arguments == ['--self-test']:
        return self_test()
    tree = pathlib.Path(arguments[0])
    files = [pathlib.Path(name) for name in arguments[1:]]
    files = files or sorted([*tree.glob('*.md'), *tree.glob('docs/**/*.md'), *(source for folder in SOURCES for source in tree.glob(f'{folder}/**/*.[ch]'))])
    banned = list(banned_words())
    faults = [f'{path}:{number}: {fault}' for path in files
              for number, fault in file_faults(path, banned)]
    if faults:
        raise SystemExit('\n'.join(faults))


main(sys.argv[1:])
