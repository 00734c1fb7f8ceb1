#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares the binary interface of the public headers with that of the last release, packaging/abi/MAJOR.MINOR.txt: the
prototypes of functions, the members of structures, the values of enumerations. Additions are allowed: functions, values,
and members at the end of a structure that begins with `size`. Before the first release all changes are, and are listed.

Usage: abi.py TREE
       abi.py TREE --write     makes the present interface that of the last release
       abi.py TREE --symbols   adds new functions to the lists for Debian, in debian/ of an unpacked tree
       abi.py --self-test
"""
import pathlib
import re
import sys

DECLARATION = re.compile(r'OVK_API\s+([^;{]*?\b(ovk_\w+)\([^;{]*\));')
TYPE = re.compile(r'^(?:typedef )?(struct|enum) (ovk_\w+)\s*\{(.*?)^\}', re.S | re.M)
SYMBOLS = {'libovkrylov0.1': ('libovkrylov.so.0.1', 'include/ovkrylov'),
           'libovkhypre0.1': ('libovkhypre.so.0.1', 'bindings/hypre/ovk_hypre.h')}


def one_line(text):
    """Text without comments, one blank between words."""
    return re.sub(r'\s+', ' ', re.sub(r'/\*.*?\*/', '', text, flags=re.S)).strip()


def headers(path):
    """The files of a folder, or the file."""
    return sorted(path.rglob('*.h*')) if path.is_dir() else [path]


def interface(texts):
    """A line for each function, structure and enumeration."""
    lines = []
    for text in texts:
        for prototype, name in DECLARATION.findall(text):
            lines.append(f'function {name}: {one_line(prototype)}')
        for kind, name, body in TYPE.findall(text):
            lines.append(f'{kind} {name}: {one_line(body).rstrip(",")}')
    return sorted(lines)


def faults(old, new):
    """What of the old interface is no more."""
    now = dict(line.split(': ', 1) for line in new)
    for line in old:
        name, text = line.split(': ', 1)
        found = now.get(name)
        may_grow = name.startswith('enum ') or text.startswith('size_t size;')
        if found is None:
            yield f'{name}: removed'
        elif found != text and not (may_grow and found.startswith(text)):
            yield f'{name}: changed from\n  {text}\nto\n  {found}'


def public_texts(tree):
    """The public headers."""
    return [header.read_text() for place in ('include/ovkrylov', 'bindings/hypre/ovk_hypre.h')
            for header in headers(tree / place)]


def write_symbols(tree, folder, version):
    """The lists of exported functions for Debian, in a folder: those that are new have this version."""
    for package, (library, place) in SYMBOLS.items():
        path = tree / folder / f'{package}.symbols'
        since = dict(re.findall(r'^ (\w+)@Base (\S+)$', path.read_text(), re.M)) if path.exists() else {}
        names = sorted({name for header in headers(tree / place) for name in
                        re.findall(r'\b((?:ovk|HYPRE)_\w+)\($', '\n'.join(
                            re.findall(r'OVK_API\s+[^;{(]*\(', header.read_text())), re.M)})
        path.write_text(f'{library} {package} #MINVER#\n* Build-Depends-Package: '
                        f'{package.removesuffix("0.1")}-dev\n' +
                        ''.join(f' {name}@Base {since.get(name, version)}\n' for name in names))


def self_test():
    """Each kind of change is found, and additions are not."""
    old = interface(['OVK_API ovk_err ovk_do(int n);\nOVK_API void ovk_end(void);\n'
                     'typedef struct ovk_opts {\n  size_t size; /* of it */\n  int a;\n} ovk_opts;\n'
                     'typedef struct ovk_out {\n  int a;\n} ovk_out;\ntypedef enum ovk_kind {\n  A = 0,\n} ovk_kind;\n'])
    assert [line.split(':')[0] for line in old] == ['enum ovk_kind', 'function ovk_do', 'function ovk_end',
                                                    'struct ovk_opts', 'struct ovk_out']
    assert not list(faults(old, old))
    more = [line.replace('size_t size; int a;', 'size_t size; int a; int b;').replace('A = 0', 'A = 0, B = 1')
            for line in old] + ['function ovk_more: void ovk_more(void)']
    assert not list(faults(old, more))
    for before, after in (('int n', 'long n'), ('ovk_out: int a;', 'ovk_out: int a; int b;'),
                          ('size_t size; int a;', 'size_t size; int b; int a;'), ('A = 0', 'A = 1')):
        changed = [line.replace(before, after) for line in old]
        assert changed != old and len(list(faults(old, changed))) == 1, before
    assert list(faults(old, old[:1] + old[2:])) == ['function ovk_do: removed']


def main(tree, action=''):
    tree = pathlib.Path(tree)
    version = re.search(r'^project\(ovkrylov VERSION (\S+)', (tree / 'CMakeLists.txt').read_text(), re.M).group(1)
    baseline = tree / f'packaging/abi/{version.rsplit(".", 1)[0]}.txt'
    now = interface(public_texts(tree))
    if action == '--write':
        baseline.write_text('\n'.join(now) + '\n')
    if action in ('--write', '--symbols'):
        write_symbols(tree, 'packaging/debian' if action == '--write' else 'debian', version)
        return 0
    found = list(faults(baseline.read_text().splitlines(), now))
    released = f'## {version}, not released yet' not in (tree / 'CHANGELOG.md').read_text()
    print('\n'.join(found))
    print(f'{len(now)} functions and types, {len(found)} differ from {baseline.name}' +
          ('' if released else '; the version is not released, so all may'))
    return 1 if found and released else 0


if __name__ == '__main__':
    sys.exit(self_test() if sys.argv[1] == '--self-test' else main(*sys.argv[1:]))
