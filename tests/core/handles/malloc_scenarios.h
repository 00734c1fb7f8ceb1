/* SPDX-License-Identifier: BSD-2-Clause */
#ifndef OVK_TEST_MALLOC_SCENARIOS_H
#define OVK_TEST_MALLOC_SCENARIOS_H

#include <ovkrylov/ovkrylov.h>

/* A scenario in a context; returns its first error, after it has freed all its objects. */
typedef ovk_err scenario(ovk_ctx *ctx, const void *arg);

/* Those with an argument: a spec of a backend, a format, a file, options of a solver, a spec of a
 * preconditioner. */
scenario parse_spec, refill, copy_in_float, write_and_read, solve, make_precond;
scenario nothing, assemble, assemble_backwards, describe_problem, reorder, find_points,
    solve_singular, make_shell, solve_indefinite, make_collectives, make_scheduled;

#endif
