/* SPDX-License-Identifier: BSD-2-Clause */
/* The upper half of S + S^T. */
#ifndef OVK_PRECOND_AMG_OPERATORS_FOLD_H
#define OVK_PRECOND_AMG_OPERATORS_FOLD_H

#include "precond/amg/operators/accumulator.h"

/* Adds to each block (I,J) of sorted own rows and columns, I < J, the transpose of block (J,I), and
 * to the upper half of each block (I,I) that of its lower half. Blocks (J,I) and those of columns
 * of other ranks stay as they are. Missing blocks are inserted. A number of a block that is -0 is a
 * sum of two others than 0. */
ovk_err ovk__amg_sums_fold(ovk__amg_sums *sums);

#endif
