/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs with several right-hand sides. */
#include "columns.h"
#include "splitmix64.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t rows_of(const run *r)
{
  return (size_t)r->problem.rows.rows;
}

ovk_err columns_create(ovk_ctx *ctx, run *r)
{
  const size_t n = rows_of(r), count = (size_t)r->options->columns;
  const ovk_gidx first = r->problem.rows.first, size = r->problem.rows.size;
  if (!count) return OVK_OK;
  if (!r->ops->solve_columns) {
    return ovk_ctx_fail(ctx, OVK_ERR_UNSUPPORTED, "%s has no --columns", r->ops->program);
  }
  r->columns.b = calloc(n * count + 1, sizeof(double));
  r->columns.x = calloc(n * count + 1, sizeof(double));
  if (!r->columns.b || !r->columns.x) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory");
  memcpy(r->columns.b, r->problem.b, n * sizeof(double));
  for (size_t k = n; k < n * count; k++) {
    const ovk_gidx number = (ovk_gidx)(k / n) * size + first + (ovk_gidx)(k % n);
    r->columns.b[k] = 2 * hash_unit(splitmix64((uint64_t)number)) - 1;
  }
  return OVK_OK;
}

ovk_err columns_solve(run *r)
{
  return r->ops->solve_columns(r->state, r->options->columns, r->columns.b, r->columns.x,
                               &r->outcome);
}

ovk_err columns_check(run *r, double *work)
{
  const size_t n = rows_of(r);
  r->residual = 0;
  for (int c = r->options->columns - 1; c >= 0; c--) {
    const double *b = r->columns.b + n * (size_t)c, *x = r->columns.x + n * (size_t)c;
    ovk_err err = r->ops->load(r->state, PEER_X, x);
    if (!err) err = r->ops->product(r->state);
    if (!err) err = r->ops->fetch(r->state, PEER_Y, work);
    if (err) return err;
    for (size_t i = 0; i < n; i++) work[i] = b[i] - work[i];
    const ovk_lidx rows = r->problem.rows.rows;
    r->residual = fmax(r->residual, run_norm(rows, work) / run_norm(rows, b));
    r->norm = run_norm(rows, x);
  }
  return OVK_OK;
}
