#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the names of static functions: none is a bare verb, so that profiles and backtraces show whose it is. In the
folders whose functions a profile of a solve lists, none begins with a verb: the first word is its method or format.
Usage: static_names.py SOURCE_TREE, or static_names.py --self-test."""
import pathlib
import re
import sys

BARE = frozenset('apply begin create destroy fill finish init iterate make poll release run setup start step test wait'.split())
VERBS = (BARE - {'step'}) | frozenset(
    'add advance build check choose collect compare copy count drop eliminate end estimate fetch '
    'fill find fits free get give has invert is keep list load look measure open pack place print '
    'put read refill restore round run search seems set share shift sort store take try '
    'unfold update widen write'.split())
HOT = ('src/matrix/float/', 'src/matrix/formats/', 'src/matrix/halo/', 'src/precond/', 'src/solvers/')
FOLDERS = ('src', 'bindings', 'tools', 'papers', 'examples', 'bench', 'tests')
IGNORED = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
STATIC = re.compile(r'\bstatic\b([^;={}()]*?)(\w+)\s*\(')


def blank(match):
    """Spaces in place of a comment or a string; lines stay where they are."""
    return re.sub(r'[^\n]', ' ', match.group())


def bare_names(text, path='tools/x.c'):
    """The line and the name of each static function that does not say whose it is. A verb may be the name of its file."""
    code = IGNORED.sub(blank, text)
    hot = path.startswith(HOT) and not path.endswith('.h')
    topics = pathlib.PurePosixPath(path).stem.split('_')
    for found in STATIC.finditer(code):
        name = found.group(2)
        verb = name.split('_')[0]
        if name in BARE or (hot and verb in VERBS and verb not in topics):
            yield code.count('\n', 0, found.start(2)) + 1, name


def check(tree):
    """Prints the faults of a source tree; returns their number."""
    faults = 0
    for folder in FOLDERS:
        for path in sorted((tree / folder).rglob('*.*')):
            if path.suffix not in ('.c', '.h', '.inc'):
                continue
            name = path.relative_to(tree).as_posix()
            for line, verb in bare_names(path.read_text(), name):
                faults += 1
                print(f"{name}:{line}: static function '{verb}' needs the name of its object or topic, "
                      f"as in 'cg_{verb}'", file=sys.stderr)
    return faults


def self_test():
    """What must be found, and what must not."""
    cases = {
        'static void run(int n)\n{\n}\n': [(1, 'run')],
        '\n\nstatic inline const ovk_vec *\nmake(void);\n': [(4, 'make')],
        'static ovk_err *test(void)\n{\n}\n': [(1, 'test')],
        'static __attribute__((unused)) int x = 1;\nstatic void wait (int n);\n': [(2, 'wait')],
        'static void cg_run(int n)\n{\n  run(n);\n}\n': [],
        'void run(int n)\n{\n}\n': [],
        '/* static void run(int n) */\nstatic const char *text = "static void run(int n)";\n': [],
        'static const ops table = {.run = cg_run};\nstatic int k = run(1);\n': [],
        'static void (*run)(int n);\n': [],
    }
    hot = 'static void fill_row(int n);\nstatic void sell_fill(void);\nstatic int add_up(void);\n'
    if list(bare_names(hot, 'src/matrix/formats/sell/sell_add.c')) != [(1, 'fill_row')]:
        print('self-test: a verb in a folder of kernels', file=sys.stderr)
        return 1
    wrong = [text for text, names in cases.items() if list(bare_names(text)) != names]
    for text in wrong:
        print(f'self-test: {list(bare_names(text))} in {text!r}', file=sys.stderr)
    return len(wrong)


if __name__ == '__main__':
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(1 if (self_test() if sys.argv[1] == '--self-test' else check(pathlib.Path(sys.argv[1]))) else 0)
