#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-2-Clause
"""Compares ovkrylov.f90 with the C headers: each function has the arguments of C's, in their order, with
their names and kinds; constants have C's values, all codes and reasons are there; types have C's layout.
Arguments: --self-test or nothing, the module, the folder of the headers, a C compiler, its options."""
import pathlib
import re
import subprocess
import sys

C_TYPES = {  # what a kind of Fortran may be in C
    'integer(c_int)': {'int', 'ovk_reason', 'ovk_norm', 'MPI_Fint'}, 'integer(ovk_err)': {'ovk_err'},
    'integer(ovk_lidx)': {'ovk_lidx'}, 'integer(ovk_gidx)': {'ovk_gidx'}, 'integer(c_size_t)': {'size_t'},
    'integer(c_int32_t)': {'int32_t'}, 'integer(c_int64_t)': {'int64_t', 'uint64_t'},
    'real(c_double)': {'double'}, 'logical(c_bool)': {'bool'}, 'character(c_char)': {'char'}}
# Public functions that the module lacks on purpose: those of whole headers, and of the others some.
C_ONLY_HEADERS = {
    'agent.h': 'the agent', 'backend.h': 'for plug-ins', 'board.h': 'for libovk_mpi',
    'collective.h': 'on addresses in C', 'collectives_move.h': 'the same', 'collectives_reduce.h': 'the same',
    'schedule.h': 'the same', 'spec.h': 'for plug-ins', 'list.h': '`ovk list` shows them',
    'conformance.h': 'for plug-ins', 'init.h': 'Fortran programs call MPI_Init()'}
C_ONLY = {
    'ovk_ctx_create': 'the module has ovk_ctx_create_f() under this name', 'ovk_ctx_comm': 'an MPI_Comm',
    'ovk_ctx_create_no_env': 'an MPI_Comm', 'ovk_ctx_fail': 'variadic', 'ovk_notice_print': 'a FILE *',
    'ovk_precond_view': 'a FILE *', 'ovk_monitor_print': 'a FILE *', 'ovk_monitor_record': 'an ovk_monitor_fn does it',
    'ovk_solver_opts_default': 'the constructor of the type', 'ovk_poll_none': 'the constructor of the type',
    'ovk_vec_array_const': 'ovk_vec_array()', 'ovk_log_seconds': 'ovk_log_write() writes it',
    'ovk_log_stats': 'the same', 'ovk_reason_find': 'Fortran compares reasons by value'}
EXTRA = {'method', 'backend', 'count'}  # arguments that C takes in a struct, or not at all
BLANKS = re.compile(r'\s+')


def statements(text):
    """The statements of Fortran, one a line, without comments."""
    text = re.sub(r'!.*', '', text)
    return [BLANKS.sub(' ', line).strip() for line in re.sub(r'&\s*\n', ' ', text).splitlines() if line.strip()]


def declared(lines):
    """{name: (type, attributes)} of declarations."""
    found = {}
    for line in lines:
        if ' :: ' not in line or line.startswith('enumerator'):
            continue
        kind, names = line.split(' :: ', 1)
        kind, *attributes = re.split(r', (?![^(]*\))', kind)
        for name in re.split(r', (?![^(]*\))', names):
            found[re.match(r'\w+', name).group().lower()] = (kind, attributes + ['(' in name and 'array'], name)
    return found


class Module:
    """Constants, types, and procedures: (name, label, result, [(argument, type, attributes)])."""

    def __init__(self, text):
        self.constants = dict(re.findall(r'\b(OVK_[A-Z_]+) = (-?\d+)', text))
        text = text.replace('; ', '\n')
        self.types = {name: declared(statements(body)) for name, body in
                      re.findall(r'type, bind\(c\) :: (\w+)\n(.*?)\bend type', text, re.S)}
        self.handles = {name for name, members in self.types.items() if list(members) == ['address']}
        self.bound, self.own, self.names, lines = [], {}, set(), statements(text)
        for k, line in enumerate(lines):
            head = re.match(r'(?!end)(.*?) ?\b(function|subroutine) (\w+)\((.*?)\)(.*)', line)
            if not head:
                continue
            result, _, name, arguments, rest = head.groups()
            names = [n.strip().lower() for n in arguments.split(',') if n.strip()]
            end = next(e for e in range(k, len(lines)) if re.match('end (function|subroutine)', lines[e]))
            if 'bind(c' in rest:
                given = declared(lines[k:end])
                label = re.search(r"name='(\w+)'", rest)
                self.bound.append((label.group(1) if label else name.lower(), result or 'void',
                                   [(n, *given[n][:2]) for n in names]))
                if name != 'c_function':
                    self.names.add(self.bound[-1][0])
            else:
                self.own[name] = names
                self.names.add(name)


