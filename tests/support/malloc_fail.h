/* SPDX-License-Identifier: BSD-2-Clause */
/* Counts the allocations of the library and the test, and makes one of them fail. The linker's
 * --wrap redirects them; MPI and other shared libraries are not affected. */
#ifndef OVK_TEST_MALLOC_FAIL_H
#define OVK_TEST_MALLOC_FAIL_H

#include <stdbool.h>

/* Restarts counting; allocation number `n` from now on fails on this rank. 0: none does. */
void malloc_fail_at(long n);

/* Whether that allocation was reached and failed. */
bool malloc_failed(void);

/* Between them, allocations neither fail nor are counted by malloc_count(). */
void malloc_pause(void);
void malloc_resume(void);

/* Allocations since malloc_fail_at(), the failed one included. */
long malloc_count(void);

/* Number of blocks not yet freed. */
long malloc_live(void);

#endif
