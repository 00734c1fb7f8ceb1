#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the references of the documents: each link and anchor leads somewhere, and each function and file that they
name exists. docs/reference.md lists each public function, docs/failures.md each error code and reason. Calls of
PETSc and hypre are looked up in their headers, if their folders are given.
Usage: references.py SOURCE_TREE [INCLUDE_FOLDER...], or references.py --self-test."""
import pathlib
import re
import sys
import tempfile

FOLDERS = 'bench|bindings|docs|examples|include|packaging|papers|scripts|src|tests|tools'
LAYERS = 'backends|comm|conformance|core|matrix|precond|solvers'  # of src, which documents name without it
CODE = r'[\w./-]*\w\.(?:c|h|py|sh|awk|cpp|f90)'  # a file of code; documents may give the end of its path
FOREIGN = {'HYPRE.h': r'\bHYPRE_\w+(?=\()', 'petscksp.h': r'\b(?:KSP|PC|Mat|Vec|Petsc)[A-Z]\w*(?=\()'}
PLACEHOLDERS = {'ovk_noun_verb', 'ovk__noun_verb'}
FOREIGN_FILES = {'mpif.h'}


def words_of(files):
    """All identifiers of some files."""
    return {word for file in files for word in re.findall(r'\w+', file.read_text(errors='replace'))}


def public_functions(tree):
    """The functions that the public headers declare."""
    for header in sorted(tree.glob('include/**/*.h')):
        yield from re.findall(r'(?:OVK_API|static inline)[^;{]*?\b(ovk_\w+)\(', header.read_text())


def outcomes(tree):
    """The error codes and the reasons, as the documents write them."""
    for header in sorted(tree.glob('include/**/*.h')):
        for name in re.findall(r'^ +(OVK_OK|OVK_ERR_\w+|OVK_REASON_\w+) = ', header.read_text(), re.MULTILINE):
            yield name.removeprefix('OVK_REASON_')


def anchors(text):
    """The anchors of the headings of a document, as GitHub makes them."""
    for heading in re.findall(r'^#+ (.*)', text, re.MULTILINE):
        yield re.sub(r'[^\w\- ]', '', heading.replace('`', '').strip().lower()).replace(' ', '-')


def link_faults(file, text):
    """The links to files or anchors that do not exist."""
    for target, anchor in re.findall(r'\]\(([^)#\s]*)#?([^)\s]*)\)', text):
        if re.match(r'\w+:', target):
            continue
        path = file.parent / target if target else file
        if not path.exists():
            yield f'link to {target}'
        elif anchor and path.suffix == '.md' and anchor not in anchors(path.read_text()):
            yield f'anchor {target}#{anchor}'


def name_faults(text, known, foreign):
    """The functions that do not exist."""
    for name in sorted(set(re.findall(r'\bovk_{1,2}[a-z0-9]\w*(?!\w*[.*])', text)) - PLACEHOLDERS):
        if name not in known:
            yield f'function {name}'
    for pattern, words in foreign:
        yield from (f'function {name}' for name in sorted(set(re.findall(pattern, text))) if name not in words)


def path_faults(tree, text, ends):
    """The paths in code that do not exist."""
    for path in sorted(set(re.findall(rf'`((?:{FOLDERS}|{LAYERS})/[\w./-]*|{CODE})`', text))):
        if path not in ends | FOREIGN_FILES and not (tree / path).exists() and not (tree / 'src' / path).exists():
            yield f'file {path}'


def path_ends(files):
    """The ends of the paths of some files: src/core/job.c gives core/job.c and job.c, too."""
    return {'/'.join(file.parts[first:]).removesuffix('.in') for file in files for first in range(len(file.parts))}


def tree_faults(tree, includes):
    """Each fault of the documents of a tree."""
    sources = [file for folder in FOLDERS.split('|') for file in tree.glob(f'{folder}/**/*')
               if file.suffix in {'.c', '.h', '.in', '.f90', '.py', '.txt'}]
    known = words_of(sources)
    ends = path_ends(file.relative_to(tree) for folder in FOLDERS.split('|') for file in tree.glob(f'{folder}/**/*'))
    headers = [file for folder in includes for file in folder.glob('*.h')]
    foreign = [(pattern, known | words_of(headers)) for header, pattern in FOREIGN.items()
               if any(file.name == header for file in headers)]
    for file in sorted([*tree.glob('*.md'), *tree.glob('docs/**/*.md')]):
        text = file.read_text()
        for fault in [*link_faults(file, text), *name_faults(text, known, foreign), *path_faults(tree, text, ends)]:
            yield f'{file.relative_to(tree)}: no {fault}'
    for document, names in (('docs/reference.md', public_functions(tree)), ('docs/failures.md', outcomes(tree))):
        text = (tree / document).read_text()
        yield from (f'{document}: {name} is not listed' for name in names if f'`{name}`' not in text)


def self_test():
    """Each kind of fault is found, and nothing else."""
    files = {'include/a.h': 'OVK_API void ovk_do(int);\nOVK_API int\novk_undo(int);\n',
             'include/b.h': 'enum {\n  OVK_OK = 0,\n  OVK_REASON_BAD = 1\n};\n',
             'hypre/HYPRE.h': 'HYPRE_Do(\n',
             'docs/failures.md': '`OVK_OK`\n',
             'README.md': '[a](docs/reference.md#head) [b](docs/b.md) [c](docs/reference.md#other)\n',
             'docs/reference.md': '# Head\n`ovk_do` ovk_redo HYPRE_Do() HYPRE_Redo() `src/a.c` `c.c` `include/a.h` `b.h`\n',
             'docs/design/x.md': '`core/x` `core/y/`\n', 'src/core/x': ''}
    with tempfile.TemporaryDirectory() as folder:
        tree = pathlib.Path(folder)
        for name, text in files.items():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            (tree / name).write_text(text)
        found = list(tree_faults(tree, [tree / 'hypre']))
    expected = ['README.md: no link to docs/b.md', 'README.md: no anchor docs/reference.md#other',
                'docs/design/x.md: no file core/y/', 'docs/reference.md: no function ovk_redo', 'docs/reference.md: no function HYPRE_Redo',
                'docs/reference.md: no file c.c', 'docs/reference.md: no file src/a.c', 'docs/reference.md: ovk_undo is not listed',
                'docs/failures.md: BAD is not listed']
    if found != expected:
        raise SystemExit(f'self-test: found {found}')


def main(arguments):
    if arguments == ['--self-test']:
        return self_test()
    tree, *includes = map(pathlib.Path, arguments)
    faults = list(tree_faults(tree, includes))
    if faults:
        raise SystemExit('\n'.join(faults))


main(sys.argv[1:])