def split(arguments):
    """C's arguments, at the commas outside of parentheses."""
    return [a.strip() for a in re.split(r',(?![^(]*\))', arguments) if a.strip() not in ('', 'void')]


def headers(folder):
    """{function: (result, [argument])}, also of pointers to functions, by their names."""
    functions = {}
    for path in sorted(folder.rglob('*.h')):
        text = BLANKS.sub(' ', re.sub(r'/\*.*?\*/', '', path.read_text(), flags=re.S))
        for result, name, arguments in re.findall(r'(?:OVK_API|inline) ([\w ]+?[ *]+)(ovk_\w+)\((.*?)\)(?= ?[;{O])', text):
            functions[name] = (result.strip(), split(arguments))
            if path.name in C_ONLY_HEADERS:
                C_ONLY[name] = C_ONLY_HEADERS[path.name]
        for result, name, arguments in re.findall(r'(\w+) \(\*(\w+)\)\(([^()]*)\);', text):
            functions.setdefault('*' + name, (result, split(arguments)))
    return functions


def fits(module, kind, attributes, c):
    """Whether an argument, or a result of no attributes, is what C says."""
    if '(*' in c:
        return kind == 'type(c_funptr)' and 'value' in attributes
    if c.endswith('_fn'):
        return kind == 'type(c_funptr)' and 'value' in attributes
    constant = c.startswith('const ')
    stars = c.count('*')
    base = re.search(r'\w+', c.removeprefix('const ')).group()
    by_value = 'value' in attributes or attributes == ['result']
    derived = re.fullmatch(r'type\((\w+)\)', kind)
    if derived and derived.group(1) == 'c_ptr':
        return by_value and stars == 1 and base not in module.types
    if derived and derived.group(1) in module.handles:
        return base == derived.group(1) and stars == (1 if by_value else 2)
    if base not in ({derived.group(1)} if derived else C_TYPES.get(kind, {kind})):
        return False
    return stars == 0 if by_value else stars == 1 and constant == ('intent(in)' in attributes)


def compare(module, functions):
    """What differs."""
    faults = []
    for name, result, arguments in module.bound:
        callback = re.fullmatch(r'ovk_(\w+)_fn', name)
        c = functions.get('*' + name) or functions.get('*' + callback.group(1)) if callback else functions.get(name)
        if name == 'strlen':
            continue
        if not c:
            faults.append(f'{name}: no header declares it')
            continue
        if not fits(module, result, ['result'], c[0]):
            faults.append(f'{name}: its result is {result}, not {c[0]}')
        if len(arguments) != len(c[1]):
            faults.append(f'{name}: {len(arguments)} arguments, not {len(c[1])}')
        for (argument, kind, attributes), of_c in zip(arguments, c[1]):
            of_c = re.sub(r'(\w+)\[\w*\]$', r'*\1', of_c)
            if '(*' not in of_c and re.search(r'(\w+)$', of_c).group().lower() != argument:
                faults.append(f'{name}: {argument} is not the name in {of_c}')
            if not fits(module, kind, attributes, re.sub(r' ?\w+$', '', of_c) if '(*' not in of_c else of_c):
                faults.append(f'{name}: {kind} {argument} is not {of_c}')
    for name, arguments in module.own.items():
        if name in functions:
            of_c = [re.search(r'(\w+)(\[\w*\])?$', a).group(1).lower() for a in functions[name][1]]
            if [a for a in arguments if a not in EXTRA or a in of_c] != of_c:
                faults.append(f'{name}: its arguments are not {", ".join(of_c)}')
        elif name.startswith('ovk_') and name != 'ovk_string':
            faults.append(f'{name}: no header declares it')
    here = module.names | set(C_ONLY)
    return faults + [f'{name}: not in the module' for name in functions if name not in here and name[0] != '*']


