# SPDX-License-Identifier: BSD-2-Clause
"""The applications: what each needs, how it is started, and what of it must agree."""
import dataclasses
import itertools

from prepare import CMAKE, copy, run

PETSC, RUN = 'petsc', 'run'  # `ovk petsc`: linear solves; `ovk run`: collective operations of MPI
# Iterations are the same solve by solve, or in all not more, or those of a method with other ones.
EQUAL, FEWER, OTHER = 'equal', 'fewer', 'other'
SOLUTION = 'norm of the solutions'  # of all solves together: for programs that print no result


@dataclasses.dataclass(frozen=True)
class Row:
    """A problem, solved with the application's own solver and with ovkrylov's."""
    name: str            # APPLICATION/PROBLEM
    packages: tuple      # of Debian
    command: str         # {n}: the size, of `full` or of `small`
    prepare: tuple = ()  # steps that fill the folder that it runs in
    how: str = PETSC
    ranks: int = 2
    more: tuple = ()     # other numbers of ranks that --check runs it on, too; not DOLFINx: its PT-Scotch may hang on 4
    full: object = ''
    small: object = ''
    options: str = ''    # PETSC_OPTIONS of both
    own: str = ''        # of its own solver alone
    ours: str = ''       # of ovkrylov's alone
    take: str = ''       # `ovk petsc --take`, for programs that name the type of their KSP
    prefix: str = ''     # of the KSPs that are compared
    counts: str = EQUAL
    slack: int = 1       # iterations that rounding may add to a solve
    results: tuple = ()  # SOLUTION, or regular expressions; the numbers in their groups must agree
    tolerance: float = 1e-6
    seconds: str = ''    # regular expression of the program's own time under `ovk run`; without it the whole run's
    environment: tuple = ()
    exits: int = 0       # the exit code under mpiexec
    output: str = ''     # a file that the program writes results to
    note: str = ''

    @property
    def application(self):
        return self.name.split('/', maxsplit=1)[0]


DOC = '/usr/share/doc'
PYTHON = '/usr/bin/python3'  # Debian's, which finds its modules


def dolfinx_scaling_test():
    """Its own solver is PETSc's cg with a PC that the options name."""
    own = '-ksp_type cg'
    for problem, order, pc in itertools.product(('poisson', 'elasticity'), (1, 2), ('jacobi', 'hypre', 'gamg', 'ic')):
        shared = '-ksp_rtol 1e-8 -ksp_max_it 5000 '
        yield Row(
            f'dolfinx-scaling-test/{problem}-{order}-{pc}', ('fenicsx-performance-tests',),
            f'/usr/bin/dolfinx-scaling-test --problem_type {problem} --order {order} --ndofs {{n}} --scaling_type strong',
            full=200000 if problem == 'poisson' else 100000, small=10000,
            options=shared if pc == 'ic' else f'{shared} -pc_type {pc}',
            own=f'{own} -pc_type jacobi' if pc == 'ic' else own,
            ours='-ksp_ovk_pc ic' if pc == 'ic' else '',
            counts=FEWER if pc == 'ic' else EQUAL,
            slack=PARTITION if pc in ('hypre', 'gamg') else 1, results=(r'Solution norm: +([-+.\de]+)',), tolerance=2e-5,
            note='`cg`, `jacobi`' if pc == 'ic' else f'`cg`, `{pc}`')


DOLFINX = ('python3-dolfinx-real', 'dolfinx-doc')
# PETSc's own counts with multigrid differ from run to run of DOLFINx by as much.
PARTITION = 4     # iterations: the partition, and so multigrid, differs from run to run; own solvers took 20 to 23 for one problem
DEMOS = '/usr/share/dolfinx/demo-python'


