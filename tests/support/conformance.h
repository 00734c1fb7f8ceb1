/* SPDX-License-Identifier: BSD-2-Clause */
/* The checks of ovkrylov/plugin/conformance.h as tests, run for every backend: to test a new one,
 * add its specs to test_reduction.c. */
#ifndef OVK_TEST_CONFORMANCE_H
#define OVK_TEST_CONFORMANCE_H

#include <ovkrylov/comm/reduction.h>

/* Runs all checks over one backend spec. `introduce` registers a user's backend with a further
 * context; NULL for built-in ones. Collective. */
void conformance_check(const char *spec, ovk_err (*introduce)(ovk_ctx *ctx));

/* Checks that a rank that waits for a sum progresses another operation which other ranks wait for
 * first. Not for backends that complete the sum inside begin. Collective. */
void conformance_check_mixed(const char *spec);

/* Checks that thousands of reductions exhaust nothing. One call per backend is enough.
 * Collective. */
void conformance_check_thousands(const char *spec);

#endif
