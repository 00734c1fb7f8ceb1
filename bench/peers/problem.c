/* SPDX-License-Identifier: BSD-2-Clause */
/* The system that all drivers solve. Right-hand sides are computed from the entries, not by a
 * library's product, so that they are bitwise identical for all. */
#include "problem.h"
#include "problem/file.h"
#include "problem/model/model.h"
#include "splitmix64.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static double sum_row(const block *rows, ovk_lidx i)
{
  double sum = 0;
  for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) sum += rows->val[k];
  return sum;
}

static void fill_vectors(const char *rhs, problem *p)
{
  for (ovk_lidx i = 0; i < p->rows.rows; i++) {
    p->x[i] = random_value(p->rows.first + i);
    p->b[i] = strcmp(rhs, "ones") == 0    ? 1
              : strcmp(rhs, "Aones") == 0 ? sum_row(&p->rows, i)
                                          : p->x[i];
  }
}

static ovk_err make_rows(ovk_ctx *ctx, const options *o, problem *out)
{
  if (!o->kind) {
    snprintf(out->text, sizeof out->text, "%s", o->path);
    return file_rows(ctx, o->path, &out->rows);
  }
  snprintf(out->text, sizeof out->text, "%s %dx%dx%d per process, grid 1x1x%d", o->kind->name,
           o->n[0], o->n[1], o->n[2], ovk_ctx_size(ctx));
  return model_rows(ctx, o->kind, o->n, &out->rows);
}

ovk_err problem_create(ovk_ctx *ctx, const options *o, problem *out)
{
  *out = (problem){0};
  const double start = MPI_Wtime();
  const ovk_err err = make_rows(ctx, o, out);
  if (err) return err;
  if (out->rows.size > INT_MAX) {
    return ovk_ctx_fail(ctx, OVK_ERR_RANGE, "peers count rows in 32 bits");
  }
  const size_t n = (size_t)out->rows.rows + 1;
  out->b = calloc(n, sizeof *out->b);
  out->x = calloc(n, sizeof *out->x);
  if (!out->b || !out->x) return ovk_ctx_fail(ctx, OVK_ERR_MEMORY, "no memory for vectors");
  fill_vectors(o->rhs, out);
  const double seconds = MPI_Wtime() - start;
  const int64_t nnz = block_nnz(&out->rows);
  MPI_Allreduce(&seconds, &out->seconds, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(&nnz, &out->nnz, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
  out->checksum = block_checksum(&out->rows);
  return OVK_OK;
}

void problem_free(problem *p)
{
  block_free(&p->rows);
  free(p->b);
  free(p->x);
}

/* Of an edge: the product of numbers of its ends. */
static double step_factor(const problem *p, ovk_gidx row, int step)
{
  const double turn = 6.283185307179586;
  return step ? 1 + 0.2 * sin(turn * (double)row / (double)p->rows.size + 0.3 * step) : 1;
}

void problem_step(problem *p, int step)
{
  const block *rows = &p->rows;
  for (ovk_lidx i = 0; i < rows->rows; i++) {
    const ovk_gidx row = rows->first + i;
    const double now = step_factor(p, row, step), before = step_factor(p, row, step - 1);
    double change = 0;
    int64_t diagonal = rows->ptr[i];
    for (int64_t k = rows->ptr[i]; k < rows->ptr[i + 1]; k++) {
      const ovk_gidx col = rows->col[k];
      const double old = rows->val[k];
      if (col == row) {
        diagonal = k;
        continue;
      }
      rows->val[k] *= (now * step_factor(p, col, step)) / (before * step_factor(p, col, step - 1));
      change += rows->val[k] - old;
    }
    rows->val[diagonal] -= change;
  }
}
