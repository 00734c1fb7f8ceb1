/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs with several right-hand sides: that of the problem, and random ones. */
#ifndef OVK_BENCH_COLUMNS_H
#define OVK_BENCH_COLUMNS_H

#include "run.h"

/* r->columns <- the right-hand sides, if the options ask for them. To be freed with free(), also
 * after a failure. */
ovk_err columns_create(ovk_ctx *ctx, run *r);

/* Solves for all of them from x = 0. */
ovk_err columns_solve(run *r);

/* r->residual <- the largest of a column, r->norm <- that of the first solution; scratch: `work`.
 */
ovk_err columns_check(run *r, double *work);

#endif
