/* SPDX-License-Identifier: BSD-2-Clause */
/* The contract of reduction.h as tests, written once and run for every backend: for a new one, add
 * its specs to test_reduction.c. */
#ifndef OVK_TEST_CONFORMANCE_H
#define OVK_TEST_CONFORMANCE_H

#include <ovkrylov/reduction.h>

/* Runs all checks over one backend spec. `introduce` makes a user's backend known to a further
 * context; NULL for built-in ones. Collective. */
void conformance_check(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx));

/* That a rank which waits for a sum lets another operation go on that others wait for first. Not
 * for backends that sum up inside begin. Collective. */
void conformance_check_mixed(const char *spec);

/* That thousands of reductions use up nothing. Once a backend is enough. Collective. */
void conformance_check_thousands(const char *spec);

#endif
