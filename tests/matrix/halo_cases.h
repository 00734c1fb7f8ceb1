/* SPDX-License-Identifier: BSD-2-Clause */
/* Matrices over each halo exchange. */
#ifndef OVK_TEST_HALO_CASES_H
#define OVK_TEST_HALO_CASES_H

#include "support/problem.h"

/* Calls check() for the default halo exchange, "p2p" and "nbc", with two matrices: one of long
 * rows, where ranks have 0, 1, 2, ... rows and the last one the rest, and one of 27 and fewer.
 * Collective.
 */
void for_each_halo(void (*check)(const ovk_mat *A));

#endif