def dolfinx_demos():
    yield Row('dolfinx/elasticity', DOLFINX, f'{PYTHON} demo_elasticity.py', (copy(f'{DEMOS}/demo_elasticity.py'),),
              take='cg', slack=PARTITION, results=(SOLUTION,), note='names `cg`; `gamg`')
    yield Row('dolfinx/stokes', DOLFINX, f'{PYTHON} demo_stokes.py', (copy(f'{DEMOS}/demo_stokes.py'),), take='minres',
              slack=4, results=(r'\([AB]\) Norm of \w+ coefficient vector .*: ([-+.\de]+)',),
              note='names `minres`; `nest` and blocked, `fieldsplit`')
    yield Row('dolfinx/static-condensation', (*DOLFINX, 'python3-numba'), f'{PYTHON} demo_static-condensation.py',
              (copy(f'{DEMOS}/demo_static-condensation.py'), run(f'cp -r {DEMOS}/data .')),
              take='gmres', results=(r'^(\d+\.\d+)$',), tolerance=1e-4, note='PETSc default `gmres`')
    yield Row('dolfinx/poisson-matrix-free', ('libdolfinx-real-dev', 'dolfinx-doc', 'python3-ffcx'), './demo_poisson_matrix_free',
              (copy('/usr/share/dolfinx/demo-real/poisson_matrix_free'), CMAKE), how=RUN,
              results=(r'CG iterations (\d+)', r'squared\)\) ([-+.\de]+)'), tolerance=1e-5, note='`cg` of DOLFINx')


def dealii():
    packages, folder = ('libdeal.ii-dev', 'libdeal.ii-doc'), f'{DOC}/libdeal.ii-doc/examples'
    # Boundary values fill rows alone, not columns: -ksp_type ovk sees no symmetric matrix and takes bcgs, which is right, but
    # an error below the tolerance changes which cells are refined next: only cg itself, which they name, has the same meshes.
    for step, pc in ((17, 'bjacobi'), (18, 'bjacobi'), (40, 'hypre')):
        yield Row(f'deal.II/step-{step}', packages, f'./step-{step}', (copy(f'{folder}/step-{step}'), CMAKE),
                  take='cg', more=(4,) if step == 17 else (), slack=2, results=(SOLUTION,),
                  note=f'names `cg`; `{pc}`')
    yield Row('deal.II/step-55', packages, './step-55', (copy(f'{folder}/step-55'), CMAKE), how=RUN,
              results=(r'Solved in (\d+) iterations',), note='`minres` of deal.II')


def others_of_petsc():
    getdp = f'{DOC}/getdp/examples'
    yield Row('GetDP/magnet', ('getdp',), '/usr/bin/getdp magnet.pro -solve Magnetostatics_phi',
              (copy(f'{getdp}/demos'), run(f'cp -r {getdp}/templates ..')), ranks=1,
              options='-pc_type jacobi -ksp_rtol 1e-10',
              own='-ksp_type gmres -ksp_gmres_restart 500', counts=OTHER,
              results=(SOLUTION,), tolerance=1e-5, exits=1,  # it does not call MPI_Finalize()
              note='`gmres`')
    sundials, flags = f'{DOC}/libsundials-dev/examples', '$(pkg-config --cflags --libs petsc)'
    extra = '-lsundials_nvecpetsc -lsundials_sunnonlinsolpetscsnes'
    yield Row('SUNDIALS/IDA', ('libsundials-dev', 'petsc-dev'), './idaHeat2D_petsc_snes -jac',
              (copy(f'{sundials}/ida/petsc/idaHeat2D_petsc_snes.c'),
               run(f'mpicc -O2 -w idaHeat2D_petsc_snes.c -o idaHeat2D_petsc_snes {flags} -lsundials_ida {extra} -lm')), ranks=4,
              counts=OTHER, results=(SOLUTION,), tolerance=1e-4, note='PETSc default `gmres`')
    yield Row('SUNDIALS/CVODE', ('libsundials-dev', 'petsc-dev'), './cv_petsc_ex7',
              (copy(f'{sundials}/cvode/petsc/cv_petsc_ex7.c'),
               run(f'mpicc -O2 -w cv_petsc_ex7.c -o cv_petsc_ex7 {flags} -lsundials_cvode {extra} -lm')),
              more=(4,), counts=OTHER, results=(SOLUTION,), tolerance=1e-3, note='PETSc default `gmres`')


