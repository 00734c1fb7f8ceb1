/* SPDX-License-Identifier: BSD-2-Clause */
/* The rows of a block of columns, and where they come from and go to. */
#ifndef OVK_SOLVERS_MANY_COLUMNS_H
#define OVK_SOLVERS_MANY_COLUMNS_H

#include "solvers/many/many.h"

/* The squares of b and r at the start and at the end of a solve; those of the test may be the plain
 * ones. */
enum { B_PLAIN, B_TEST, R_PLAIN, R_TEST, SQUARES };

/* The width of a block for so many columns: 8, 4, 2 or 1. */
int ovk__many_width(int columns);

/* Whether this rank's part of all columns is 0. */
bool ovk__many_is_zero(const ovk_multivec *X);

/* block <- the columns of `from` that the lanes have; 0 in idle lanes. */
void ovk__many_gather(const ovk__many *B, const ovk_multivec *from, double *block);

/* The columns of X that these lanes have <- x of the lanes. */
void ovk__many_store(const ovk__many *B, const bool which[OVK__WIDEST], ovk_multivec *X);

/* The numbers of these lanes <- 0 */
void ovk__many_clear(ovk__many *B, const bool which[OVK__WIDEST]);

/* Moves the lanes that are not free to blocks of the width `narrow`, in their order. */
void ovk__many_pack(ovk__many *B, int narrow);

#endif
