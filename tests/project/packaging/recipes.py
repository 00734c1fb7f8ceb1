#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Checks the recipes for Spack and conda, without these tools: their syntax, their versions, and that each option that
they give to CMake exists. Usage: recipes.py TREE."""
import pathlib
import re
import sys
import types


def cmake_options(tree):
    """The variables that the project documents: option() and set(... CACHE ...)."""
    texts = [file.read_text() for place in ('CMakeLists.txt', 'cmake', 'bindings', 'tests')
             for file in ([tree / place] if (tree / place).is_file() else sorted((tree / place).rglob('*')))
             if file.name == 'CMakeLists.txt' or file.suffix == '.cmake']
    names = {name for text in texts for name in re.findall(r'\boption\((\w+)', text)}
    names |= {name for text in texts for name in re.findall(r'\bset\((\w+) [^)]*?\bCACHE\b', text)}
    return names | {name for text in texts for name in re.findall(r'ovk_optional_library\(\w+ (\w+)', text)}


def spack_namespace(said):
    """A stand-in for spack.package, which notes the calls of the recipe."""
    class CMakePackage:
        prefix = types.SimpleNamespace(bin='bin')

        def define(self, name, value):
            said.append(('define', name))
            return f'-D{name}={value}'

        def define_from_variant(self, name, variant):
            assert ('variant', variant) in said, f'no variant {variant}'
            return self.define(name, True)

    names = {'CMakePackage': CMakePackage}
    for directive in ('license', 'version', 'variant', 'depends_on'):
        names[directive] = lambda name, *rest, directive=directive, **more: said.append((directive, name))
    return names


def spack_faults(tree, options, version):
    """Executes the recipe of Spack."""
    text = (tree / 'packaging/spack/package.py').read_text()
    said = []
    names = spack_namespace(said)
    exec(compile(text.replace('from spack.package import *', ''), 'package.py', 'exec'), names)
    names['Ovkrylov']().cmake_args()
    if ('version', version) not in said:
        yield f'spack: no version {version}'
    yield from (f'spack: no option {name} of CMake' for kind, name in said if kind == 'define' and name not in options)
    for kind, name in said:
        if kind == 'depends_on' and re.search(r'\+|~', name) and not re.match(r'[a-z0-9-]+@', name):
            yield f'spack: {name} has variants, but no version'


def conda_faults(tree, options, version):
    """Reads the recipe of conda."""
    import yaml
    text = (tree / 'packaging/conda/recipe.yaml').read_text()
    recipe = yaml.safe_load(text)
    if recipe['context']['version'] != version:
        yield f'conda: no version {version}'
    unknown = set(recipe) - {'schema_version', 'context', 'recipe', 'source', 'build', 'outputs', 'about'}
    yield from (f'conda: unknown section {name}' for name in sorted(unknown))
    for output in recipe['outputs']:
        if not set(output) <= {'package', 'build', 'requirements', 'tests', 'about'} or 'tests' not in output:
            yield f'conda: an output with {", ".join(output)}'
    yield from (f'conda: no option {name} of CMake' for name in re.findall(r'-D(OVK_\w+)=', text) if name not in options)


def main(tree):
    tree = pathlib.Path(tree)
    version = re.search(r'^project\(ovkrylov VERSION (\S+)', (tree / 'CMakeLists.txt').read_text(), re.M).group(1)
    options = cmake_options(tree)
    assert {'OVK_MPI', 'OVK_PETSC', 'OVK_BUILD_TESTS', 'OVK_WITH_TLS', 'OVK_PYTHON_DIR'} <= options
    faults = list(spack_faults(tree, options, version))
    rules = (tree / 'packaging/debian/rules').read_text()
    faults += [f'debian: no option {name} of CMake' for name in re.findall(r'-D(OVK_\w+)=', rules) if name not in options]
    try:
        faults += list(conda_faults(tree, options, version))
    except ImportError:
        print('the recipe of conda is not checked: there is no PyYAML')
    print('\n'.join(faults))
    return len(faults)


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