def tutorials_of_petsc():
    """Their own solvers are the defaults of PETSc, or cg where the options say so."""
    folder, flags = '/usr/share/petsc/3.18/share/petsc/examples/src', '$(pkg-config --cflags --libs petsc)'
    grid = '-da_grid_x {n} -da_grid_y {n} -da_grid_z {n}'
    for name, command, full, small, settings in (
            ('ksp/ksp/tutorials/ex42', '-mx {n} -stokes_ksp_rtol 1e-6', 14, 6,
             {'prefix': 'stokes_', 'ours': '-stokes_ksp_type ovk', 'note': 'Stokes in 3D; PETSc default `gmres`'}),
            ('ksp/ksp/tutorials/ex45', f'{grid} -pc_type mg -pc_mg_levels 3 -ksp_rtol 1e-8', 65, 17,
             {'note': 'PETSc default `gmres`; `mg`'}),
            ('ksp/ksp/tutorials/ex49', '-mx {n} -my {n} -elas_ksp_rtol 1e-8', 120, 20,
             {'prefix': 'elas_', 'ours': '-elas_ksp_type ovk', 'note': 'elasticity in 2D; PETSc default `gmres`'}),
            ('ksp/ksp/tutorials/ex56', '-ne {n} -alpha 1e-3 -use_mat_nearnullspace -pc_type gamg -ksp_rtol 1e-8', 23, 7,
             {'own': '-ksp_type cg', 'counts': EQUAL, 'note': 'elasticity in 3D; `cg`, `gamg`'}),
            ('snes/tutorials/ex19', '-da_refine {n} -lidvelocity 100 -grashof 1e2', 4, 2,
             {'note': 'Newton, a driven cavity; PETSc default `gmres`'})):
        program = name.rsplit('/', maxsplit=1)[1]
        yield Row(f'PETSc/{program}', ('libpetsc3.18-dev-examples', 'petsc-dev'), f'./{program} {command}',
                  (copy(f'{folder}/{name}.c'), run(f'mpicc -O2 -w {program}.c -o {program} {flags} -lm')), full=full, small=small,
                  results=(SOLUTION,), tolerance=1e-3, **{'counts': OTHER, **settings})


def python_of_petsc():
    packages, folder = ('python3-petsc4py', 'python-petsc4py-doc'), f'{DOC}/python-petsc4py-doc/examples/demo'
    yield Row('petsc4py/poisson2d', packages, f'{PYTHON} poisson2d.py -n {{n}} -plot 0', (copy(f'{folder}/poisson2d/poisson2d.py'),),
              full=64, small=32, ranks=1, take='cg', results=(SOLUTION,), tolerance=1e-4, note='names `cg`; a shell in Python')
    yield Row('petsc4py/ex2', packages, f'{PYTHON} ex2.py -m {{n}} -n {{n}}', (copy(f'{folder}/petsc-examples/ksp/ex2.py'),),
              full=200, small=32, more=(4,), counts=OTHER, results=(SOLUTION,), tolerance=1e-3, note='PETSc default `gmres`')
    yield Row('petsc4py/test_mat_ksp', packages, f'{PYTHON} test_mat_ksp.py -plot 0', (copy(f'{folder}/kspsolve'),),
              take='cg', results=(SOLUTION,), tolerance=1e-4, note='names `cg`')
    yield Row('petsc4py/bratu3d', packages, f'{PYTHON} bratu3d.py -n {{n}}', (copy(f'{folder}/bratu3d/bratu3d.py'),),
              full=32, small=16, take='cg', results=(SOLUTION,), tolerance=1e-4, note='Newton; names `cg`')
    yield Row('petsc4py/heat', packages, f'{PYTHON} heat.py -n {{n}} -plot_history 0', (copy(f'{folder}/ode/heat.py'),),
              full=100, small=100, take='cg', counts=FEWER, results=(SOLUTION,), tolerance=1e-2,
              note='time steps, Newton; names `cg`')
    # cg ends at iteration n here, where rounding decides: methods that overlap sums need a few more. (With n = 2000 many more.)
    yield Row('slepc4py/shift-and-invert', ('python3-slepc4py', 'python-slepc4py-doc'),
              f'{PYTHON} ex1.py -n {{n}} -eps_nev 2 -eps_target 0 -st_type sinvert -eps_tol 1e-8',
              (copy(f'{DOC}/python-slepc4py-doc/examples/demo/ex1.py'),), full=1000, small=100, more=(4,), prefix='st_',
              options='-st_pc_type jacobi -st_ksp_rtol 1e-10 -st_ksp_max_it 100000', own='-st_ksp_type cg', ours='-st_ksp_type ovk',
              results=(r'^ +(\d\.\d+) ',), tolerance=1e-5, slack=10, note='`cg`')
    yield Row('dolfin/singular-poisson', ('python3-dolfin', 'dolfin-doc', 'python3-matplotlib'), f'{PYTHON} demo_singular-poisson.py',
              (copy(f'{DOC}/dolfin-doc/python/_downloads/af757dfda4ee76a7f128aeac121dd8db/demo_singular-poisson.py'),),
              take='cg', slack=12, note='names `cg`; prints no result')  # its own solver took 64 to 72