def assertions(module):
    """C that compiles if constants and types are C's."""
    yield '#include <ovkrylov/ovkrylov.h>'
    yield '#include <ovkrylov/comm/reduction.h>'
    yield '#include "core/context/error_list.h"'
    yield '#include "solvers/state/reason_list.h"'
    yield 'typedef void *c_ptr; typedef void (*c_funptr)(void);'
    yield '#define KIND(e) _Generic((e), double: 1, bool: 2, int: 3, unsigned: 3, size_t: 4, int64_t: 4, default: 5)'
    yield '#define SAME(name, ...) _Static_assert(FORTRAN_##name == (int)name, #name);'
    yield '#define MEMBER(t, m) _Static_assert(offsetof(t, m) == offsetof(f_##t, m) && \\'
    yield '  KIND(((t *)0)->m) == KIND(((f_##t *)0)->m), #t "." #m);'
    for name, value in module.constants.items():
        yield f'enum {{ FORTRAN_{name} = {value} }}; SAME({name}, )'
    yield 'OVK_ERROR_LIST(SAME) OVK_REASON_LIST(SAME)'
    yield '_Static_assert(sizeof(MPI_Fint) == sizeof(int) && sizeof(ovk_err) == sizeof(int), "kinds");'
    for name, members in module.types.items():
        if name in module.handles:
            continue
        yield f'typedef struct f_{name} {{'
        for member, (kind, _, declaration) in members.items():
            c_type = re.sub(r'\w+\((\w+)\)', r'\1', kind).removeprefix('c_') if 'ptr' not in kind else kind[5:-1]
            length = re.match(r'\w+\((\d+)\)', declaration)
            yield f'  {c_type} {member}{f"[{length.group(1)}]" if length else ""};'
        yield f'}} f_{name};'
        yield f'_Static_assert(sizeof(f_{name}) == sizeof({name}), "size of {name}");'
        yield from (f'MEMBER({name}, {member})' for member in members)
        size = re.search(r'= (\d+)', members['size'][2]) if 'size' in members else None
        if size:
            yield f'_Static_assert(sizeof({name}) == {size.group(1)}, "{name}%size");'


def faults_of(text, folder, compiler):
    module = Module(text)
    faults = compare(module, headers(folder))
    compiled = subprocess.run([*compiler, '-std=c11', '-fsyntax-only', '-x', 'c', '-'], text=True, capture_output=True,
                              input='\n'.join(assertions(module)))
    if compiled.returncode:
        faults.append(compiled.stderr)
    if len(module.bound) < 40 or len(module.types) < 10:
        faults.append('these are not all functions and types')
    return faults


def self_test(text, folder, compiler):
    """Each of these changes must be found."""
    for old, new, said in (
            ('function ovk_mat_assemble', 'function ovk_mat_assembly', 'ovk_mat_assembly: no header'),
            ('function ovk_mat_assemble', 'function ovk_mat_assembly', 'ovk_mat_assemble: not in the module'),
            ('function ovk_pcg_solve', 'function pcg_solve', 'ovk_pcg_solve: not in the module'),
            ('type(ovk_vec), value :: x, y\n', 'type(ovk_mat), value :: x, y\n', 'is not const ovk_vec *x'),
            ('type(ovk_vec), value :: x, y\n', 'type(ovk_vec) :: x, y\n', 'is not const ovk_vec *x'),
            ('real(c_double), intent(in) :: val(*)', 'real(c_double) :: val(*)', 'val is not const double *val'),
            ('integer(ovk_lidx), value :: nlocal', 'integer(ovk_gidx), value :: nlocal', 'is not ovk_lidx nlocal'),
            ('ovk_vec_fill(v, value)', 'ovk_vec_fill(v)', '1 arguments, not 2'),
            ('ovk_mat_add(A, i, j, value)', 'ovk_mat_add(A, j, i, value)', 'j is not the name'),
            ('integer(ovk_gidx) function ovk_mat_size', 'integer(c_int) function ovk_mat_size', 'its result is'),
            ('function ovk_precond_create(A, spec, out)', 'function ovk_precond_create(spec, A, out)', 'not a, spec'),
            ('OVK_ERR_STATE = 2', 'OVK_ERR_STATE = 3', 'OVK_ERR_STATE'),
            (', OVK_REASON_NAN = -4', '', 'OVK_REASON_NAN'),
            ('integer(c_int) :: maxit = 10000\n', '', 'ovk_solver_opts'),
            ('atol = 0, dtol', 'dtol = 0, atol', 'ovk_solver_opts.dtol'),
            ('size = 144', 'size = 128', 'ovk_solver_opts%size')):
        if old not in text:
            raise SystemExit(f'self-test: {old} is not in the module')
        faults = faults_of(text.replace(old, new), folder, compiler)
        if not any(said in fault for fault in faults):
            raise SystemExit(f'self-test: {new or old} was not found, but {faults}')


def main(arguments):
    testing = arguments[0] == '--self-test'
    module, include, *compiler = arguments[testing:]
    folder = pathlib.Path(include) / 'ovkrylov'
    compiler += ['-I', include, '-I', str(pathlib.Path(include).parent / 'src')]
    text = pathlib.Path(module).read_text()
    if testing:
        self_test(text, folder, compiler)
    else:
        faults = faults_of(text, folder, compiler)
        if faults:
            raise SystemExit('\n'.join(faults))


main(sys.argv[1:])
