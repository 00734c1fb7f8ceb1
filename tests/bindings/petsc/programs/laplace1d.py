# SPDX-License-Identifier: BSD-2-Clause
"""A script of petsc4py that knows nothing of ovkrylov: the Laplacian in one dimension, 100 rows."""
import sys

import petsc4py

petsc4py.init(sys.argv)
from petsc4py import PETSc

ROWS = 100

A = PETSc.Mat().createAIJ([ROWS, ROWS], nnz=3)
for i in range(*A.getOwnershipRange()):
    for j in (i - 1, i, i + 1):
        if 0 <= j < ROWS:
            A[i, j] = 2 if i == j else -1
A.assemble()
x, b = A.createVecs()
b.set(1)
ksp = PETSc.KSP().create()
ksp.setOperators(A)
ksp.setFromOptions()
ksp.solve(b, x)
r = b - A * x
assert r.norm() < 1e-6 * b.norm()
