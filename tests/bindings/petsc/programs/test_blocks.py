# SPDX-License-Identifier: BSD-2-Clause
"""The TEST blocks at the end of PETSc's programs: with which options and on how many ranks each is tested,
what it needs, which files."""
import re

BLOCK = re.compile(r'/\*TEST(.*?)TEST\*/|^!/\*TEST(.*?)^!\s*TEST\*/', re.S | re.M)
ITEM = re.compile(r'(\w+):(.*)')
LOOP = re.compile(r"\{\{\s*('[^']*'|[^\s}]+)[^}]*\}[^}]*\}")  # {{1 2}separate output}
NESTS = {'build', 'test', 'testset'}
# Of what is asked for, beside PETSC_HAVE_...: this is about PETSc in double precision with real numbers.
TRUE = {'double', 'real', 'c', 'c99', 'fortran', 'f90', 'f2003', 'define'}
FALSE = {'single', 'complex', '__float128', '__fp16', 'quad', 'datafilespath', 'todo', 'broken', 'windows',
         'windows_compilers', 'long_runtime', 'cuda_version_11plus'}


def read_tree(text):
    """[(key, value or list of such pairs)] by indentation; lines without a key continue a value, with
    or without a backslash before them."""
    root, nests = [], []
    nests.append((-1, root))
    for line in text.splitlines():
        line = line.lstrip('!').split(' #')[0].expandtabs().rstrip(' \\')
        if not line.strip() or line.lstrip().startswith('#'):
            continue
        indent, item = len(line) - len(line.lstrip()), ITEM.match(line.strip())
        while item and indent <= nests[-1][0]:
            nests.pop()
        here = nests[-1][1]
        if not item:
            if here and isinstance(here[-1][1], str):
                here[-1] = (here[-1][0], here[-1][1] + ' ' + line.strip())
        elif item[1] in NESTS:
            here.append((item[1], []))
            nests.append((indent, here[-1][1]))
        else:
            here.append((item[1], item[2].strip()))
    return root


def of_key(tree, key):
    """The values of a key, joined."""
    return ' '.join(value for name, value in tree if name == key and isinstance(value, str)).strip()


class Test:
    """One test of a program."""

    def __init__(self, own, around):
        def both(key):
            return (of_key(around, key) + ' ' + of_key(own, key)).strip()
        self.suffix = of_key(own, 'suffix') or 'default'
        self.nsize = LOOP.sub(r'\1', of_key(own, 'nsize') or of_key(around, 'nsize') or '1')
        self.args = LOOP.sub(lambda loop: loop[1].strip("'"), both('args'))
        self.requires, self.files = both('requires').split(), both('localrunfiles').split()
        self.any_order = both('filter').startswith('sort')
        self.todo = any(key == 'TODO' for key, _ in own + around)


class Block:
    """What a program's block says: Tests, what the build requires and depends on."""

    def __init__(self, source):
        found = BLOCK.search(source)
        tree = read_tree(found[1] or found[2]) if found else []
        build = [pair for key, value in tree if key == 'build' for pair in value]
        self.requires, self.depends = of_key(build, 'requires').split(), of_key(build, 'depends').split()
        self.tests = []
        for key, value in tree:
            if key == 'test':
                self.tests.append(Test(value, []))
            elif key == 'testset':
                inner = [own for name, own in value if name == 'test']
                self.tests += [Test(own, value) for own in inner] or [Test(value, [])]


def missing(requires, macros):
    """The first of what is required that this PETSc, which defines these macros, has not got; or None."""
    for token in requires:
        name, wanted = token.lstrip('!'), not token.startswith('!')
        inside = re.fullmatch(r'defined?\((\w+)\)', name)
        if inside:
            has = inside[1] in macros
        else:
            has = name.lower() in TRUE or (name.lower() not in FALSE and 'PETSC_HAVE_' + name.upper() in macros)
        if has != wanted:
            return token
    return None
