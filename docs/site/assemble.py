#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Assembles the sources of the site, for scripts/site, and checks what Sphinx makes of them.

    assemble.py sources TREE FOLDER   the documents of the tree, a page for each public function, one for Python
    assemble.py check TREE SITE       each public function and each name of the Python package has its place
"""
import json
import pathlib
import re
import shutil
import sys

PAGES = ('README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'SECURITY.md', 'SUPPORT.md', 'docs/**/*.md')
FUNCTION = re.compile(r'(?:OVK_API|static inline)[^;{]*?\b(ovk_\w+)\(')


def headers(tree):
    """The public headers."""
    files = sorted(tree.glob('include/ovkrylov/**/*.h')) + [tree / 'include/ovkrylov/version.h.in',
                                                          tree / 'bindings/hypre/ovk_hypre.h']
    return [file for file in files if FUNCTION.search(file.read_text())]


def public_name(tree, header):
    """A header as programs include it."""
    return str(header.relative_to(tree)).removeprefix('include/').removeprefix('bindings/hypre/').removesuffix('.in')


def functions(header):
    """The functions of a header, in its order."""
    return list(dict.fromkeys(FUNCTION.findall(header.read_text())))


def python_names(tree):
    """What the Python package exports."""
    text = (tree / 'bindings/python/ovkrylov/__init__.py').read_text()
    return re.findall(r"'(\w+)'", text[text.index('__all__'):])


def write(path, text):
    """Writes a page and the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def with_links(tree, file, text):
    """A document whose links to files that are no pages of the site have become the names of these files."""
    def replace(match):
        label, target, anchor = match.groups()
        if re.match(r'\w+:', target) or not target:
            return match.group()
        path = (file.parent / target).resolve()
        if path in pages(tree) or path.suffix == '.svg':
            return match.group()
        name = path.relative_to(tree.resolve())
        return f'`{name}`' if label.strip('`') == str(name) else f'{label} (`{name}`)'
    return re.sub(r'(?<!!)\[([^]]*)\]\(([^)#\s]*)(#[^)\s]*)?\)', replace, text)


def pages(tree):
    """The documents that are pages."""
    if not hasattr(pages, 'found'):
        pages.found = {file.resolve() for pattern in PAGES for file in tree.glob(pattern)
                       if 'site' not in file.parts}
    return pages.found


def notebook_text(notebook):
    """The cells of a notebook as a document."""
    for cell in json.loads(notebook.read_text())['cells']:
        text = ''.join(cell['source'])
        yield text if cell['cell_type'] == 'markdown' else f'```python\n{text}\n```'


def write_documents(tree, folder):
    """Copies the documents and their figures."""
    for notebook in sorted(tree.glob('docs/notebooks/*.ipynb')):
        write(folder / 'docs/notebooks' / f'{notebook.stem}.md', '\n\n'.join(notebook_text(notebook)) + '\n')
    for file in sorted(pages(tree)):
        write(folder / file.relative_to(tree.resolve()), with_links(tree, file, file.read_text()))
    shutil.copytree(tree / 'docs/figures', folder / 'docs/figures')
    shutil.copy(tree / 'docs/site/conf.py', folder / 'conf.py')
    index = (tree / 'docs/site/index.md').read_text()  # whose links lead from its folder
    listed = set(re.findall(r'[\w./-]+\.md', index))
    more = [name for name in sorted(str(page.relative_to(folder)) for page in folder.rglob('*.md'))
            if name not in listed]
    toctree = '\n'.join([':::{toctree}', ':hidden:', ':caption: More', *more, ':::', '']) if more else ''
    write(folder / 'index.md', index.replace('](../../', '](').replace('](../', '](docs/') + '\n' + toctree)


def write_header(tree, folder, header):
    """The page of a header, which has its types, and a page for each of its functions."""
    name = public_name(tree, header)
    stem = name.replace('/', '-').removesuffix('.h')
    entries = functions(header)
    for function in entries:
        write(folder / 'api' / f'{function}.md',
              f'# {function}\n\n`#include <{name}>`\n\n```{{doxygenfunction}} {function}\n```\n')
    listed = '\n'.join(f'{function}.md' for function in entries)
    write(folder / 'api' / f'{stem}.md',
          f'# {name}\n\n```{{doxygenfile}} {name}\n:sections: detaileddescription enum typedef innerclass define var\n'
          f'```\n\n## Functions\n\n```{{toctree}}\n{listed}\n```\n')
    return stem


def write_interfaces(tree, folder):
    """The reference of C and of Python."""
    stems = '\n'.join(f'{write_header(tree, folder, header)}.md' for header in headers(tree))
    write(folder / 'api/index.md', f'# C functions\n\n```{{toctree}}\n:maxdepth: 2\n{stems}\n```\n')
    write(folder / 'python/index.md',
          '# Python functions\n\n```{eval-rst}\n.. automodule:: ovkrylov\n   :no-members:\n\n' +
          ''.join(f'.. auto{"module" if name == "gallery" else "class" if name[0].isupper() else "function"}:: '
                  f'ovkrylov.{name}\n\n' for name in python_names(tree)) + '```\n')


def check(tree, site):
    """The public names without a place in the site."""
    missing = [function for header in headers(tree) for function in functions(header)
               if f'id="c.{function}"' not in (site / f'api/{function}.html').read_text()]
    reference = (site / 'python/index.html').read_text()
    missing += [name for name in python_names(tree)
                if f'id="ovkrylov.{name}"' not in reference and f'id="module-ovkrylov.{name}"' not in reference]
    print(f'{sum(len(functions(header)) for header in headers(tree))} functions of C, '
          f'{len(python_names(tree))} names of Python')
    return missing


def main(action, tree, folder):
    tree, folder = pathlib.Path(tree), pathlib.Path(folder)
    if action == 'check':
        missing = check(tree, folder)
        return f'not in the site: {", ".join(missing)}' if missing else 0
    write_documents(tree, folder)
    write_interfaces(tree, folder)
    return 0


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