def programs_of_mpi():
    yield Row('LAMMPS/melt', ('lammps', 'lammps-examples'), '/usr/bin/lmp -in in.melt', (copy('/usr/share/lammps/examples/melt/in.melt'),),
              how=RUN, more=(4,), results=(r'^ +\d+ +([-\d.]+) +([-\d.]+) +[-\d.]+ +([-\d.]+) +([-\d.]+) *$',), tolerance=1e-7,
              seconds=r'Loop time of ([\d.]+)')
    foam = f'{DOC}/openfoam-examples/examples/incompressible'
    decompose = ("printf 'FoamFile {version 2.0; format ascii; class dictionary; object decomposeParDict;}\\n"
                 "numberOfSubdomains 2;\\nmethod simple;\\nsimpleCoeffs {n (2 1 1); delta 0.001;}\\n' > system/decomposeParDict")
    place = ('WM_PROJECT_DIR', '/usr/share/openfoam')
    mesh = [f'{"=".join(place)} {command}' for command in ('blockMesh', 'decomposePar -force')]
    foams = {'packages': ('openfoam', 'openfoam-examples'), 'how': RUN, 'environment': (place,),
             'results': (r'Initial residual = ([-+.\de]+), Final residual = ([-+.\de]+), No Iterations (\d+)',),
             'seconds': r'ExecutionTime = ([\d.]+) s'}
    yield Row('OpenFOAM/icoFoam-cavity', command='/usr/bin/icoFoam -parallel', prepare=(
        copy(f'{foam}/icoFoam/cavity/cavity'), run(decompose, *mesh)), note='`PCG`', **foams)
    yield Row('OpenFOAM/simpleFoam-pitzDaily', command='/usr/bin/simpleFoam -parallel', prepare=(
        copy(f'{foam}/simpleFoam/pitzDaily'),
        run(decompose, "sed -i 's/^endTime .*/endTime 50;/; /^functions/,/^}/d' system/controlDict", *mesh)), note='`GAMG`, 50 steps', **foams)
    yield Row('hpcc', ('hpcc',), '/usr/bin/hpcc',
              (copy(f'{DOC}/hpcc/examples/_hpccinf.txt'), run("sed '/Ps$/s/^2/1/' _hpccinf.txt > hpccinf.txt")), how=RUN,
              output='hpccoutf.txt', results=(r'^(?:Success|HPL_N|PTRANS_n|CommWorldProcs)=(\d+)',))
    yield Row('mpi4py/helmholtz', DOLFINX, f'{PYTHON} demo_helmholtz.py', (copy(f'{DEMOS}/demo_helmholtz.py'),), how=RUN,
              results=(r'(0\.04\d{9,})', r'(0\.01\d{9,})'),  # the errors, by size: the ranks print them at once
              note='a demo of DOLFINx')


ROWS = [*dolfinx_scaling_test(), *dolfinx_demos(), *dealii(), *others_of_petsc(), *tutorials_of_petsc(), *python_of_petsc(), *programs_of_mpi()]
